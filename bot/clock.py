"""The time, in one place, so that tests can drive it forward."""

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time in milliseconds since 1970, UTC."""

    def now(self) -> int:
        """Milliseconds since 1970, UTC."""
        ...

    def follow(self) -> int:
        """Take over where the machine's clock was set, or went on while the machine slept; by how many milliseconds."""
        ...


JUMP_MS = 5_000
"""What is less is no jump."""


class SystemClock:
    """The machine's wall clock at start, carried on by its monotonic clock: by itself it never jumps."""

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def now(self) -> int:
        """Milliseconds since 1970, UTC."""
        return (self._offset + time.monotonic_ns()) // 1_000_000

    def follow(self) -> int:
        """Jump to the machine's wall clock, if it is elsewhere; by how many milliseconds, 0 as a rule."""
        offset = time.time_ns() - time.monotonic_ns()
        moved = (offset - self._offset) // 1_000_000
        if abs(moved) < JUMP_MS:
            return 0
        self._offset = offset
        return moved
