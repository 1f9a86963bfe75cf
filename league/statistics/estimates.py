"""Estimates as they are kept: everybody's points a deal, adjusted for the opponents, from all deals of a span."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose

import numpy as np

from league.results import Player
from league.statistics.adjusted import Estimate, Kind, Whole, estimated
from league.statistics.par import preset_par

FOUR: int = 4
"""Seats of the tables in whose points estimates are shown."""
_SAME = 1e-9
"""How far the same estimate may differ between two machines, whose linear algebra adds in another order."""


@dataclass(frozen=True, slots=True)
class Basis:
    """Which deals: the rated ones of a server that ended at `since` or later, up to this one."""

    since: int
    """In milliseconds of UTC."""
    number: int
    """The number of the last finished deal that was looked at, rated or not."""


@dataclass(frozen=True, slots=True)
class Estimates:
    """Everybody's estimate, in standard deviations of a deal's luck."""

    basis: Basis
    at: int
    """When they were worked out, in milliseconds of UTC."""
    deals: int
    """How many there were."""
    par: float
    """The par of four seats in which they are shown: the mean over these deals' rules."""
    of: Mapping[Player, Estimate]

    def agrees(self, other: "Estimates") -> bool:
        """Whether both say the same of the same deals."""
        return (
            (self.deals, self.of.keys()) == (other.deals, other.of.keys())
            and isclose(self.par, other.par, rel_tol=_SAME)
            and all(_same(estimate, other.of[person]) for person, estimate in self.of.items())
        )


def _same(estimate: Estimate, other: Estimate) -> bool:
    return (
        estimate.deals == other.deals
        and isclose(estimate.value, other.value, rel_tol=_SAME, abs_tol=_SAME)
        and isclose(estimate.error, other.error, rel_tol=_SAME)
    )


@dataclass(frozen=True, slots=True)
class RatedDeals:
    """Many rated deals at once, with nothing in them but what estimates ask for."""

    rules: Sequence[tuple[str, int]]
    """By deal: the preset nearest to its rules, and its seats."""
    seats: Whole
    """A row a seat, deal by deal: its person and what it won or paid."""


def estimates(deals: RatedDeals, basis: Basis, at: int) -> Estimates:
    """What these deals say. Pure and slow: for a thread of its own."""
    sizes = np.array([seats for _, seats in deals.rules], dtype=np.int64)
    firsts = np.cumsum(sizes) - sizes
    kinds: list[Kind] = []
    played = Counter(deals.rules)
    number = {rules: place for place, rules in enumerate(sorted(played))}
    numbers = np.array([number[rules] for rules in deals.rules], dtype=np.int64)
    for (preset, seats), place in number.items():
        places = firsts[numbers == place][:, None] + np.arange(seats)
        kinds.append(Kind(deals.seats[places, 0], deals.seats[places, 1], preset_par(preset, seats)))
    total = sum(preset_par(preset, FOUR) * count for (preset, _), count in sorted(played.items()))
    count = len(deals.rules)
    return Estimates(basis, at, count, total / count if count else 0.0, estimated(kinds))
