"""Stored estimates: everybody's points a deal, adjusted for the opponents, from all deals of a span."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose

import numpy as np

from league.results import Player
from league.statistics.adjusted import Estimate, Kind, Whole, estimated
from league.statistics.par import preset_par

FOUR: int = 4
"""Estimates are shown in points at tables of this many seats."""
_SAME = 1e-9
"""How far an estimate may differ between machines, because linear algebra adds in different orders."""


@dataclass(frozen=True, slots=True)
class Basis:
    """The deals that estimates are made from: the rated ones of a server from `since` up to deal `number`."""

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
    """How many deals they are made from."""
    par: float
    """The par of four seats in which they are shown: the mean over the rules of these deals."""
    of: Mapping[Player, Estimate]

    def agrees(self, other: "Estimates") -> bool:
        """Whether both give the same estimates from the same number of deals."""
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
    """Many rated deals, with only the data that estimates need."""

    rules: Sequence[tuple[str, int]]
    """By deal: the preset nearest to its rules, and its number of seats."""
    seats: Whole
    """A row for each seat, deal by deal: its person, and what it won or paid."""


def estimates(deals: RatedDeals, basis: Basis, at: int) -> Estimates:
    """The estimates of these deals. Pure and slow: to be run in a thread."""
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
