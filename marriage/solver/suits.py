"""The way to a show, suit by suit: sequences and tunnelas never cross suits, so each suit can be searched alone.

One question is answered sooner by `cover`; this is for the hundreds of hands that differ in a card, whose suits are
nearly all known already.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final

from marriage.bits import WIDTH
from marriage.solver.cover import cover, primary_filled
from marriage.solver.question import Question

_SUIT_BITS: Final = 13 * WIDTH
_SUIT: Final = (1 << _SUIT_BITS) - 1
_MOST: Final = 3

Filled = tuple[int, ...]
"""How many places of 0, 1, 2, ... groups can be filled."""


def show_holes(asked: Question) -> int:
    """The least number of holes in the primary groups wanted."""
    if splits(asked):
        return asked.total - show_filled(asked.hand, asked.live, asked.primary)
    found = cover(asked)
    if found is None:
        raise ValueError("primary groups of three cards always make up their total")
    return found.holes


def splits(asked: Question) -> bool:
    """Whether each suit can be looked at alone: no trial and no master card may join them."""
    return not (asked.primary_trial or asked.master or asked.master_live)


def show_filled(hand: int, live: int, groups: int) -> int:
    """How many places of so many primary groups a hand fills."""
    *_, best = accumulate(suit_tables(hand, live), join)
    return best[groups]


def suit_tables(hand: int, live: int) -> Iterator[Filled]:
    """What each suit fills by itself."""
    for suit in range(4):
        shift = suit * _SUIT_BITS
        yield suit_filled(hand >> shift & _SUIT, live >> shift & _SUIT)


@cache
def join(first: Filled, second: Filled) -> Filled:
    """What two suits fill together."""
    return tuple(
        max(first[groups] + second[total - groups] for groups in range(total + 1))
        for total in range(_MOST + 1)
    )


@lru_cache(maxsize=1 << 14)
def suit_filled(cards: int, live: int) -> Filled:
    """What the cards of one suit fill; `live` are the faces of it that may still come."""
    if not cards:
        return (0,) * (_MOST + 1)
    return primary_filled(Question(hand=cards, primary=_MOST, total=3 * _MOST, live=live))
