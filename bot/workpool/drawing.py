"""Draw in a separate process while there is much to draw, because all threads of the bot share one core.

Occasional pictures are drawn in a thread, which costs nothing else. When many pictures are needed within a
short time, a process is started; it ends when they become few.
"""

import asyncio
import os
import pickle
from collections import deque
from collections.abc import Callable
from typing import Final, TypeVar, TypeVarTuple

import structlog

from bot.workpool.worker import Worker, WorkerDiedError
from render.drawing.memory import forget_sprites
from render.words import in_language, spoken

BUSY_COUNT: Final = 64
BUSY_S: Final = 4.0
"""The time, in seconds, within which `BUSY_COUNT` pictures make a process worth starting."""
QUIET_S: Final = 60.0
"""The time, in seconds, beyond which that number of pictures no longer justifies the process."""
MOST_WAITING: Final = 16
"""The backlog at which a thread helps the process."""
_NICENESS: Final = 0
"""The niceness of the process: none, because a person waits for every picture."""

T = TypeVar("T")
Args = TypeVarTuple("Args")

log = structlog.get_logger(__name__)


class Drawing:
    """Runs functions that draw, in a thread or in the process."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._starting: asyncio.Task[None] | None = None
        self._asked_at: deque[float] = deque(maxlen=BUSY_COUNT)
        """The times of the last requests, by the loop's clock."""

    async def run(self, function: Callable[[*Args], T], *args: *Args) -> T:
        """Run a function in the current language and return its result; raises what it raises.

        Function, arguments and result must be picklable, and the function must not depend on state of this
        process.
        """
        worker = self._process(function)
        if worker is not None:
            try:
                return await worker.run(pickle.dumps((in_language, (spoken(), function, *args))))
            except WorkerDiedError:
                log.warning("drawing.died")
        return await asyncio.to_thread(function, *args)

    def renew(self) -> None:
        """Let the process end when its work is done, so that nothing it remembers is kept."""
        if self._worker is not None:
            self._worker.retire()

    async def close(self) -> None:
        """End the process at once."""
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.wait([self._starting])
        if self._worker is not None:
            await self._worker.close()

    def _process(self, function: Callable[..., object]) -> Worker | None:
        """Return the process if it runs and has capacity; start it if many pictures are needed."""
        now = asyncio.get_running_loop().time()
        self._asked_at.append(now)
        took = now - self._asked_at[0] if len(self._asked_at) == BUSY_COUNT else None
        worker = self._worker
        if worker is not None and worker.is_open:
            if took is None or took < QUIET_S:
                return worker if worker.load < MOST_WAITING else None
            worker.retire()
        many = took is not None and took < BUSY_S
        if many and self._starting is None and (os.cpu_count() or 1) > 1:
            self._starting = asyncio.create_task(self._start(function), name="start drawing")
        return None

    async def _start(self, function: Callable[..., object]) -> None:
        """Start the process, and let it load all modules that it needs before anyone waits for it."""
        try:
            worker = await Worker.start(_NICENESS)
            try:
                await worker.run(pickle.dumps((repr, (function,))))
            except BaseException:
                await worker.close()
                raise
            self._worker = worker
            forget_sprites()  # the other process has them from now on, so they need not take up room twice
        except (OSError, WorkerDiedError):
            log.exception("drawing.not_started")
        finally:
            self._asked_at.clear()
            self._starting = None
