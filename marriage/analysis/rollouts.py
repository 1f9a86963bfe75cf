"""Rollouts: options are played out from sampled deals (`marriage.analysis.hidden`).

Every option is played from the same deals, so that the luck of the cards cancels in the difference.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import fmean, stdev

from marriage.actions import Action
from marriage.analysis.hidden import deal_anew
from marriage.apply import apply
from marriage.cards import Cards
from marriage.decide import decide
from marriage.state import State
from marriage.strategy.players import Player, play_on


@dataclass(frozen=True, slots=True)
class Position:
    """A decision to judge: the state of the deal, the seat to act, and the publicly known concealed cards."""

    state: State
    seat: int
    remembered: Mapping[int, Cards]


@dataclass(slots=True)
class Gap:
    """The difference in points between two options, as measured by rollouts."""

    samples: list[int] = field(default_factory=list[int])

    @property
    def mean(self) -> float:
        """Return the mean difference; 0 before the first rollout."""
        return fmean(self.samples) if self.samples else 0.0

    @property
    def error(self) -> float:
        """Return the standard error of the mean; infinite with fewer than two rollouts."""
        return stdev(self.samples) / sqrt(len(self.samples)) if len(self.samples) > 1 else float("inf")


def gaps(position: Position, better: Action, worse: Action, player: Player, seed: str) -> Iterator[Gap]:
    """Yield the difference after one pair of rollouts, after two, and so on without end."""
    gap = Gap()
    random = Random(seed)  # noqa: S311 - no secret
    while True:
        state = deal_anew(position.state, position.seat, position.remembered, random)
        first, second = (_result(state, position.seat, action, player) for action in (better, worse))
        gap.samples.append(first - second)
        yield gap


def _result(state: State, seat: int, action: Action, player: Player) -> int:
    """Return the seat's points at the end of the deal if it takes this action and every seat then plays as `player`."""
    for event in decide(state, seat, action):
        state = apply(state, event)
    for _, after in play_on(state, [player] * len(state.seats)):
        state = after
    if state.sheet is None:
        raise RuntimeError("a deal that is played to its end has a sheet")
    return state.sheet.lines[seat].net
