"""The background tasks that run as long as the bot does."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from data.errors import StoreUnavailableError

REST_S = 5.0

log = structlog.get_logger(__name__)

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
        """Keep a worker running. If the store refuses for a while, for example on a full disk, the worker pauses."""
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
