"""Work that pauses, so that others can work in between."""

from collections.abc import Generator
from itertools import count
from typing import TypeVar

T = TypeVar("T")


def worked_out(work: Generator[None, None, T]) -> tuple[T, int]:
    """Return the result of the work, and how often it paused."""
    for pauses in count():
        try:
            next(work)
        except StopIteration as end:
            return end.value, pauses
    raise AssertionError("the work ends")
