"""Long loops on the event loop, with a pause for everybody else now and then."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable
from typing import Final, TypeVar

MOST_S: Final = 0.002
"""How long a loop may keep the event loop from turning."""

T = TypeVar("T")


async def gently(items: Iterable[T]) -> AsyncGenerator[T, None]:
    """These items, which cost something to make or to use. Raises what making them raises."""
    paused = time.perf_counter()
    for item in items:
        yield item
        if time.perf_counter() - paused > MOST_S:
            await asyncio.sleep(0)
            paused = time.perf_counter()
