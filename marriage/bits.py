"""Hands as integers: three bits a face, two to count its copies and one to guard against borrowing.

The solver thinks in this form, and a seat of a deal keeps its hand in it too, so that nobody counts it again; all
others know a hand as a tuple of cards. Man and master cards, and unknown ones, have no place in it.
"""

from collections.abc import Iterable
from typing import Final

from marriage.cards import CARDS, FACES, Card, Cards

WIDTH: Final = 3
ONE: Final = tuple(1 << WIDTH * index for index in range(FACES))
"""One copy of each face."""
LOW: Final = sum(ONE)
"""One copy of every face."""
FULL: Final = LOW * 3
"""Every copy of every face."""
TWO: Final = LOW << 1
"""The upper bit of every count: set where a hand holds two copies of a face or three."""
GUARD: Final = LOW << 2
"""The third bit of every count: set before a subtraction, it is borrowed from where a face is short."""
COPY: Final = {card: ONE[card] if card.is_pack else 0 for card in CARDS}
"""One copy of each card, 0 for those outside the packs."""


def pack(cards: Iterable[Card]) -> int:
    """The hand of these cards; those outside the packs are left out."""
    return sum(map(COPY.__getitem__, cards))


def unpack(hand: int) -> Cards:
    """The cards of a hand, sorted."""
    cards: list[Card] = []
    faces = present(hand)
    while faces:
        low = faces & -faces
        place = low.bit_length() - 1
        cards += [CARDS[place // WIDTH]] * ((hand >> place) & 3)
        faces ^= low
    return tuple(cards)


def others(hand: int) -> int:
    """All cards of the packs but these: no copy of a face of which there are four or more."""
    over = (hand >> 2) & LOW
    return FULL - (hand & ~(over * 7) | over * 3) if over else FULL ^ hand


def contains(hand: int, part: int) -> bool:
    """Whether the hand holds every card of `part`."""
    return ((hand | GUARD) - part) & GUARD == GUARD


def all_in(hand: int, parts: list[int]) -> list[int]:
    """Those of the parts that the hand contains, each by itself."""
    guarded = hand | GUARD
    return [part for part in parts if (guarded - part) & GUARD == GUARD]


def present(hand: int) -> int:
    """One copy of each face that the hand holds."""
    return (hand | hand >> 1) & LOW


def size(hand: int) -> int:
    """How many cards the hand holds."""
    return hand.bit_count() + (hand & TWO).bit_count()


def twice(hand: int) -> int:
    """One copy of each face that the hand holds at least twice."""
    return (hand >> 1) & LOW


def thrice(hand: int) -> int:
    """One copy of each face of which the hand holds all three."""
    return hand & (hand >> 1) & LOW


def every_copy(faces: int) -> int:
    """All three copies of each face in a set of single faces."""
    return faces * 3
