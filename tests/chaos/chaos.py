"""The evening itself: a day of crashes with more tables, and with faults at Discord."""

import time
from dataclasses import dataclass

from tests.chaos.faults import PASSING, UNHEARD
from tests.crash.endings import Ending
from tests.crash.storm import Storm

PACES = ("fast", "normal", "slow")
USUAL = 5
"""The tables of a day of crashes, including the pod of its league."""
ENDS_OF_TEN = 4
"""How many faults out of ten end the process or fill its disk."""


@dataclass
class Chaos(Storm):
    """Tables, a league round, the deal of the day and a home game's score, while everything goes wrong."""

    tables: int = 20

    async def _begin(self) -> None:
        for number in range(self.tables - USUAL - 1):
            self.companies.append(
                self._company(
                    f"table{number}",
                    1 + number % 3,
                    computers=max(1, 2 - number % 3),
                    deals=number % 3,
                    pace=PACES[number % len(PACES)],
                    thread=number % 4 == 1,
                    types=number % 5 == 2,
                )
            )
        await super()._begin()

    async def _life(self, number: int, ending: Ending) -> None:
        interactions = self.discord.world.interactions
        before = {*interactions}
        await super()._life(number, ending)
        if ending in UNHEARD:
            made = interactions.keys() - before
            self.excused |= {one for one in made if interactions[one].state == "failed"}

    async def go_on(self, minutes: float) -> int:
        """Cause faults for this many minutes, then let everyone leave; return the number of faults."""
        until, number = time.monotonic() + 60 * minutes, 0
        try:
            await self._begin()
            while time.monotonic() < until:
                number += 1
                kind = self.endings if self.chance.randrange(10) < ENDS_OF_TEN else PASSING
                await self._life(number, self.chance.choice(kind))
                self.discord.faults.clear()
            await self._end()
        finally:
            if not self.process.life.done():
                await self.process.kill()
        return number
