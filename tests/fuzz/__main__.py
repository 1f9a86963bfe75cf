"""`python -m tests.fuzz`: forged interactions over the wire, and what they must not do.

    python -m tests.fuzz [--number 7] [--count 100000] [--first 0]

The same number forges the same things; `--first` begins in the middle, to play again what failed. Nothing may change
what belongs to others, leave a traceback in the log, or go unanswered. The exit status is 1 when something did.

Where only a round of forgeries is known of which one broke something, the round is played again one by one, from a
world that is set up afresh. What takes more than one of them may not break again; the round is named all the same.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from pathlib import Path

import structlog

from playground.person import Person
from playground.server import Playground
from tests.e2e.players import PATIENCE
from tests.fuzz.fuzzing import ROUND, Fuzzing, Report
from tests.waiting import SLOW_DEADLINE

KEPT_OF_THE_WIRE = 2_000
MOST_PLAYED_AGAIN = 3


async def fuzz(number: int, count: int, first: int, each: int = ROUND) -> Report:
    """Forge, and tell how far it is."""
    structlog.configure(
        processors=[structlog.stdlib.render_to_log_kwargs],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    logging.getLogger().setLevel(logging.INFO)
    for method in (Person.wait_for, Person.sees):
        method.__defaults__ = (*(method.__defaults__ or ())[:-1], PATIENCE)
    with tempfile.TemporaryDirectory() as folder:
        async with Playground(deadline=SLOW_DEADLINE, keep=KEPT_OF_THE_WIRE) as discord:
            fuzzing = Fuzzing(discord, Path(folder) / "tiplu.sqlite3", number)
            begun = time.monotonic()
            fuzzing.tell = lambda words: print(f"{time.monotonic() - begun:7.1f} s  {words}", flush=True)
            return await fuzzing.run(count, first, each)


def main() -> int:
    """Forge and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=7, help="which forgeries")
    parser.add_argument("--count", type=int, default=100_000, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    asked = parser.parse_args()
    report = asyncio.run(fuzz(asked.number, asked.count, asked.first))
    print(report)
    for numbers in report.unnamed[:MOST_PLAYED_AGAIN]:
        print(f"\n{numbers.start} to {numbers[-1]}, one by one:")
        print(asyncio.run(fuzz(asked.number, len(numbers), numbers.start, each=1)))
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
