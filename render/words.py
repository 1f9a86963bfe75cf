"""The texts in pictures and alt texts, from the catalogues in `render/messages/`, and the language-independent signs."""

from functools import cache
from pathlib import Path
from typing import Any, Final

from marriage.cards import CARDS, MAN, MASTER, UNKNOWN, Card
from marriage.maal import Role
from render.catalogue import Texts, load, spoken

CATALOGUES: Final = Path(__file__).with_name("messages")

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""The ranks as printed on the cards, in every language."""
BADGES: Final = {Role.TIPLU: "T", Role.ALTER: "A", Role.JOKER: "W"}
"""The letters on badges. Poplu and jhiplu have arrows to the cards above and below the tiplu, because J would be a jack."""
DEALER_MARK: Final = "D"

_SUITS: Final = ("spades", "hearts", "diamonds", "clubs")
_SPECIALS: Final = {MAN: "man", MASTER: "master", UNKNOWN: "unknown"}


def say(key: str, /, **values: Any) -> str:
    """The message of that key in the current language; raises KeyError for an unknown key."""
    return _texts(spoken())(key, **values)


@cache
def _texts(language: str) -> Texts:
    return load(CATALOGUES, language)


def suit_name(card: Card) -> str:
    """The name of a card's suit, or of a card without a suit."""
    return _suit_names(spoken())[card]


@cache
def _suit_names(language: str) -> dict[Card, str]:
    """Return the names by card: an alt text asks for forty."""
    say = _texts(language)
    return {
        card: say(f"suit.{_SUITS[card.suit]}" if card.is_pack else f"special.{_SPECIALS[card]}")
        for card in CARDS
    }


def signed(number: int) -> str:
    """Format a gain or loss with its sign. The minus is a true one, as wide as the plus."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def decimal(figure: float, digits: int = 1, *, sign: bool = False) -> str:
    """Format a figure with `digits` decimals and a true minus; with `sign`, positive figures get a plus.

    >>> decimal(-2.04), decimal(0.04, sign=True), decimal(3, 2, sign=True)
    ('−2.0', '0.0', '+3.00')
    """
    shown = f"{abs(figure):.{digits}f}"
    if float(shown) == 0:
        return shown
    return f"−{shown}" if figure < 0 else f"{'+' * sign}{shown}"
