"""Cards as people read them in chat: the rank and the sign of the suit, or the card's own emoji."""

import re
from collections.abc import Iterable
from typing import Final

import discord

from bot.words.card_emojis import read_emoji_name
from bot.words.texts import Texts
from marriage.cards import MAN, MASTER, RANKS, Card

_SIGNS: Final = "♠♥♦♣"
_SPECIALS: Final = {MAN: "name.man", MASTER: "name.master"}
_MENTION: Final = re.compile(r"<:(\w+):\d+>")


def card_name(card: Card, texts: Texts) -> str:
    """One card, such as `10♣`; cards without a suit are words. For labels, alt texts, files: emojis do not work there."""
    return RANKS[card.rank] + _SIGNS[card.suit] if card.is_pack else texts(_SPECIALS[card])


def cards_name(cards: Iterable[Card], texts: Texts) -> str:
    """Several cards, such as `9♣ 10♣ J♣`."""
    return " ".join(card_name(card, texts) for card in cards)


def card_emoji(card: Card, texts: Texts) -> discord.PartialEmoji | None:
    """Return the card's emoji for a button or a choice, or the back's emoji for UNKNOWN; None if only the name is available.

    The emojis come from the catalogue, which carries those that the process knew when it was created
    (`bot/words/card_emojis.py`). They are known for all cards or for none.
    """
    return texts.emojis.get(card)


def shown_card(card: Card, texts: Texts) -> str:
    """One card within the text of a message: its emoji alone, whose name a screen reader reads; else its name."""
    emoji = card_emoji(card, texts)
    return card_name(card, texts) if emoji is None else str(emoji)


def shown_cards(cards: Iterable[Card], texts: Texts) -> str:
    """Format several cards, next to each other, within the text of a message."""
    return " ".join(shown_card(card, texts) for card in cards)


def named_cards(content: str, texts: Texts) -> str:
    """A text in which every emoji of a card is replaced by the card's name; other emojis stay."""

    def name(mention: re.Match[str]) -> str:
        said = read_emoji_name(mention[1])
        return mention[0] if said is None else card_name(said.card, texts)

    return _MENTION.sub(name, content)
