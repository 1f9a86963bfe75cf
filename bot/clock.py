"""The time in one place, so that tests can set it."""

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time in milliseconds since 1970, UTC."""

    def now(self) -> int:
        """Milliseconds since 1970, UTC."""
        ...

    def follow(self) -> int:
        """Follow the machine's clock after it was set, or after the machine slept. Returns the jump in milliseconds."""
        ...


JUMP_MS = 5_000
"""Smaller differences are no jump."""


class SystemClock:
    """The machine's wall clock at start, carried on by its monotonic clock, so it never jumps by itself."""

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
