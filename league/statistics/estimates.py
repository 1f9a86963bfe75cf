"""Stored estimates: everybody's points per deal, adjusted for the opponents, from all deals of a period."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import isclose

import numpy as np

from league.results import Player
from league.statistics.adjusted import DealArrays, Estimate, Sums, Whole
from league.statistics.par import preset_par

FOUR: int = 4
"""Estimates are shown in points at tables of this many seats."""
_SAME = 1e-9
"""How much an estimate may differ between machines, because linear algebra adds in different orders."""


@dataclass(frozen=True, slots=True)
class Basis:
    """The deals that estimates are made from: the rated deals of a server from `since` up to deal `number`."""

    since: int
    """The start, in milliseconds of UTC."""
    number: int
    """The number of the last finished deal that was read, rated or not."""


@dataclass(frozen=True, slots=True)
class Estimates:
    """Everybody's estimate, in standard deviations of a deal's luck."""

    basis: Basis
    at: int
    """The time of the computation, in milliseconds of UTC."""
    deals: int
    """The number of deals that they are based on."""
    par: float
    """The par of four seats in which they are shown: the mean over the rules of these deals."""
    of: Mapping[Player, Estimate]

    def agrees(self, other: "Estimates") -> bool:
        """Return whether both have the same estimates from the same number of deals."""
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
    """Many rated deals, reduced to the data that estimates need."""

    rules: Sequence[tuple[str, int]]
    """For each deal, the preset nearest to its rules and its number of seats."""
    seats: Whole
    """A row for each seat, deal by deal: its person, and what it won or paid."""


class Summed:
    """The rated deals of a server since a certain time, summed up for the estimates."""

    def __init__(self, since: int) -> None:
        self.basis = Basis(since, 0)
        self._sums = Sums()
        self._rules = Counter[tuple[str, int]]()

    @property
    def people(self) -> AbstractSet[Player]:
        """Return all players of these deals."""
        return self._sums.people

    @property
    def deals(self) -> int:
        """Return the number of deals."""
        return self._rules.total()

    def add(self, deals: RatedDeals, number: int) -> None:
        """Add further deals, up to the deal with this number. Run it in a thread."""
        sizes = np.array([seats for _, seats in deals.rules], dtype=np.int64)
        firsts = np.cumsum(sizes) - sizes
        fresh = Counter(deals.rules)
        kinds = {rules: place for place, rules in enumerate(sorted(fresh))}
        numbers = np.array([kinds[rules] for rules in deals.rules], dtype=np.int64)
        for (preset, seats), place in kinds.items():
            places = firsts[numbers == place][:, None] + np.arange(seats)
            of_kind = deals.seats[places]
            self._sums.add(DealArrays(of_kind[..., 0], of_kind[..., 1], preset_par(preset, seats)))
        self._rules += fresh
        self.basis = Basis(self.basis.since, number)

    def estimates(self, at: int) -> Estimates:
        """Return the estimates from these deals. Pure but slow: run it in a thread of its own."""
        total = sum(preset_par(preset, FOUR) * count for (preset, _), count in sorted(self._rules.items()))
        par = total / self.deals if self.deals else 0.0
        return Estimates(self.basis, at, self.deals, par, self._sums.solved())


def estimates(deals: RatedDeals, basis: Basis, at: int) -> Estimates:
    """Return the estimates from these deals in one go."""
    summed = Summed(basis.since)
    summed.add(deals, basis.number)
    return summed.estimates(at)
