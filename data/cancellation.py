"""Work that a cancelled task still awaits to its end.

SQLAlchemy throws a connection away when the task that awaits one of its statements is cancelled. The statement runs on
in the driver's thread, holds the write lock, and for a moment the file has two writers. So nothing is broken off.
"""

import asyncio
from collections.abc import Coroutine
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
