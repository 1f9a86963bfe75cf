"""`python -m tests.canary`: deals through the real bot over the wire, and every byte that leaves it is read.

    python -m tests.canary [--number 7] [--count 10000] [--tally FILE]

The same number gives the same tables. They are played in worlds of eight, each with a Discord and a bot of its own, in one
loop on a virtual clock. What came of each world is added to the tally, so a run that was broken off goes on where it was:
`--count` is what the tally is to reach in the end. The exit status is 1 when a card was told, or a table did not come to an
end, and 2 when the tally has as many deals of the number already.
"""

import asyncio
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from playground.in_process import InProcessLoop
from tests.canary.session import Outcome, play
from tests.in_process import analyse_quickly, without_threads
from tests.long_run import options, status, timed_print
from tests.tally import Tally

TABLES = 8
TALLY = Path(__file__).with_name("tally.jsonl")


def of(tally: Tally[Outcome], number: int) -> list[Outcome]:
    """Return the outcomes of this number so far."""
    return [outcome for outcome in tally.entries if outcome.number == number]


def report(outcomes: list[Outcome]) -> str:
    """Return the figures of all worlds together."""
    pieces: Counter[str] = sum((Counter(outcome.pieces) for outcome in outcomes), Counter())
    seconds = sum(outcome.seconds for outcome in outcomes)
    deals = sum(outcome.deals for outcome in outcomes)
    read_of = ", ".join(f"{count:,} {kind}" for kind, count in pieces.most_common())
    return "\n".join(
        (
            f"{deals:,} deals at {sum(outcome.tables for outcome in outcomes):,} tables in {seconds:,.0f} s",
            f"  curious  {sum(outcome.looks for outcome in outcomes):,} presses and commands beside the game",
            f"  read     {read_of}: {sum(outcome.size for outcome in outcomes) / 1e6:,.1f} million bytes",
            f"  cards    {sum(outcome.cards for outcome in outcomes):,} named to people who know them",
            f"  leaks    {sum(len(outcome.leaks) for outcome in outcomes)}",
            f"  stuck    {sum(len(outcome.stuck) for outcome in outcomes)}",
        )
    )


def play_world(number: int, first: int, tables: int) -> Outcome:
    """Play these tables of a number, in one loop without sockets or threads, where nothing takes time but what is worked out."""
    begun = time.monotonic()
    with (
        TemporaryDirectory() as folder,
        pytest.MonkeyPatch.context() as patch,
        asyncio.Runner(loop_factory=InProcessLoop) as runner,
    ):
        without_threads(patch)
        analyse_quickly(patch)
        outcome = runner.run(play(number, first, tables, Path(folder)))
    outcome.seconds = round(time.monotonic() - begun, 1)
    return outcome


def go_on(number: int, count: int, tally: Tally[Outcome]) -> list[Outcome]:
    """Play until the tally has as many deals as asked for."""
    tell = timed_print()
    while (deals := sum(outcome.deals for outcome in of(tally, number))) < count:
        first = sum(outcome.tables for outcome in of(tally, number))
        tables = min(TABLES, count - deals)
        outcome = play_world(number, first, tables)
        tally.add(outcome)
        for fault in outcome.broken:
            tell(f"FOUND {outcome.what} {fault}")
        tell(f"{deals + outcome.deals} deals")
        if not outcome.deals:  # more of the same would never come to an end
            break
    return of(tally, number)


def main() -> int:
    """Play and report."""
    parser = options(__doc__, tally=TALLY)
    parser.add_argument("--count", type=int, default=10_000, help="stop when the tally has this many deals")
    asked = parser.parse_args()
    tally = Tally(asked.tally, Outcome)
    before = len(tally.entries)
    outcomes = go_on(asked.number, asked.count, tally)
    print(report(outcomes))
    faults = [f"{outcome.what} {fault}" for outcome in outcomes for fault in outcome.broken]
    return status(faults, played=len(tally.entries) > before)


if __name__ == "__main__":
    sys.exit(main())
