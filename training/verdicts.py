"""Whether the mistakes that the analysis of a deal names are losses: each is played out in thousands of pairs of rollouts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import sqrt
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np

from marriage.actions import Action
from marriage.analysis.deal_analysis import Choice, Decision, Judging, check_dearest, choices, gaps, judge
from marriage.analysis.verdicts import Verdict, at_four
from marriage.arena.ladder import LADDER, Factory
from marriage.arena.match import Purpose
from marriage.decide import start
from marriage.events import Event
from marriage.legal import legal_actions
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed
from marriage.strategy.players import GreedyPlayer, play_out
from marriage.view import View
from training.judge import JudgedEstimate, estimate
from training.positions import gains
from training.simulator import Doubles, is_supported

SEATS: Final = (4, 4, 4, 3, 5, 2)
JUDGED: Final = ("careless", "beginner", "casual", "greedy")
"""The players whose decisions are judged; each plays as many deals."""
OTHERS: Final = ("master", "greedy+outs")
_CARELESS: Final = 0.15
"""How often the careless player makes a random move, so that there are mistakes of every kind."""


@dataclass(frozen=True, slots=True)
class Careless:
    """A good player that makes a random move now and then."""

    chance: Random

    def choose(self, view: View) -> Action:
        """Return the action for the viewer, who must be able to act."""
        if self.chance.random() < _CARELESS:
            return self.chance.choice(legal_actions(view))
        return LADDER["greedy"](self.chance).choose(view)


PLAYERS: Final[dict[str, Factory]] = {**LADDER, "careless": Careless}


class CheckedVerdict(NamedTuple):
    """A verdict, and what the rollouts say of it; points are those of a table of four."""

    deal: int
    player: str
    decision: Decision
    loss: float
    """What the analysis says."""
    found: JudgedEstimate
    """What the rollouts say."""

    @property
    def kind(self) -> str:
        """What was chosen, and what was better."""
        chosen, best = (type(each.action).__name__ for each in (self.decision.chosen, self.decision.best))
        return f"{chosen}<{best}"

    def __str__(self) -> str:
        told = self.deal, self.player, self.decision.verdict, self.kind, self.decision.rollouts
        return "\t".join(map(str, (*told, f"{self.loss:.2f}", self.found)))


def check(preset: str, purpose: Purpose, numbers: range, pairs: int) -> Iterator[CheckedVerdict]:
    """Analyse deals, and check each verdict by so many pairs of rollouts."""
    for number in numbers:
        player, events = _played(preset, purpose, number)
        decisions = at_once(check_dearest(events, 0, at_once(judge(events, 0))))
        by_place = {(choice.step, choice.action): choice for choice in choices(events, 0)}
        for decision in decisions:
            if decision.verdict is not Verdict.GOOD:
                choice = by_place[decision.step, decision.chosen.action]
                found = _leads(choice, decision, pairs, f"{purpose}/{preset}/{number}/{decision.step}")
                seats = choice.view.players
                yield CheckedVerdict(
                    number,
                    player,
                    decision,
                    at_four(decision.loss, seats),
                    estimate(found * at_four(1.0, seats)),
                )


def _played(preset: str, purpose: Purpose, number: int) -> tuple[str, list[Event]]:
    """A deal, and who sits at seat 0 of it."""
    chance = Random(f"verdicts/{preset}/{purpose}/{number}")  # noqa: S311 - no secret
    seats, player = chance.choice(SEATS), JUDGED[number % len(JUDGED)]
    dealt = start(
        PRESETS[preset], seats, number % seats, DealSeed(chance.randbytes(32), f"verdicts/{purpose}", number)
    )
    names = [player, *(chance.choice(OTHERS) for _ in range(seats - 1))]
    return player, list(play_out(dealt, [PLAYERS[name](chance) for name in names]))


def _leads(choice: Choice, decision: Decision, pairs: int, seed: str) -> Doubles:
    """How many points the best option gains more than the chosen one, in each pair of rollouts."""
    best, chosen = decision.best.action, decision.chosen.action
    if is_supported(choice.view.rules):
        first, second = (gains(choice.position, action, pairs, seed) for action in (best, chosen))
        return (first - second).astype(np.float64)
    played = gaps(choice.position, best, chosen, GreedyPlayer(), seed)
    *_, gap = islice(played, pairs)
    return np.array(gap.samples, np.float64)


def at_once(judging: Judging) -> tuple[Decision, ...]:
    """The result of a part of the analysis, without its pauses."""
    while True:
        try:
            next(judging)
        except StopIteration as done:
            return done.value


def summary(checked: Sequence[CheckedVerdict]) -> Iterator[str]:
    """A line for each verdict, for mistakes and blunders together, and for each kind of them."""
    worse = (Verdict.MISTAKE, Verdict.BLUNDER)
    yield from _shares(checked, lambda each: each.decision.verdict)
    graver = [each for each in checked if each.decision.verdict in worse]
    yield from _shares(graver, lambda _: "mistakes and blunders")
    yield from _shares(graver, lambda each: each.player)
    yield from _shares(graver, lambda each: each.kind)


def _shares(checked: Sequence[CheckedVerdict], name: Callable[[CheckedVerdict], str]) -> Iterator[str]:
    for each in dict.fromkeys(map(name, checked)):
        some = [other for other in checked if name(other) == each]
        lose = sum(other.found.mean > 0 for other in some)
        surely = sum(other.found.mean > 2 * other.found.error for other in some)
        middle = (lose + 2) / (len(some) + 4)  # by Agresti and Coull, so that the error is never zero
        error = sqrt(middle * (1 - middle) / (len(some) + 4))
        said, found = fmean(other.loss for other in some), fmean(other.found.mean for other in some)
        yield (
            f"{each}: {lose} of {len(some)} lose, {lose / len(some):.1%} ± {error:.1%}; {surely} by two standard errors; "
            f"{said:.2f} points said, {found:.2f} found"
        )
