"""`python -m tests.evening`: play an evening of twenty tables and sixty people, and check every promise.

    python -m tests.evening [--number 7] [--small]

The same number always gives the same evening, so a failure can be replayed. The exit status is 1 if a promise
was broken.
"""

import asyncio
import resource
import sys
import time
from functools import partial

from tests.evening.evening import Evening
from tests.evening.script import SMALL, WHOLE, Scale, write
from tests.games import games_of
from tests.long_run import options, patient_discord, status


async def play(number: int, scale: Scale) -> list[str]:
    """Play the evening and print its results; return the broken promises."""
    async with games_of("sqlite") as games, patient_discord() as discord:
        evening = Evening(discord, games, number, write(scale, number))
        evening.tell = partial(print, flush=True)
        made = await evening.run()
        broken = evening.broken(made)
    print(made)
    return broken


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("--small", action="store_true", help="play the small evening of the default tests")
    asked = parser.parse_args()
    begun = time.monotonic()
    broken = asyncio.run(play(asked.number, SMALL if asked.small else WHOLE))
    cpu = [resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(
        f"evening {asked.number} took {time.monotonic() - begun:.0f} s; CPU: {cpu[0]:.0f} s for Discord and people, {cpu[1]:.0f} s for the bot"
    )
    return status(broken)


if __name__ == "__main__":
    sys.exit(main())
