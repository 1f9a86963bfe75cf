"""`python -m tests.soak`: play whole deals of computer players and check every event.

    python -m tests.soak [--deals 1000] [--jobs 2]

More than half of the deals use a preset, the others random rules. The same number gives the same deal. A run
continues after the last deal of the tally, so that runs add up. The exit status is 1 if a deal broke an
invariant. Its number is printed, and `--first NUMBER --deals 1` plays it again.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from marriage.rules import PRESETS, SEATS_MAX, SEATS_MIN
from marriage.strategy.players import BeginnerPlayer, GreedyPlayer, Player, RandomPlayer
from tests.marriage.dealing import any_rules, deal, play
from tests.tally import Tally

TALLY = Path(__file__).with_name("soak.jsonl")
MOST_ACTIONS = 5_000
MOST_IN_A_RANGE = 2_500
"""The most deals of an entry of the tally; they take about two minutes."""
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


@dataclass
class Outcome:
    """The results of a range of deals."""

    first: int
    """The number of the first deal."""
    deals: int
    rules: dict[str, int] = field(default_factory=dict)
    """How many deals used which preset, or random rules."""
    endings: dict[str, int] = field(default_factory=dict)
    """How many deals ended how."""
    broken: list[str] = field(default_factory=list)
    """What went wrong in which deal."""

    @property
    def what(self) -> str:
        """The range of deals."""
        return f"{self.first} to {self.first + self.deals - 1}"


def attempt(numbers: range) -> Outcome:
    """Play these deals, and return what came of them."""
    rules, endings, broken = Counter[str](), Counter[str](), list[str]()
    for number in numbers:
        try:
            name, ending = play_one(number)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is the finding
            broken.append(f"deal {number}: {type(error).__name__}: {error}")
        else:
            rules[name] += 1
            endings[ending] += 1
    return Outcome(numbers.start, len(numbers), dict(rules), dict(endings), broken)


def ranges(numbers: range, jobs: int) -> list[range]:
    """Divide deals into ranges that are entered in the tally one by one, at least one for each process."""
    size = min(MOST_IN_A_RANGE, -(-len(numbers) // jobs))
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]


def report(outcomes: Sequence[Outcome]) -> str:
    """Return the figures of all deals together."""
    rules = sum((Counter(outcome.rules) for outcome in outcomes), Counter[str]())
    endings = sum((Counter(outcome.endings) for outcome in outcomes), Counter[str]())
    faults = sum(len(outcome.broken) for outcome in outcomes)
    lines = (
        f"{name:28}{count:>10,}" for counts in (rules, endings) for name, count in sorted(counts.items())
    )
    return "\n".join((*lines, f"{sum(outcome.deals for outcome in outcomes):,} deals, {faults} with a fault"))


def main() -> int:
    """Play the deals and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=1000, help="how many deals to play now")
    parser.add_argument("--first", type=int, help="play from this number on, without the tally")
    parser.add_argument("--tally", type=Path, default=TALLY, help="the file with the counts")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    tally = None if asked.first is not None else Tally(asked.tally, Outcome)
    first = asked.first if tally is None else tally.sum("deals")
    played: list[Outcome] = []
    begun = time.monotonic()
    with ProcessPoolExecutor(asked.jobs) as pool:
        for outcome in pool.map(attempt, ranges(range(first, first + asked.deals), asked.jobs)):
            played.append(outcome)
            if tally is not None:
                tally.add(outcome)
            print(*outcome.broken, sep="\n", end="\n" if outcome.broken else "", flush=True)
    outcomes = played if tally is None else tally.entries
    print(report(outcomes))
    print(f"{asked.deals:,} of them now, in {time.monotonic() - begun:,.0f} s")
    return 1 if any(outcome.broken for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
