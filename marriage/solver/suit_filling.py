"""How many places of one, two and three primary groups the cards of one suit fill.

The answer comes from a search over the suit's few patterns. A suit is packed like a hand (`marriage.bits`),
with its ace in the lowest bits. Groups are sequences and tunnelas of three. A pair waits for a card that may
still come, and no two pairs may wait for the same last copy.
"""

from collections.abc import Iterator
from typing import Final

from marriage.bits import GUARD, WIDTH

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
            for more in range(groups + 1, _MOST + 1):
                best[more] = max(best[more], got + min(more - groups - 1, count - got))
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
