"""The deal of the day: what its player reads at the end, the board of a finished day, and the list of a month."""

from typing import Any

from discord import ui

from bot.daily.days import DayEnd, SharedDay
from bot.daily.deals import SHOWN, DayBoard, MonthBoard
from bot.panels.history.replay import replay_button
from bot.panels.table.more import fair_button
from bot.table.core.snapshot import Snapshot
from bot.ui.items import Button, Press, row, table_press
from bot.ui.panel import Panel, panel, text
from bot.words.names import shown_name
from bot.words.texts import Texts
from league.ids import TableId
from league.statistics.duplicate import LEAST_DAYS, DayLine, MonthLine
from marriage.view import View
from render.words import decimal, signed

_LONG_STREAK = 2


def daily_result(snapshot: Snapshot, view: View, texts: Texts) -> str:
    """Describe a player's result once the deal is over for them."""
    sheet, seat = view.sheet, view.viewer or 0
    if sheet is None:
        raise ValueError("a deal that is over has a sheet")
    if sheet.winner is None:
        return texts("daily.dismissed")
    line = sheet.lines[seat]
    return texts(
        "daily.won" if sheet.winner == seat else "daily.lost",
        net=signed(line.net),
        maal=line.points,
        name=snapshot.shown_names[sheet.winner],
    )


def daily_hint(snapshot: Snapshot, texts: Texts) -> str:
    """Say when everybody's results are published."""
    if snapshot.day_ends_at is None:
        return texts("daily.board_is_there")
    return texts("daily.board_comes", at=snapshot.day_ends_at)


def day_words(snapshot: Snapshot, day: DayEnd, texts: Texts) -> str:
    """Describe the player's streak, the day's board so far, and whether a reminder will come."""
    shown = day.best if day.own in day.best else (*day.best, day.own)
    lines = [f"🔥 {texts('daily.streak', days=day.days)}"] if day.days >= _LONG_STREAK else []
    if day.own.place is not None:
        lines.append(texts("daily.so_far", place=day.own.place, players=day.players))
        lines += [_so_far(line, texts) for line in shown]
    if snapshot.holders[0].settings.daily_reminders:
        lines.append(texts("daily.reminder_closed" if 0 in snapshot.dms_closed else "daily.reminder_comes"))
    return "\n".join(lines)


def _so_far(line: DayLine, texts: Texts) -> str:
    name, net = shown_name(line.attempt.name), signed(line.attempt.net)
    if line.place is None:
        return texts("daily.not_finished", name=name)
    return texts("daily.line", place=line.place, name=name, net=net)


def reminder_button(snapshot: Snapshot, texts: Texts) -> Button:
    """Return the button that turns the reminders of the deal of the day on or off."""
    is_on = snapshot.holders[0].settings.daily_reminders
    verb = "remind-day-off" if is_on else "remind-day"
    return Button(
        table_press(snapshot, verb), texts("button.remind_day_off" if is_on else "button.remind_day")
    )


def reminder_panel(server: str, address: str, days: int, texts: Texts) -> Panel:
    """Remind a player by direct message: a link to the deal of the day, and a button that ends reminders."""
    key = "daily.reminder_streak" if days >= _LONG_STREAK else "daily.reminder"
    return panel(
        text(texts(key, server=shown_name(server), link=address, days=days)),
        row(Button(Press("remind-day-off", 0, 0), texts("button.remind_day_off"))),
    )


def share_panel(shared: SharedDay, texts: Texts) -> Panel:
    """Show a result to everyone in the channel, without naming any card."""
    said = texts(
        "daily.shared_won" if shared.won else "daily.shared",
        day=shared.day.isoformat(),
        name=shown_name(shared.name),
        net=signed(shared.net),
    )
    streak = texts("daily.streak", days=shared.days) if shared.days >= _LONG_STREAK else None
    lines = [said, *shared.squares, *([f"🔥 {streak}"] if streak else []), texts("daily.shared_try")]
    return panel(text("\n".join(lines)))


def day_panel(board: DayBoard, texts: Texts) -> Panel:
    """Show the board of a finished day: results, streaks, and the seed of the deck."""
    lines = [_day_line(line, board, texts) for line in board.lines[:SHOWN]]
    more = len(board.lines) - len(lines) + board.hidden
    return panel(
        text(texts("daily.board_title", day=board.day.isoformat())),
        text("\n".join(lines) or texts("daily.nobody")),
        text(texts("daily.more", count=more)) if more else None,
        _row(board.best_table, texts) if board.best_table else None,
    )


def _row(table: TableId, texts: Texts) -> ui.ActionRow[Any]:
    """Return the buttons for the replay and the shuffle of a table's deal."""
    return row(replay_button(table, 1, texts), fair_button(table, texts))


def _day_line(line: DayLine, board: DayBoard, texts: Texts) -> str:
    attempt = line.attempt
    if line.place is None:
        return texts("daily.not_finished", name=shown_name(attempt.name))
    days = board.streaks[attempt.player]
    said = texts(
        "daily.line" if line.beaten is None else "daily.line_beaten",
        place=line.place,
        name=shown_name(attempt.name),
        net=signed(attempt.net),
        percent=round(100 * (line.beaten or 0)),
    )
    return f"{said} · {texts('daily.streak', days=days)}" if days >= _LONG_STREAK else said


def month_panel(board: MonthBoard, texts: Texts) -> Panel:
    """Show the list of a month, from its finished days."""
    lines = [_month_line(line, texts) for line in board.lines[:SHOWN]]
    return panel(
        text(texts("daily.month_title", month=f"{board.month:%Y-%m}")),
        text("\n".join(lines) or texts("daily.month_empty")),
        text(texts("daily.month_note", days=LEAST_DAYS)),
    )


def _month_line(line: MonthLine, texts: Texts) -> str:
    return texts(
        "daily.month_line" if line.place else "daily.month_line_few",
        place=line.place or 0,
        name=shown_name(line.name),
        percent=round(100 * line.beaten),
        mean=decimal(line.mean, sign=True),
        days=line.days,
    )
