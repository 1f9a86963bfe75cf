"""The card to discard: a button for each face, or a select for those who prefer a list.

The buttons stand in the order in which the hand is laid out, and nothing else decides about them. So in a counted deal
they tell no more than the picture above them, which its player has chosen the order of.
"""

from typing import Final

import discord

from bot.table.core.hands import Hand, Mode
from bot.table.core.snapshot import Snapshot
from bot.ui.items import BLUE, GREY, MOST_OPTIONS, Button, Select, table_press
from bot.words.card_names import card_emoji, card_name
from bot.words.texts import Texts
from marriage.actions import Discard
from marriage.cards import Card
from marriage.maal import role
from marriage.view import View
from render.hand_layout import HeapKind

_SET_ASIDE: Final = frozenset((HeapKind.OWN, HeapKind.TUNNELA, HeapKind.SEQUENCE, HeapKind.TRIAL))
"""Heaps that are seldom broken up: the player's own groups, and the pure sets of a hand that is laid out in sets."""


def discardable(hand: Hand) -> list[Card]:
    """The faces that may be discarded now, in the order of the picture."""
    allowed = {action.card for action in hand.actions if isinstance(action, Discard)}
    return [card for card in dict.fromkeys(hand.layout.cards) if card in allowed]


def offered(hand: Hand, mode: Mode) -> list[Card]:
    """The faces that get a button: without those set aside, unless they are asked for or nothing else is left."""
    faces = discardable(hand)
    if mode is Mode.CARDS:
        return faces
    loose = {card for heap in hand.layout.heaps if heap.kind not in _SET_ASIDE for card in heap.cards}
    if hand.layout.drawn is not None:
        loose.add(hand.layout.drawn)
    return [card for card in faces if card in loose] or faces


def card_buttons(snapshot: Snapshot, hand: Hand, cards: list[Card], texts: Texts) -> list[Button]:
    """A button for each of these faces; the card that has just come is blue."""
    return [_card_button(snapshot, hand, card, texts) for card in cards]


def _card_button(snapshot: Snapshot, hand: Hand, card: Card, texts: Texts) -> Button:
    prefers_words = snapshot.holders[hand.view.viewer or 0].settings.words
    emoji = None if prefers_words else card_emoji(card, texts)
    return Button(
        table_press(snapshot, "discard", str(card)),
        card_name(card, texts) if emoji is None else "",
        style=BLUE if card == hand.view.drawn else GREY,
        emoji=emoji,
    )


def card_select(snapshot: Snapshot, hand: Hand, texts: Texts) -> Select:
    """A select of all faces that may be discarded."""
    options = [_card_option(hand.view, card, texts) for card in discardable(hand)[:MOST_OPTIONS]]
    return Select(table_press(snapshot, "pick-discard"), texts("hand.discard"), options)


def _card_option(view: View, card: Card, texts: Texts) -> discord.SelectOption:
    copies = (view.own.concealed or ()).count(card)
    hints = [texts("hand.copies", count=copies)] if copies > 1 else []
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
