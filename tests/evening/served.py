"""`python -m tests.evening.served`: `python -m bot`, but for its clock, which the script moves."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from bot import __main__ as program
from tests.e2e.running import QuickTiplu
from tests.evening.time import VARIABLE, SharedClock

clock = SharedClock(Path(os.environ[VARIABLE]))


class ServedTiplu(QuickTiplu):
    """The bot. A signal makes it check the time."""

    async def setup_hook(self) -> None:
        await super().setup_hook()
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, self._look_up)

    def _look_up(self) -> None:
        self.services.scheduler.wake()
        self.delivery.outbox.wake()
        clock.noticed()


if __name__ == "__main__":
    program.SystemClock = lambda: clock
    program.TipluBot = ServedTiplu
    sys.exit(program.main([]))
