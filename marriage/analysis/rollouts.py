"""Rollouts: what options lead to, played out from deals that may be (`marriage.analysis.hidden`).

Every option meets the same deals, so that the luck of the cards cancels in the difference.
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
from marriage.strategy.players import Player
from marriage.strategy.playing import play_on


@dataclass(frozen=True, slots=True)
class Position:
    """A decision to be judged: where the deal stands, for which seat, and which concealed cards everybody knows of."""

    state: State
    seat: int
    remembered: Mapping[int, Cards]


@dataclass(slots=True)
class Gap:
    """How much more one option brings than another, in points, as far as rollouts tell."""

    samples: list[int] = field(default_factory=list[int])

    @property
    def mean(self) -> float:
        """The mean difference; 0 before the first rollout."""
        return fmean(self.samples) if self.samples else 0.0

    @property
    def error(self) -> float:
        """Its standard error; infinite with fewer than two rollouts."""
        return stdev(self.samples) / sqrt(len(self.samples)) if len(self.samples) > 1 else float("inf")


def gaps(position: Position, better: Action, worse: Action, player: Player, seed: str) -> Iterator[Gap]:
    """The difference after one pair of rollouts, after two, and so on without end."""
    gap = Gap()
    random = Random(seed)  # noqa: S311 - no secret
    while True:
        state = deal_anew(position.state, position.seat, position.remembered, random)
        first, second = (_result(state, position.seat, action, player) for action in (better, worse))
        gap.samples.append(first - second)
        yield gap


def _result(state: State, seat: int, action: Action, player: Player) -> int:
    """The points of the seat at the end of the deal, if it takes this action and everybody then plays as `player`."""
    for event in decide(state, seat, action):
        state = apply(state, event)
    for _, after in play_on(state, [player] * len(state.seats)):
        state = after
    if state.sheet is None:
        raise RuntimeError("a deal that is played to its end has a sheet")
    return state.sheet.lines[seat].net
