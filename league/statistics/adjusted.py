"""Points a deal, adjusted for the strength of the opponents: a ridge regression over all deals.

A seat's points are modelled as its player's strength, less the mean strength of the table, plus luck. All strengths are
estimated together and shrunk towards 0, the more the fewer the deals. So the figure is fair to players of strong tables.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


def estimated(kinds: Sequence[Kind], prior: float = PRIOR) -> dict[Player, Estimate]:
    """The same for deals as arrays: 100,000 deals of 1,000 players take about half a second."""
    if not kinds:
        return {}
    people, places = _numbered(np.concatenate([kind.people.ravel() for kind in kinds]))
    count = len(people)
    system: Matrix = np.diag(np.bincount(places, minlength=count).astype(np.float64))
    pull: Matrix = np.zeros(count)
    first = 0
    for kind in kinds:
        seats = kind.people.shape[1]
        table = places[first : first + kind.people.size].reshape(-1, seats)
        first += kind.people.size
        cells = (table[:, :, None] * count + table[:, None, :]).ravel()
        system -= np.bincount(cells, minlength=count**2).reshape(count, count) / seats
        pull += np.bincount(table.ravel(), _gains(kind.points, kind.par).ravel(), count)
    played = np.bincount(places, minlength=count)
    system[np.diag_indices_from(system)] += 1 / prior**2
    inverse: Matrix = np.asarray(np.linalg.inv(system), dtype=np.float64)
    values: Matrix = inverse @ pull
    errors: Matrix = np.sqrt(np.diag(inverse))
    return {
        int(player): Estimate(float(values[place]), float(errors[place]), int(played[place]))
        for place, player in enumerate(people)
    }


def _numbered(seats: Whole) -> tuple[Whole, Whole]:
    """The people in the order of their first deals, and for each seat its person's position in that order.

    The order does not depend on people's ids, so the same deals give the same figures whatever the ids are.
    """
    people, first, places = np.unique(seats, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    return people[order], number[places]


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
