"""`python -m tests.crash`: the bot is killed again and again in the midst of everything, and every promise checked.

    python -m tests.crash [--number 7] [--kills 30]

The same number gives the same people and the same kinds of ends in the same order; the moments depend on the machine.
The exit status is 1 when a promise was broken.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from playground.person import Person
from playground.server import Playground
from tests.crash.storm import Storm
from tests.e2e.players import PATIENCE
from tests.waiting import SLOW_DEADLINE


async def play(number: int, kills: int) -> Storm:
    """Play it, and tell how far it is."""
    for method in (Person.wait_for, Person.sees):
        method.__defaults__ = (*(method.__defaults__ or ())[:-1], PATIENCE)
    with tempfile.TemporaryDirectory() as folder:
        async with Playground(deadline=SLOW_DEADLINE) as discord:
            storm = Storm(discord, Path(folder) / "tiplu.sqlite3", number)
            begun = time.monotonic()
            storm.tell = lambda words: print(f"{time.monotonic() - begun:6.1f} s  {words}", flush=True)
            await storm.run(kills)
            return storm


def main() -> int:
    """Play and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=7, help="which day")
    parser.add_argument("--kills", type=int, default=30, help="how many ends of the process")
    asked = parser.parse_args()
    begun = time.monotonic()
    storm = asyncio.run(play(asked.number, asked.kills))
    for ending, count in storm.ends.most_common():
        print(f"{count:>4}  {ending}")
    print(storm.figures())
    print(*(f"BROKEN  {fault}" for fault in storm.broken), sep="\n")
    print(
        f"{asked.kills} ends of number {asked.number} in {time.monotonic() - begun:.0f} s, {len(storm.broken)} promises broken"
    )
    return 1 if storm.broken else 0


if __name__ == "__main__":
    sys.exit(main())
