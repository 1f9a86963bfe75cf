"""The distance to a show, suit by suit: sequences and tunnelas never cross suits, so each suit is searched alone.

`cover` answers a single question faster. This module is for the hundreds of hands that differ in one card,
most of whose suits are already cached.

The places that the cards of one suit fill in one, two and three primary groups come from a search over the suit's few
patterns. A suit is packed like a hand (`marriage.bits`), with its ace in the lowest bits. Groups are sequences and
tunnelas of three. A pair waits for a card that may still come, and no two pairs may wait for the same last copy.

The outs of a hand are the cards that bring it nearer to its goal.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from operator import ge
from typing import Final

from marriage.bits import GUARD, WIDTH, contains
from marriage.cards import CARDS, Card, Cards
from marriage.solver.cover import cover
from marriage.solver.hand import more, within
from marriage.solver.question import Question

Filled = tuple[int, ...]
"""How many places of 0, 1, 2 and 3 groups can be filled."""

_MOST: Final = 3
_RANKS: Final = 13
_Pattern = tuple[int, int, tuple[int, ...]]
"""The cards of a pattern, their number, and the cards that would each complete it; none for a whole group."""


def _cards(*ranks: int) -> int:
    """Return one copy of each of these ranks. The ace has a place at either end."""
    return sum(1 << WIDTH * (rank % _RANKS) for rank in ranks)


_ALL: Final = _cards(*range(_RANKS))
_GUARD: Final = GUARD & (1 << WIDTH * _RANKS) - 1
_RUNS: Final = {_cards(low): _cards(low, low + 1, low + 2) for low in range(_RANKS - 2)}
_RUN_STARTS: Final = sum(_RUNS)
_HIGH_RUN: Final = _cards(11, 12, 13)
_NEXT: Final[dict[int, _Pattern]] = {
    _cards(low): (_cards(low, low + 1), 2, tuple(_cards(end) for end in (low - 1, low + 2) if end >= 0))
    for low in range(_RANKS - 1)
}
_GAPS: Final[dict[int, _Pattern]] = {
    _cards(low): (_cards(low, low + 2), 2, (_cards(low + 1),)) for low in range(_RANKS - 2)
}
_NEXT_STARTS: Final = sum(_NEXT)
_GAP_STARTS: Final = sum(_GAPS)
_WITH_HIGH_ACE: Final[tuple[_Pattern, ...]] = (
    (_cards(12, 13), 2, (_cards(11),)),
    (_cards(11, 13), 2, (_cards(12),)),
)


def fill(cards: int, live: int) -> Filled:
    """Return what the cards of one suit fill; `live` are the cards of the suit that may still come."""
    patterns = [*_wholes(cards), *_pairs(cards, (live | live >> 1) & _ALL)]
    count = cards.bit_count() + (cards >> 1 & _ALL).bit_count()
    best = [min(groups, count) for groups in range(_MOST + 1)]

    def lay(start: int, hand: int, groups: int, worth: int, waiting: tuple[tuple[int, ...], ...]) -> None:
        for index in range(start, len(patterns)):
            mask, size, fillings = patterns[index]
            if all(worth + size * (more - groups) <= best[more] for more in range(groups + 1, _MOST + 1)):
                return
            if ((hand | _GUARD) - mask) & _GUARD != _GUARD:
                continue
            longer = (*waiting, fillings) if fillings else waiting
            if fillings and waiting and not _all_may_come(longer, live):
                continue
            got = worth + size
            for later in range(groups + 1, _MOST + 1):
                best[later] = max(best[later], got + min(later - groups - 1, count - got))
            if groups + 1 < _MOST:
                lay(index, hand - mask, groups + 1, got, longer)

    lay(0, cards, 0, 0, ())
    return tuple(best)


def _bits(hits: int) -> Iterator[int]:
    while hits:
        low = hits & -hits
        hits ^= low
        yield low


def _wholes(cards: int) -> Iterator[_Pattern]:
    """Yield the whole groups in the suit."""
    faces = (cards | cards >> 1) & _ALL
    for low in _bits(cards & cards >> 1 & _ALL):
        yield 3 * low, 3, ()
    for low in _bits(faces & faces >> WIDTH & faces >> 2 * WIDTH & _RUN_STARTS):
        yield _RUNS[low], 3, ()
    if faces & _HIGH_RUN == _HIGH_RUN:
        yield _HIGH_RUN, 3, ()


def _pairs(cards: int, live: int) -> Iterator[_Pattern]:
    """Yield the pairs that a card which may still come completes."""
    faces = (cards | cards >> 1) & _ALL
    for low in _bits(cards >> 1 & _ALL & live):
        yield 2 * low, 2, (low,)
    found = [_NEXT[low] for low in _bits(faces & faces >> WIDTH & _NEXT_STARTS)]
    found += [_GAPS[low] for low in _bits(faces & faces >> 2 * WIDTH & _GAP_STARTS)]
    found += [pattern for pattern in _WITH_HIGH_ACE if faces & pattern[0] == pattern[0]]
    for mask, size, fillings in found:
        coming = tuple(card for card in fillings if card & live)
        if coming:
            yield mask, size, coming


def _all_may_come(waiting: tuple[tuple[int, ...], ...], live: int) -> bool:
    """Return whether one card for each pair can come, all of them together."""
    if not waiting:
        return True
    return any(
        ((live | _GUARD) - card) & _GUARD == _GUARD and _all_may_come(waiting[1:], live - card)
        for card in waiting[0]
    )


_SUIT_BITS: Final = 13 * WIDTH
_SUIT: Final = (1 << _SUIT_BITS) - 1


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


_FACES: Final = CARDS[:-1]


def helpful(
    asked: Question,
    left: Sequence[int],
    wilds: frozenset[Card],
    holes: int,
    among: Iterable[Card] = _FACES,
) -> Cards:
    """Return the faces that would reduce the hand to at most `holes` holes, in the order of `among`.

    `left` is the number of copies of each face that the seat cannot see. `wilds` are the faces that are wild
    to it. `among` are the faces to try.
    """
    if asked.total == 3 * asked.primary and splits(asked):
        found = {face for face, _ in outs_to_show(asked, left, holes)}
        return tuple(card for card in among if card in found)
    known: dict[Question, bool] = {}
    helps: list[Card] = []
    for card in among:
        if not left[card]:
            continue
        richer = more(asked, card, wilds)
        enough = known.get(richer)  # all cards that can stand in anywhere give the same hand
        if enough is None:
            enough = known[richer] = within(richer, holes)
        if enough:
            helps.append(card)
    return tuple(helps)
