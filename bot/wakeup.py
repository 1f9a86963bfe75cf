"""How the workers of the bot sleep: until there is something new, or until the next moment has come."""

import asyncio
from collections.abc import Iterable

from bot.clock import Clock

LONGEST_SLEEP_S = 30.0
"""However quiet it is, it is looked again: the clock may have been set, and a machine may have slept."""


class Wakeup:
    """One worker's sleep. The worker calls `look` before it looks for work, so that no `wake` in between is lost."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._changed = asyncio.Event()

    def wake(self) -> None:
        """Let the worker look again: there may be something to do."""
        self._changed.set()

    def look(self) -> None:
        """From now on whatever is new ends the next sleep."""
        self._changed.clear()

    async def sleep(self, moments: Iterable[int] = ()) -> None:
        """Sleep until the first of these moments, in milliseconds since 1970, or until woken."""
        waits = [(moment - self._clock.now()) / 1000 for moment in moments]
        try:
            async with asyncio.timeout(max(0, min([LONGEST_SLEEP_S, *waits]))):
                await self._changed.wait()
        except TimeoutError:
            return
