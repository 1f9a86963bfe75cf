"""Connections that stay open, each with its own thread, which does all its work.

A trip to a thread costs more than most statements do. So a transaction is a function, which runs to its end in the thread.
"""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from functools import lru_cache, partial
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar, cast

import aiosqlite
from sqlalchemy import Connection, CursorResult, Dialect, Engine, Executable
from sqlalchemy.exc import DBAPIError

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


class _Text(NamedTuple):
    """A statement that returns no rows, as the driver takes it."""

    sql: str
    given: tuple[tuple[str, Callable[[Any], Any] | None], ...]
    """Each parameter by name, with the function that converts its value for storage, if there is one."""
    fixed: Mapping[str, Any]
    """The values that are part of the statement."""

    def values(self, row: Mapping[str, Any]) -> list[Any]:
        """The parameters for these values."""
        if self.fixed:
            row = {**self.fixed, **row}
        return [row[name] if stored is None else stored(row[name]) for name, stored in self.given]


_MOST_TEXTS: Final = 500
"""More than the store has such statements."""


@lru_cache(_MOST_TEXTS)
def _text(statement: Executable, names: tuple[str, ...], dialect: Dialect) -> _Text | None:
    """Compile a statement with parameters of these names; None if it needs more than a text and its values."""
    compiled: Any = cast("Any", statement).compile(dialect=dialect, column_keys=list(names))
    if compiled.post_compile_params or compiled.effective_returning:
        return None
    given = tuple(
        (name, compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect))
        for name in compiled.positiontup or ()
    )
    fixed = {name: value for name, value in compiled.params.items() if name not in names}
    return _Text(str(compiled), given, fixed)


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

    def change(self, call: Call) -> None:
        """Run a statement whose result is not needed.

        A constant statement goes to the driver as a text, at a fifth of the cost.
        """
        first = call.rows if isinstance(call.rows, Mapping) else next(iter(call.rows or ()), None)
        text = None if first is None else _text(call.statement, tuple(first), self._engine.dialect)
        if text is None:
            self.execute(call)
            return
        if not self.driver.in_transaction:
            raise StoreUnavailableError("an error has undone the transaction")
        changed = self._run_text(text, call.rows)
        if call.expected is not None and changed != call.expected.changed:
            raise call.expected.error

    def _run_text(self, text: _Text, rows: Any) -> int:
        """Run a statement once, or for each of many rows. Return the number of changed rows."""
        driver = self.driver
        try:
            if isinstance(rows, Mapping):
                return driver.execute(text.sql, text.values(cast("Mapping[str, Any]", rows))).rowcount
            return driver.executemany(text.sql, [text.values(row) for row in rows]).rowcount
        except sqlite3.Error as error:  # named as SQLAlchemy names it, without the values
            raise DBAPIError.instance(
                text.sql, None, error, sqlite3.Error, hide_parameters=True, dialect=self._engine.dialect
            ) from error

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
    """Run the function of a transaction to its end. Raises RuntimeError if it waits for anything but the database."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    work.close()
    raise RuntimeError("a transaction may wait for nothing but its own statements")


class ThreadLease(Lease):
    """A connection for a function that runs in its thread, where every await returns at once."""

    __slots__ = ("_thread",)

    def __init__(self, thread: ConnectionThread) -> None:
        super().__init__()
        self._thread = thread

    def note(self, call: Call) -> None:
        """Run a statement whose result is not needed."""
        self._use()
        self._thread.change(call)

    async def execute(self, call: Call) -> CursorResult[Any]:
        """Run a statement."""
        self._use()
        return self._thread.execute(call)


class _HeldLease(ThreadLease):
    """A connection for a block of the event loop: each question is a trip to its thread."""

    __slots__ = ()

    async def execute(self, call: Call) -> CursorResult[Any]:
        """Run a statement."""
        self._use()
        return await self._thread.run(self._thread.execute, call)


@asynccontextmanager
async def held(engine: Engine, how: str) -> AsyncGenerator[Lease, None]:
    """One transaction for the time of the block, on a connection of its own: for a process that has no store."""
    thread = ConnectionThread(engine)
    lease = _HeldLease(thread)
    try:
        await thread.run(thread.begin, how)
        yield lease
        await thread.run(thread.commit)
    finally:
        lease.end()
        await thread.close()
