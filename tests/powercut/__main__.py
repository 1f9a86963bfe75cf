"""`python -m tests.powercut`: the bot is recorded while people play, and its power cut at every barrier and in between.

    python -m tests.powercut [--number 7] [--cuts 1000] [--tally var/powercut.jsonl]

What was counted is added to the tally, so that runs add up. The exit status is 1 when a promise was broken in any of them, or
when nothing was lost without the barriers of the log, and 2 where nothing can be recorded.
"""

import argparse
import asyncio
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from playground.server import Playground
from tests.e2e.players import be_patient
from tests.memory import MEMORY
from tests.powercut.lives import Lives
from tests.powercut.record import MISSING
from tests.powercut.tally import Tally
from tests.powercut.upgrades import KEPT, bring_up_to_date
from tests.waiting import SLOW_DEADLINE

WIRE_KEPT = 2000


async def play(asked: argparse.Namespace, tally: Tally) -> None:
    """Play, and tell how far it is."""
    be_patient()
    begun = time.monotonic()

    def tell(words: object) -> None:
        print(f"{time.monotonic() - begun:6.1f} s  {words}", flush=True)

    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        for older in KEPT:
            chance = Random(f"{asked.number} {older.name} {len(tally.entries)}")
            number = len(tally.entries) + 1
            tally.add(
                await bring_up_to_date(older, Path(folder) / older.stem, number, chance, asked.cuts // 20)
            )
            tell(tally.entries[-1])
        async with Playground(deadline=SLOW_DEADLINE, keep=WIRE_KEPT) as discord:
            lives = Lives(discord, Path(folder), asked.number, tally)
            lives.tell = tell
            await lives.run(asked.cuts)


def main() -> int:
    """Play and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=7, help="the seed of the run")
    parser.add_argument("--cuts", type=int, default=1000, help="the least number of cuts")
    parser.add_argument(
        "--tally", type=Path, default=Path("var/powercut.jsonl"), help="the file with the counts"
    )
    asked = parser.parse_args()
    if MISSING:
        print(f"Nothing was tried: {MISSING}.", file=sys.stderr)
        return 2
    tally = Tally(asked.tally)
    asyncio.run(play(asked, tally))
    print(tally, *(f"BROKEN  {fault}" for fault in tally.broken), sep="\n")
    if tally.is_blind:
        print("BROKEN  nothing was lost without the barriers of the log, so nothing is proved")
    return 1 if tally.broken or tally.is_blind else 0


if __name__ == "__main__":
    sys.exit(main())
