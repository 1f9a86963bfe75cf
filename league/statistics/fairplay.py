"""Fair play: figures that may give staff a reason to ask, each with how many would look like it by chance.

None of them is a verdict. Two people who play for one show up in three ways: points move from one to the other when they
meet, one feeds the other discards, and they hardly ever play apart.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import sqrt
from statistics import NormalDist, fmean, variance
from typing import Final

from league.results import DealResult, Player
from league.statistics.adjusted import Estimate, surprises

LISTED: Final = 3.5
"""The lowest z with which a pair is listed."""
SHARED_DEALS: Final = 60
"""The fewest common deals with which a pair is looked at."""
_NORMAL: Final = NormalDist()


def by_chance(comparisons: int, z: float) -> float:
    """The expected number of comparisons of honest players, out of this many, that reach z."""
    return comparisons * (1 - _NORMAL.cdf(z))


def two_means(first: Sequence[float], other: Sequence[float]) -> float:
    """The z of the difference of two means; 0 if there are too few values."""
    if len(first) < 2 or len(other) < 2:
        return 0.0
    error = sqrt(variance(first) / len(first) + variance(other) / len(other))
    return (fmean(first) - fmean(other)) / error if error else 0.0


def two_shares(hits: int, tries: int, other_hits: int, other_tries: int) -> float:
    """The z of the difference of two shares; 0 if there are too few tries."""
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
    """How many deals they have in common."""
    z: float


@dataclass(frozen=True, slots=True)
class Report:
    """The pairs that stand out, and how many would by chance."""

    transfers: tuple[Transfer, ...]
    """The strongest first."""
    compared: int
    """How many comparisons were made: two for each pair, because either may be the giver."""
    expected: float
    """How many of them would be listed if everybody played honestly."""


def transfers(
    deals: Iterable[DealResult],
    estimates: Mapping[Player, Estimate],
    least_z: float = LISTED,
    least_deals: int = SHARED_DEALS,
) -> Report:
    """The pairs in which one player loses and the other gains more than usual when they meet.

    Results are compared with those expected from the strengths (`league.statistics.adjusted.strengths`) of the table.
    """
    values: defaultdict[Player, list[float]] = defaultdict(list)
    together: defaultdict[tuple[Player, Player], list[int]] = defaultdict(list)
    for surprise in surprises(deals, estimates):
        for pair in permutations(surprise, 2):
            together[pair].append(len(values[pair[0]]))
        for player, value in surprise.items():
            values[player].append(value)
    pairs = [pair for pair, places in together.items() if len(places) >= least_deals]
    change = {pair: _with_and_without(values[pair[0]], together[pair]) for pair in pairs}
    found = [
        Transfer(giver, receiver, len(together[giver, receiver]), z)
        for giver, receiver in pairs
        if (z := (change[receiver, giver] - change[giver, receiver]) / sqrt(2)) >= least_z
    ]
    found.sort(key=lambda transfer: (-transfer.z, transfer.giver, transfer.receiver))
    return Report(tuple(found), len(pairs), by_chance(len(pairs), least_z))


def _with_and_without(values: Sequence[float], places: Sequence[int]) -> float:
    inside = set(places)
    return two_means(
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
        """Before the first discard."""
        return cls(Counter(), Counter())


def feeding(throws: Throws, receiver: Player) -> float:
    """The z of how much more often the receiver takes the player's discards than the player's other neighbours do."""
    thrown, taken = throws.thrown.total(), throws.taken.total()
    own_thrown, own_taken = throws.thrown[receiver], throws.taken[receiver]
    return two_shares(own_taken, own_thrown, taken - own_taken, thrown - own_thrown)


def dependence(matches: Iterable[Collection[Player]], player: Player, other: Player) -> float:
    """The share of a player's matches in which another sat at the table, from 0 to 1."""
    played = [players for players in matches if player in players]
    return sum(other in players for players in played) / len(played) if played else 0.0
