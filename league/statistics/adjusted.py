"""Points a deal, adjusted for the strength of the opponents: a ridge regression over all deals.

A seat's points are modelled as its player's strength, less the mean strength of the table, plus luck. All strengths are
estimated together and shrunk towards 0, the more the fewer the deals. So the figure is fair to players of strong tables.
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
"""The most pars that one deal can count."""
PRIOR: Final = 0.25
"""The prior spread of strength between players, in standard deviations of a deal's luck."""

MODEL_VERSION: Final = "1"
"""To be changed with anything that changes an estimate, so that stored ones are computed anew."""

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
        """The estimate in points a deal against average opponents at four seats; `par` is the par of four seats."""
        scale = par * sqrt(3 / 4)
        return Estimate(self.value * scale, self.error * scale, self.deals)


@dataclass(frozen=True, slots=True)
class Kind:
    """Deals of one par at tables of one size, as arrays with a row for each deal and a column for each seat."""

    people: Whole
    points: Whole
    """What each seat won or paid."""
    par: float


def strengths(deals: Iterable[DealResult], prior: float = PRIOR) -> dict[Player, Estimate]:
    """The estimates of all players of the rated deals; the strengths add up to 0."""
    kinds: defaultdict[tuple[int, float], list[DealResult]] = defaultdict(list)
    for deal in deals:
        if deal.rated:
            kinds[len(deal.players), deal.par].append(deal)
    return estimated(
        [
            Kind(np.array([deal.people() for deal in group]), np.array([deal.points for deal in group]), par)
            for (_, par), group in kinds.items()
        ],
        prior,
    )


def estimated(kinds: Iterable[Kind], prior: float = PRIOR) -> dict[Player, Estimate]:
    """The same for deals that are arrays already: 100,000 deals of 1,000 players take about half a second."""
    sums = Sums()
    for kind in kinds:
        sums.add(kind)
    return sums.solved(prior)


class Sums:
    """All that estimates ask of many deals, as a system of equations. Further deals are added to it as they end."""

    def __init__(self) -> None:
        self._places: dict[Player, int] = {}
        """The number of each person's row, in the order in which they came first.

        In this order, so that the same deals give the same figures whatever numbers people go by.
        """
        self._system: Matrix = np.zeros((0, 0))
        self._pull: Matrix = np.zeros(0)
        self._played: Whole = np.zeros(0, dtype=np.int64)

    @property
    def people(self) -> AbstractSet[Player]:
        """Everybody who has played in these deals."""
        return self._places.keys()

    def add(self, kind: Kind) -> None:
        """Add deals, of which there need be few."""
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
        """Everybody's estimate. Slow where there are many people."""
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
        """For each seat the number of its person's row; there is a new row for a person who has none."""
        people, first, index = np.unique(seats, return_index=True, return_inverse=True)
        for place in np.argsort(first):
            self._places.setdefault(int(people[place]), len(self._places))
        more = len(self._places) - len(self._played)
        self._system = np.pad(self._system, (0, more)) if more else self._system
        self._pull, self._played = np.pad(self._pull, (0, more)), np.pad(self._played, (0, more))
        return np.array([self._places[int(person)] for person in people], dtype=np.int64)[index]


def _gains(points: Whole, par: float) -> Matrix:
    """What every seat gained, cut and less its table's mean, in standard deviations of a seat's luck."""
    seats = points.shape[1]
    scaled: Matrix = np.clip(points / par * sqrt((seats - 1) / seats), -CUT, CUT)
    return scaled - scaled.mean(axis=1, keepdims=True)


def surprises(
    deals: Iterable[DealResult], estimates: Mapping[Player, Estimate]
) -> Iterator[dict[Player, float]]:
    """For every rated deal: how far each result is from the expected one, in standard deviations of a deal's luck."""
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
