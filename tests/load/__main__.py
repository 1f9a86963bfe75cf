"""`python -m tests.load`: how many presses a second the bot answers in time, and what a press costs.

    python -m tests.load [--rate 50] [--seconds 15] [--tables 60] [--number 7] [--hammer]
                         [--database postgres] [--bots 2] [--at-table 75] [--masters]

Without a rate, it searches for the highest at which 99 of 100 presses are answered within half a second. With
--hammer, one member presses one thing thirty times a second, and the times are those of the others. The last
line is one JSON object. The exit status is 1 if no rate passed, or if the others were kept waiting.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.load import report
from tests.load.hammer import DEEDS, Hammer
from tests.load.search import START_RATE, best, calm, climb
from tests.load.stages import (
    BARE_S,
    FEWEST_TABLES,
    TABLES_A_PRESS,
    WARM_S,
    Setup,
    measure_floors,
    real_bot,
)
from tests.long_run import options

SEARCHED_RATE = 100.0
"""The highest rate for which the search has enough tables."""
AT_TABLE = 75
"""The percentage of people who play at the table if several bots share the games.

One bot handles all direct messages.
"""


async def hammer(rate: float, seconds: float, setup: Setup) -> bool:
    """Measure and print what hammering each thing costs the others. Return whether they are still answered in time."""
    with tempfile.TemporaryDirectory() as folder:
        async with real_bot(Path(folder) / "real", setup) as (stage, crowd):
            member = Hammer(stage, crowd)
            await member.get_ready()
            print(report.setting(setup, crowd.tables), report.HEAD, sep="\n", flush=True)
            await stage.measure(rate, WARM_S)
            alone = await stage.measure(rate, seconds)
            print(report.line(alone), "  with nobody hammering", flush=True)
            done = []
            for deed in DEEDS:
                await calm(stage)
                done.append(await member.hammer(deed, rate, seconds))
                print(report.hammered(done[-1]), flush=True)
    print(report.hammered_for_programs(alone, done), flush=True)
    return all(hammered.others.passed and hammered.answered for hammered in done)


async def load(rate: float | None, seconds: float, setup: Setup) -> bool:
    """Measure and print the load. Return whether the rate that counts passed."""
    with tempfile.TemporaryDirectory() as folder:
        bare = await measure_floors(Path(folder) / "bare", setup.number, min(seconds, BARE_S))
        print(report.floors(bare), flush=True)
        async with real_bot(Path(folder) / "real", setup) as (stage, crowd):
            print(report.setting(setup, crowd.tables), report.HEAD, sep="\n", flush=True)
            await stage.measure(rate or START_RATE, min(WARM_S, seconds))
            await calm(stage)

            def tell(step: object) -> None:
                print(report.line(step), flush=True)

            if rate is None:
                step = best(await climb(stage, START_RATE, seconds, tell))
            else:
                step = await stage.measure(rate, seconds)
                tell(step)
            await calm(stage)
            sampled, profile = await stage.profile(step.rate, seconds)
    print(report.whole(step, bare, setup))
    if crowd.replaced:
        print(f"  looked at the hand instead, for want of somebody to press it: {dict(crowd.replaced)}")
    print(report.limits(sampled, profile))
    print(report.for_programs(step, bare, setup), flush=True)
    return step.passed


def main() -> int:
    parser = options(__doc__, database=True)
    parser.add_argument(
        "--rate", type=float, help="presses per second; by default the highest rate that passes"
    )
    parser.add_argument("--seconds", type=float, default=15.0, help="the length of each step")
    parser.add_argument(
        "--tables",
        type=int,
        help="how many tables are in play; by default twice the rate, so that half of all presses are moves",
    )
    parser.add_argument("--bots", type=int, default=1, help="how many bots share the games")
    parser.add_argument(
        "--at-table", type=int, help="the percentage of people who play from a hand opened at the table"
    )
    parser.add_argument(
        "--hammer",
        action="store_true",
        help="let one member press without pause, one kind of press after the other",
    )
    parser.add_argument(
        "--masters", action="store_true", help="seat computers of the highest level at every table"
    )
    asked = parser.parse_args()
    if asked.bots > 1 and asked.database == "sqlite":
        parser.error("only one bot uses a file; several need --database postgres")
    at_table = asked.at_table
    if at_table is None:
        at_table = 0 if asked.database == "sqlite" else AT_TABLE
    tables = asked.tables or max(FEWEST_TABLES, round(TABLES_A_PRESS * (asked.rate or SEARCHED_RATE)))
    setup = Setup(asked.number, tables, asked.database, asked.bots, at_table, asked.masters)
    if asked.hammer:
        measured = hammer(asked.rate or START_RATE, asked.seconds, setup)
    else:
        measured = load(asked.rate, asked.seconds, setup)
    return 0 if asyncio.run(measured) else 1


if __name__ == "__main__":
    sys.exit(main())
