"""A player's panel: their cards and what they may do."""

from typing import Any

from discord import ui

from bot.daily.ending import DayEnd
from bot.interactions.permissions import Obstacle
from bot.learning.hint_words import hint_words
from bot.panels.daily import daily_hint, daily_result, day_words
from bot.panels.table.arranging import moving_words
from bot.panels.table.choosing_sets import choosing_words, show_words
from bot.panels.table.fouls import price
from bot.panels.table.hand_controls import control_rows, messages_fail
from bot.panels.table.match import final, ledger_panel, who_goes_on
from bot.panels.table.pile import pile_panel
from bot.panels.table.presence import hand_note
from bot.panels.table.sheet import result_words
from bot.panels.table.table_message import table_words
from bot.panels.table.tunnelas import is_asked, window_words
from bot.table.core.snapshot import Hand, Mode, Sleep, Snapshot
from bot.table.personal_settings import is_asked_about_stronger
from bot.ui.items import Button, row, table_press
from bot.ui.panel import Panel, panel, pictured, text
from bot.words.card_names import shown_card
from bot.words.hand_words import hand_words, missing_words
from bot.words.names import table_address
from bot.words.refusals import signed
from bot.words.texts import Texts
from marriage.actions import Action, Finish, FinishDublees, Show, ShowDublees, TakeDiscard
from marriage.legal import throw_fouls
from marriage.state import Phase
from marriage.view import View

_READY: dict[type[Action], str] = {
    Finish: "button.finish",
    FinishDublees: "button.finish",
    Show: "button.show",
    ShowDublees: "button.dublees",
}
"""The button of each move that depends on the hand."""


def hand_panel(
    snapshot: Snapshot,
    hand: Hand,
    texts: Texts,
    note: str | None = None,
    mode: Mode = Mode.PLAY,
    why_paused: Obstacle | None = None,
    day: DayEnd | None = None,
) -> Panel:
    """The panel of one seat. `note` comes first, for example why the last press did nothing.

    `day` is the current board of the day, at the end of its deal.
    """
    shown, files = pictured(hand.pictures)
    return panel(
        text("\n".join(f"> {line}" for line in note.splitlines())) if note else None,
        text(_heading(snapshot, hand, texts)),
        text(hand_note(snapshot, hand.view.viewer or 0, texts, why_paused)),
        *(shown or [text(hand_words(hand.layout, hand.view, texts))]),
        text(day_words(snapshot, day, texts)) if day else None,
        text(_progress(snapshot, hand, texts)),
        None if shown else text(_table(snapshot, texts)),
        text(_aside(snapshot, hand, texts, mode)),
        text(hint_words(hand.view, hand.hint, texts)) if hand.hint else None,
        text(texts(f"hand.{hand.sleep.name.lower()}")) if hand.sleep is not Sleep.AWAKE else None,
        *control_rows(snapshot, hand, texts, mode),
        *_stronger(snapshot, hand, texts),
        files=files,
    )


def _stronger(snapshot: Snapshot, hand: Hand, texts: Texts) -> list[ui.Item[Any]]:
    """Whether **Play now** is to seat stronger computers, for the player who is asked after this deal."""
    table = snapshot.table
    settings = snapshot.holders[hand.view.viewer or 0].settings
    if table.status != "between" or not is_asked_about_stronger(settings, table.id, table.deal_no):
        return []
    return [
        text(texts("hand.stronger")),
        row(
            Button(table_press(snapshot, "stronger", "yes"), texts("button.stronger_yes")),
            Button(table_press(snapshot, "stronger", "stay"), texts("button.stronger_stay")),
        ),
    ]


def panel_beside(snapshot: Snapshot, view: View, mode: Mode, page: int, texts: Texts) -> Panel | None:
    """The panel that takes the place of the hand until the holder goes back to it; None for the hand itself."""
    match mode:
        case Mode.PILE if view.phase is not Phase.OVER:
            return pile_panel(snapshot, view, page, texts)
        case Mode.LEDGER if snapshot.table.status == "between":
            return ledger_panel(snapshot, texts, in_hand=True)
        case _:
            return None


