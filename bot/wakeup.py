"""How workers sleep: until there is something new, or until the next due time."""

import asyncio
from collections.abc import Iterable

from bot.clock import Clock
from league.times import SECOND

LONGEST_SLEEP_S = 30.0
"""The longest sleep, because the clock may have been set, or the machine may have slept."""
GATHERING_S = 0.02
"""How long a woken worker waits for further wake-ups, in seconds, so that one check handles them all."""


class Wakeup:
    """The sleep of one worker. It calls `look` before it looks for work, so that no `wake` in between is lost."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._changed = asyncio.Event()

    def wake(self) -> None:
        """Wake the worker: there may be something to do."""
        self._changed.set()

    def look(self) -> None:
        """Let every `wake` from now on end the next sleep."""
        self._changed.clear()

    async def sleep(self, moments: Iterable[int] = ()) -> None:
        """Sleep until the first of these moments, in milliseconds since 1970, or until woken."""
        waits = [(moment - self._clock.now()) / SECOND for moment in moments]
        try:
            async with asyncio.timeout(max(0, min([LONGEST_SLEEP_S, *waits]))):
                await self._changed.wait()
        except TimeoutError:
            return
        await asyncio.sleep(GATHERING_S)
