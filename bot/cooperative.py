"""Long loops on the event loop that pause for other tasks."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable
from typing import Final, TypeVar

MOST_S: Final = 0.002
"""How long a loop may block the event loop, in seconds."""

T = TypeVar("T")


async def cooperatively(items: Iterable[T]) -> AsyncGenerator[T, None]:
    """Yield the items, and pause for other tasks every `MOST_S` seconds. Raises what the iterable raises."""
    paused = time.perf_counter()
    for item in items:
        yield item
        if time.perf_counter() - paused > MOST_S:
            await asyncio.sleep(0)
            paused = time.perf_counter()
