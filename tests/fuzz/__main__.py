"""`python -m tests.fuzz`: send forged interactions over the wire and check that they do no harm.

    python -m tests.fuzz [--number 7] [--count 100000] [--tally FILE]
    python -m tests.fuzz [--number 7] --first 4000 --count 250

The same number forges the same interactions. No forgery may change what belongs to others, leave a traceback
in the log, or go unanswered. The exit status is 1 if one did, and 2 if nothing was sent.

The results of every few thousand forgeries are added to the tally, so an interrupted run continues where it
stopped: `--count` is the total that the tally is to reach. `--first` repeats forgeries that failed, without
the tally.

If a forgery broke something but only its round is known, the round is repeated one forgery at a time, in a
new world. A fault that takes more than one forgery may not occur again; the round is reported all the same.
"""

import asyncio
import logging
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.fuzzing import ROUND, Fuzzing
from tests.fuzz.report import Report, together
from tests.long_run import log_as_python_does, options, patient_discord, status, timed_print
from tests.tally import Tally

KEPT_OF_THE_WIRE = 2_000
MOST_PLAYED_AGAIN = 3
PART = 10 * ROUND
"""The number of forgeries in one world, after which they are added to the tally."""


async def fuzz(number: int, count: int, first: int, each: int = ROUND) -> Report:
    """Send forgeries and print the progress."""
    log_as_python_does()
    logging.getLogger().setLevel(logging.INFO)
    with tempfile.TemporaryDirectory() as folder:
        async with patient_discord(guilds=2, keep=KEPT_OF_THE_WIRE) as discord:
            fuzzing = Fuzzing(discord, Path(folder) / "tiplu.sqlite3", number)
            fuzzing.tell = timed_print()
            return await fuzzing.run(count, first, each)


def missing(parts: list[Report], count: int) -> Iterator[range]:
    """Yield the numbers still to be forged to reach `count`, one range for each world."""
    done = max((part.first + part.sent for part in parts), default=0)
    for first in range(done, count, PART):
        yield range(first, min(first + PART, count))


def of(tally: Tally[Report], number: int) -> list[Report]:
    """Return what was forged from this number so far."""
    return [part for part in tally.entries if part.number == number]


def go_on(number: int, count: int, tally: Tally[Report]) -> list[Report]:
    """Forge until the tally has as many as asked for."""
    for numbers in missing(of(tally, number), count):
        part = asyncio.run(fuzz(number, len(numbers), numbers.start))
        tally.add(part)
        print(f"{numbers.stop:,} of {count:,} of number {number}", flush=True)
        if part.sent < len(numbers):
            break
    return of(tally, number)


def main() -> int:
    """Send forgeries and print the report."""
    parser = options(__doc__, tally="var/fuzz.jsonl")
    parser.add_argument("--count", type=int, default=100_000, help="stop when the tally has this many")
    parser.add_argument("--first", type=int, help="repeat from this number on, without the tally")
    asked = parser.parse_args()
    if asked.first is None:
        tally = Tally(asked.tally, Report)
        before = len(tally.entries)
        report = together(go_on(asked.number, asked.count, tally))
        played = len(tally.entries) > before
    else:
        report = asyncio.run(fuzz(asked.number, asked.count, asked.first))
        played = True
    print(report)
    for numbers in report.unnamed[:MOST_PLAYED_AGAIN]:
        print(f"\n{numbers.start} to {numbers[-1]}, one by one:")
        print(asyncio.run(fuzz(asked.number, len(numbers), numbers.start, each=1)))
    return status((fault.what for fault in report.broken), played=played)


if __name__ == "__main__":
    sys.exit(main())
