"""The only source of the time, so that tests can set it."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, Protocol


class Clock(Protocol):
    """A clock in milliseconds since 1970, UTC."""

    def now(self) -> int:
        """Milliseconds since 1970, UTC."""
        ...

    def follow(self) -> int:
        """Follow the machine's clock after it was set, or after the machine slept. Returns the jump in milliseconds."""
        ...


JUMP_MS = 5_000
"""The smallest difference, in milliseconds, that counts as a jump."""
MEASURE_S: Final = 10.0
EXACT_NS: Final = 200_000_000
"""The longest time, in nanoseconds, that an answer may take to be a usable measure of the server's clock."""


class SystemClock:
    """The machine's wall clock at start, advanced by its monotonic clock, so that it never jumps."""

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def now(self) -> int:
        """Milliseconds since 1970, UTC."""
        return (self._offset + time.monotonic_ns()) // 1_000_000

    def follow(self) -> int:
        """Jump to the machine's wall clock if the two differ. Returns the jump in milliseconds, usually 0."""
        offset = time.time_ns() - time.monotonic_ns()
        moved = (offset - self._offset) // 1_000_000
        if abs(moved) < JUMP_MS:
            return 0
        self._offset = offset
        return moved


class ServerClock:
    """The clock of the server that several processes share, advanced by this machine's monotonic clock.

    So deadlines come at the same time for all processes, however far their machines' clocks are apart.
    """

    def __init__(self, ask: Callable[[], Awaitable[int]]) -> None:
        """`ask` returns the server's time in milliseconds since 1970."""
        self._ask = ask
        self._offset = self._measured = time.time_ns() - time.monotonic_ns()

    @classmethod
    async def begin(cls, ask: Callable[[], Awaitable[int]]) -> "ServerClock":
        """Return a clock that shows the server's time."""
        clock = cls(ask)
        await clock.measure(within_ns=None)
        clock.follow()
        return clock

    def now(self) -> int:
        """Milliseconds since 1970, UTC."""
        return (self._offset + time.monotonic_ns()) // 1_000_000

    def follow(self) -> int:
        """Adopt the latest measurement.

        Return the jump in milliseconds, usually 0; a small correction is no jump.
        """
        moved = (self._measured - self._offset) // 1_000_000
        self._offset = self._measured
        return moved if abs(moved) >= JUMP_MS else 0

    async def measure(self, within_ns: int | None = EXACT_NS) -> None:
        """Ask the server once.

        An answer that took longer than `within_ns` is too imprecise and is ignored.
        """
        asked = time.monotonic_ns()
        said = await self._ask()
        took = time.monotonic_ns() - asked
        if within_ns is None or took <= within_ns:
            self._measured = said * 1_000_000 - asked - took // 2

    async def run(self) -> None:
        """Ask again and again until cancelled. Someone else calls `follow`."""
        while True:
            await asyncio.sleep(MEASURE_S)
            await self.measure()
