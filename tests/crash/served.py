"""`python -m tests.crash.served`: the bot of an evening, with some dull deals and a disk that can be full.

A deal at a table of two with an even number never ends soon; all others are ordinary. SIGUSR2 fills the disk,
or makes room again: it limits the file's size with `PRAGMA max_page_count`.
"""

import asyncio
import signal
import sys
from pathlib import Path
from typing import Any

from sqlalchemy import event

from bot import __main__ as program
from bot.table.flow import seating
from tests.e2e.dealt import dull_at_some_tables
from tests.evening.served import ServedTiplu, clock

_NO_LIMIT = 0xFFFFFFFE


class CrashingTiplu(ServedTiplu):
    """The bot, with a disk that can be full."""

    _most_pages = _NO_LIMIT

    async def setup_hook(self) -> None:
        if isinstance(self.services.store.place, Path):
            writer = self.services.store._database.writer
            event.listen(writer.engine, "connect", lambda driver, _: self._limit(driver))
            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR2, self._fill_or_clear)
        await super().setup_hook()

    def _limit(self, driver: Any) -> None:
        driver.execute(f"PRAGMA max_page_count={self._most_pages}")

    def _fill_or_clear(self) -> None:
        self._most_pages = (
            1 if self._most_pages == _NO_LIMIT else _NO_LIMIT
        )  # a limit below the current number of pages allows no more
        self._limiting = asyncio.create_task(self._limit_now())

    async def _limit_now(self) -> None:
        await self.services.store._database.writer.run(self._limit)


if __name__ == "__main__":
    program.SystemClock = lambda: clock
    program.TipluBot = CrashingTiplu
    seating.start = dull_at_some_tables
    sys.exit(program.main([]))
