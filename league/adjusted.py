"""Points a deal, adjusted for the strength of the opponents: a ridge regression over all deals.

A seat's points are its player's strength, less the mean strength of the table, plus luck. Strengths are estimated
together, drawn towards nought as far as few deals ask for it; so the figure is fair to who always plays strong tables.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from league.results import DealResult, Player

CUT: Final = 3.0
"""How many pars one deal can count at most."""
PRIOR: Final = 0.25
"""How far players are thought to differ in strength, in standard deviations of a deal's luck."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A player's strength and how sure it is, in standard deviations of a deal's luck, or shown in points."""

    value: float
    error: float
    """One standard error."""
    deals: int

    def points(self, par: float) -> "Estimate":
        """In points a deal against average opponents at four seats, where `par` is the par of four seats."""
        scale = par * sqrt(3 / 4)
        return Estimate(self.value * scale, self.error * scale, self.deals)


def strengths(deals: Iterable[DealResult], prior: float = PRIOR) -> dict[Player, Estimate]:
    """The estimate for everyone who played in the deals that are rated; the strengths add up to nought."""
    by_seats: defaultdict[int, list[DealResult]] = defaultdict(list)
    index: dict[Player, int] = {}
    for deal in deals:
        if deal.rated:
            by_seats[len(deal.players)].append(deal)
            for player in deal.people():
                index.setdefault(player, len(index))
    if not index:
        return {}
    system: Matrix = np.zeros((len(index), len(index)))
    pull: Matrix = np.zeros(len(index))
    played = np.zeros(len(index), dtype=np.int64)
    for seats, own in by_seats.items():
        table = np.array([[index[player] for player in deal.people()] for deal in own])
        np.add.at(system, (table, table), 1.0)
        np.add.at(system, (table[:, :, None], table[:, None, :]), -1.0 / seats)
        np.add.at(pull, table, _gains(own, seats))
        np.add.at(played, table, 1)
    system[np.diag_indices_from(system)] += 1 / prior**2
    inverse: Matrix = np.asarray(np.linalg.inv(system), dtype=np.float64)
    values: Matrix = inverse @ pull
    errors: Matrix = np.sqrt(np.diag(inverse))
    return {
        player: Estimate(float(values[place]), float(errors[place]), int(played[place]))
        for player, place in index.items()
    }


def _gains(deals: list[DealResult], seats: int) -> Matrix:
    """What every seat gained, in standard deviations of a seat's own luck: cut, and its table's mean taken off."""
    points: Matrix = np.array([deal.points for deal in deals], dtype=np.float64)
    pars: Matrix = np.array([deal.par for deal in deals])
    scaled = np.clip(points / pars[:, None] * sqrt((seats - 1) / seats), -CUT, CUT)
    return scaled - scaled.mean(axis=1, keepdims=True)


def surprises(
    deals: Iterable[DealResult], strengths: Mapping[Player, Estimate]
) -> Iterator[dict[Player, float]]:
    """For every rated deal how far each result is from what the strengths let expect, in a deal's luck."""
    for deal in deals:
        if deal.rated:
            people = deal.people()
            values = [strengths[player].value for player in people]
            mean = sum(values) / len(values)
            [gained] = _gains([deal], len(people))
            yield {
                player: float(gain) - (value - mean)
                for player, gain, value in zip(people, gained, values, strict=True)
            }
