"""Fit the weights of the analysis: `python -m benchmarks.analysis [DEALS]`.

It prints the weights of `marriage/analysis/options.py`, from deals between computer players. `python -m training verdicts`
checks what the analysis says with them.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from marriage.analysis.options import Features, Stage, can_finish, can_show, waiting
from marriage.apply import apply
from marriage.arena.ladder import LADDER
from marriage.decide import start
from marriage.events import Discarded, Event, Finished, FinishedDublees, Settled, Showed
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed
from marriage.state import OVER, State
from marriage.strategy.players import play_out
from marriage.view import view

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
PLAYERS = ("master", "greedy+outs", "casual")
"""One of them sits at seat 0, and the first two at the others."""


def deal(number: int) -> tuple[list[Event], int]:
    """The events of a deal among good players, and how many seats it has."""
    chance = Random(f"fit:{number}")
    seats = chance.choice((4, 4, 4, 3, 5, 2))
    rules = PRESETS[chance.choice(FITTED)]
    dealt = start(rules, seats, number % seats, DealSeed(chance.randbytes(32), "fit", number))
    names = [chance.choice(PLAYERS), *(chance.choice(PLAYERS[:2]) for _ in range(seats - 1))]
    return list(play_out(dealt, [LADDER[name](Random(number)) for name in names])), seats


@dataclass(frozen=True, slots=True)
class Row:
    """One hand, and the points that its seat finally gained per opponent."""

    void: bool
    stage: Stage
    features: Features
    gained: float


def rows(events: list[Event], seats: int) -> Iterator[Row]:
    """Yield the hands of a deal at the moments whose value is fitted."""
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
    known = [row for number in range(deals) for row in rows(*deal(number))]
    for void in (False, True):
        for stage in Stage:
            some = [row for row in known if row.void is void and row.stage is stage]
            name = f"{'void' if void else 'count'} {stage.value}"
            if len(some) < 2:
                print(f"{name}: {len(some)} hands are too few", flush=True)
                continue
            features = np.array([row.features for row in some])
            gained = np.array([row.gained for row in some])
            square = features.T @ features + RIDGE * np.eye(features.shape[1])
            weights = np.linalg.solve(square, features.T @ gained)
            explained = 1 - np.var(gained - features @ weights) / np.var(gained)
            print(f"{name}: {len(some)} hands, {explained:.0%} explained")
            print("   ", tuple(round(float(weight), 3) for weight in weights), flush=True)


def main() -> None:
    """Fit the weights to as many deals as the command line says."""
    fit(int(sys.argv[1]) if sys.argv[1:] else 400)


if __name__ == "__main__":
    main()
