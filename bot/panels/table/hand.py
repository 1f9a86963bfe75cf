"""A player's panel: their cards, what they may do, and the controls for it.

One message holds all controls: at most 25 buttons in five rows. So what is rarely wanted is behind the button **More**.
The tunnela window has a button for each dealt tunnela, and nothing to press for other players. All players may look through
the discards of the pile and see whose they were.
"""

from collections.abc import Sequence
from typing import Any, Final

import discord
from discord import ui

from bot.daily.days import DayEnd
from bot.interactions.permissions import Obstacle
from bot.panels.daily import daily_hint, daily_result, day_words, reminder_button
from bot.panels.history.analysis import analyse_button, lost_throw_button
from bot.panels.history.replay import hands_button, replay_button
from bot.panels.pages import Page, page_words, turning
from bot.panels.table.choosing_cards import (
    CardChoice,
    arranging_rows,
    card_rows,
    choosing_words,
    discardable,
    has_choice,
    moving_words,
    offered,
    set_rows,
    show_words,
)
from bot.panels.table.match import (
    final,
    go_on_from_hand,
    ledger_button,
    ledger_panel,
    result_words,
    who_goes_on,
)
from bot.panels.table.more import fair_button, price
from bot.panels.table.presence import hand_note
from bot.panels.table.table_message import table_words
from bot.table.core.snapshot import Mode, ShownHand, Sleep, Snapshot
from bot.table.core.table import plays_alone
from bot.table.personal_settings import is_asked_about_stronger
from bot.ui.items import (
    BLUE,
    GREEN,
    MOST_OPTIONS,
    Button,
    Rows,
    Select,
    in_rows,
    play_now_button,
    row,
    table_press,
)
from bot.ui.panel import Panel, panel, pictured, text
from bot.words.hands import hand_words, hint_words, missing_words
from bot.words.names import table_address
from bot.words.texts import Texts, card_emoji, card_name, cards_name, shown_card
from marriage.actions import (
    Action,
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.cards import Card, Cards
from marriage.legal import throw_fouls, tunnelas
from marriage.state import Phase
from marriage.view import View
from render.words import signed

_READY: dict[type[Action], str] = {
    Finish: "button.finish",
    FinishDublees: "button.finish",
    Show: "button.show",
    ShowDublees: "button.dublees",
}
"""The button of each move that depends on the hand."""


def hand_panel(
    snapshot: Snapshot,
    hand: ShownHand,
    texts: Texts,
    note: str | None = None,
    mode: Mode = Mode.PLAY,
    why_paused: Obstacle | None = None,
    day: DayEnd | None = None,
) -> Panel:
    """Show the panel of one seat. `note` comes first, for example why the last press did nothing.

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
        None if shown else text(_table_in_words(snapshot, texts)),
        text(_aside(snapshot, hand, texts, mode)),
        text(hint_words(hand.view, hand.hint, texts)) if hand.hint else None,
        text(texts(f"hand.{hand.sleep.name.lower()}")) if hand.sleep is not Sleep.AWAKE else None,
        *control_rows(snapshot, hand, texts, mode),
        *_stronger(snapshot, hand, texts),
        files=files,
    )


def _stronger(snapshot: Snapshot, hand: ShownHand, texts: Texts) -> list[ui.Item[Any]]:
    """Ask a player who is to be asked after this deal whether **Play now** is to seat stronger computers."""
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


def panel_instead(snapshot: Snapshot, view: View, mode: Mode, page: int, texts: Texts) -> Panel | None:
    """Return the panel that replaces the hand until the holder goes back to it; None for the hand itself."""
    match mode:
        case Mode.PILE if view.phase is not Phase.OVER:
            return pile_panel(snapshot, view, page, texts)
        case Mode.LEDGER if snapshot.table.status == "between":
            return ledger_panel(snapshot, texts, in_hand=True)
        case _:
            return None


def _heading(snapshot: Snapshot, hand: ShownHand, texts: Texts) -> str:
    table = snapshot.table
    if table.kind.has_message:
        where = texts("hand.where", table=table.id, deal=table.deal_no, link=table_address(table))
    else:
        where = texts("daily.where", day=table.options.daily)
    return f"{where}\n{_question(snapshot, hand, texts)}"


def _question(snapshot: Snapshot, hand: ShownHand, texts: Texts) -> str:
    view = hand.view
    if view.phase is Phase.OVER:
        counts = snapshot.table.kind.is_counted
        return _result_words(snapshot, view, texts) if counts else daily_result(snapshot, view, texts)
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


def _result_words(snapshot: Snapshot, view: View, texts: Texts) -> str:
    """Say how the deal ended, with the player's own points, and how the match stands or continues."""
    lines = [texts("hand.over")]
    if view.sheet is not None and snapshot.counted:
        seat = view.viewer or 0
        points, total = view.sheet.lines[seat].net, snapshot.totals[seat]
        lines.append(result_words(view, snapshot.table.deal_no, snapshot.counted_names, texts))
        lines.append(texts("hand.points", points=signed(points), total=signed(total)))
    if snapshot.table.status == "between":
        lines += [*final(snapshot, texts), who_goes_on(snapshot, texts) or ""]
    return "\n".join(line for line in lines if line)


def _table_in_words(snapshot: Snapshot, texts: Texts) -> str | None:
    """Describe the table as the picture would show it, or the score sheet; None once the table is closed."""
    return None if snapshot.table.status == "closed" else table_words(snapshot, texts)


def _aside(snapshot: Snapshot, hand: ShownHand, texts: Texts, mode: Mode) -> str | None:
    """Return the small print: what the select is for, or why the hand does not come by direct message."""
    match mode:
        case Mode.GROUP:
            return moving_words(hand, texts)
        case Mode.SETS:
            return choosing_words(hand, texts)
        case _:
            return texts("hand.dms_closed") if messages_fail(snapshot, hand.view.viewer) else None


def _progress(snapshot: Snapshot, hand: ShownHand, texts: Texts) -> str:
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


_MOST_EXPOSURES = 2
"""The maximum number of tunnelas with a button each, plus one for both.

If there are more, or other moves as well, they are in a select.
"""


def window_words(snapshot: Snapshot, hand: ShownHand, texts: Texts) -> str:
    """Say what a player may do in the window, and when it closes."""
    view = hand.view
    alone = plays_alone(snapshot.table, snapshot.seats)
    waits = snapshot.is_paused and not alone
    if view.own.answered:
        what = "done" if view.own.exposed else "kept"
    elif not tunnelas(view):
        what = "none_paused" if waits else "none"
    elif not is_asked(snapshot, hand):
        what = "never"
    else:
        what = "alone" if alone or waits else "some"
    said = texts(f"hand.window_{what}")
    if waits:
        return f"{said} {texts('hand.window_paused')}"
    closes = snapshot.window_closes_at
    return said if closes is None or alone else f"{said} {texts('hand.window_closes', closes=closes)}"


def is_asked(snapshot: Snapshot, hand: ShownHand) -> bool:
    """Return whether this player is asked which tunnelas to expose; they may have chosen never to be."""
    never = snapshot.holders[hand.view.viewer or 0].settings.tunnelas == "never"
    return bool(_choices(hand)) and not never


def exposure_buttons(snapshot: Snapshot, hand: ShownHand, texts: Texts) -> list[Button]:
    """Return a button for each tunnela that may be exposed, and one for both of two.

    A person alone with computers also has a button to keep them hidden. The deal then begins, because no one
    else is waiting. While the table is paused, everybody has a button to expose nothing.
    """
    faces, is_open = tunnelas(hand.view), is_asked(snapshot, hand) and not _has_select(hand)
    buttons = [
        Button(
            table_press(snapshot, "expose", "-".join(str(faces.index(face)) for face in chosen)),
            texts("button.expose", cards=", ".join(cards_name((face,) * 3, texts) for face in chosen)),
            style=BLUE,
        )
        for chosen in (_choices(hand) if is_open else [])
    ]
    if (label := _label_to_keep(snapshot, hand)) is not None:
        buttons.append(Button(table_press(snapshot, "decline"), texts(label), style=GREEN))
    return buttons


def exposure_select(snapshot: Snapshot, hand: ShownHand, texts: Texts) -> discord.ui.ActionRow[Any] | None:
    """Return a select of tunnelas to expose, if there are too many for buttons."""
    if not is_asked(snapshot, hand) or not _has_select(hand):
        return None
    options = [
        discord.SelectOption(label=cards_name((face,) * 3, texts), value=str(face))
        for face in tunnelas(hand.view)
    ]
    press = table_press(snapshot, "pick-expose")
    return row(Select(press, texts("hand.expose"), options, max_values=len(options)))


def _choices(hand: ShownHand) -> list[Cards]:
    return [action.faces for action in hand.actions if isinstance(action, ExposeTunnelas)]


def _has_select(hand: ShownHand) -> bool:
    most = _MOST_EXPOSURES if hand.view.phase is Phase.WINDOW else 1
    return len(tunnelas(hand.view)) > most


def _label_to_keep(snapshot: Snapshot, hand: ShownHand) -> str | None:
    """Return the label to expose nothing, as a message key; None if the deal does not wait for this person to say so."""
    if hand.view.phase is not Phase.WINDOW or hand.view.own.answered:
        return None
    if plays_alone(snapshot.table, snapshot.seats):
        return "button.keep" if is_asked(snapshot, hand) else None
    return "button.expose_nothing" if snapshot.is_paused else None


_PILE_PAGE: Final = 20


def pile_panel(snapshot: Snapshot, view: View, number: int, texts: Texts) -> Panel:
    """Show a page of the pile's discards, newest first, or its last page, with the way back to the hand.

    All of it is public: every discard, who made it, and how often the discards became a new stock. Whether a
    discard was a throw foul is not, so nothing here depends on that.
    """
    lines = [_pile_line(snapshot, card, seat, texts) for card, seat in reversed(view.discards)]
    shown = _pile_page(lines, number)
    return panel(
        text(texts("pile.title", count=len(lines)) if lines else texts("pile.empty")),
        text("\n".join(shown.lines)),
        text(texts("pile.reshuffled", count=view.reshuffles)) if view.reshuffles else None,
        text(page_words(shown, texts)),
        row(
            *turning(shown.number, shown.count, lambda _, to: table_press(snapshot, "pile", str(to)), texts),
            Button(table_press(snapshot, "refresh"), texts("button.back")),
        ),
    )


def _pile_line(snapshot: Snapshot, card: Card, seat: int | None, texts: Texts) -> str:
    who = texts("pile.turned_up") if seat is None else snapshot.shown_names[seat]
    return f"**{shown_card(card, texts)}** · {who}"


def _pile_page(lines: list[str], number: int) -> Page:
    count = max(1, -(-len(lines) // _PILE_PAGE))
    number = min(number, count - 1)
    start, end = number * _PILE_PAGE, (number + 1) * _PILE_PAGE
    return Page(tuple(lines[start:end]), number, count, len(lines[end:]))


_A_ROW: Final = 5
_MOST_MOVES: Final = 3
_AT_HAND: Final = ("retry-dms", "hint", "sort", "sets", "pile")
"""The tools on the panel itself if there is room, the most popular first."""


def control_rows(snapshot: Snapshot, hand: ShownHand, texts: Texts, mode: Mode) -> Rows:
    """Return the selects and buttons of the deal in play, or of what can follow once it is over."""
    if hand.view.phase is Phase.OVER:
        if not snapshot.table.kind.is_counted:
            return [
                row(_share_day(snapshot, texts), reminder_button(snapshot, texts), play_now_button(texts))
            ]
        return _rows_between(snapshot, hand, texts, mode)
    match mode:
        case Mode.GROUP:
            return arranging_rows(snapshot, hand, texts)
        case Mode.SETS:
            return set_rows(snapshot, hand, texts)
        case Mode.MORE:
            return in_rows([*_tools(snapshot, hand, texts), _refresh(snapshot, texts, "button.back")])
        case Mode.DISCARD if (card := hand.chosen.discard) is not None and card in discardable(hand):
            return [_sure_row(snapshot, card, texts)]
        case _ if discardable(hand):
            return _card_rows(snapshot, hand, texts, mode)
        case _:
            others = _others(snapshot, hand, texts, mode, room=2 * _A_ROW)
            return [*_selects(snapshot, hand, texts), *in_rows(others)]


def _share_day(snapshot: Snapshot, texts: Texts) -> Button:
    """Return the button that shows everyone in the channel how the deal of the day went."""
    return Button(table_press(snapshot, "share-day"), texts("button.share_day"), style=GREEN)


def _rows_between(snapshot: Snapshot, hand: ShownHand, texts: Texts, mode: Mode) -> Rows:
    """Return buttons to the next deal or match and to review the last; none once the table is closed."""
    if snapshot.table.status != "between":
        return []
    table_id, deal_no = snapshot.table.id, snapshot.table.deal_no
    if mode is Mode.MORE:
        buttons = [
            analyse_button(table_id, deal_no, texts),
            fair_button(table_id, texts),
            Button(table_press(snapshot, "settings"), texts("button.settings")),
        ]
        if not snapshot.is_withheld:
            buttons.insert(0, hands_button(table_id, deal_no, texts))
        return [row(*buttons, _refresh(snapshot, texts, "button.back"))]
    needs_refresh = hand.sleep is not Sleep.AWAKE or snapshot.is_paused
    at_hand = [
        *go_on_from_hand(snapshot, hand.view.viewer or 0, texts),
        ledger_button(snapshot, texts, "hand-ledger"),
        replay_button(table_id, deal_no, texts),
        *([_refresh(snapshot, texts, "button.refresh")] if needs_refresh else []),
        *_lost_throw(snapshot, hand.view, texts),
    ]
    return [row(*at_hand[: _A_ROW - 1], _more(snapshot, texts))]


def _lost_throw(snapshot: Snapshot, view: View, texts: Texts) -> list[Button]:
    """Return the button for the loser of a deal, unless others still play its cards."""
    winner = view.sheet.winner if view.sheet else None
    if winner in (None, view.viewer) or snapshot.is_sealed:
        return []
    return [lost_throw_button(snapshot.table.id, snapshot.table.deal_no, texts)]


def _card_rows(snapshot: Snapshot, hand: ShownHand, texts: Texts, mode: Mode) -> Rows:
    """Return the cards to discard, and the other moves and tools."""
    cards = offered(hand, mode)
    others = _others(snapshot, hand, texts, mode, min(_A_ROW, MOST_OPTIONS - len(cards)))
    settings = snapshot.holders[hand.view.viewer or 0].settings
    verb = "ask-discard" if settings.confirm_discard else "discard"
    choice = CardChoice(
        hand=hand,
        settings=settings,
        cards=cards,
        press=lambda card: table_press(snapshot, verb, str(card)),
        pick=table_press(snapshot, f"pick-{verb}"),
    )
    return card_rows(choice, others, texts)


def _sure_row(snapshot: Snapshot, card: Card, texts: Texts) -> discord.ui.ActionRow[Any]:
    """Return the second press of a discard, for those who want one, and the way back."""
    label = texts("button.discard", card=card_name(card, texts))
    press = table_press(snapshot, "discard", str(card))
    return row(Button(press, label, style=GREEN), _refresh(snapshot, texts, "button.back"))


def _others(snapshot: Snapshot, hand: ShownHand, texts: Texts, mode: Mode, room: int) -> list[Button]:
    """Return the moves, as many of the tools as fit, and the button to the rest of them."""
    moves = _moves(snapshot, hand, texts)
    if len(offered(hand, mode)) < len(discardable(hand)):
        moves.append(Button(table_press(snapshot, "others"), texts("button.others")))
    if mode is Mode.CARDS:
        moves.append(_refresh(snapshot, texts, "button.back"))
    elif hand.sleep is not Sleep.AWAKE or snapshot.is_paused or _is_away(snapshot, hand):
        moves.append(_refresh(snapshot, texts, "button.refresh"))
    tools = _tools(snapshot, hand, texts, among=_AT_HAND)
    return [*moves, *tools[: max(0, room - len(moves) - 1)], _more(snapshot, texts)]


def _is_away(snapshot: Snapshot, hand: ShownHand) -> bool:
    return snapshot.seats[hand.view.viewer or 0].by_computer


def _moves(snapshot: Snapshot, hand: ShownHand, texts: Texts) -> list[Button]:
    """Return the moves other than discarding a card, the most likely first.

    In the tunnela window no cards take up room, which leaves room for one more: to keep two tunnelas hidden.
    """
    buttons = exposure_buttons(snapshot, hand, texts)
    buttons += [
        button
        for action in hand.actions
        if (button := _button(snapshot, hand.view, action, texts)) is not None
    ]
    most = _A_ROW - 1 if hand.view.phase is Phase.WINDOW else _MOST_MOVES
    return buttons[:most]


def _more(snapshot: Snapshot, texts: Texts) -> Button:
    return Button(table_press(snapshot, "more"), texts("button.more"))


def _refresh(snapshot: Snapshot, texts: Texts, key: str) -> Button:
    return Button(table_press(snapshot, "refresh"), texts(key))


def _button(snapshot: Snapshot, view: View, action: Action, texts: Texts) -> Button | None:
    match action:
        case DrawStock():
            return Button(table_press(snapshot, "draw"), texts("button.draw"), style=BLUE)
        case TakeDiscard():
            top = view.pile[-1]
            label = texts("button.take", card=card_name(top, texts))
            return Button(table_press(snapshot, "take"), label, emoji=card_emoji(top, texts))
        case Show():
            return Button(table_press(snapshot, "show"), texts("button.show"), style=GREEN)
        case ShowDublees():
            return Button(table_press(snapshot, "dublees"), texts("button.dublees"), style=GREEN)
        case CutTiplu():
            return Button(table_press(snapshot, "cut"), texts("button.cut"), style=BLUE)
        case Finish() | FinishDublees():
            return Button(table_press(snapshot, "finish"), texts("button.finish"), style=GREEN)
        case ExposeTunnelas() | DeclineTunnelas() | Discard():
            return None


def _tools(
    snapshot: Snapshot, hand: ShownHand, texts: Texts, among: Sequence[str] | None = None
) -> list[Button]:
    """Return the tools that help to play but are not moves: all, or those in `among`."""
    verbs = ["retry-dms"] if messages_fail(snapshot, hand.view.viewer) else []
    if snapshot.has_hints:
        verbs.append("hint")
    order = snapshot.holders[hand.view.viewer or 0].order(hand.view)
    is_sorted = order.grouping == "best" and not order.own
    if not is_sorted:
        verbs.append("sort")
    if has_choice(hand):
        verbs.append("sets")
    verbs += ["pile", "group", *(["unsort"] if is_sorted or order.own else []), "fair", "settings"]
    shown = [verb for verb in verbs if among is None or verb in among]
    return [Button(table_press(snapshot, verb), texts(f"button.{verb}")) for verb in shown]


def messages_fail(snapshot: Snapshot, seat: int | None) -> bool:
    """Return whether this player wants their hand by direct message but accepts none from the bot."""
    return (
        seat in snapshot.dms_closed
        and snapshot.table.kind.has_message
        and snapshot.holders[seat or 0].settings.hands_by_dm
    )


def _selects(snapshot: Snapshot, hand: ShownHand, texts: Texts) -> Rows:
    """Return a select of the tunnelas to expose, or of the place to cut."""
    view, actions = hand.view, hand.actions
    if (exposures := exposure_select(snapshot, hand, texts)) is not None:
        return [exposures]
    if any(isinstance(action, CutTiplu) for action in actions):
        options = [_place_option(place, texts) for place in _places(view.stock_count)]
        return [row(Select(table_press(snapshot, "pick-cut"), texts("hand.cut_where"), options))]
    return []


def _places(stock: int) -> list[int]:
    """Return up to 25 places, evenly spread over the stock from top to bottom."""
    count = min(stock, MOST_OPTIONS)
    if count < 2:
        return list(range(count))
    return [round(index * (stock - 1) / (count - 1)) for index in range(count)]


def _place_option(place: int, texts: Texts) -> discord.SelectOption:
    return discord.SelectOption(label=texts("hand.place", place=place + 1), value=str(place))
