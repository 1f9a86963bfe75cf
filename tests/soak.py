"""`python -m tests.soak`: play whole deals of computer players and check every event.

    python -m tests.soak [--deals 1000] [--jobs 2]

More than half of the deals use a preset, the others random rules. The exit status is 1 if a deal broke an
invariant. Its number is printed, and `--first NUMBER --deals 1` plays it again.
"""

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from random import Random

from marriage.rules import PRESETS, SEATS_MAX, SEATS_MIN
from marriage.strategy.players import BeginnerPlayer, GreedyPlayer, Player, RandomPlayer
from tests.marriage.dealing import any_rules, deal, play

MOST_ACTIONS = 5_000
SHARES = {"random": 1, "beginner": 7, "greedy": 2}
"""The shares out of ten seats.

Greedy players take most of the time because they look ahead; one per table is enough to end it soon.
"""


def play_one(number: int) -> tuple[str, str]:
    """Play deal `number` to its end; return the name of its rules and how it ended. Raises AssertionError."""
    chance = Random(number)
    rules = chance.choice(list(PRESETS.values())) if chance.random() < 1 / 2 else any_rules(chance)
    name = next((name for name, preset in PRESETS.items() if preset == rules), "random")
    players = chance.randint(SEATS_MIN, SEATS_MAX)
    state, _events = deal(number, players, chance.randrange(players), **rules.model_dump())
    seats = [seated(kind, chance) for kind in chance.choices(list(SHARES), list(SHARES.values()), k=players)]
    for after, *_ in play(state, lambda seen: seats[seen.viewer or 0].choose(seen), most=MOST_ACTIONS):
        state = after
    assert state.sheet is not None
    assert sum(line.net for line in state.sheet.lines) == 0
    return name, state.sheet.ending.value


def seated(kind: str, chance: Random) -> Player:
    """Return a computer player of this kind."""
    match kind:
        case "random":
            return RandomPlayer(chance)
        case "beginner":
            return BeginnerPlayer()
        case _:
            return GreedyPlayer(count_outs=False)


def attempt(number: int) -> tuple[int, str, str, str | None]:
    """Play a deal, and return its number, rules and ending, and what went wrong, if anything."""
    try:
        name, ending = play_one(number)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is the finding
        return number, "-", "-", f"{type(error).__name__}: {error}"
    return number, name, ending, None


def main() -> int:
    """Play the deals and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    endings: Counter[tuple[str, str]] = Counter()
    faults = 0
    begun = time.monotonic()
    with ProcessPoolExecutor(asked.jobs) as pool:
        numbers = range(asked.first, asked.first + asked.deals)
        for number, name, ending, fault in pool.map(attempt, numbers, chunksize=10):
            endings[name, ending] += 1
            if fault is not None:
                faults += 1
                print(f"deal {number}: {fault}", flush=True)
    for (name, ending), count in sorted(endings.items()):
        print(f"{name:16}{ending:12}{count:>8,}")
    print(f"{asked.deals:,} deals in {time.monotonic() - begun:,.0f} s, {faults} with a fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
