"""Fit the weights of the analysis, and measure its verdicts: `python -m benchmarks.analysis fit|verdicts [DEALS] [PART]`.

`fit` prints the weights of `marriage/analysis/options.py`, from deals between computer players. `verdicts` analyses other
deals, of weak players among strong ones, and plays each blunder out anew until it is clear whether the choice was worse, in up
to 2,000 pairs of rollouts. PART, such as 1/2, takes every second deal only, so that several processes can share the work.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from random import Random

import numpy as np

from marriage.actions import Action
from marriage.analysis.deal_analysis import Decision, Gap, Judging, check_dearest, choices, gaps, judge
from marriage.analysis.options import Features, Stage, can_finish, can_show, waiting
from marriage.analysis.verdicts import Verdict, at_four
from marriage.apply import apply
from marriage.arena.ladder import LADDER, Factory
from marriage.decide import start
from marriage.events import Discarded, Event, Finished, FinishedDublees, Settled, Showed
from marriage.legal import legal_actions
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed
from marriage.state import OVER, State
from marriage.strategy.players import play_out
from marriage.view import View, view

MOST_ROLLOUTS = 2000
FEWEST_ROLLOUTS = 50
CLEAR = 3.5
"""The distance from zero, in standard errors, at which the rollouts of a decision end early.

