"""The emojis that stand for cards in chat: their names, and which of them this process may use.

They belong to the application, so every process gets them from Discord (`bot/delivery/card_emojis.py`), and
none are stored. They reach panels as languages do: the bot sets the known emojis once in its context, the
tasks and threads that it starts inherit them, and each catalogue carries the emojis known when it was
created. So a panel depends only on its arguments, several bots in one process do not share emojis, and
without a bot there are none.
"""

import asyncio
import re
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Final, NamedTuple

import discord

from marriage.cards import CARDS, MAN, MASTER, UNKNOWN, Card
from render.mini_card import DRAWING

CardEmojis = Mapping[Card, discord.PartialEmoji]

NONE: Final[CardEmojis] = MappingProxyType({})

_RANKS: Final = ("ace", *map(str, range(2, 11)), "jack", "queen", "king")
_SUITS: Final = ("spades", "hearts", "diamonds", "clubs")
_SPECIALS: Final = {MAN: "man", MASTER: "master", UNKNOWN: "back"}
_NAME: Final = re.compile(r"tiplu_(\w+)_v([1-9]\d{0,2})")


class EmojiName(NamedTuple):
    """A parsed emoji name: the card, and the number of its drawing."""

    card: Card
    drawing: int


class KnownEmojis:
    """The emojis of this process: of all cards, or of none while any is missing, so that no message mixes both."""

    def __init__(self) -> None:
        self.by_card: CardEmojis = NONE
        self.refused = asyncio.Event()
        """Set when Discord has refused one of them, for example because a person deleted it."""


_known: ContextVar[KnownEmojis | None] = ContextVar("known_emojis", default=None)


def show_cards_by(known: KnownEmojis | None) -> None:
    """Use these emojis from here on in this task, and in the tasks and threads that it starts; None for text alone."""
    _known.set(known)


def known_emojis() -> CardEmojis:
    """The emojis of the moment: of every card, or none at all."""
    known = _known.get()
    return NONE if known is None else known.by_card


def report_refused_emoji() -> None:
    """Report that Discord has refused an emoji, so that the emojis are loaded again."""
    known = _known.get()
    if known is not None:
        known.refused.set()


def emoji_name(card: Card, drawing: int = DRAWING) -> str:
    """The name of a card's emoji, such as `tiplu_10_of_clubs_v1`: at most 32 characters, and words for a screen reader."""
    return f"tiplu_{_WORDS[card]}_v{drawing}"


def read_emoji_name(name: str) -> EmojiName | None:
    """Parse the name of an emoji; None for an emoji that is not ours."""
    match = _NAME.fullmatch(name)
    card = match and _CARDS.get(match[1])
    return None if match is None or card is None else EmojiName(card, int(match[2]))


def _words(card: Card) -> str:
    return f"{_RANKS[card.rank]}_of_{_SUITS[card.suit]}" if card.is_pack else _SPECIALS[card]


_WORDS: Final = {card: _words(card) for card in CARDS}
_CARDS: Final = {words: card for card, words in _WORDS.items()}
