"""Connections, each with its own thread, and the transactions in them: one at a time writes, and a few read in snapshots at the same time.

A trip to a thread costs more than most statements do. So a transaction is a function, which runs to its end in the thread of the
connection. Functions that wait for the writer at the same time share one commit. Each has a savepoint, so if one raises, only that
one is undone.

SQLite synchronises the log with the disk in every commit (`synchronous=FULL`) and shows the commit to readers only
afterwards. So no one learns of a commit before it is durable.
"""

import asyncio
import sqlite3
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, suppress
from contextvars import copy_context
from functools import lru_cache, partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar, cast

import aiosqlite
from sqlalchemy import Connection, CursorResult, Dialect, Engine, Executable
from sqlalchemy.exc import DBAPIError

from data.errors import StoreBusyError, StoreDamagedError, StoreUnavailableError
from data.session import Call, Lease
from data.sqlite import engines
from data.sqlite.engines import named_faults

_Work = tuple[asyncio.Future[Any] | None, Callable[[], Any]]


T = TypeVar("T")


class _Promise(asyncio.Future[T]):
    """The result of work that can't be interrupted: a cancelled task is notified when the work is done."""

    def cancel(self, msg: Any | None = None) -> bool:  # noqa: ARG002 - the signature of a future
        """Refuse. The task then raises CancelledError instead of returning the result."""
        return False


class _Thread(aiosqlite.Connection):
    """An aiosqlite connection whose thread can run whole functions."""

    def __init__(self, connect: Callable[[], Any]) -> None:
        super().__init__(connect, iter_chunk_size=64)
        self.work = cast("SimpleQueue[_Work]", self._tx)  # pyright: ignore[reportUnknownMemberType]
        self._thread.daemon = True  # a program that crashes does not wait for it

    async def open(self) -> None:
        """Open the connection; raises what connecting raises, after ending the thread."""
        try:
            await self
        except BaseException:
            await asyncio.to_thread(self._thread.join)
            raise


class _Text(NamedTuple):
    """A statement that returns no rows, in the driver's form."""

    sql: str
    given: tuple[tuple[str, Callable[[Any], Any] | None], ...]
    """Each parameter by name, with the function that converts its value for storage, if any."""
    fixed: Mapping[str, Any]
    """The values that belong to the statement."""

    def values(self, row: Mapping[str, Any]) -> list[Any]:
        """Return the parameters for these values."""
        if self.fixed:
            row = {**self.fixed, **row}
        return [row[name] if stored is None else stored(row[name]) for name, stored in self.given]


_MOST_TEXTS: Final = 500
"""More than the number of such statements in the store."""


