"""Run work to its end even if the task that awaits it is cancelled.

A statement keeps running in its thread when the task that awaits it is cancelled. If no one waited for it,
the next user of the connection would find it inside another user's transaction. So nothing is interrupted.
"""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def to_the_end(work: Awaitable[T]) -> T:
    """Await `work` to its end; re-raise a cancellation afterwards, unless the work failed."""
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
    """Do the same, but raise a cancellation even if the work failed.

    A task that is being cancelled must not retry.
    """
    task = asyncio.ensure_future(work)
    await to_the_end(asyncio.wait([task]))
    return task.result()
