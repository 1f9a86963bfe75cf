"""What a player is worth on deals that nothing was fitted to: by the paired estimator, and by duplicate deals."""

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
    """The mean of these values and its standard error."""
    return JudgedEstimate(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))


class Judgement(NamedTuple):
    """What one of a player gains a deal among greedy+outs."""

    deals: int
    paired: JudgedEstimate
    """By the paired estimator: the sum over its own decisions of their lead over those of greedy+outs."""
    kinds: tuple[JudgedEstimate, ...]
    """The parts of that sum, by `KINDS`."""
    duplicate: JudgedEstimate
    """By deals that are played from every seat."""
    over_master: JudgedEstimate
    """How much more that is than what the simulator's master gains in the same deals."""


def judge(
    simulator: Simulator, player: SimulatedPlayer, count: int, *, seed: str = "0", first: int = 0
) -> Iterator[Judgement]:
    """Judge a player on deals to judge, and yield what is known after each step."""
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