@lru_cache(_MOST_TEXTS)
def _text(statement: Executable, names: tuple[str, ...], dialect: Dialect) -> _Text | None:
    """Compile a statement with parameters of these names; return None if it needs more than text and values."""
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
    """A connection to the file and the thread that does its work, in the order of the requests."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread: _Thread | None = None
        self._connection: Connection | None = None

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Return or raise what `work` does. It runs to its end even if the awaiting task is cancelled."""
        thread = self._thread or await self._open()
        promise = _Promise[T]()
        thread.work.put((promise, partial(work, *args)))
        return await promise

    def run_unheard(self, work: Callable[[], None]) -> None:
        """Run `work` without waiting for it. It must not raise."""
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

    # Everything below runs in the thread.

    @property
    def driver(self) -> Any:
        """The driver's connection; raises StoreUnavailableError if it had to be closed."""
        return self._connected().connection.driver_connection

    def begin(self, how: str) -> None:
        """Begin a transaction; reopen a connection that had to be closed."""
        if self._connection is None:
            self._connect()
        self.driver.execute(how)

    def execute(self, call: Call) -> CursorResult[Any]:
        """Run a statement in the transaction and return its result, already fetched."""
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
        except sqlite3.Error as error:  # named as in SQLAlchemy, without the values
            raise DBAPIError.instance(
                text.sql, None, error, sqlite3.Error, hide_parameters=True, dialect=self._engine.dialect
            ) from error

    def commit(self) -> None:
        """Commit the transaction; if that fails, all its changes are undone."""
        try:
            self.driver.execute("COMMIT")
        except BaseException:
            self.rollback()
            raise

    def rollback(self) -> None:
        """End the transaction, if there is one, and undo its changes."""
        if self._connection is None:
            return
        try:
            self.driver.rollback()
        except BaseException:  # then the connection is closed
            self._disconnect()
            raise

    def forget(self) -> None:
        """End the transaction of a reader; if that fails, the connection is closed."""
        with suppress(Exception):
            self.rollback()

    def _connect(self) -> Any:
        """Open the connection and return the driver's."""
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
    """Run a transaction's function to its end; raises RuntimeError if it awaits anything but the database."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    work.close()
    raise RuntimeError("a transaction may wait for nothing but its own statements")


class ThreadLease(Lease):
    """A connection for a function that runs in its thread, in which every await returns at once."""

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
    """A connection for a block of the event loop: each statement is a trip to its thread."""

    __slots__ = ()

    async def execute(self, call: Call) -> CursorResult[Any]:
        """Run a statement."""
        self._use()
        return await self._thread.run(self._thread.execute, call)


@asynccontextmanager
async def held(engine: Engine, how: str) -> AsyncGenerator[Lease, None]:
    """Yield one transaction on its own connection, for a process that has no store."""
    thread = ConnectionThread(engine)
    lease = _HeldLease(thread)
    try:
        await thread.run(thread.begin, how)
        yield lease
        await thread.run(thread.commit)
    finally:
        lease.end()
        await thread.close()


Work = Callable[[Lease], Coroutine[Any, Any, T]]
"""A transaction as a function."""
Committing = Callable[[], AbstractContextManager[object]]

PATIENCE_S = 30
"""How long a transaction waits for a connection, in seconds."""
MOST_AT_ONCE: Final = 64
"""The most functions that share a commit."""
LONGEST_S: Final = 0.02
"""After this many seconds, a commit takes no further function."""


class _Turn(asyncio.Future[Any]):
    """The turn of a transaction.

    It cannot be cancelled once it has begun: the task then raises CancelledError at its end.
    """

    def __init__(self, work: Work[Any], committing: Committing) -> None:
        super().__init__()
        self.work = work
        self.committing = committing
        self.context = copy_context()
        """The function sees the context of its caller, such as the language."""
        self.commit = ExitStack()
        """The contexts that are open during the commit."""
        self.has_begun = False
        self.has_written = False
        """Whether it has run any statement."""
        self.value: Any = None
        self.error: BaseException | None = None

    def cancel(self, msg: Any | None = None) -> bool:
        """Cancel the turn unless it has begun; in that case the task raises CancelledError at its end."""
        return not self.has_begun and super().cancel(msg)

    def end(self) -> None:
        """Wake the waiting task."""
        self.commit.close()
        if self.error is not None:
            self.set_exception(self.error)
        else:
            self.set_result(self.value)


class Writer:
    """The only connection that writes. Transactions get it in the order in which they asked."""

    def __init__(self, path: Path) -> None:
        self.engine = engines.writer(path)
        self._thread = ConnectionThread(self.engine)
        self._log = path.with_name(path.name + "-wal")
        self._known_log: tuple[object, int] | None = None
        """The last connection used, and the inode of its log."""
        self._fault: str | None = None
        self._waiting: deque[_Turn] = deque()
        self._serving: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Close the connection; no one may be writing any more."""
        await self._thread.close()
        self.engine.dispose()

    def check(self) -> None:
        """Raise StoreDamagedError after a commit that the disk did not accept.

        Then nothing is certain: a later commit can seem to succeed, and readers can see data that is on no
        disk.
        """
        if self._fault is not None:
            raise StoreDamagedError(self._fault)

    async def write(self, work: Work[T], committing: Committing) -> T:
        """Run a function in the thread and return its result once it is durable; raises what it raises.

        `committing` is entered in the thread. Raises StoreBusyError if others take too long.
        """
        turn = _Turn(work, committing)
        self._waiting.append(turn)
        if self._serving is None:
            self._serving = asyncio.create_task(self._serve())
        patience = asyncio.get_running_loop().call_later(PATIENCE_S, _give_up, turn)
        try:
            return await turn
        finally:
            patience.cancel()

    async def run(self, work: Callable[[Any], T]) -> T:
        """Run `work` with the driver's connection between two transactions, and return its result."""
        return await self._thread.run(lambda: work(self._thread.driver))

    async def commit(self, batch: Sequence[_Turn]) -> int:
        """Run functions in the thread and commit those that did not raise. Return how many were taken."""
        return await self._thread.run(self._run, batch)

    async def _serve(self) -> None:
        """Run functions until none is left. Those that wait at the same time share a commit."""
        try:
            while batch := self._batch():
                taken = len(batch)
                try:
                    taken = await self.commit(batch)
                except BaseException as error:  # noqa: BLE001 - each of them raises it
                    for turn in batch:
                        turn.error = turn.error or error
                for turn in batch[taken:]:
                    turn.has_begun = False
                self._waiting.extendleft(reversed(batch[taken:]))
                for turn in batch[:taken]:
                    turn.end()
        finally:
            self._serving = None

    def _batch(self) -> list[_Turn]:
        batch = list[_Turn]()
        while self._waiting and len(batch) < MOST_AT_ONCE:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.has_begun = True
                batch.append(turn)
        return batch

    # Everything below runs in the thread.

    def _run(self, batch: Sequence[_Turn]) -> int:
        try:
            self.check()
            self._thread.begin(engines.WRITE)
            taken = self._take(batch)
            done = [turn for turn in batch[:taken] if turn.error is None]
            for turn in done:
                turn.commit.enter_context(turn.committing())
        except BaseException:
            self._thread.rollback()
            raise
        if any(turn.has_written for turn in done):
            self._commit()
        else:
            self._thread.rollback()
        return taken

    def _take(self, batch: Sequence[_Turn]) -> int:
        """Run functions until the time limit. Return how many were run."""
        until = time.monotonic() + LONGEST_S
        for taken, turn in enumerate(batch):
            if taken and time.monotonic() > until:
                return taken
            self._try(turn, is_alone=len(batch) == 1)
            if not self._thread.driver.in_transaction:  # as after SQLITE_FULL
                undone = StoreUnavailableError("an error has undone the transaction")
                for other in batch[: taken + 1]:
                    other.error = other.error or undone
                return taken + 1
        return len(batch)

    def _try(self, turn: _Turn, *, is_alone: bool) -> None:
        """Run a function and undo its changes if it raises. A single function needs no savepoint."""
        thread = self._thread
        if not is_alone:
            thread.driver.execute("SAVEPOINT work")
        try:
            turn.context.run(self._drive, turn)
        except BaseException as error:  # noqa: BLE001 - it is raised where the function is awaited
            turn.error = error
            if thread.driver.in_transaction and not is_alone:
                thread.driver.execute("ROLLBACK TO work")
        if thread.driver.in_transaction and not is_alone:
            thread.driver.execute("RELEASE work")

    def _drive(self, turn: _Turn) -> None:
        lease = ThreadLease(self._thread)
        try:
            turn.value = driven(turn.work(lease))
        finally:
            turn.has_written = lease.end()

    def _commit(self) -> None:
        try:
            with named_faults():
                self._check_log()  # readers do not see a commit to a log that is gone
                self._thread.commit()
                self._check_log()
        except StoreDamagedError as error:
            self._thread.rollback()
            self._fault = f"the disk did not take a commit: {error}"
            raise

    def _check_log(self) -> None:
        """Raise StoreDamagedError if the connection writes to a log that was removed or replaced."""
        driver = self._thread.driver
        try:
            number = self._log.stat().st_ino
        except FileNotFoundError:
            raise StoreDamagedError("its log was removed") from None
        if self._known_log is None or self._known_log[0] is not driver:
            self._known_log = driver, number
        if self._known_log[1] != number:
            raise StoreDamagedError("its log was replaced")


