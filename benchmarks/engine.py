"""Measure legal random play in moves per second: our engine against RLCard's gin rummy.

    python -m benchmarks.engine [SECONDS]

Each engine plays its own game. RLCard 1.2 is measured if it is installed (`make bench` installs it). Each
round times both, one after the other, by processor time and by wall-clock time, so that the ratio holds when
the machine's speed drifts. The medians of the rounds are printed. Processor time is less affected by other
work on the machine.
"""

import random
import statistics
import sys
import time
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from marriage.apply import apply
from marriage.decide import decide, start
from marriage.legal import legal_actions
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed
from marriage.state import OVER, WINDOW, State
from marriage.view import own_view

ROUNDS = 15
SEATS = 4
_BETWEEN_LOOKS = 100
"""Moves between two clock reads, since one read takes a tenth of the time of a move."""


class Rate(NamedTuple):
    """Moves per second."""

    processor: float
    wall: float

    @classmethod
    def of(cls, moves: Iterator[None], seconds: float) -> "Rate":
        """Measure moves made one at a time for this much processor time."""
        made, begun, worked = 0, time.perf_counter(), time.process_time()
        while time.process_time() - worked < seconds:
            made += sum(1 for _ in islice(moves, _BETWEEN_LOOKS))
        return cls(made / (time.process_time() - worked), made / (time.perf_counter() - begun))


def ours(chance: random.Random) -> Iterator[None]:
    """Play deals of four seats without end: view a seat, list its legal actions, decide one and apply it."""
    while True:
        state = _deal(chance)
        while state.phase is not OVER:
            seat = _asked(state)
            action = chance.choice(legal_actions(own_view(state, seat)))
            for event in decide(state, seat, action):
                state = apply(state, event)
            yield


def _deal(chance: random.Random) -> State:
    seed = DealSeed(chance.randbytes(32), "bench", 1)
    state: State | None = None
    for event in start(PRESETS["pagat"], SEATS, 0, seed):
        state = apply(state, event)
    assert state is not None
    return state


def _asked(state: State) -> int:
    if state.phase is WINDOW:
        return next(seat for seat, held in enumerate(state.seats) if not held.answered)
    return state.turn


def rlcard_gin_rummy(chance: random.Random) -> Iterator[None]:
    """Play games of RLCard's gin rummy without end, with random legal actions."""
    import rlcard

    environment = rlcard.make("gin-rummy", config={"seed": 1})
    while True:
        state, _player = environment.reset()
        while not environment.is_over():
            state, _player = environment.step(chance.choice(list(state["legal_actions"])))
            yield


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    try:
        import rlcard  # noqa: F401
    except ImportError:
        print("RLCard is not installed (pip install rlcard): our engine alone")
        print(f"ours   {Rate.of(ours(random.Random(1)), seconds).processor:>9,.0f} moves/s")
        return
    mine, theirs = zip(
        *(
            (
                Rate.of(ours(random.Random(number)), seconds),
                Rate.of(rlcard_gin_rummy(random.Random(number)), seconds),
            )
            for number in range(ROUNDS)
        ),
        strict=True,
    )
    print(f"moves a second, median{'processor time':>16}{'wall clock':>14}")
    for name, rates in (("ours", mine), ("RLCard", theirs)):
        columns = (statistics.median(column) for column in zip(*rates, strict=True))
        print(f"{name:22}" + "{:>16,.0f}{:>14,.0f}".format(*columns))
    for place, clock in enumerate(Rate._fields):
        ratios = sorted(ours[place] / other[place] for ours, other in zip(mine, theirs, strict=True))
        print(
            f"ratio by {clock}: median {statistics.median(ratios):.2f}, from {ratios[0]:.2f} to {ratios[-1]:.2f}"
        )


if __name__ == "__main__":
    main()