It is so large that repeated looks hardly ever err.
"""
RIDGE = 3.0
FITTED = (
    "pagat",
    "pagat",
    "pagat",
    "wikipedia",
    "gambiter",
    "wikipedia-2010",
    "murder",
    "kathmandu",
    "kidnap",
)
JUDGED = ("pagat", "pagat", "murder", "kathmandu", "wikipedia")
WEAK = ("careless", "careless", "beginner", "casual")
STRONG = ("master", "greedy+outs", "casual")
CARELESS = 0.15
"""How often the careless player makes a random move, so that there are blunders of every kind."""


@dataclass(frozen=True, slots=True)
class Careless:
    """Plays as a good player does, and now and then by chance."""

    chance: Random

    def choose(self, view: View) -> Action:
        """The action for the viewer, who must be able to act."""
        player = LADDER["greedy"](self.chance)
        return (
            self.chance.choice(legal_actions(view))
            if self.chance.random() < CARELESS
            else player.choose(view)
        )


PLAYERS: dict[str, Factory] = {**LADDER, "careless": Careless}


def deal(
    number: int, purpose: str, presets: tuple[str, ...], weak: tuple[str, ...]
) -> tuple[list[Event], int]:
    """The events of a deal, and how many seats it has; at seat 0 sits one of the weak players."""
    chance = Random(f"{purpose}:{number}")
    seats = chance.choice((4, 4, 4, 3, 5, 2))
    rules = PRESETS[chance.choice(presets)]
    dealt = start(rules, seats, number % seats, DealSeed(chance.randbytes(32), purpose, number))
    names = [chance.choice(weak), *(chance.choice(STRONG[:2]) for _ in range(seats - 1))]
    return list(play_out(dealt, [PLAYERS[name](Random(number)) for name in names])), seats


# Fitting


@dataclass(frozen=True, slots=True)
class Row:
    """One hand, and what its seat gained in the end for each opponent."""

    void: bool
    stage: Stage
    features: Features
    gained: float


def rows(events: list[Event], seats: int) -> Iterator[Row]:
    """The hands of a deal at the moments whose worth is fitted."""
    end = events[-1]
    if not isinstance(end, Settled):
        raise TypeError("a deal ends with its settlement")
    state: State | None = None
    for event in events:
        before, state = state, apply(state, event)
        found: tuple[Stage, Features] | None = None
        match event:
            case Discarded(seat=seat) if state.phase is not OVER and not state.seats[seat].out:
                found = waiting(view(state, seat))
            case Showed(seat=seat) if before is not None:
                found = Stage.CAN_SHOW, can_show(view(before, seat))
            case Finished(seat=seat) | FinishedDublees(seat=seat) if before is not None:
                found = Stage.CAN_FINISH, can_finish(view(before, seat))
            case _:
                continue
        if found is not None:
            gained = end.sheet.lines[seat].net / (seats - 1)
            yield Row(state.rules.unseen_maal != "count", *found, gained)


def fit(deals: int) -> None:
    """Print the weights."""
    known = [row for number in range(deals) for row in rows(*deal(number, "fit", FITTED, STRONG))]
    for void in (False, True):
        for stage in Stage:
            some = [row for row in known if row.void is void and row.stage is stage]
            features = np.array([row.features for row in some])
            gained = np.array([row.gained for row in some])
            square = features.T @ features + RIDGE * np.eye(features.shape[1])
            weights = np.linalg.solve(square, features.T @ gained)
            explained = 1 - np.var(gained - features @ weights) / np.var(gained)
            name = f"{'void' if void else 'count'} {stage.value}"
            print(f"{name}: {len(some)} hands, {explained:.0%} explained")
            print("   ", tuple(round(float(weight), 3) for weight in weights), flush=True)


# Verdicts


def at_once(judging: Judging) -> tuple[Decision, ...]:
    """Return the result of a part of the analysis, without the pauses."""
    while True:
        try:
            next(judging)
        except StopIteration as done:
            return done.value


def judged(number: int) -> Iterator[tuple[Decision, Gap, int]]:
    """The blunders of the weak player in a deal, each with what rollouts say of it."""
    events, seats = deal(number, "judge", JUDGED, WEAK)
    decisions = at_once(check_dearest(events, 0, at_once(judge(events, 0))))
    by_place = {(choice.step, choice.action): choice for choice in choices(events, 0)}
    for decision in decisions:
        if decision.verdict is Verdict.BLUNDER:
            choice = by_place[decision.step, decision.chosen.action]
            best, chosen = decision.best.action, decision.chosen.action
            for gap in gaps(choice.position, best, chosen, LADDER["greedy"](Random(0)), f"deep:{number}"):
                many = len(gap.samples)
                is_clear = many >= FEWEST_ROLLOUTS and abs(gap.mean) > CLEAR * gap.error
                if is_clear or many == MOST_ROLLOUTS:
                    yield decision, gap, seats
                    break


def share(confirmed: int, count: int) -> str:
    """Format a share with its standard error, by Agresti and Coull so that it is never zero."""
    middle = (confirmed + 2) / (count + 4)
    return f"{confirmed}/{count} = {confirmed / count:.1%} ± {sqrt(middle * (1 - middle) / (count + 4)):.1%}"


def verdicts(deals: int, part: int, parts: int) -> None:
    """Print a line a blunder, and what share of them rollouts confirm."""
    found: list[Gap] = []
    for number in range(part, deals, parts):
        for decision, gap, seats in judged(number):
            found.append(gap)
            kinds = f"{type(decision.chosen.action).__name__}<{type(decision.best.action).__name__}"
            loss, mean, error = (at_four(points, seats) for points in (decision.loss, gap.mean, gap.error))
            print(
                number,
                kinds,
                f"{loss:.2f}",
                f"{mean:.2f} ± {error:.2f}",
                len(gap.samples),
                sep="\t",
                flush=True,
            )
            worse = sum(gap.mean > 2 * gap.error for gap in found)
            print("confirmed as worse:", share(worse, len(found)), flush=True)
    print(f"{len(found)} blunders")


def main() -> None:
    """Run what the command line asks for."""
    what, *more = sys.argv[1:] or ["verdicts"]
    deals = int(more[0]) if more else 400
    if what == "fit":
        fit(deals)
    else:
        part, parts = map(int, more[1].split("/")) if len(more) > 1 else (1, 1)
        verdicts(deals, part - 1, parts)


if __name__ == "__main__":
    main()
