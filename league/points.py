"""League points: the value of a match to each seat, in integer hundredths so that all machines agree.

A match of twelve deals has a score part, which grows with the points won, and a bonus for the placing. The
score part is divided by the root of the number of deals, so that every match weighs the same regardless of
the table size.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import Final

MICRO: Final = 1_000_000
"""The unit of a deal's gain: millionths of par."""
BONUS: Final[Mapping[int, tuple[int, ...]]] = {
    2: (1000, -1000),
    3: (1000, 0, -1000),
    4: (1000, 300, -300, -1000),
    5: (1000, 500, 0, -500, -1000),
}
"""The bonus for the first place, the second and so on by number of seats, in hundredths."""
PLACE_POINTS: Final = (400, 200, 100)
"""The points for the first places of a match in an arena, in hundredths."""
STREAK: Final = 2
"""After so many first places in a row, an arena match counts double."""


def without_computers(points: Sequence[int]) -> tuple[int, ...]:
    """Share evenly what the computers of a deal won or paid, so that it earns nothing; return the points.

    They are integers that add up to 0; an indivisible remainder goes to the first seats.

    >>> without_computers([20, -5, -6])
    (17, -8, -9)
    """
    each, more = divmod(-sum(points), len(points))
    return tuple(own + each + (seat < more) for seat, own in enumerate(points))


@dataclass(frozen=True, slots=True)
class MatchRules:
    """How matches count in one season."""

    par: int
    """The usual spread of a seat's points in a deal, in hundredths; frozen with the season."""
    cut: int = 3 * MICRO
    """The most pars that a deal can count, in millionths."""
    bonus: tuple[tuple[int, ...], ...] = tuple(BONUS.values())
    """The placing bonus at two, three, four and five seats."""
    placing_only: bool = False
    """Whether only the bonus counts."""


@dataclass(frozen=True, slots=True)
class SeatPoints:
    """The value of a match to one seat; league points are hundredths."""

    score: int
    bonus: int
    place: int
    """1 for the first; equal seats share the better place."""
    gain: int
    """For tie-breaks, in millionths of par: the sum of the seat's gains over all deals.

    On boards it is the sum of its margins over the same seat elsewhere.
    """
    deals: int
    net: int
    """The points of the game that the seat won or paid in all deals."""

    @property
    def points(self) -> int:
        """The league points."""
        return self.score + self.bonus


def gains(points: Sequence[int], rules: MatchRules) -> tuple[int, ...]:
    """Return each seat's gain in a deal, in millionths of par times the number of seats; the sum is 0.

    A seat's points are divided by par and cut, and the table's mean is subtracted. Multiplying by the number
    of seats avoids rounding.
    """
    cut = [_in_pars(won, rules.par, rules.cut) for won in points]
    total = sum(cut)
    return tuple(len(cut) * gain - total for gain in cut)


def match_points(
    deals: Sequence[Sequence[int]], rules: MatchRules, left: Collection[int] = ()
) -> tuple[SeatPoints, ...]:
    """Return the league points of a match by seat, from the points of every deal.

    `left`: the seats whose players left for good. They are placed last, get the last place's bonus and never
    a positive score. Raises ValueError without a deal, or if deals have different numbers of seats.
    """
    if not deals or len({len(points) for points in deals}) > 1:
        raise ValueError("a match has one deal or more, all of the same seats")
    seats = len(deals[0])
    sums = [sum(gained) for gained in zip(*(gains(points, rules) for points in deals), strict=True)]
    keys = [(seat in left, -total) for seat, total in enumerate(sums)]
    places = rules.bonus[seats - 2]
    bonus = placing_bonus(keys, places)
    return tuple(
        SeatPoints(
            score=0 if rules.placing_only else _score(total, seats, len(deals), seat in left),
            bonus=min(bonus[seat], places[-1]) if seat in left else bonus[seat],
            place=1 + sum(key < keys[seat] for key in keys),
            gain=nearest(total, seats),
            deals=len(deals),
            net=sum(points[seat] for points in deals),
        )
        for seat, total in enumerate(sums)
    )


def place_points(seats: Sequence[SeatPoints], left: Collection[int] = ()) -> tuple[int, ...]:
    """Return the points for the places of an arena match by seat: 4, 2 and 1 for the first three.

    The last place gets nothing. Equal places share, and a player who left for good gets nothing. No match
    takes points from anyone.
    """
    places = [seat.place for seat in seats]
    worth = [*PLACE_POINTS[: len(seats) - 1], *[0] * len(seats)]
    found: list[int] = []
    for seat, place in enumerate(places):
        equal = places.count(place)
        shared = nearest(sum(worth[place - 1 : place - 1 + equal]), equal)
        found.append(0 if seat in left else shared)
    return tuple(found)


def placing_bonus(keys: Sequence[tuple[bool, int]], bonus: Sequence[int]) -> tuple[int, ...]:
    """Return the bonus by seat, from sort keys, smallest first; equal keys share the bonus of their places."""
    shares: list[int] = []
    for key in keys:
        first, equal = sum(other < key for other in keys), keys.count(key)
        shares.append(nearest(sum(bonus[first : first + equal]), equal))
    return tuple(shares)


def _score(total: int, seats: int, deals: int, left: bool) -> int:  # noqa: FBT001 - of one seat, named where called
    """Return ten times the sum of gains over the root of the number of deals, in hundredths.

    It is exact, with halves rounded away from 0.
    """
    doubled = isqrt(4 * total**2 // (seats**2 * deals * 1000**2))
    size = (doubled + 1) // 2
    score = size if total > 0 else -size
    return min(score, 0) if left else score


def in_pars(points: int, rules: MatchRules) -> int:
    """Return points in millionths of par, limited to the most that a deal can count."""
    return _in_pars(points, rules.par, rules.cut)


@lru_cache(maxsize=4096)
def _in_pars(points: int, par: int, cut: int) -> int:
    """Do the same, cached because the deals of a season repeat the same few hundred values."""
    return max(-cut, min(cut, nearest(points * 100 * MICRO, par)))


def nearest(value: int, parts: int) -> int:
    """Return the integer nearest to value / parts, halves away from 0, so that losses round like gains."""
    size = (2 * abs(value) + parts) // (2 * parts)
    return size if value > 0 else -size
