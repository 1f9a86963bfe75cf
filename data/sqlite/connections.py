"""Connections that stay open, each with a thread of its own, in which all its work is done.

A trip to a thread costs more than most statements do. So a transaction that is a function runs to its end in the thread
(`ThreadLease`). One that is a block of the event loop (`BlockLease`) makes a trip for each question; what it writes without
needing an answer runs on the way of its next question or of its commit.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar, cast

import aiosqlite
from sqlalchemy import Connection, CursorResult, Engine

from data.errors import StoreUnavailableError
from data.session import Call, Lease

_Work = tuple[asyncio.Future[Any] | None, Callable[[], Any]]


T = TypeVar("T")


class _Promise(asyncio.Future[T]):
    """The result of work that can't be broken off: a task that is cancelled meanwhile learns of it when the work is done."""

    def cancel(self, msg: Any | None = None) -> bool:  # noqa: ARG002 - the signature of a future
        """Refuse. The task then raises CancelledError in place of the result."""
        return False


class _Thread(aiosqlite.Connection):
    """A connection of aiosqlite, in whose thread whole pieces of work can run."""

    def __init__(self, connect: Callable[[], Any]) -> None:
        super().__init__(connect, iter_chunk_size=64)
        self.work = cast("SimpleQueue[_Work]", self._tx)  # pyright: ignore[reportUnknownMemberType]
        self._thread.daemon = True  # a program that ends in a fault does not wait for it

    async def open(self) -> None:
        """Open the connection; raises what connecting raises, and then the thread has ended."""
        try:
            await self
        except BaseException:
            await asyncio.to_thread(self._thread.join)
            raise


class ConnectionThread:
    """A connection to the file, and the thread in which its work is done, in the order in which it was asked for."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread: _Thread | None = None
        self._connection: Connection | None = None

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """What `work` returns or raises. It is done to its end even if the task that waits for it is cancelled."""
        thread = self._thread or await self._open()
        promise = _Promise[T]()
        thread.work.put((promise, partial(work, *args)))
        return await promise

    def run_unheard(self, work: Callable[[], None]) -> None:
        """Do this and don't wait for it. It may raise nothing."""
        if self._thread is not None:
            self._thread.work.put((None, work))

    async def close(self) -> None:
        """Close the connection when all its work is done."""
        thread, self._thread = self._thread, None
        if thread is not None:
            promise = _Promise[None]()
            thread.work.put((promise, self._disconnect))
            await promise
            await thread.close()

    async def _open(self) -> _Thread:
        thread = _Thread(self._connect)
        await thread.open()
        self._thread = thread
        return thread

    # All that follows is to be run in the thread.

    @property
    def driver(self) -> Any:
        """The connection of the driver; raises StoreUnavailableError if it had to be closed."""
        return self._connected().connection.driver_connection

    def begin(self, how: str) -> None:
        """Begin a transaction; a connection that had to be closed is opened anew."""
        if self._connection is None:
            self._connect()
        self.driver.execute(how)

    def execute(self, call: Call) -> CursorResult[Any]:
        """Run a statement in the transaction; its result is fetched already."""
        if not self.driver.in_transaction:
            raise StoreUnavailableError("an error has undone the transaction")
        return call.check(self._connected().execute(call.statement, call.rows))

    def commit(self) -> None:
        """End the transaction and keep what it did; where that fails, nothing of it is kept."""
        try:
            self.driver.execute("COMMIT")
        except BaseException:
            self.rollback()
            raise

    def rollback(self) -> None:
        """End the transaction, if there is one, and undo what it did."""
        if self._connection is None:
            return
        try:
            self.driver.rollback()
        except BaseException:  # then closing it is the end
            self._disconnect()
            raise

    def forget(self) -> None:
        """Undo the transaction of somebody who only read; where that fails the connection is closed."""
        with suppress(Exception):
            self.rollback()

    def _connect(self) -> Any:
        """Open the connection; what the driver knows of it."""
        self._connection = self._engine.connect()
        return self.driver

    def _connected(self) -> Connection:
        if self._connection is None:
            raise StoreUnavailableError("the connection to the database was closed after an error")
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def driven(work: Coroutine[Any, Any, T]) -> T:
    """What a function of a transaction returns; nothing in it may wait for anything but the database."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    work.close()
    raise RuntimeError("a transaction may wait for nothing but its own statements")


class ThreadLease(Lease):
    """A connection for a function that runs in its thread: whatever it awaits is there at once."""

    __slots__ = ("_thread",)

    def __init__(self, thread: ConnectionThread) -> None:
        super().__init__()
        self._thread = thread

    def note(self, call: Call) -> None:
        """Run a statement whose result nobody needs."""
        self._use()
        self._thread.execute(call)

    async def execute(self, *calls: Call) -> list[CursorResult[Any]]:
        """Run statements one after the other."""
        self._use()
        return [self._thread.execute(call) for call in calls]

    async def build(self, build: Callable[..., T], *calls: Call) -> T:
        """What a function makes of the rows of these statements, a list for each."""
        return build(*(result.all() for result in await self.execute(*calls)))


class BlockLease(Lease):
    """A connection for a block of the event loop; its transaction begins on the way of its first statement."""

    __slots__ = ("_begin", "_has_begun", "_thread")

    def __init__(self, thread: ConnectionThread, begin: str) -> None:
        super().__init__()
        self._thread = thread
        self._begin = begin
        self._has_begun = False

    async def execute(self, *calls: Call) -> list[CursorResult[Any]]:
        """Run what was noted and then these statements in one trip to the thread; their results are fetched already."""
        self._use()
        return await self._thread.run(self._execute, *calls)

    async def build(self, build: Callable[..., T], *calls: Call) -> T:
        """What a function makes of the rows of these statements, a list for each; it runs in the thread."""
        self._use()
        return await self._thread.run(self._build, build, *calls)

    def finish(self) -> None:
        """In the thread: run what was noted, after which only the commit is left; where that fails, nothing is kept."""
        try:
            self._execute()
        except BaseException:
            self._thread.rollback()
            raise

    def _execute(self, *calls: Call) -> list[CursorResult[Any]]:
        """Where something noted fails, the whole transaction is undone: nobody else knows what was not run."""
        if not self._has_begun:
            self._thread.begin(self._begin)
            self._has_begun = True
        try:
            while self.noted:
                self._thread.execute(self.noted.popleft())
        except BaseException:
            self._thread.rollback()
            raise
        if not self._thread.driver.in_transaction:
            raise StoreUnavailableError("an error has undone the transaction")
        return [self._thread.execute(call) for call in calls]

    def _build(self, build: Callable[..., T], *calls: Call) -> T:
        return build(*(result.all() for result in self._execute(*calls)))
