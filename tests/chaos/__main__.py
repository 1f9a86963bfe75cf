"""`python -m tests.chaos`: play an evening of many tables under random faults, and check every promise.

    python -m tests.chaos [--number 7] [--minutes 60] [--tables 20]
    python -m tests.chaos --real [--number 7] [--minutes 10] [--tables 20] [--database postgres]

The bot, Discord and the people share one process and a virtual clock, so an hour takes a few minutes, and the
same number causes the same faults at the same moments. With `--real`, the bot has a process of its own and time
is real: then the times of the faults depend on the machine. The exit status is 1 if a promise was broken. The
promises are those of a day of crashes; this run has more faults.
"""

import asyncio
import sys
import time
from pathlib import Path

from playground.server import Playground
from tests.chaos.chaos import Chaos
from tests.crash.days import InProcess, in_one_process
from tests.crash.in_process import CopiedGames
from tests.games import games_of
from tests.long_run import options, patient_discord, status, timed_print


class InProcessChaos(InProcess, Chaos):
    """The same evening in one process."""


async def play(folder: Path, number: int, minutes: float, tables: int) -> tuple[Chaos, int]:
    """Play the evening in this process and report progress; return it and the number of faults."""
    async with Playground() as discord:
        chaos = InProcessChaos(discord, CopiedGames(folder), number, tables=tables)
        chaos.tell = timed_print()
        return chaos, await chaos.go_on(minutes)


async def play_in_real_time(database: str, number: int, minutes: float, tables: int) -> tuple[Chaos, int]:
    """Play the evening over sockets and report progress; return it and the number of faults."""
    async with games_of(database) as games, patient_discord() as discord:
        chaos = Chaos(discord, games, number, tables=tables)
        chaos.tell = timed_print()
        return chaos, await chaos.go_on(minutes)


def main() -> int:
    """Play and report."""
    parser = options(__doc__, database=True)
    parser.add_argument("--minutes", type=float, help="how long to inject faults; 60, or 10 in real time")
    parser.add_argument("--tables", type=int, default=20, help="how many tables, at least five")
    parser.add_argument("--real", action="store_true", help="real processes in real time")
    asked = parser.parse_args()
    if asked.database != "sqlite" and not asked.real:
        parser.error("a server is used in real time only: add --real")
    minutes = asked.minutes or (10 if asked.real else 60)
    begun = time.monotonic()
    if asked.real:
        chaos, faults = asyncio.run(play_in_real_time(asked.database, asked.number, minutes, asked.tables))
    else:
        with in_one_process(asked.number) as (runner, folder):
            chaos, faults = runner.run(play(folder, asked.number, minutes, asked.tables))
    print(chaos.counted(asked.database, time.monotonic() - begun))
    print(
        f"{faults} faults of number {asked.number} at {asked.tables} tables in {time.monotonic() - begun:.0f} s, "
        f"{len(chaos.broken)} promises broken"
    )
    return status(chaos.broken)


if __name__ == "__main__":
    sys.exit(main())
