"""Legal random play, moves a second: our engine beside RLCard's gin rummy, each playing its own game in turn.

    python benchmarks/engine.py [SECONDS]

RLCard 1.2 is measured where it is installed (`make bench` sees to that). Each round times both, one after the other,
so that the ratio holds when the machine's speed drifts; the median of the rounds is printed.
"""

import random
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from marriage.apply import apply
from marriage.decide import decide, start
from marriage.legal import legal_actions
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed
from marriage.state import OVER, WINDOW, State
from marriage.view import own_view

ROUNDS = 5
SEATS = 4


def ours(seconds: float, chance: random.Random) -> float:
    """Moves a second of whole deals of four seats: what a seat may do from what it knows, decided and applied."""
    moves, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        state = _deal(chance)
        while state.phase is not OVER and time.perf_counter() - begun < seconds:
            seat = _asked(state)
            action = chance.choice(legal_actions(own_view(state, seat)))
            for event in decide(state, seat, action):
                state = apply(state, event)
            moves += 1
    return moves / (time.perf_counter() - begun)


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


def rlcard_gin_rummy(seconds: float, chance: random.Random) -> float:
    """Steps a second of RLCard's gin rummy with random legal actions."""
    import rlcard

    environment = rlcard.make("gin-rummy", config={"seed": 1})
    steps, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        state, _player = environment.reset()
        while not environment.is_over() and time.perf_counter() - begun < seconds:
            state, _player = environment.step(chance.choice(list(state["legal_actions"])))
            steps += 1
    return steps / (time.perf_counter() - begun)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    try:
        import rlcard  # noqa: F401
    except ImportError:
        print("RLCard is not installed (pip install rlcard): our engine alone")
        print(f"ours   {ours(seconds, random.Random(1)):>9,.0f} moves/s")
        return
    rounds = [
        (ours(seconds, random.Random(number)), rlcard_gin_rummy(seconds, random.Random(number)))
        for number in range(ROUNDS)
    ]
    print(f"{'':8}{'moves/s, median':>16}")
    print(f"{'ours':8}{statistics.median(mine for mine, _ in rounds):>16,.0f}")
    print(f"{'RLCard':8}{statistics.median(theirs for _, theirs in rounds):>16,.0f}")
    ratios = sorted(mine / theirs for mine, theirs in rounds)
    print(
        f"ratio, pair by pair: median {statistics.median(ratios):.2f}, from {ratios[0]:.2f} to {ratios[-1]:.2f}"
    )


if __name__ == "__main__":
    main()
