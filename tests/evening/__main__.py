"""`python -m tests.evening`: twenty tables and sixty people for an evening, every promise checked.

    python -m tests.evening [--number 7] [--small]

The evening of a number is always the same one, so that what failed can be played again. The exit status is 1 when a
promise was broken.
"""

import argparse
import asyncio
import resource
import sys
import time
from functools import partial

from playground.server import Playground
from tests.e2e.players import be_patient
from tests.evening.evening import Evening
from tests.evening.script import SMALL, WHOLE, Scale, write
from tests.games import games_of
from tests.waiting import SLOW_DEADLINE


async def play(number: int, scale: Scale) -> bool:
    """Play it and print what came of it; whether everything held."""
    be_patient()
    async with games_of("sqlite") as games, Playground(deadline=SLOW_DEADLINE) as discord:
        evening = Evening(discord, games, number, write(scale, number))
        evening.tell = partial(print, flush=True)
        made = await evening.run()
        broken = evening.broken(made)
    print(made, *(f"BROKEN          {fault}" for fault in broken), sep="\n")
    return not broken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=7, help="the seed of the evening")
    parser.add_argument("--small", action="store_true", help="play the small evening of the default tests")
    asked = parser.parse_args()
    begun = time.monotonic()
    held = asyncio.run(play(asked.number, SMALL if asked.small else WHOLE))
    cpu = [resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(
        f"evening {asked.number} took {time.monotonic() - begun:.0f} s; CPU: {cpu[0]:.0f} s for Discord and people, {cpu[1]:.0f} s for the bot"
    )
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
