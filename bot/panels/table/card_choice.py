"""The card to discard: a button for each face, or a select for those who prefer a list.

The buttons follow the order in which the hand is laid out, and nothing else. In a rated deal they are sorted
by suit if the hand is laid out in sets, so that nothing advises what to discard.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.table.core.snapshot import Hand, Mode
from bot.ui.custom_id import Press
from bot.ui.items import BLUE, GREEN, GREY, MOST_OPTIONS, MOST_ROWS, Button, Rows, Select, in_rows, row
from bot.words.card_names import card_emoji, card_name
from bot.words.texts import Texts
from data.preferences import PersonSettings
from marriage.actions import Discard
from marriage.cards import Card, sort_cards
from marriage.maal import role
from render.hand_layout import HeapKind

_SET_ASIDE: Final = frozenset((HeapKind.OWN, HeapKind.TUNNELA, HeapKind.SEQUENCE, HeapKind.TRIAL))
"""Heaps that are seldom broken up: the player's own groups, and the pure sets of a hand that is laid out in sets."""

_NEUTRAL: Final = frozenset((HeapKind.SUIT, HeapKind.RANK, HeapKind.OWN))
"""Heaps that do not reveal which cards make a set."""


@dataclass(frozen=True, slots=True, repr=False)
class CardChoice:
    """The cards that a player may discard, and what a press on one of them is."""

    hand: Hand
    settings: PersonSettings
    """The player's settings for showing cards."""
    cards: list[Card]
    """The faces that get a button."""
    press: Callable[[Card], Press]
    """The press of a face's button."""
    pick: Press
    """The press of the select of all faces."""
    advised: Card | None = None
    """The card that a practice deal advises to discard; None at a table, where no advice is given."""


def card_rows(choice: CardChoice, others: Sequence[Button], texts: Texts) -> Rows:
    """The cards, and below them the other buttons, in a row of their own if there is room for one."""
    has_room = len(choice.cards) + len(others) <= MOST_OPTIONS
    if choice.settings.card_list or not has_room:
        return [row(_select(choice, texts)), *in_rows(others)]
    buttons = [_button(choice, card, texts) for card in choice.cards]
    apart = [*in_rows(buttons), *in_rows(others)]
    return apart if len(apart) <= MOST_ROWS else in_rows([*buttons, *others])


def discardable(hand: Hand) -> list[Card]:
    """The faces that may be discarded now, in the order of the picture."""
    allowed = {action.card for action in hand.actions if isinstance(action, Discard)}
    cards = sort_cards(hand.layout.cards) if _hides_sets(hand) else hand.layout.cards
    return [card for card in dict.fromkeys(cards) if card in allowed]


def offered(hand: Hand, mode: Mode) -> list[Card]:
    """Return the faces that get a button, without those set aside unless they are requested or nothing else is left."""
    faces = discardable(hand)
    if mode is Mode.CARDS or _hides_sets(hand):
        return faces
    loose = {card for heap in hand.layout.heaps if heap.kind not in _SET_ASIDE for card in heap.cards}
    if hand.layout.drawn is not None:
        loose.add(hand.layout.drawn)
    return [card for card in faces if card in loose] or faces


def _hides_sets(hand: Hand) -> bool:
    """Return whether the hand is laid out in sets, which the buttons must not reveal."""
    return hand.is_neutral and any(heap.kind not in _NEUTRAL for heap in hand.layout.heaps)


def _button(choice: CardChoice, card: Card, texts: Texts) -> Button:
    """A face's button. The card that has just come is blue, the advised one green."""
    emoji = None if choice.settings.words else card_emoji(card, texts)
    return Button(
        choice.press(card),
        card_name(card, texts) if emoji is None else "",
        style=GREEN if card == choice.advised else BLUE if card == choice.hand.view.drawn else GREY,
        emoji=emoji,
    )


def _select(choice: CardChoice, texts: Texts) -> Select:
    """A select of all faces that may be discarded."""
    options = [_option(choice, card, texts) for card in discardable(choice.hand)[:MOST_OPTIONS]]
    return Select(choice.pick, texts("hand.discard"), options)


def _option(choice: CardChoice, card: Card, texts: Texts) -> discord.SelectOption:
    view = choice.hand.view
    copies = (view.own.concealed or ()).count(card)
    hints = [texts("practice.advised")] if card == choice.advised else []
    if copies > 1:
        hints.append(texts("hand.copies", count=copies))
    if view.own.seen and view.tiplu is not None and (wild := role(card, view.tiplu, view.rules)):
        hints.append(texts(f"role.{wild}"))
    if card == view.drawn:
        hints.append(texts("hand.just_drawn"))
    return discord.SelectOption(
        label=card_name(card, texts),
        value=str(card),
        description=", ".join(hints) or None,
        emoji=card_emoji(card, texts),
    )