def _heading(snapshot: Snapshot, hand: Hand, texts: Texts) -> str:
    table = snapshot.table
    if table.kind.has_message:
        where = texts("hand.where", table=table.id, deal=table.deal_no, link=table_address(table))
    else:
        where = texts("daily.where", day=table.options.daily)
    return f"{where}\n{_ask(snapshot, hand, texts)}"


def _ask(snapshot: Snapshot, hand: Hand, texts: Texts) -> str:
    view = hand.view
    if view.phase is Phase.OVER:
        counts = snapshot.table.kind.is_counted
        return _result(snapshot, view, texts) if counts else daily_result(snapshot, view, texts)
    if view.phase is Phase.WINDOW:
        return window_words(snapshot, hand, texts)
    if view.turn != view.viewer:
        if snapshot.is_paused:
            return texts("hand.wait_paused", name=snapshot.shown_names[view.turn])
        return texts("hand.wait", name=snapshot.shown_names[view.turn])
    match view.phase:
        case Phase.DRAW:
            may_take = any(isinstance(action, TakeDiscard) for action in hand.actions)
            return texts("hand.draw" if may_take else "hand.draw_only")
        case Phase.CUT:
            return texts("hand.cut")
        case Phase.PLAY:
            if view.taken is not None:
                return texts("hand.play_taken", card=shown_card(view.taken, texts))
            return texts("hand.play", card=shown_card(view.drawn, texts) if view.drawn is not None else "–")


def _result(snapshot: Snapshot, view: View, texts: Texts) -> str:
    """Say how the deal ended, with the player's own points, and how the match stands or goes on."""
    lines = [texts("hand.over")]
    if view.sheet is not None and snapshot.counted:
        seat = view.viewer or 0
        points, total = view.sheet.lines[seat].net, snapshot.totals[seat]
        lines.append(result_words(view, snapshot.table.deal_no, snapshot.counted_names, texts))
        lines.append(texts("hand.points", points=signed(points), total=signed(total)))
    if snapshot.table.status == "between":
        lines += [*final(snapshot, texts), who_goes_on(snapshot, texts) or ""]
    return "\n".join(line for line in lines if line)


def _table(snapshot: Snapshot, texts: Texts) -> str | None:
    """The table in words, as the picture would show it, or the score sheet; None once the table is closed."""
    return None if snapshot.table.status == "closed" else table_words(snapshot, texts)


def _aside(snapshot: Snapshot, hand: Hand, texts: Texts, mode: Mode) -> str | None:
    """The small print: what the select is for, or why the hand does not come by direct message."""
    match mode:
        case Mode.GROUP:
            return moving_words(hand, texts)
        case Mode.SETS:
            return choosing_words(hand, texts)
        case _:
            return texts("hand.dms_closed") if messages_fail(snapshot, hand.view.viewer) else None


def _progress(snapshot: Snapshot, hand: Hand, texts: Texts) -> str:
    view = hand.view
    if view.phase is Phase.OVER:
        return "" if snapshot.table.kind.is_counted else daily_hint(snapshot, texts)
    lines: list[str] = []
    if view.own.ruled is not None:
        lines.append(
            texts("fouls.against_you", why=texts(f"foul_reason.{view.own.ruled}"), price=price(view, texts))
        )
    if throw_fouls(view):
        lines.append(texts("hand.throw_foul", name=snapshot.shown_names[view.next_live(view.viewer or 0)]))
    if view.tiplu is not None and not hand.pictures:
        lines.append(texts(_tiplu_key(view), card=shown_card(view.tiplu, texts)))
    if view.phase is not Phase.WINDOW and is_asked(snapshot, hand):
        lines.append(texts("hand.may_expose"))
    if hand.maal is not None:
        lines.append(texts("hand.maal", points=hand.maal))
    ready = next((key for action in hand.actions if (key := _READY.get(type(action)))), None)
    if ready is not None:
        lines.append(texts("hand.ready_now", button=texts(ready)))
        lines += [words] if (words := show_words(hand, texts)) else []
    elif hand.missing is not None:
        lines.append(missing_words(hand.missing, texts))
    return "\n".join(lines)


def _tiplu_key(view: View) -> str:
    if not view.rules.open_tiplu:
        return "hand.tiplu"
    return "hand.tiplu_open_seen" if view.own.seen else "hand.tiplu_open"
