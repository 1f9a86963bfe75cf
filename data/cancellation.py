"""Work that a cancelled task still awaits to its end.

A statement runs on in its thread when the task that waits for it is cancelled. Were that not awaited, the next user of
the connection would find it in the midst of a transaction of somebody else's. So nothing is broken off.
"""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def to_the_end(work: Awaitable[T]) -> T:
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


async def undisturbed(work: Awaitable[T]) -> T:
    """The same, but a cancellation is passed on even if the work failed: a task that is to end must not try again."""
    task = asyncio.ensure_future(work)
    await to_the_end(asyncio.wait([task]))
    return task.result()
