"""The interactions being answered, so that closing the bot can wait for them."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

import structlog

log = structlog.get_logger(__name__)


class Work:
    """Counts the work under way."""

    def __init__(self) -> None:
        self._open = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @contextmanager
    def under_way(self) -> Generator[None, None, None]:
        """Count the block as work under way."""
        self._open += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._open -= 1
            if not self._open:
                self._idle.set()

    async def finished(self, within_s: float) -> None:
        """Wait until nothing is under way, for at most `within_s` seconds."""
        try:
            async with asyncio.timeout(within_s):
                await self._idle.wait()
        except TimeoutError:
            log.warning("work.unfinished", count=self._open)
