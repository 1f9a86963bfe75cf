"""The table message: what everybody in the channel sees, from the lobby to the score sheet.

In a former place of the table, its message links to the present one.
"""

import discord

from bot.panels.history.analysis import analyse_button
from bot.panels.history.replay import replay_button
from bot.panels.table.lobby import computers_line, lobby_panel
from bot.panels.table.match import (
    final,
    go_on_buttons,
    ledger_button,
    owing_words,
    progress,
    result_words,
    sheet_words,
    who_goes_on,
)
from bot.panels.table.more import fair_button, more_button, ruled_words
from bot.panels.table.presence import (
    changing_words,
    ended_words,
    quit_button,
    sit_button,
    table_notes,
    vote_buttons,
    vote_words,
)
from bot.table.core.snapshot import Snapshot
from bot.table.core.table import plays_alone
from bot.ui.items import BLUE, GREY, Button, row, table_press
from bot.ui.panel import Panel, notice_panel, panel, pictured, text
from bot.words.names import table_address
from bot.words.texts import Texts, shown_card, shown_cards
from data.ids import MessageId
from data.values import TableRow
from marriage.sheet import Sheet
from marriage.state import Phase
from marriage.view import View
from render.picture import Picture


def table_panel(snapshot: Snapshot, picture: Picture | None, texts: Texts) -> Panel:
    """Show the message for the table's status; without a picture, everything is in words."""
    match snapshot.table.status:
        case "lobby":
            return lobby_panel(snapshot, texts)
        case "playing" | "between" if snapshot.is_withheld:
            return _withheld(snapshot, texts)
        case "playing":
            return _playing(snapshot, picture, texts)
        case "between":
            return _between(snapshot, picture, texts)
        case "closed":
            return _closed(snapshot, texts)


def _title(snapshot: Snapshot, texts: Texts) -> str:
    return texts("table.title", table=snapshot.table.id)


def _playing(snapshot: Snapshot, picture: Picture | None, texts: Texts) -> Panel:
    view = _public(snapshot)
    parts, files = pictured([picture] if picture else [])
    return panel(
        text(_title(snapshot, texts)),
        text(progress(snapshot, texts)),
        text(_situation(snapshot, view, texts)),
        text(said) if (said := ruled_words(snapshot, texts)) else None,
        text(table_notes(snapshot, texts)),
        text(changing_words(snapshot, texts)),
        *parts,
        None if picture else text(_seats_in_words(snapshot, view, texts)),
        text(computers_line(snapshot, texts)),
        text("\n".join(f"- {sentence}" for sentence in snapshot.last_moves)) if snapshot.last_moves else None,
        row(
            _hand_button(snapshot, texts, style=BLUE),
            ledger_button(snapshot, texts),
            *sit_button(snapshot, texts),
            quit_button(snapshot, texts),
            more_button(snapshot, texts),
        ),
        vote_buttons(snapshot, texts),
        files=files,
    )


def _withheld(snapshot: Snapshot, texts: Texts) -> Panel:
    """Show a table whose board others have yet to play, without cards or score sheet."""
    playing = snapshot.table.status == "playing"
    return panel(
        text(_title(snapshot, texts)),
        text(progress(snapshot, texts)),
        text(_withheld_situation(snapshot, _public(snapshot), texts)) if playing else None,
        text(texts("table.withheld" if playing else "table.withheld_over")),
        text(ruled_words(snapshot, texts)) if playing else None,
        text(table_notes(snapshot, texts)) if playing else None,
        *(text(words) for words in ([] if playing else final(snapshot, texts))),
        text(who_goes_on(snapshot, texts)) if not playing else None,
        text(vote_words(snapshot, texts)) if not playing else None,
        row(
            *([] if playing else go_on_buttons(snapshot, texts)),
            _hand_button(snapshot, texts, style=BLUE),
            ledger_button(snapshot, texts),
            *([quit_button(snapshot, texts)] if playing else []),
            more_button(snapshot, texts),
        ),
        vote_buttons(snapshot, texts),
    )


def _withheld_situation(snapshot: Snapshot, view: View, texts: Texts) -> str:
    if view.phase is Phase.WINDOW:
        return _window(snapshot, texts)
    return texts("table.withheld_turn", name=snapshot.shown_names[view.turn])


def table_words(snapshot: Snapshot, texts: Texts) -> str:
    """Describe the table in words, for its players' panels when its message shows no cards."""
    view = _public(snapshot)
    if view.phase is Phase.OVER:
        return sheet_words(_sheet(view), snapshot.counted_names, snapshot.counted_totals, texts)
    return f"{_situation(snapshot, view, texts)}\n{_seats_in_words(snapshot, view, texts)}"


