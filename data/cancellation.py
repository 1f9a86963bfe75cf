"""Work that a cancelled task still awaits to its end.

SQLAlchemy throws a connection away when the task that awaits one of its statements is cancelled. The statement runs on
in the driver's thread, holds the write lock, and for a moment the file has two writers. So nothing is broken off.
"""

import asyncio
from collections.abc import Awaitable, Coroutine, Iterable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


async def to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """Await `work` whatever happens; a cancellation is passed on afterwards, unless the work failed."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        task.result()
        raise


async def all_to_their_ends(works: Iterable[Awaitable[None]]) -> None:
    """Await all at the same time; a fault of one, or a cancellation, is passed on when all have come to their end."""
    for fault in await asyncio.gather(*works, return_exceptions=True):
        if fault is not None:
            raise fault
