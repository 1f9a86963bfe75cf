"""The controls of a hand's panel: the possible moves, a select for cards, and tools that are no moves."""

from collections.abc import Sequence
from typing import Any

import discord

from bot.panels.table.arranging import group_rows, offered_sets, set_rows
from bot.table.core.hands import Hand, Mode
from bot.table.core.snapshot import Snapshot
from bot.ui.items import BLUE, GREEN, MOST_OPTIONS, Button, Select, row, table_press
from bot.words.card_names import card_name, cards_name
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
from marriage.cards import Card, Cards
from marriage.maal import role
from marriage.rules import PRIMARY_GROUPS
from marriage.state import Phase
from marriage.view import View

Rows = list[discord.ui.ActionRow[Any]]

_MOST_MOVES = 4
_A_ROW = 5


def control_rows(snapshot: Snapshot, hand: Hand, texts: Texts, mode: Mode) -> Rows:
    """Selects and buttons; empty once the deal is over, so that an old message has nothing to press."""
    if hand.view.phase is Phase.OVER:
        return []
    match mode:
        case Mode.GROUP:
            return group_rows(snapshot, hand, texts)
        case Mode.SETS:
            return set_rows(snapshot, hand, texts)
        case Mode.PLAY:
            moves, tools = _moves(snapshot, hand, texts), _tools(snapshot, hand, texts)
            rows = [row(*tools[start : start + _A_ROW]) for start in range(0, len(tools), _A_ROW)]
            return [*_selects(snapshot, hand, texts), row(*moves), *rows]


def _moves(snapshot: Snapshot, hand: Hand, texts: Texts) -> list[Button]:
    """At most four moves, the most likely first, and a button to refresh."""
    buttons = [
        button
        for action in hand.actions
        if (button := _button(snapshot, hand.view, action, texts)) is not None
    ]
    return [*buttons[:_MOST_MOVES], Button(table_press(snapshot, "refresh"), texts("button.refresh"))]


def _button(snapshot: Snapshot, view: View, action: Action, texts: Texts) -> Button | None:
    match action:
        case DrawStock():
            return Button(table_press(snapshot, "draw"), texts("button.draw"), style=BLUE)
        case TakeDiscard():
            return Button(
                table_press(snapshot, "take"), texts("button.take", card=card_name(view.pile[-1], texts))
            )
        case Show():
            return Button(table_press(snapshot, "show"), texts("button.show"), style=GREEN)
        case ShowDublees():
            return Button(table_press(snapshot, "dublees"), texts("button.dublees"), style=GREEN)
        case CutTiplu():
            return Button(table_press(snapshot, "cut"), texts("button.cut"), style=BLUE)
        case Finish() | FinishDublees():
            return Button(table_press(snapshot, "finish"), texts("button.finish"), style=GREEN)
        case DeclineTunnelas():
            return Button(table_press(snapshot, "decline"), texts("button.decline"), style=BLUE)
        case ExposeTunnelas() | Discard():
            return None


def _tools(snapshot: Snapshot, hand: Hand, texts: Texts) -> list[Button]:
    """Tools that help to play but are no moves."""
    verbs = ["hint"] if snapshot.table.options.hints else []
    if any(isinstance(action, Show) for action in hand.actions) and len(offered_sets(hand)) > PRIMARY_GROUPS:
        verbs.append("sets")
    verbs += ["group", "pile", "settings"]
    if messages_fail(snapshot, hand.view.viewer):
        verbs.append("retry-dms")
    return [Button(table_press(snapshot, verb), texts(f"button.{verb}")) for verb in verbs]


def messages_fail(snapshot: Snapshot, seat: int | None) -> bool:
    """Whether the player of this seat wants their hand by direct message, but accepts none from the bot."""
    return (
        seat in snapshot.dms_closed
        and snapshot.table.kind.has_message
        and snapshot.holders[seat or 0].settings.hands_by_dm
    )


def _selects(snapshot: Snapshot, hand: Hand, texts: Texts) -> Rows:
    """Selects of the tunnelas to expose, the place to cut, or the card to discard."""
    view, actions = hand.view, hand.actions
    tunnelas = _single_exposures(actions)
    if tunnelas:
        options = [
            discord.SelectOption(label=cards_name((face,) * 3, texts), value=str(face)) for face in tunnelas
        ]
        press = table_press(snapshot, "pick-expose")
        return [row(Select(press, texts("hand.expose"), options, max_values=len(options)))]
    if any(isinstance(action, CutTiplu) for action in actions):
        options = [_place_option(place, texts) for place in _places(view.stock_count)]
        return [row(Select(table_press(snapshot, "pick-cut"), texts("hand.cut_where"), options))]
    allowed = {action.card for action in actions if isinstance(action, Discard)}
    cards = [card for card in dict.fromkeys(hand.layout.cards) if card in allowed]
    if cards:
        options = [_card_option(view, card, texts) for card in cards[:MOST_OPTIONS]]
        return [row(Select(table_press(snapshot, "pick-discard"), texts("hand.discard"), options))]
    return []


def _single_exposures(actions: Sequence[Action]) -> Cards:
    single = [action.faces for action in actions if isinstance(action, ExposeTunnelas)]
    return tuple(faces[0] for faces in single if len(faces) == 1)


def _places(stock: int) -> list[int]:
    """Up to 25 places, evenly spread over the stock from top to bottom."""
    count = min(stock, MOST_OPTIONS)
    if count < 2:
        return list(range(count))
    return [round(index * (stock - 1) / (count - 1)) for index in range(count)]


def _place_option(place: int, texts: Texts) -> discord.SelectOption:
    return discord.SelectOption(label=texts("hand.place", place=place + 1), value=str(place))


def _card_option(view: View, card: Card, texts: Texts) -> discord.SelectOption:
    copies = (view.own.concealed or ()).count(card)
    hints = [texts("hand.copies", count=copies)] if copies > 1 else []
    if view.own.seen and view.tiplu is not None and (wild := role(card, view.tiplu, view.rules)):
        hints.append(texts(f"role.{wild}"))
    if card == view.drawn:
        hints.append(texts("hand.just_drawn"))
    return discord.SelectOption(
        label=card_name(card, texts), value=str(card), description=", ".join(hints) or None
    )