def _situation(snapshot: Snapshot, view: View, texts: Texts) -> str:
    if view.phase is Phase.WINDOW:
        return _window(snapshot, texts)
    key = {Phase.DRAW: "table.draws", Phase.PLAY: "table.plays", Phase.CUT: "table.cuts"}[view.phase]
    said = texts(
        key,
        name=snapshot.shown_names[view.turn],
        top=shown_card(view.pile[-1], texts) if view.pile else "–",
        stock=view.stock_count,
    )
    return (
        said
        if view.tiplu is None
        else f"{said}\n{texts('table.tiplu_open', card=shown_card(view.tiplu, texts))}"
    )


def _window(snapshot: Snapshot, texts: Texts) -> str:
    if plays_alone(snapshot.table, snapshot.seats) or snapshot.window_closes_at is None:
        return texts("table.window_open")
    return texts("table.window", closes=snapshot.window_closes_at)


def _seats_in_words(snapshot: Snapshot, view: View, texts: Texts) -> str:
    lines = [
        texts(
            "table.seat_seen" if seat.shown else "table.seat",
            name=name,
            count=seat.count,
            laid=" · ".join(shown_cards(group, texts) for group in seat.laid) or "–",
        )
        for name, seat in zip(snapshot.shown_names, view.seats, strict=True)
    ]
    return "\n".join(lines)


def _between(snapshot: Snapshot, picture: Picture | None, texts: Texts) -> Panel:
    view = _public(snapshot)
    parts, files = pictured([picture] if picture else [])
    return panel(
        text(_title(snapshot, texts)),
        text(progress(snapshot, texts)),
        text(_result(snapshot, view, texts)),
        *parts,
        None if picture else text(table_words(snapshot, texts)),
        text(owing_words(view, snapshot.counted_names, texts)),
        text(_earned(snapshot, texts)) if picture else None,  # the sheet in words needs the room
        *map(text, final(snapshot, texts)),
        text(changing_words(snapshot, texts)),
        text(who_goes_on(snapshot, texts)),
        text(vote_words(snapshot, texts)),
        row(
            *go_on_buttons(snapshot, texts),
            _hand_button(snapshot, texts),
            ledger_button(snapshot, texts),
            replay_button(snapshot.table.id, snapshot.table.deal_no, texts),
            more_button(snapshot, texts),
        ),
        vote_buttons(snapshot, texts),
        files=files,
    )


def _result(snapshot: Snapshot, view: View, texts: Texts) -> str:
    said = result_words(view, snapshot.table.deal_no, snapshot.counted_names, texts)
    why = ended_words(snapshot, texts) if _sheet(view).winner is None else None
    return f"{said}\n{why}" if why else said


def _earned(snapshot: Snapshot, texts: Texts) -> str | None:
    """List the achievements first earned in this deal, a line for each player who has any."""
    lines: list[str] = []
    for seat, name in zip(snapshot.seats, snapshot.shown_names, strict=True):
        earned = [one.achievement for one in snapshot.earned if one.person == seat.person_id]
        if earned:
            what = " · ".join(texts(f"achievement.{achievement}") for achievement in earned)
            lines.append(texts("achievement.told", name=name, what=what))
    return "\n".join(lines) or None


def _closed(snapshot: Snapshot, texts: Texts) -> Panel:
    played, sealed = snapshot.table.deal_no, snapshot.next_shuffle or snapshot.shuffle
    return panel(
        text(_title(snapshot, texts)),
        text(texts("table.closed", deals=played)),
        text(_why_closed(snapshot, texts)),
        *map(text, final(snapshot, texts)),
        row(
            *([replay_button(snapshot.table.id, played, texts)] if played else []),
            *([analyse_button(snapshot.table.id, played, texts)] if played else []),
            *([fair_button(snapshot.table.id, texts)] if sealed else []),
        ),
    )


def _why_closed(snapshot: Snapshot, texts: Texts) -> str | None:
    """Say why the table was closed early; None if the end of its match says so already."""
    match = snapshot.match
    if match is not None and match.row.deals and match.row.ended == snapshot.table.ended:
        return None
    return ended_words(snapshot, texts)


def _hand_button(snapshot: Snapshot, texts: Texts, style: discord.ButtonStyle = GREY) -> Button:
    return Button(table_press(snapshot, "hand"), texts("button.hand"), style=style)


def _public(snapshot: Snapshot) -> View:
    if snapshot.public is None:
        raise ValueError("a table in play has a deal")
    return snapshot.public


def _sheet(view: View) -> Sheet:
    if view.sheet is None:
        raise ValueError("a deal that is over has a sheet")
    return view.sheet


def old_panel(table: TableRow, message_id: MessageId, texts: Texts) -> Panel:
    """Replace an old table message; one of them links to the table's thread."""
    if message_id != table.sign_id:
        key = "table.moved"
    else:
        key = "thread.sign_private" if table.kind.by_invitation else "thread.sign"
    return notice_panel(texts(key, table=table.id, link=table_address(table), thread=table.place_id))
