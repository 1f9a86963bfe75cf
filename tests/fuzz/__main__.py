"""`python -m tests.fuzz`: forged interactions over the wire, and what they must not do.

    python -m tests.fuzz [--number 7] [--count 100000] [--tally FILE]
    python -m tests.fuzz [--number 7] --first 4000 --count 250

The same number forges the same things. Nothing may change what belongs to others, leave a traceback in the log, or go
unanswered. The exit status is 1 when something did.

What came of every few thousand is added to the tally, so a run that was broken off goes on where it was: `--count` is
what the tally is to reach in the end. `--first` plays again what failed, beside the tally.

Where only a round of forgeries is known of which one broke something, the round is played again one by one, from a
world that is set up afresh. What takes more than one of them may not break again; the round is named all the same.
"""

import asyncio
import logging
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.fuzzing import ROUND, Fuzzing
from tests.fuzz.report import Report, together
from tests.long_run import log_as_python_does, options, patient_discord, timed_print
from tests.tally import Tally

KEPT_OF_THE_WIRE = 2_000
MOST_PLAYED_AGAIN = 3
PART = 10 * ROUND
"""So many are forged in one world, and then added to the tally."""


async def fuzz(number: int, count: int, first: int, each: int = ROUND) -> Report:
    """Forge, and tell how far it is."""
    log_as_python_does()
    logging.getLogger().setLevel(logging.INFO)
    with tempfile.TemporaryDirectory() as folder:
        async with patient_discord(keep=KEPT_OF_THE_WIRE) as discord:
            fuzzing = Fuzzing(discord, Path(folder) / "tiplu.sqlite3", number)
            fuzzing.tell = timed_print()
            return await fuzzing.run(count, first, each)


def missing(parts: list[Report], count: int) -> Iterator[range]:
    """What is still to be forged until there are so many, a world at a time."""
    done = max((part.first + part.sent for part in parts), default=0)
    for first in range(done, count, PART):
        yield range(first, min(first + PART, count))


def of(tally: Tally[Report], number: int) -> list[Report]:
    """What was forged of this number so far."""
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
    """Forge and report."""
    parser = options(__doc__, tally="var/fuzz.jsonl")
    parser.add_argument("--count", type=int, default=100_000, help="stop when the tally has this many")
    parser.add_argument("--first", type=int, help="repeat from this number on, without the tally")
    asked = parser.parse_args()
    if asked.first is None:
        report = together(go_on(asked.number, asked.count, Tally(asked.tally, Report)))
    else:
        report = asyncio.run(fuzz(asked.number, asked.count, asked.first))
    print(report)
    for numbers in report.unnamed[:MOST_PLAYED_AGAIN]:
        print(f"\n{numbers.start} to {numbers[-1]}, one by one:")
        print(asyncio.run(fuzz(asked.number, len(numbers), numbers.start, each=1)))
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
