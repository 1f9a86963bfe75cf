"""Cards: the faces of the three packs, and how they are written as text.

The three copies of a face are indistinguishable at the table, so a `Card` is a face. The deck holds each face
three times.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

SUITS: Final = "SHDC"
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PACKS: Final = 3
FACES: Final = 52


class Card(int):
    """A face: `suit * 13 + rank`, with the suits S H D C and the ranks A (0) to K (12).

    52 is a man card (a printed joker) and 53 the master card. `UNKNOWN` ("??") stands for a card that a viewer may not
    see. `str(Card(9))` is "10S", and `Card.parse("10s")` is its inverse.
    """

    __slots__ = ()

    @property
    def is_pack(self) -> bool:
        """True for the 52 faces of the packs; False for man, master and unknown."""
        return self < FACES

    @property
    def suit(self) -> int:
        """The suit from 0 to 3, in the order S H D C. Only meaningful for cards of the packs."""
        return self // 13

    @property
    def rank(self) -> int:
        """The rank from 0 (ace) to 12 (king). Only meaningful for cards of the packs."""
        return self % 13

    def __str__(self) -> str:
        return _NAMES[self]

    def __repr__(self) -> str:
        return f"<{_NAMES[self]}>"

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read a face such as `10C`, `tc` or `MAN`, in upper or lower case; raises ValueError for any other text."""
        name = text.strip().upper()
        if name.startswith("T") and len(name) == 2:
            name = "10" + name[1]
        try:
            return _BY_NAME[name]
        except KeyError:
            raise ValueError(
                f"{text!r} is no card; write rank and suit, such as 10C, or MAN or MASTER"
            ) from None

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Write a card as its text in JSON, and read it back."""
        return core_schema.no_info_plain_validator_function(
            _validated, serialization=core_schema.plain_serializer_function_ser_schema(str)
        )


def _validated(value: object) -> Card:
    if isinstance(value, Card):
        return value
    if isinstance(value, str):
        return Card.parse(value)
    raise ValueError("a card is written as text, such as 10C")


Cards = tuple[Card, ...]

_NAMES: Final = (*(rank + suit for suit in SUITS for rank in RANKS), "MAN", "MASTER", "??")
CARDS: Final = tuple(Card(face) for face in range(len(_NAMES)))
_BY_NAME: Final = dict(zip(_NAMES, CARDS, strict=True))

MAN: Final = CARDS[52]
MASTER: Final = CARDS[53]
UNKNOWN: Final = CARDS[54]


def face(suit: int, rank: int) -> Card:
    """Return the card with this suit (0 to 3) and this rank (0 to 12)."""
    return CARDS[suit * 13 + rank]


def parse_cards(text: str) -> Cards:
    """Read cards separated by spaces, keeping their order; raises ValueError for a word that is not a card.

    >>> parse_cards("10C tc man")
    (<10C>, <10C>, <MAN>)
    """
    return tuple(Card.parse(word) for word in text.split())


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards separated by spaces, keeping their order."""
    return " ".join(map(str, cards))


def sort_cards(cards: Iterable[Card]) -> Cards:
    """Return the cards sorted by face: the normal form of a hand."""
    return tuple(sorted(cards))


def without(cards: Iterable[Card], removed: Iterable[Card]) -> Cards:
    """Return the sorted multiset difference `cards - removed`.

    Raises ValueError if a removed card is not in `cards`.

    >>> without(parse_cards("6H 6H 2S"), parse_cards("6H"))
    (<2S>, <6H>)
    """
    left, missing = sorted(cards), list[Card]()
    for card in removed:
        if card in left:
            left.remove(card)
        else:
            missing.append(card)
    if missing:
        raise ValueError(f"not among the cards: {format_cards(sort_cards(missing))}")
    return tuple(left)


def contains(cards: Iterable[Card], part: Iterable[Card]) -> bool:
    """Return whether `part` is a sub-multiset of `cards`.

    >>> contains(parse_cards("6H 2S"), parse_cards("6H 6H"))
    False
    """
    return Counter(part) <= Counter(cards)
