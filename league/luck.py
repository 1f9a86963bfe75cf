"""How much of a standing is luck: the places that a player might just as well have."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from typing import Final

from league.results import Player

_ERRORS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Band:
    """The range of places that luck alone could have given a player, 1 the first."""

    best: int
    worst: int


def spread(match_points: Sequence[Sequence[float]]) -> float:
    """The pooled standard deviation of one match's points, from the matches of every player.

    Players with a single match are left out. Returns 0 where no one has played twice.
    """
    squares, freedom = 0.0, 0
    for points_of in match_points:
        if len(points_of) > 1:
            mean = fmean(points_of)
            squares += sum((points - mean) ** 2 for points in points_of)
            freedom += len(points_of) - 1
    return sqrt(squares / freedom) if freedom else 0.0


def bands(totals: Mapping[Player, tuple[float, float]], match_spread: float) -> dict[Player, Band]:
    """The band of every player, from their total and the number of matches it was made in.

    `match_spread` is the standard deviation of one match's points (see `spread`), in the unit of the totals. For a mean in place
    of a total the number is one by that of the matches.
    """
    by_matches: defaultdict[float, list[float]] = defaultdict(list)
    for total, matches in sorted(totals.values()):
        by_matches[matches].append(total)
    return {player: _band(*total, by_matches, match_spread) for player, total in totals.items()}


def _band(
    total: float, matches: float, by_matches: Mapping[float, Sequence[float]], match_spread: float
) -> Band:
    """One band. `by_matches` has the sorted totals of all players, by number of matches."""
    above = below = everybody = 0
    for other_matches, totals in by_matches.items():
        margin = _ERRORS * match_spread * sqrt(matches + other_matches)
        above += len(totals) - bisect_right(totals, total + margin)
        below += bisect_left(totals, total - margin)
        everybody += len(totals)
    return Band(best=1 + above, worst=everybody - below)
