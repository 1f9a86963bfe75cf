"""The thread of a database connection, and what may be asked of it."""

import asyncio
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar, cast

import aiosqlite

T = TypeVar("T")

_Work = tuple[asyncio.Future[Any] | None, Callable[[], Any]]


class _Promise(asyncio.Future[T]):
    """The result of work that can't be broken off: a task that is cancelled meanwhile learns of it when the work is done."""

    def cancel(self, msg: Any | None = None) -> bool:  # noqa: ARG002 - the signature of a future
        """Refuse. The task then raises CancelledError in place of the result."""
        return False


class ConnectionThread(aiosqlite.Connection):
    """A connection of aiosqlite, in whose thread whole pieces of work can run.

    aiosqlite makes a trip to the thread for every call of the driver. A trip costs more than most statements do, so
    here several statements share one. `open` it once, and close it in the end.
    """

    def __init__(self, connect: Callable[[], Any]) -> None:
        super().__init__(connect, iter_chunk_size=64)
        self._work = cast("SimpleQueue[_Work]", self._tx)  # pyright: ignore[reportUnknownMemberType]
        self._thread.daemon = True  # a program that ends in a fault does not wait for it

    async def open(self) -> None:
        """Open the connection; raises what connecting raises, and then the thread has ended."""
        try:
            await self
        except BaseException:
            await asyncio.to_thread(self._thread.join)
            raise

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """What `work` returns or raises. It is done to its end even if the task that waits for it is cancelled."""
        promise = _Promise[T]()
        self._work.put((promise, partial(work, *args)))
        return await promise

    def run_unheard(self, work: Callable[[], None]) -> None:
        """Do this and don't wait for it. It may raise nothing."""
        self._work.put((None, work))
