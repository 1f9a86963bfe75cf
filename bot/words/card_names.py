"""Cards as people read them in chat: the rank and the sign of the suit, or the card's own emoji."""

from collections.abc import Iterable
from typing import Final

import discord

from bot.words.texts import Texts
from marriage.cards import MAN, MASTER, RANKS, Card

_SIGNS: Final = "♠♥♦♣"
_SPECIALS: Final = {MAN: "name.man", MASTER: "name.master"}


def card_name(card: Card, texts: Texts) -> str:
    """One card, such as `10♣`; cards without a suit are words."""
    return RANKS[card.rank] + _SIGNS[card.suit] if card.is_pack else texts(_SPECIALS[card])


def cards_name(cards: Iterable[Card], texts: Texts) -> str:
    """Several cards, such as `9♣ 10♣ J♣`."""
    return " ".join(card_name(card, texts) for card in cards)


def card_emoji(card: Card, texts: Texts) -> discord.PartialEmoji | None:
    """The card's small picture for a button or a choice; None where there is none, so that its name has to do."""
    del card, texts  # no emojis are known yet
    return None
