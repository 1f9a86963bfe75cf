"""The distance to a show, suit by suit: sequences and tunnelas never cross suits, so each suit is searched alone.

`cover` answers a single question faster. This module is for the hundreds of hands that differ in one card,
most of whose suits are already cached.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from operator import ge
from typing import Final

from marriage.bits import WIDTH, contains
from marriage.solver.cover import cover
from marriage.solver.question import Question
from marriage.solver.suit_filling import Filled, fill

_SUIT_BITS: Final = 13 * WIDTH
_SUIT: Final = (1 << _SUIT_BITS) - 1
_MOST: Final = 3
_RANKS: Final = 13
_SHIFTS: Final = tuple(suit * _SUIT_BITS for suit in range(4))
_NEVER: Final = 99


def show_holes(asked: Question) -> int:
    """Return the smallest number of holes in the wanted primary groups."""
    if splits(asked):
        return asked.total - show_filled(asked.hand, asked.live, asked.primary)
    found = cover(asked)
    if found is None:
        raise RuntimeError("primary groups of three cards always make up their total")
    return found.holes


def splits(asked: Question) -> bool:
    """Return whether the suits can be searched separately: no trials and no master card may join them."""
    return not (asked.primary_trial or asked.master or asked.master_live)


def show_filled(hand: int, live: int, groups: int) -> int:
    """Return how many places of `groups` primary groups a hand fills."""
    *_, best = accumulate(suit_tables(hand, live), join)
    return best[groups]


def suit_tables(hand: int, live: int) -> Iterator[Filled]:
    """Yield what each suit fills by itself."""
    for shift in _SHIFTS:
        yield suit_filled(hand >> shift & _SUIT, live >> shift & _SUIT)


@cache
def join(first: Filled, second: Filled) -> Filled:
    """Combine what two suits fill."""
    return tuple(
        max(first[groups] + second[total - groups] for groups in range(total + 1))
        for total in range(_MOST + 1)
    )


@lru_cache(maxsize=1 << 14)
def suit_filled(cards: int, live: int) -> Filled:
    """Return what the cards of one suit fill; `live` are the faces of the suit that may still come."""
    return fill(cards, live)


def outs_to_show(asked: Question, left: Sequence[int], holes: int) -> Iterator[tuple[int, int]]:
    """Yield the faces that would reduce the hand to at most `holes` holes, and how many copies of each are left.

    `left` is the number of copies of each face that the seat cannot see. The question has to split by suit.
    """
    wanted = asked.total - holes
    tables = list(suit_tables(asked.hand, asked.live))
    for suit, shift in enumerate(_SHIFTS):
        *_, others = accumulate(tables[:suit] + tables[suit + 1 :], join)
        enough = _enough(others, asked.primary, wanted)
        richer = _with_one_more(asked.hand >> shift & _SUIT, asked.live >> shift & _SUIT)
        for rank, filled in enumerate(richer):
            copies = left[suit * _RANKS + rank]
            if copies and any(map(ge, filled, enough)):
                yield suit * _RANKS + rank, copies


@cache
def _enough(others: Filled, groups: int, wanted: int) -> Filled:
    """Return how much a suit has to fill of 0, 1, 2 and 3 groups. Any one of these is enough together with `others`."""
    return tuple(wanted - others[groups - own] if own <= groups else _NEVER for own in range(_MOST + 1))


@lru_cache(maxsize=1 << 14)
def _with_one_more(cards: int, live: int) -> tuple[Filled, ...]:
    """Return what a suit fills with one more card, for each rank."""
    return tuple(
        suit_filled(cards if contains(cards, 3 << WIDTH * rank) else cards + (1 << WIDTH * rank), live)
        for rank in range(_RANKS)
    )
