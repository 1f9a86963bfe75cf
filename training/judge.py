"""Measure a player's strength on held-out deals: by the paired estimator, and by duplicate deals."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from training.simulator import MASTER, Doubles, SimulatedPlayer, Simulator, deals

DEALS_A_STEP: Final = 50
ROLLOUTS: Final = 16
KINDS: Final = ("takes before a show", "takes after it", "discards before a show", "discards after it")


class JudgedEstimate(NamedTuple):
    """A mean over deals and its standard error."""

    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.error:.3f}"


def estimate(values: Doubles) -> JudgedEstimate:
    """Return the mean of these values and its standard error."""
    return JudgedEstimate(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))


class Judgement(NamedTuple):
    """What one player gains per deal against greedy+outs."""

    deals: int
    paired: JudgedEstimate
    """The gain by the paired estimator: the summed lead of its own decisions over those of greedy+outs."""
    kinds: tuple[JudgedEstimate, ...]
    """The parts of that sum, ordered as in `KINDS`."""
    duplicate: JudgedEstimate
    """The gain in deals that are played from every seat."""
    over_master: JudgedEstimate
    """The lead of that gain over the gain of the simulator's master in the same deals."""


def judge(
    simulator: Simulator, player: SimulatedPlayer, count: int, *, seed: str = "0", first: int = 0
) -> Iterator[Judgement]:
    """Judge a player on deals for judging; yield the results so far after each step."""
    leads: list[Doubles] = []
    gains: list[Doubles] = []
    masters: list[Doubles] = []
    for begin in range(first, first + count, DEALS_A_STEP):
        dealt = deals("judge", min(DEALS_A_STEP, first + count - begin), seed=seed, first=begin)
        leads.append(simulator.leads(dealt, player, ROLLOUTS))
        gains.append(simulator.duplicates(dealt, player))
        masters.append(simulator.duplicates(dealt, MASTER))
        sums, points = np.concatenate(leads), np.concatenate(gains)
        yield Judgement(
            len(points),
            estimate(sums.sum(1)),
            tuple(estimate(sums[:, kind]) for kind in range(len(KINDS))),
            estimate(points),
            estimate(points - np.concatenate(masters)),
        )
