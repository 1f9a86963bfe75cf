"""The emojis of all cards, as if they were uploaded to Discord."""

from collections.abc import Iterator
from contextlib import contextmanager

from discord import PartialEmoji

from bot.words.texts import NO_EMOJIS, CardEmojis, KnownEmojis, emoji_name, show_cards_by
from marriage.cards import CARDS

FIRST_ID = 1_441_871_000_000_000_000


def emojis_of_cards() -> CardEmojis:
    return {card: PartialEmoji(name=emoji_name(card), id=FIRST_ID + card) for card in CARDS}


@contextmanager
def cards_as_emojis(are_known: bool = True) -> Iterator[KnownEmojis]:
    """Within the block, let catalogues know the emojis of all cards, or none of them."""
    known = KnownEmojis()
    known.by_card = emojis_of_cards() if are_known else NO_EMOJIS
    show_cards_by(known)
    try:
        yield known
    finally:
        show_cards_by(None)
