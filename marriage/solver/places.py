"""The places for cards: the sizes of the wanted groups, the most that can fill them, and where a pair fits."""

from functools import cache, lru_cache
from typing import Final, NamedTuple

from marriage.bits import every_copy, present, size
from marriage.solver.patterns import LONGEST, Pattern

Sizes = tuple[int, ...]
"""The sizes of groups, ascending."""


@cache
def shapes(primary: int, total: int, *, plus: bool) -> tuple[tuple[Sizes, Sizes], ...]:
    """Return all ways to split `total` cards into groups: the sizes of `primary` primary groups and of the others."""
    largest = LONGEST if plus else 3
    return tuple(
        (first, rest)
        for first in _sizes(primary, 3, largest)
        for groups in range(total // 3, -1, -1)
        for rest in _sizes(groups, 3, largest)
        if sum(first) + sum(rest) == total
    )


def _sizes(groups: int, least: int, most: int) -> list[Sizes]:
    """Return all ascending lists of sizes of `groups` groups."""
    if groups == 0:
        return [()]
    return [(first, *rest) for first in range(least, most + 1) for rest in _sizes(groups - 1, first, most)]


@cache
def minus(sizes: Sizes, taken: int) -> Sizes:
    """Return the sizes without one of them."""
    place = sizes.index(taken)
    return sizes[:place] + sizes[place + 1 :]


@cache
def fitting(sizes: Sizes, fit: Sizes) -> Sizes:
    """Return the different sizes among these that fit."""
    return tuple(sorted({number for number in sizes if number in fit}))


_WORTHS: Final = ((3, 3), (4, 3), (4, 4), (5, 3), (5, 4), (5, 5))
"""The sizes of groups, and how many of their places one pattern may fill."""

Limits = tuple[int, ...]
"""For each of `_WORTHS`, the most groups that can be filled that far."""


@lru_cache(maxsize=1 << 14)
def most_places(sizes: Sizes, limits: Limits) -> int:
    """Return how many places of groups of these sizes can be filled.

    A pair fills two places of a group; more are filled as far as the limits allow.
    """
    counted = zip(_WORTHS, limits, strict=True)
    return 2 * len(sizes) + sum(min(limit, sizes.count(number)) for (number, _), limit in counted)


@cache
def _raised(sizes: Sizes, worth: int) -> tuple[int, ...]:
    """Return the indices of the limits that a pattern raises."""
    return tuple(
        place for place, (number, filled) in enumerate(_WORTHS) if number in sizes and filled <= worth
    )


def limits_of(hand: int, patterns: list[Pattern]) -> Limits:
    """Return the limits that these patterns set, given that they cannot share cards."""
    if not patterns:
        return _NO_LIMITS
    unions = [0] * len(_WORTHS)
    master = 0
    for pattern in patterns:
        master |= pattern.master
        for place in _raised(pattern.sizes, pattern.worth):
            unions[place] |= pattern.mask
    return tuple(
        [
            (size(hand & every_copy(present(union))) + master) // worth if union else 0
            for union, (_, worth) in zip(unions, _WORTHS, strict=True)
        ]
    )


_NO_LIMITS: Final = (0,) * len(_WORTHS)


class Kind(NamedTuple):
    """The properties of a pair that decide where it can be placed."""

    same: bool
    """Whether its cards are identical."""
    wild: int
    """How many of them are wild."""
    primary: Sizes
    """The sizes of the primary groups that it can be part of."""
    general: Sizes
    """The same for the other groups."""


class Open(NamedTuple):
    """The places where pairs can still go."""

    primary: Sizes
    general: Sizes
    wanted: int
    """The most pairs in the groups that are not primary."""
    same: int
    """The most pairs of identical cards among them."""
    faced: int
    """The most wild cards that can count at face value in primary groups."""


@lru_cache(maxsize=1 << 14)
def moves_of(kind: Kind, places: Open) -> tuple[tuple[int, bool, Open], ...]:
    """Return the ways to place a pair: the size of the group, whether it is primary, and what is open afterwards."""
    moves: list[tuple[int, bool, Open]] = []
    if kind.wild <= places.faced:
        for number in fitting(places.primary, kind.primary):
            left = places._replace(primary=minus(places.primary, number), faced=places.faced - kind.wild)
            moves.append((number, True, left))
    if places.wanted and not kind.wild and kind.same <= places.same:
        for number in fitting(places.general, kind.general):
            left = places._replace(
                general=minus(places.general, number),
                wanted=places.wanted - 1,
                same=places.same - kind.same,
            )
            moves.append((number, False, left))
    return tuple(moves)
