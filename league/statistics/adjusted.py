"""Points per deal, adjusted for the strength of the opponents by a ridge regression over all deals.

A seat's points are modelled as its player's strength, minus the mean strength of the table, plus luck. All
strengths are estimated together and shrunk towards 0; the fewer the deals, the stronger the shrinkage. So the
figure is fair to players at strong tables.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from league.results import DealResult, Player

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
        """Return all players of these deals."""
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
