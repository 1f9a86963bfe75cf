"""The time, in one place, so that tests can drive it forward."""

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time in milliseconds since 1970, UTC."""

    def now(self) -> int:
        """Milliseconds since 1970, UTC."""
        ...


class SystemClock:
    """The machine's wall clock at start, carried on by its monotonic clock: setting the wall clock moves nothing."""

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def now(self) -> int:
        """Milliseconds since 1970, UTC."""
        return (self._offset + time.monotonic_ns()) // 1_000_000
