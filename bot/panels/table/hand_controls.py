"""The controls of a hand's panel: the cards to discard, the possible moves, and tools that are no moves.

One message holds them all: at most 25 buttons in five rows. So what is rarely wanted is behind the button **More**.
"""

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.panels.daily import reminder_button
from bot.panels.history.analysis import analyse_button
from bot.panels.history.lost_throw import lost_throw_button
from bot.panels.history.replay import hands_button, replay_button
from bot.panels.play_now import play_now_button
from bot.panels.table.arranging import arranging_rows
from bot.panels.table.card_choice import CardChoice, card_rows, discardable, offered
from bot.panels.table.choosing_sets import has_choice, set_rows
from bot.panels.table.fairness import fair_button
from bot.panels.table.match import go_on_from_hand, ledger_button
from bot.panels.table.tunnelas import exposure_buttons, exposure_select
from bot.table.core.snapshot import Hand, Mode, Sleep, Snapshot
from bot.ui.items import BLUE, GREEN, MOST_OPTIONS, Button, Rows, Select, in_rows, row, table_press
from bot.words.card_names import card_emoji, card_name
from bot.words.texts import Texts
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
from marriage.cards import Card
from marriage.state import Phase
from marriage.view import View

_A_ROW: Final = 5
_MOST_MOVES: Final = 3
_AT_HAND: Final = ("retry-dms", "hint", "sort", "sets", "pile")
"""The tools on the panel itself if there is room, the most popular first."""


def control_rows(snapshot: Snapshot, hand: Hand, texts: Texts, mode: Mode) -> Rows:
    """Selects and buttons: of the deal in play, or of going on once it is over."""
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
    """Shows everybody in the channel how the deal of the day went."""
    return Button(table_press(snapshot, "share-day"), texts("button.share_day"), style=GREEN)


def _rows_between(snapshot: Snapshot, hand: Hand, texts: Texts, mode: Mode) -> Rows:
    """The next deal or match, and what there is to see of the last one; nothing once the table is closed."""
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
    at_hand = [
        *go_on_from_hand(snapshot, hand.view.viewer or 0, texts),
        ledger_button(snapshot, texts, "hand-ledger"),
        replay_button(table_id, deal_no, texts),
        *([_refresh(snapshot, texts, "button.refresh")] if hand.sleep is not Sleep.AWAKE else []),
        *_lost_throw(snapshot, hand.view, texts),
    ]
    return [row(*at_hand[: _A_ROW - 1], _more(snapshot, texts))]


def _lost_throw(snapshot: Snapshot, view: View, texts: Texts) -> list[Button]:
    """The button for the loser of a deal, unless others still play its cards."""
    winner = view.sheet.winner if view.sheet else None
    if winner in (None, view.viewer) or snapshot.is_sealed:
        return []
    return [lost_throw_button(snapshot.table.id, snapshot.table.deal_no, texts)]


def _card_rows(snapshot: Snapshot, hand: Hand, texts: Texts, mode: Mode) -> Rows:
    """The cards to discard, and the other moves and tools."""
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
    """The second press of a discard, for those who want one, and the way back."""
    label = texts("button.discard", card=card_name(card, texts))
    press = table_press(snapshot, "discard", str(card))
    return row(Button(press, label, style=GREEN), _refresh(snapshot, texts, "button.back"))


def _others(snapshot: Snapshot, hand: Hand, texts: Texts, mode: Mode, room: int) -> list[Button]:
    """The moves, as many of the tools as there is room for, and the button to the rest of them."""
    moves = _moves(snapshot, hand, texts)
    if len(offered(hand, mode)) < len(discardable(hand)):
        moves.append(Button(table_press(snapshot, "others"), texts("button.others")))
    if mode is Mode.CARDS:
        moves.append(_refresh(snapshot, texts, "button.back"))
    elif hand.sleep is not Sleep.AWAKE or snapshot.is_paused or _is_away(snapshot, hand):
        moves.append(_refresh(snapshot, texts, "button.refresh"))
    tools = _tools(snapshot, hand, texts, among=_AT_HAND)
    return [*moves, *tools[: max(0, room - len(moves) - 1)], _more(snapshot, texts)]


def _is_away(snapshot: Snapshot, hand: Hand) -> bool:
    return snapshot.seats[hand.view.viewer or 0].by_computer


def _moves(snapshot: Snapshot, hand: Hand, texts: Texts) -> list[Button]:
    """The moves besides discarding a card, the most likely first.

    In the tunnela window no cards need room, so there it is for one more: to keep two tunnelas hidden.
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


def _tools(snapshot: Snapshot, hand: Hand, texts: Texts, among: Sequence[str] | None = None) -> list[Button]:
    """Tools that help to play but are no moves: all, or those `among` these."""
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
    """Whether the player of this seat wants their hand by direct message, but accepts none from the bot."""
    return (
        seat in snapshot.dms_closed
        and snapshot.table.kind.has_message
        and snapshot.holders[seat or 0].settings.hands_by_dm
    )


def _selects(snapshot: Snapshot, hand: Hand, texts: Texts) -> Rows:
    """A select of the tunnelas to expose, or of the place to cut."""
    view, actions = hand.view, hand.actions
    if (exposures := exposure_select(snapshot, hand, texts)) is not None:
        return [exposures]
    if any(isinstance(action, CutTiplu) for action in actions):
        options = [_place_option(place, texts) for place in _places(view.stock_count)]
        return [row(Select(table_press(snapshot, "pick-cut"), texts("hand.cut_where"), options))]
    return []


def _places(stock: int) -> list[int]:
    """Up to 25 places, evenly spread over the stock from top to bottom."""
    count = min(stock, MOST_OPTIONS)
    if count < 2:
        return list(range(count))
    return [round(index * (stock - 1) / (count - 1)) for index in range(count)]


def _place_option(place: int, texts: Texts) -> discord.SelectOption:
    return discord.SelectOption(label=texts("hand.place", place=place + 1), value=str(place))
