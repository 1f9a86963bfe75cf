"""`python -m tests.crash.moments`: cut bots off between any two of their steps, ten thousand times.

    PYTHONHASHSEED=0 python -m tests.crash.moments [--number 7] [--kills 10000] [--processes 2] [--tally FILE]

People, Discord and bots share one loop on a virtual clock, so the same number cuts at the same moments. A day has a
hundred ends, nearly all of them cuts. The counts of each day are added to the tally. A run plays the days from `--number`
on that the tally does not have, with about `--kills` cuts in all, so it can continue where another was interrupted. The exit
status is 1 if a promise was broken on any day of the tally and the fault is not known to be fixed, and 2 if nothing was played.
"""

import os
import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from itertools import count, filterfalse, islice
from multiprocessing import get_context
from pathlib import Path

from playground.server import Playground
from tests.crash.days import InProcess, in_one_process
from tests.crash.in_process import CopiedGames
from tests.crash.tally import Day, Tally
from tests.long_run import options, status, timed_print

TALLY = Path(__file__).with_name("moments.jsonl")
DATABASE = "sqlite, in one process"
ENDS_A_DAY = 100
LARGE_EVERY = 4
"""Every so many days have all tables; the others have one, where the same ends take a third of the time."""


async def play(folder: Path, number: int, kills: int, *, small: bool) -> Day:
    """Play a day, and return its counts."""
    async with Playground() as discord:
        storm = InProcess(discord, CopiedGames(folder), number, small=small)
        try:
            await storm.run(kills)
        except Exception as error:  # noqa: BLE001 - a day that cannot go on is a finding
            storm.broken.append("".join(traceback.format_exception(error)))
        return storm.counted(DATABASE, 0)


def play_day(number: int, kills: int = ENDS_A_DAY, *, small: bool | None = None) -> Day:
    """Play a day in a loop of its own. Unless told otherwise, every fourth day is a large one."""
    if small is None:
        small = number % LARGE_EVERY != 0
    began = time.process_time()
    with in_one_process(number) as (runner, folder):
        day = runner.run(play(folder, number, kills, small=small))
    day.seconds = round(time.process_time() - began, 1)
    return day


def play_days(numbers: Iterable[int], processes: int) -> Iterator[Day]:
    """Play these days, each in a process of its own, and yield their counts as they come."""
    with get_context("spawn").Pool(processes, maxtasksperchild=1) as pool:
        yield from pool.imap_unordered(play_day, numbers)


def missing(tally: Tally, number: int, kills: int) -> list[int]:
    """Return the numbers of the days to play now: the first from `number` on that the tally does not have."""
    played = {day.number for day in tally.entries}
    return list(islice(filterfalse(played.__contains__, count(number)), max(0, -(-kills // ENDS_A_DAY))))


def main() -> int:
    """Play and report."""
    parser = options(__doc__, tally=TALLY)
    parser.add_argument("--kills", type=int, default=10_000, help="how many bots to cut off now")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="how many days to play at once")
    asked = parser.parse_args()
    tally, tell = Tally(asked.tally), timed_print()
    numbers = missing(tally, asked.number, asked.kills)
    for day in play_days(numbers, asked.processes):
        tally.add(day)
        tell(f"Day {day.number}: {day.kills} cut off, {len(day.broken)} promises broken")
    print("All days of the tally:", tally.all(DATABASE), sep="\n")
    return status(tally.broken, played=bool(numbers))


if __name__ == "__main__":
    sys.exit(main())
