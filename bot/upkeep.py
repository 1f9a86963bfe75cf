"""Background tasks of the bot's process: heartbeat, clock, expired data and garbage collection."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from bot.memory import give_back
from bot.services import Services
from data.errors import StoreUnavailableError

REST_S = 5.0

Work = Callable[[], Awaitable[None]]


class Workers:
    """Tasks that never end normally. If one ends, `on_failure` is called."""

    def __init__(self, on_failure: Callable[[], None]) -> None:
        self._on_failure = on_failure
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, name: str, work: Work) -> asyncio.Task[None]:
        """Run `work` forever; returns its task."""
        task = asyncio.create_task(self._keep(name, work), name=name)
        task.add_done_callback(self._ended)
        self._tasks[name] = task
        return task

    async def stop(self, *names: str) -> None:
        """Stop these workers, or all of them."""
        tasks = [task for name, task in self._tasks.items() if not names or name in names]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep(self, name: str, work: Work) -> None:
        """Keep a worker running. It pauses while the store refuses, for example because the disk is full."""
        while True:
            try:
                await work()
            except StoreUnavailableError:
                log.exception("worker.store_unavailable", worker=name)
                await asyncio.sleep(REST_S)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            return
        log.critical("worker.ended", worker=task.get_name(), exc_info=task.exception())
        self._on_failure()


HEARTBEAT_S = 5
CLEAN_S = 3600
COLLECT_S = 15
WHOLE_COLLECTION_S = 600
MOST_GROWTH = 1.1
"""By how much the objects that were set aside may grow before all are scanned."""
_YOUNG: Final = 3_000, 3
"""The thresholds of Python's garbage collection. One press makes more objects than Python's usual 700."""
_NEVER: Final = 1_000_000

log = structlog.get_logger(__name__)


async def heartbeat(services: Services) -> None:
    """Record regularly that the bot is alive and what its messages have attached.

    This happens every few seconds. The bot also follows the machine's clock after it was set, and credits the
    time in which it stood still, or which the store refused to take before.
    """
    while True:
        await asyncio.sleep(HEARTBEAT_S)
        if moved := services.clock.follow():
            log.warning("clock.jumped", by_ms=moved)
            await services.outages.clock_moved(moved)
        refusal: StoreUnavailableError | None = None
        try:
            # A process that stood still may have lost shards, and must not note them.
            await services.store.mark()
        except StoreUnavailableError as error:  # clocks need no mark
            refusal = error
        await services.outages.settle()
        await services.outages.note_alive()
        if refusal is not None:
            raise refusal
        await services.attached.save()
        await take_named(services)


async def take_named(services: Services) -> None:
    """Take the configured shards that this process lacks; raises StoreLockedError if another process has one.

    If only the database connection was lost, Discord's own connections still exist. Other shards wait for theirs.
    """
    missing = (services.settings.shard_ids or frozenset()) - services.shards.held
    await services.shards.take_all(missing)
    for shard in filter(services.outages.reaches, sorted(missing)):
        await services.outages.ended(shard)


async def clean(services: Services) -> float:
    """Remove expired data; of several processes only one does. Returns how long to rest, in seconds."""
    if services.shards.owns(None):
        await services.store.write(lambda db: db.forget_old(services.clock.now()))
        await services.store.empty_log()
        if services.store.press_line is not None:
            await services.store.press_line.forget_old()
    return CLEAN_S


async def look_through_file(services: Services) -> None:
    """Check a file that was opened without a full check. If it is damaged, the bot ends."""
    await services.store.look_through()
    await asyncio.Event().wait()  # a worker never ends


async def collect_garbage() -> None:
    """Collect Python's garbage every few seconds, so that the process never stops for long.

    Python itself would scan all objects every few hundred presses, which takes a tenth of a second and more.
    Here objects that have survived a collection are set aside: most belong to modules, tables and caches, and
    are freed by reference counting. Every ten minutes, or after they have grown by a tenth, all objects are
    scanned for cycles among them, such as old messages with their buttons.
    """
    usual = gc.get_threshold()
    gc.set_threshold(*_YOUNG, _NEVER)
    try:
        while True:
            gc.unfreeze()
            count = _collect()
            most, left_s = count * MOST_GROWTH, WHOLE_COLLECTION_S
            while left_s > 0 and count < most:
                await asyncio.to_thread(give_back)
                await asyncio.sleep(COLLECT_S)
                left_s -= COLLECT_S
                count = _collect()
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


def _collect() -> int:
    """Collect the garbage that is not set aside, and set the rest aside; returns how many objects are set aside."""
    gc.collect()
    gc.freeze()
    return gc.get_freeze_count()
