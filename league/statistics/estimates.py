"""Points per deal, adjusted for the strength of the opponents by a ridge regression over all deals; stored for boards by period.

A seat's points are modelled as its player's strength, minus the mean strength of the table, plus luck. All
strengths are estimated together and shrunk towards 0; the fewer the deals, the stronger the shrinkage. So the
figure is fair to players at strong tables.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import isclose, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from league.results import DealResult, Player
from league.statistics.par import preset_par

CUT: Final = 3.0
"""The greatest result that one deal can count, in pars."""
PRIOR: Final = 0.25
"""The prior spread of strength between players, in standard deviations of a deal's luck."""

MODEL_VERSION: Final = "1"
"""Change this whenever an estimate changes, so that stored estimates are recomputed."""

Matrix = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A player's strength and its error, in standard deviations of a deal's luck, or in points."""

    value: float
    error: float
    """One standard error."""
    deals: int

    def points(self, par: float) -> "Estimate":
        """Return the estimate in points per deal against average opponents at four seats; `par` is the par of four seats."""
        scale = par * sqrt(3 / 4)
        return Estimate(self.value * scale, self.error * scale, self.deals)


@dataclass(frozen=True, slots=True)
class DealArrays:
    """Deals of one par at tables of one size, as arrays with a row for each deal and a column for each seat."""

    people: Whole
    points: Whole
    """What each seat won or paid, in points."""
    par: float


def strengths(deals: Iterable[DealResult], prior: float = PRIOR) -> dict[Player, Estimate]:
    """Return the estimates of all players of the rated deals. The strengths sum to 0."""
    kinds: defaultdict[tuple[int, float], list[DealResult]] = defaultdict(list)
    for deal in deals:
        if deal.rated:
            kinds[len(deal.players), deal.par].append(deal)
    return estimated(
        [
            DealArrays(
                np.array([deal.people() for deal in group]), np.array([deal.points for deal in group]), par
            )
            for (_, par), group in kinds.items()
        ],
        prior,
    )


def estimated(kinds: Iterable[DealArrays], prior: float = PRIOR) -> dict[Player, Estimate]:
    """Do the same for deals that are already arrays. 100,000 deals of 1,000 players take about half a second."""
    sums = Sums()
    for kind in kinds:
        sums.add(kind)
    return sums.solved(prior)


class Sums:
    """The sums over many deals that the estimates need, as a system of equations. Later deals can be added."""

    def __init__(self) -> None:
        self._places: dict[Player, int] = {}
        """The row of each person, numbered in the order in which they first appeared.

        This order makes the figures independent of the ids of the people.
        """
        self._system: Matrix = np.zeros((0, 0))
        self._pull: Matrix = np.zeros(0)
        self._played: Whole = np.zeros(0, dtype=np.int64)

    @property
    def people(self) -> AbstractSet[Player]:
        """All players of these deals."""
        return self._places.keys()

    def add(self, kind: DealArrays) -> None:
        """Add deals. Adding a few is cheap."""
        deals, seats = kind.people.shape
        places = self._placed(kind.people.ravel()).reshape(deals, seats)
        count = len(self._places)
        played = np.bincount(places.ravel(), minlength=count)
        self._played += played
        self._pull += np.bincount(places.ravel(), _gains(kind.points, kind.par).ravel(), count)
        cells, met = np.unique(places[:, :, None] * count + places[:, None, :], return_counts=True)
        self._system.ravel()[cells] -= met / seats
        self._system[np.diag_indices(count)] += played

    def solved(self, prior: float = PRIOR) -> dict[Player, Estimate]:
        """Return all estimates. This is slow if there are many people."""
        system = self._system.copy()
        system[np.diag_indices_from(system)] += 1 / prior**2
        inverse: Matrix = np.asarray(np.linalg.inv(system), dtype=np.float64)
        values: Matrix = inverse @ self._pull
        errors: Matrix = np.sqrt(np.diag(inverse))
        return {
            player: Estimate(float(values[place]), float(errors[place]), int(self._played[place]))
            for player, place in self._places.items()
        }

    def _placed(self, seats: Whole) -> Whole:
        """Return the row of each seat's person. People without a row get a new one."""
        people, first, index = np.unique(seats, return_index=True, return_inverse=True)
        for place in np.argsort(first):
            self._places.setdefault(int(people[place]), len(self._places))
        more = len(self._places) - len(self._played)
        self._system = np.pad(self._system, (0, more)) if more else self._system
        self._pull, self._played = np.pad(self._pull, (0, more)), np.pad(self._played, (0, more))
        return np.array([self._places[int(person)] for person in people], dtype=np.int64)[index]


def _gains(points: Whole, par: float) -> Matrix:
    """Return what every seat gained, cut and minus its table's mean, in standard deviations of a seat's luck."""
    seats = points.shape[1]
    scaled: Matrix = np.clip(points / par * sqrt((seats - 1) / seats), -CUT, CUT)
    return scaled - scaled.mean(axis=1, keepdims=True)


def surprises(
    deals: Iterable[DealResult], estimates: Mapping[Player, Estimate]
) -> Iterator[dict[Player, float]]:
    """Yield for each rated deal how far each result is from the expected one, in standard deviations of a deal's luck."""
    for deal in deals:
        if deal.rated:
            people = deal.people()
            values = [estimates[player].value for player in people]
            mean = sum(values) / len(values)
            [gained] = _gains(np.array([deal.points]), deal.par)
            yield {
                player: float(gain) - (value - mean)
                for player, gain, value in zip(people, gained, values, strict=True)
            }


FOUR: int = 4
"""Estimates are shown in points at tables of this many seats."""
_SAME = 1e-9
"""How much an estimate may differ between machines, because linear algebra adds in different orders."""


@dataclass(frozen=True, slots=True)
class Basis:
    """The deals behind the estimates: the rated deals of a server from `since` up to deal `number`."""

    since: int
    """The start, in UTC milliseconds."""
    number: int
    """The number of the last finished deal that was read, rated or not."""


@dataclass(frozen=True, slots=True)
class Estimates:
    """Everyone's estimate, in standard deviations of a deal's luck."""

    basis: Basis
    at: int
    """The time of the computation, in UTC milliseconds."""
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
        """All players of these deals."""
        return self._sums.people

    @property
    def deals(self) -> int:
        """The number of deals."""
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
