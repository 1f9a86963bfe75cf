"""`python -m tests.powercut`: record the bot while people play, and cut its power in many places.

    python -m tests.powercut [--number 7] [--cuts 1000] [--tally var/powercut.jsonl]

It cuts at every barrier and in between. The counts are added to the tally, so that runs add up. The exit
status is 1 if a promise was broken in any run, or if nothing was lost without the barriers of the log. It is
2 if nothing can be recorded here.
"""

import argparse
import asyncio
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.long_run import options, patient_discord, status, timed_print
from tests.memory import fastest
from tests.powercut.lives import Lives
from tests.powercut.record import MISSING
from tests.powercut.tally import Tally
from tests.powercut.upgrades import KEPT, bring_up_to_date

WIRE_KEPT = 2000


async def play(asked: argparse.Namespace, tally: Tally) -> None:
    """Play and print the progress."""
    tell = timed_print()
    with TemporaryDirectory(dir=fastest()) as folder:
        for older in KEPT:
            chance = Random(f"{asked.number} {older.name} {len(tally.entries)}")
            number = len(tally.entries) + 1
            tally.add(
                await bring_up_to_date(older, Path(folder) / older.stem, number, chance, asked.cuts // 20)
            )
            tell(tally.entries[-1])
        async with patient_discord(keep=WIRE_KEPT) as discord:
            lives = Lives(discord, Path(folder), asked.number, tally)
            lives.tell = tell
            await lives.run(asked.cuts)


def main() -> int:
    """Play and print the report."""
    parser = options(__doc__, tally="var/powercut.jsonl")
    parser.add_argument("--cuts", type=int, default=1000, help="the least number of cuts")
    asked = parser.parse_args()
    if MISSING:
        print(f"Nothing was tried: {MISSING}.", file=sys.stderr)
        return 2
    tally = Tally(asked.tally)
    former = len(tally.entries)
    asyncio.run(play(asked, tally))
    print(tally)
    broken = tally.broken
    if tally.is_blind(since=former):
        broken.append("nothing was lost without the barriers of the log, so this run proves nothing")
    return status(broken)


if __name__ == "__main__":
    sys.exit(main())
