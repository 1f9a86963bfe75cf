"""`python -m tests.takeover`: stop and start bots that share one database while people play.

    python -m tests.takeover [--number 7] [--bots 2] [--tables 16] [--seconds 300]
                             [--tally var/takeover.jsonl]

Every promise is checked. The counts are added to the tally, so that runs add up. What is known of a broken
promise is kept in a folder next to it. The exit status is 1 if a promise was broken in any run.
"""

import argparse
import asyncio
import sys

from playground.services import Sharding
from tests.games import ServedGames, games_of
from tests.long_run import options, patient_discord, status
from tests.takeover.run import Takeover
from tests.takeover.tally import Tally

SHARDS = 8
GUILDS = 40
IDENTIFY_INTERVAL = 5.0  # as at Discord
WIRE_KEPT = 2000


async def play(asked: argparse.Namespace, tally: Tally) -> None:
    """Play once."""
    sharding = Sharding(shards=SHARDS, max_concurrency=SHARDS, identify_interval=IDENTIFY_INTERVAL)
    async with (
        games_of("postgres") as games,
        patient_discord(guilds=GUILDS, sharding=sharding, keep=WIRE_KEPT) as discord,
    ):
        assert isinstance(games, ServedGames)
        folder = asked.tally.with_suffix("")
        await Takeover(discord, games, asked.number, tally, folder).run(
            asked.bots, asked.tables, asked.seconds
        )


def main() -> int:
    """Play a run and print the report."""
    parser = options(__doc__, tally="var/takeover.jsonl")
    parser.add_argument("--bots", type=int, default=2, help="how many processes")
    parser.add_argument("--tables", type=int, default=16, help="how many tables are in play")
    parser.add_argument("--seconds", type=float, default=300, help="how long to disturb the bots")
    asked = parser.parse_args()
    tally = Tally(asked.tally)
    asyncio.run(play(asked, tally))
    print(tally)
    return status(tally.broken)


if __name__ == "__main__":
    sys.exit(main())
