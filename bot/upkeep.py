"""Upkeep: the heartbeat, the machine's clock, removing what has expired, Python's garbage, and memory."""

import asyncio
import ctypes
import gc
import sys
from typing import Any, Final

import structlog

from bot.services import Services

HEARTBEAT_S = 5
CLEAN_S = 3600
COLLECT_S = 15
WHOLE_COLLECTION_S = 3600
_YOUNG: Final = 3_000, 3
"""So many new objects, and so many times that, are looked at for garbage at once. One press makes more than Python's usual 700."""
_NEVER: Final = 1_000_000
_ARENA_MAX: Final = -8
"""M_ARENA_MAX of glibc's malloc.h."""
_POOLS: Final = 2

log = structlog.get_logger(__name__)


async def heartbeat(services: Services) -> None:
    """Record every few seconds that the bot is alive and what its messages have attached, and follow the machine's clock after it was set."""
    while True:
        await asyncio.sleep(HEARTBEAT_S)
        if moved := services.clock.follow():
            log.warning("clock.jumped", by_ms=moved)
            await services.outages.clock_moved(moved)
            services.deadlines.wake()
        async with services.store.write() as db:
            await db.key_values.alive(services.clock.now())
        await services.attached.save()
        await services.store.mark()


async def clean(services: Services) -> None:
    """Remove expired data now and every hour."""
    while True:
        async with services.store.write() as db:
            await db.forget_old(services.clock.now())
        await services.store.empty_log()
        await asyncio.sleep(CLEAN_S)


async def look_through_file(services: Services) -> None:
    """Look once through a file that was opened without that; one that turns out to be damaged ends the bot."""
    await services.store.look_through()
    await asyncio.Event().wait()  # a worker never ends


async def collect_garbage() -> None:
    """Collect Python's garbage every few seconds, so that the process never stops for long.

    Python itself would look at all objects every few hundred presses, which takes a tenth of a second and more. Here
    those that have survived a collection are set aside: most belong to modules, tables and caches, and are freed without
    any collection when nothing refers to them. Once an hour all objects are looked at, for cycles among those set aside.
    """
    usual = gc.get_threshold()
    gc.set_threshold(*_YOUNG, _NEVER)
    try:
        while True:
            gc.unfreeze()
            for _ in range(int(WHOLE_COLLECTION_S / COLLECT_S)):
                gc.collect()
                gc.freeze()
                await asyncio.to_thread(give_back)
                await asyncio.sleep(COLLECT_S)
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


def share_pools() -> None:
    """Let all threads share a few pools of memory; call it before there are others. Only glibc knows of it.

    It keeps a pool for nearly every thread otherwise, and what one thread has freed is of no use to the others. Those of
    the six threads that draw took 160 MB, of which less than half was in use.
    """
    if (library := _glibc()) is not None:
        library.mallopt(_ARENA_MAX, _POOLS)


def give_back() -> None:
    """Give memory that is free back to the system. It takes some milliseconds."""
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


def _glibc() -> Any:
    """The C library where it has these calls, else None."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None
