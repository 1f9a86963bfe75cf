"""Connections that stay open, each with a thread of its own, lent to one transaction at a time.

A trip to a thread costs more than most statements do. So a transaction begins on the way of its first statement,
several statements can share a trip, and nobody waits for the end of a transaction that only read. What a transaction
writes without needing an answer is noted, and runs on the way of its next statement or of its commit.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar, cast

import aiosqlite
from sqlalchemy import Connection, CursorResult, Engine, Executable

from data.cancellation import to_the_end
from data.errors import StoreBusyError, StoreUnavailableError
from data.session import Call, Lease, Noted

_Work = tuple[asyncio.Future[Any] | None, Callable[[], Any]]


T = TypeVar("T")


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


PATIENCE_S = 30
"""How long a transaction waits for a connection."""


class Link:
    """One connection, and the thread in which all its work is done, in the order in which it was asked for."""

    def __init__(self, engine: Engine, begin: str) -> None:
        self._engine = engine
        self._begin = begin
        self._thread: ConnectionThread | None = None
        self._connection: Connection | None = None
        self._begun = False

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Do this in the thread, to its end even if the task that waits for it is cancelled."""
        thread = self._thread
        if thread is None or self._connection is None:
            thread = await to_the_end(self._reopen())
        return await thread.run(work, *args)

    def forget(self) -> None:
        """Undo the transaction in the thread, and don't wait for that."""
        if self._thread is not None:
            self._thread.run_unheard(self._forget)

    async def close(self) -> None:
        """Close the connection when all its work is done."""
        if self._thread is not None:
            await self._thread.run(self._disconnect)
            await self._thread.close()
            self._thread = None

    async def _reopen(self) -> ConnectionThread:
        """Open the connection, for the first time or after it had to be closed."""
        await self.close()
        thread = ConnectionThread(self._connect)
        await thread.open()
        self._thread = thread
        return thread

    # All that follows is to be run in the thread.

    def driver(self) -> Any:
        """The connection of the driver; raises StoreUnavailableError if it had to be closed."""
        return self._connected().connection.driver_connection

    def execute(self, noted: Noted, *calls: Call) -> list[CursorResult[Any]]:
        """Run what was noted and then these statements, in the transaction, which begins now unless it has.

        Where something noted fails, the whole transaction is undone: nobody else knows what was not run.
        """
        driver = self.driver()
        if not self._begun:
            driver.execute(self._begin)
            self._begun = True
        elif not driver.in_transaction:
            raise StoreUnavailableError("an error has undone the transaction")
        try:
            while noted:
                self._call(noted.popleft())
        except BaseException:
            driver.rollback()
            raise
        return [self._call(call) for call in calls]

    def build(self, noted: Noted, build: Callable[..., T], *statements: Executable) -> T:
        """Run what was noted; then what a function makes of the rows of statements."""
        return build(*(result.all() for result in self.execute(noted, *map(Call, statements))))

    def finish(self, noted: Noted) -> None:
        """Run what was noted, after which only the commit is left; where that fails, nothing of the transaction is kept."""
        try:
            self.execute(noted)
        except BaseException:
            self.rollback()
            raise

    def commit(self) -> None:
        """End the transaction and keep what it did; where that fails, nothing of it is kept."""
        try:
            self.driver().execute("COMMIT")
        except BaseException:
            self.rollback()
            raise
        self._begun = False

    def rollback(self) -> None:
        """End the transaction, if it has begun, and undo what it did."""
        self._begun = False
        try:
            self.driver().rollback()
        except BaseException:  # then closing it is the end
            self._disconnect()
            raise

    def _call(self, call: Call) -> CursorResult[Any]:
        return call.check(self._connected().execute(call.statement, call.rows))

    def _forget(self) -> None:
        with suppress(Exception):  # then the connection was closed
            self.rollback()

    def _connect(self) -> Any:
        """Open the connection; what the driver knows of it."""
        self._connection = self._engine.connect()
        return self.driver()

    def _connected(self) -> Connection:
        if self._connection is None:
            raise StoreUnavailableError("the connection to the database was closed after an error")
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


class LinkLease(Lease):
    """A connection for the time of one transaction."""

    __slots__ = ("_link",)

    def __init__(self, link: Link) -> None:
        super().__init__()
        self._link = link

    async def execute(self, *calls: Call) -> list[CursorResult[Any]]:
        """Run statements one after the other in one trip to the thread; their results are fetched already."""
        return await self._run(self._link.execute, *calls)

    async def build(self, build: Callable[..., T], *statements: Executable) -> T:
        """What a function makes of the rows of these statements, a list for each; it runs in the thread."""
        return await self._run(self._link.build, build, *statements)

    async def _run(self, work: Callable[..., T], *args: Any) -> T:
        self._use()
        return await self._link.run(work, self.noted, *args)


class Pool:
    """The connections of one engine. Transactions get them in the order in which they asked."""

    def __init__(self, engine: Engine, begin: str, size: int) -> None:
        self.engine = engine
        self._links = [Link(engine, begin) for _ in range(size)]
        self._idle = [*self._links]
        self._free = asyncio.Semaphore(size)
        self._waiting = 0

    @property
    def is_wanted(self) -> bool:
        """Whether a transaction waits for a connection."""
        return self._waiting > 0

    @asynccontextmanager
    async def lend(self) -> AsyncGenerator[Link, None]:
        """A connection for the time of the block; raises StoreUnavailableError if none comes free for long."""
        await self._wait()
        link = self._idle.pop()
        try:
            yield link
        finally:
            self._idle.append(link)
            self._free.release()

    async def close(self) -> None:
        """Close all connections; none may be lent."""
        for link in self._links:
            await link.close()
        self.engine.dispose()

    async def _wait(self) -> None:
        if not self._free.locked():
            await self._free.acquire()
            return
        self._waiting += 1
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._free.acquire()
        except TimeoutError:
            raise StoreBusyError("too many are waiting for the database") from None
        finally:
            self._waiting -= 1
