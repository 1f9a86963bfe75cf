"""`python -m tests.chaos`: play an evening of many tables under random faults, and check every promise.

    python -m tests.chaos [--number 7] [--minutes 60] [--tables 20] [--database postgres]

The same number gives the same people and the same kinds of faults in the same order; their times depend on
the machine. The exit status is 1 if a promise was broken. The promises are those of a day of crashes; this
run has more faults.
"""

import asyncio
import sys
import time

from tests.chaos.chaos import Chaos
from tests.games import games_of
from tests.long_run import options, patient_discord, status, timed_print


async def play(database: str, number: int, minutes: float, tables: int) -> tuple[Chaos, int]:
    """Play the evening and report progress; return it and the number of faults."""
    async with games_of(database) as games, patient_discord() as discord:
        chaos = Chaos(discord, games, number, tables=tables)
        chaos.tell = timed_print()
        return chaos, await chaos.go_on(minutes)


def main() -> int:
    """Play and report."""
    parser = options(__doc__, database=True)
    parser.add_argument("--minutes", type=float, default=60, help="how long to inject faults")
    parser.add_argument("--tables", type=int, default=20, help="how many tables, at least five")
    asked = parser.parse_args()
    begun = time.monotonic()
    chaos, faults = asyncio.run(play(asked.database, asked.number, asked.minutes, asked.tables))
    print(chaos.counted(asked.database, time.monotonic() - begun))
    print(
        f"{faults} faults of number {asked.number} at {asked.tables} tables in {time.monotonic() - begun:.0f} s, "
        f"{len(chaos.broken)} promises broken"
    )
    return status(chaos.broken)


if __name__ == "__main__":
    sys.exit(main())
