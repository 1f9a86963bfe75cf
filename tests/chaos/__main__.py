"""`python -m tests.chaos`: an evening of many tables while faults of all kinds come at random, and every promise checked.

    python -m tests.chaos [--number 7] [--minutes 60] [--tables 20] [--database postgres]

The same number gives the same people and the same kinds of faults in the same order; the moments depend on the machine.
The exit status is 1 when a promise was broken: those of a day of crashes, of which this is one with more to go wrong.
"""

import argparse
import asyncio
import sys
import time

from playground.server import Playground
from tests.chaos.chaos import Chaos
from tests.e2e.players import be_patient
from tests.games import add_database, games_of
from tests.waiting import SLOW_DEADLINE


async def play(database: str, number: int, minutes: float, tables: int) -> tuple[Chaos, int]:
    """Play it, and tell how far it is; the evening, and how many faults there were."""
    be_patient()
    async with games_of(database) as games, Playground(deadline=SLOW_DEADLINE) as discord:
        chaos = Chaos(discord, games, number, tables=tables)
        begun = time.monotonic()
        chaos.tell = lambda words: print(f"{time.monotonic() - begun:6.1f} s  {words}", flush=True)
        return chaos, await chaos.go_on(minutes)


def main() -> int:
    """Play and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--number", type=int, default=7, help="the seed of the evening")
    parser.add_argument("--minutes", type=float, default=60, help="how long to inject faults")
    parser.add_argument("--tables", type=int, default=20, help="how many tables, at least five")
    add_database(parser)
    asked = parser.parse_args()
    begun = time.monotonic()
    chaos, faults = asyncio.run(play(asked.database, asked.number, asked.minutes, asked.tables))
    print(chaos.counted(asked.database, time.monotonic() - begun))
    print(*(f"BROKEN  {fault}" for fault in chaos.broken), sep="\n")
    print(
        f"{faults} faults of number {asked.number} at {asked.tables} tables in {time.monotonic() - begun:.0f} s, "
        f"{len(chaos.broken)} promises broken"
    )
    return 1 if chaos.broken else 0


if __name__ == "__main__":
    sys.exit(main())
