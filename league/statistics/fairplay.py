"""Fair play: figures that may give staff a reason to ask. Each comes with how many would look like it by chance.

None of them is a verdict. Two people who play for one shared result show it in three ways: points move from
one to the other when they meet, one feeds the other discards, and they rarely play apart. `ghosting` and
`timing` examine boards and times.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import copysign, log1p, sqrt
from statistics import NormalDist, fmean, variance
from typing import Final

from league.results import DealResult, Player
from league.statistics.adjusted import Estimate, surprises

LISTED: Final = 3.5
"""The lowest z for which a pair is listed."""
SHARED_DEALS: Final = 12
"""The fewest common deals for which a pair is examined: one match, because in a season of pods most pairs meet once."""
_NORMAL: Final = NormalDist()


def by_chance(comparisons: int, z: float) -> float:
    """Return the expected number of comparisons of honest players, out of this many, that reach z."""
    return comparisons * (1 - _NORMAL.cdf(z))


def _spread(values: Sequence[float]) -> tuple[float, float]:
    """Return the squared standard error of a mean, and its part of the denominator of the degrees of freedom."""
    error = variance(values) / len(values)
    return error, error**2 / (len(values) - 1)


def passing(
    given: Sequence[float],
    gained: Sequence[float],
    given_apart: Sequence[float],
    gained_apart: Sequence[float],
) -> float:
    """Return the z of how much more of one player's points go to another when they meet; 0 for too few values.

    `given` and `gained` are their results in common deals; the others are their results in deals without each
    other. Results within a deal depend on each other, so their difference is compared (`welch`).

    >>> round(passing([-1, -2, 0, -1], [1, 2, 1, 0], [0, 1, -1, 0], [1, -1, 0, 0]), 2)
    1.84
    """
    if min(map(len, (given, given_apart, gained_apart))) < 2:
        return 0.0
    between = [gain - loss for loss, gain in zip(given, gained, strict=True)]
    shift = fmean(between) - (fmean(gained_apart) - fmean(given_apart))
    return welch(shift, between, given_apart, gained_apart)


def welch(shift: float, *groups: Sequence[float]) -> float:
    """Return the z of a sum or difference of the means of these groups; 0 if none of them varies.

    Each group has at least two values. This is Welch's t, converted to z by Wallace's approximation (1959).
    """
    errors, parts = zip(*map(_spread, groups), strict=True)
    if not sum(errors):
        return 0.0
    return _normal(shift / sqrt(sum(errors)), sum(errors) ** 2 / sum(parts))


def student(values: Sequence[float], others: Sequence[float]) -> float:
    """Return the z of how much greater one mean is than another, for groups that vary alike; 0 if none varies.

    This is Student's t, which needs fewer values than Welch's. Each group has at least one value, and both
    together at least three.
    """
    freedom = len(values) + len(others) - 2
    squares = sum((value - fmean(group)) ** 2 for group in (values, others) for value in group)
    error = sqrt(squares / freedom * (1 / len(values) + 1 / len(others)))
    return _normal((fmean(values) - fmean(others)) / error, freedom) if error else 0.0


def _normal(t: float, freedom: float) -> float:
    """Return the z that is as likely as Student's t with these degrees of freedom.

    Source: D. L. Wallace, Ann. Math. Statist. 30 (1959).
    """
    size = (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(t**2 / freedom))
    return copysign(size, t)


def two_shares(hits: int, tries: int, other_hits: int, other_tries: int) -> float:
    """Return the z of the difference of two shares; 0 if there are too few tries."""
    if not tries or not other_tries:
        return 0.0
    pooled = (hits + other_hits) / (tries + other_tries)
    error = sqrt(pooled * (1 - pooled) * (1 / tries + 1 / other_tries))
    return (hits / tries - other_hits / other_tries) / error if error else 0.0


@dataclass(frozen=True, slots=True)
class Transfer:
    """Points that seem to move from one player to another when they meet."""

    giver: Player
    receiver: Player
    deals: int
    """The number of deals that they have in common."""
    z: float


@dataclass(frozen=True, slots=True)
class Report:
    """The pairs that stand out, and how many would do so by chance."""

    transfers: tuple[Transfer, ...]
    """The transfers, the strongest first."""
    compared: int
    """The number of comparisons: two for each pair, because either may be the giver."""
    expected: float
    """The number of pairs that would be listed if everybody played honestly."""


def transfers(
    deals: Iterable[DealResult],
    estimates: Mapping[Player, Estimate],
    least_z: float = LISTED,
    least_deals: int = SHARED_DEALS,
) -> Report:
    """Find the pairs in which one player loses and the other gains more than usual when they meet.

    Results are compared with those expected from the strengths (`league.statistics.adjusted.strengths`) of
    the table.
    """
    values: defaultdict[Player, list[float]] = defaultdict(list)
    together: defaultdict[tuple[Player, Player], list[int]] = defaultdict(list)
    for surprise in surprises(deals, estimates):
        for pair in permutations(surprise, 2):
            together[pair].append(len(values[pair[0]]))
        for player, value in surprise.items():
            values[player].append(value)
    pairs = [pair for pair, places in together.items() if len(places) >= least_deals]
    parted = {pair: _with_and_without(values[pair[0]], together[pair]) for pair in pairs}
    found: list[Transfer] = []
    for giver, receiver in pairs:
        given, given_apart = parted[giver, receiver]
        gained, gained_apart = parted[receiver, giver]
        if (z := passing(given, gained, given_apart, gained_apart)) >= least_z:
            found.append(Transfer(giver, receiver, len(given), z))
    found.sort(key=lambda transfer: (-transfer.z, transfer.giver, transfer.receiver))
    return Report(tuple(found), len(pairs), by_chance(len(pairs), least_z))


def _with_and_without(values: Sequence[float], places: Sequence[int]) -> tuple[list[float], list[float]]:
    inside = set(places)
    return (
        [values[place] for place in places],
        [value for place, value in enumerate(values) if place not in inside],
    )


@dataclass(frozen=True, slots=True)
class Throws:
    """How many of a player's discards each next player could take, and how many they took."""

    thrown: Counter[Player]
    taken: Counter[Player]

    @classmethod
    def nothing(cls) -> "Throws":
        """Return the counts before the first discard."""
        return cls(Counter(), Counter())


def feeding(throws: Throws, receiver: Player) -> float:
    """Return the z of how much more often the receiver takes the player's discards than other neighbours do."""
    thrown, taken = throws.thrown.total(), throws.taken.total()
    own_thrown, own_taken = throws.thrown[receiver], throws.taken[receiver]
    return two_shares(own_taken, own_thrown, taken - own_taken, thrown - own_thrown)


def dependence(matches: Iterable[Collection[Player]], player: Player, other: Player) -> float:
    """Return the share, from 0 to 1, of a player's matches in which the other sat at the table."""
    played = [players for players in matches if player in players]
    return sum(other in players for players in played) / len(played) if played else 0.0