def _give_up(turn: _Turn) -> None:
    if not (turn.has_begun or turn.done()):
        turn.set_exception(StoreBusyError("too many are waiting for the database"))


class Readers:
    """The connections that read, each for one transaction at a time."""

    def __init__(self, path: Path, size: int) -> None:
        self.engine = engines.readers(path)
        self._threads = [ConnectionThread(self.engine) for _ in range(size)]
        self._idle = [*self._threads]
        self._free = asyncio.Semaphore(size)

    async def close(self) -> None:
        """Close all connections; no one may be reading any more."""
        for thread in self._threads:
            await thread.close()
        self.engine.dispose()

    async def read(self, work: Work[T]) -> T:
        """Run a function in the thread on one snapshot and return its result; raises what it raises."""
        context = copy_context()
        await self._wait()
        thread = self._idle.pop()
        try:
            return await thread.run(lambda: context.run(_read, thread, work))
        finally:
            self._idle.append(thread)
            self._free.release()

    async def _wait(self) -> None:
        if not self._free.locked():
            await self._free.acquire()
            return
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._free.acquire()
        except TimeoutError:
            raise StoreBusyError("too many are waiting for the database") from None


def _read(thread: ConnectionThread, work: Work[T]) -> T:
    lease = ThreadLease(thread)
    thread.begin(engines.READ)
    try:
        return driven(work(lease))
    finally:
        lease.end()
        thread.forget()
