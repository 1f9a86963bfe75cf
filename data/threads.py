"""A thread that does one thing after the other for tasks of the event loop."""

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class _Promise(asyncio.Future[T]):
    """The result of work that can't be broken off: a task that is cancelled meanwhile learns of it when the work is done."""

    def cancel(self, msg: Any | None = None) -> bool:  # noqa: ARG002 - the signature of a future
        """Refuse. The task then raises CancelledError in place of the result."""
        return False


class WorkerThread:
    """Does what it is asked to in the order in which it was asked.

    Half as dear as an executor with one thread, whose futures take two more rounds of the event loop.
    """

    def __init__(self, name: str) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        threading.Thread(target=self._serve, name=name, daemon=True).start()

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """What `work` returns or raises. It is done to its end even if the task that waits for it is cancelled."""
        promise = _Promise[T]()
        loop = asyncio.get_running_loop()

        def fulfil() -> None:
            try:
                result = work(*args)
            except BaseException as error:  # noqa: BLE001 - raised where it is awaited
                loop.call_soon_threadsafe(promise.set_exception, error)
            else:
                loop.call_soon_threadsafe(promise.set_result, result)

        self._work.put(fulfil)
        return await promise

    def run_unheard(self, work: Callable[[], None]) -> None:
        """Do this and don't wait for it. It may raise nothing."""
        self._work.put(work)

    def end(self) -> None:
        """End the thread when all its work is done."""
        self._work.put(None)

    def _serve(self) -> None:
        while work := self._work.get():
            work()
