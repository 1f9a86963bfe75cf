"""Hands packed into integers: three bits for each face, two to count its copies and a guard bit for subtraction.

The solver works on packed hands, and each seat of a state caches its hand in this form. All other code uses tuples of
cards. Man, master and unknown cards are not part of a packed hand.
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
"""The upper bit of every count: set if a hand holds two or three copies of a face."""
GUARD: Final = LOW << 2
"""The guard bit of every face, set before a subtraction and cleared if the hand lacks a copy of the face."""
COPY: Final = {card: ONE[card] if card.is_pack else 0 for card in CARDS}
"""One copy of each card, 0 for those outside the packs."""


def pack(cards: Iterable[Card]) -> int:
    """Pack cards into a hand. Cards outside the packs are left out."""
    return sum(map(COPY.__getitem__, cards))


def unpack(hand: int) -> Cards:
    """Return the cards of a hand, sorted."""
    cards: list[Card] = []
    faces = present(hand)
    while faces:
        low = faces & -faces
        place = low.bit_length() - 1
        cards += [CARDS[place // WIDTH]] * ((hand >> place) & 3)
        faces ^= low
    return tuple(cards)


def others(hand: int) -> int:
    """Return the cards of the packs that are not in `hand`.

    A face with more than three copies in `hand` has none left.
    """
    over = (hand >> 2) & LOW
    return FULL - (hand & ~(over * 7) | over * 3) if over else FULL ^ hand


def contains(hand: int, part: int) -> bool:
    """Return whether the hand holds every card of `part`."""
    return ((hand | GUARD) - part) & GUARD == GUARD


def all_in(hand: int, parts: list[int]) -> list[int]:
    """Return the parts that the hand contains, each checked separately."""
    guarded = hand | GUARD
    return [part for part in parts if (guarded - part) & GUARD == GUARD]


def present(hand: int) -> int:
    """Return one copy of each face that the hand holds."""
    return (hand | hand >> 1) & LOW


def size(hand: int) -> int:
    """Return how many cards the hand holds."""
    return hand.bit_count() + (hand & TWO).bit_count()


def twice(hand: int) -> int:
    """Return one copy of each face that the hand holds at least twice."""
    return (hand >> 1) & LOW


def thrice(hand: int) -> int:
    """Return one copy of each face of which the hand holds all three copies."""
    return hand & (hand >> 1) & LOW


def every_copy(faces: int) -> int:
    """Return all three copies of each face in a set of single faces."""
    return faces * 3
