"""`python -m tests.crash`: kill the bot repeatedly, at any moment, and check every promise.

    python -m tests.crash [--number 7] [--kills 30] [--database postgres] [--tally FILE]

The same number gives the same people and the same kinds of ends in the same order; their times depend on the
machine. If there are more ends than a day has, they make several days, each with the next number. The counts
of a day are added to the tally, which is kept with the code. The exit status is 1 if a promise was broken on any
day of the tally and the fault is not known to be fixed.
"""

import asyncio
import sys
import time
import traceback
from pathlib import Path

from tests.crash.storm import Storm
from tests.crash.tally import Day, Tally
from tests.games import games_of
from tests.long_run import options, patient_discord, status, timed_print

TALLY = Path(__file__).with_name("tally.jsonl")
ENDS_A_DAY = 100
"""The most ends in a day, because the data kept for a day grows."""


async def play(database: str, number: int, kills: int, tally: Tally) -> Day:
    """Play a day, report progress, and record the counts, unless the day is interrupted before its last checks."""
    begun = time.monotonic()
    async with games_of(database) as games, patient_discord() as discord:
        storm = Storm(discord, games, number)
        storm.tell = timed_print()
        try:
            await storm.run(kills)
        except Exception as error:  # noqa: BLE001 - a day that cannot go on is a finding
            storm.broken.append("".join(traceback.format_exception(error)))
        day = storm.counted(database, time.monotonic() - begun)
        tally.add(day)
        return day


def main() -> int:
    """Play and report."""
    parser = options(__doc__, tally=TALLY, database=True)
    parser.add_argument("--kills", type=int, default=30, help="how often to kill the process")
    asked = parser.parse_args()
    tally = Tally(asked.tally)
    for number, done in enumerate(range(0, asked.kills, ENDS_A_DAY), asked.number):
        day = asyncio.run(play(asked.database, number, min(ENDS_A_DAY, asked.kills - done), tally))
        print(f"Day {number}:", day, sep="\n", flush=True)
    print(f"All days of the tally ({asked.database}):", tally.all(asked.database), sep="\n")
    return status(tally.broken)


if __name__ == "__main__":
    sys.exit(main())
