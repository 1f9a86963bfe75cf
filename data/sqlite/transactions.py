"""Schedule transactions: one at a time writes, and a few read in snapshots at the same time.

A transaction is a function, which runs in the thread of the connection, or a block of the event loop, which borrows the
connection. Functions that wait at the same time share one commit. Each has a savepoint, so if one raises, only that one is
undone. A block has its own commit.

SQLite synchronises the log with the disk in every commit (`synchronous=FULL`) and shows the commit to readers only
afterwards. So no one learns of a commit before it is durable.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from contextvars import copy_context
from pathlib import Path
from typing import Any, Final, TypeVar

from data.errors import StoreBusyError, StoreDamagedError, StoreUnavailableError
from data.session import Lease
from data.sqlite import engines
from data.sqlite.connections import BlockLease, ConnectionThread, ThreadLease, driven
from data.sqlite.engines import named_faults

T = TypeVar("T")
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
    """The turn of a transaction. It cannot be cancelled once it has begun: the task then raises CancelledError at its end."""

    def __init__(self, work: Work[Any] | None = None, committing: Committing = ExitStack) -> None:
        super().__init__()
        self.work = work
        """The function; None for a block."""
        self.committing = committing
        self.context = copy_context()
        """The function sees the context of its caller, such as the language."""
        self.commit = ExitStack()
        """The contexts that are open during the commit."""
        self.has_begun = False
        self.value: Any = None
        self.error: BaseException | None = None

    def cancel(self, msg: Any | None = None) -> bool:
        """Give up the turn, unless it has begun; then the task raises CancelledError instead of returning the result."""
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
        self._is_taken = False
        self._serving: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Close the connection; nobody may be writing any more."""
        await self._thread.close()
        self.engine.dispose()

    def check(self) -> None:
        """Raise StoreDamagedError after a commit that the disk did not take.

        Then nothing is certain: a later commit can seem to succeed, and readers can see what is on no disk.
        """
        if self._fault is not None:
            raise StoreDamagedError(self._fault)

    async def write(self, work: Work[T], committing: Committing) -> T:
        """Run a function in the thread and return its result once it is durable; raises what it raises.

        `committing` is entered in the thread.
        """
        return await self._take(_Turn(work, committing))

    @asynccontextmanager
    async def block(self, committing: Committing) -> AsyncGenerator[Lease, None]:
        """One transaction: durable when the block is left, undone when it raises. It is committed within `committing()`."""
        async with self.lend() as thread:
            lease = BlockLease(thread, engines.WRITE)
            try:
                yield lease
            except BaseException:
                if lease.end():
                    await thread.run(thread.rollback)
                raise
            if lease.end():

                def end() -> None:
                    lease.finish()
                    self._commit()

                with committing():
                    await self.commit(end)

    @asynccontextmanager
    async def lend(self) -> AsyncGenerator[ConnectionThread, None]:
        """The connection for the time of the block; raises StoreBusyError if it does not come free for long."""
        turn = _Turn()
        try:
            await self._take(turn)
            yield self._thread
        finally:
            if turn.has_begun:
                self._give_back()

    async def commit(self, work: Callable[[], T]) -> T:
        """Run in the thread work that ends with a commit."""

        def commit() -> T:
            return self._unless_damaged(work)

        return await self._thread.run(commit)

    async def _take(self, turn: _Turn) -> Any:
        self._waiting.append(turn)
        self._advance()
        if turn.done():
            return turn.result()
        patience = asyncio.get_running_loop().call_later(PATIENCE_S, _give_up, turn)
        try:
            return await turn
        finally:
            patience.cancel()

    def _advance(self) -> None:
        """Give the connection to the next turn, unless it is taken."""
        if self._is_taken or not self._next():
            return
        self._is_taken = True
        if self._waiting[0].work is None:
            turn = self._waiting.popleft()
            turn.has_begun = True
            turn.end()
        else:
            self._serving = asyncio.create_task(self._serve())

    def _next(self) -> bool:
        """Whether a turn is waiting."""
        while self._waiting and self._waiting[0].done():
            self._waiting.popleft()
        return bool(self._waiting)

    def _give_back(self) -> None:
        self._is_taken = False
        self._advance()

    async def _serve(self) -> None:
        """Run functions until the next turn is a block or none. Those that wait at the same time share a commit."""
        try:
            while batch := self._batch():
                taken = len(batch)
                try:
                    taken = await self.commit(lambda batch=batch: self._run(batch))
                except BaseException as error:  # noqa: BLE001 - each of them raises it
                    for turn in batch:
                        turn.error = turn.error or error
                for turn in batch[taken:]:
                    turn.has_begun = False
                self._waiting.extendleft(reversed(batch[taken:]))
                for turn in batch[:taken]:
                    turn.end()
        finally:
            self._give_back()

    def _batch(self) -> list[_Turn]:
        batch = list[_Turn]()
        while len(batch) < MOST_AT_ONCE and self._next() and self._waiting[0].work is not None:
            turn = self._waiting.popleft()
            turn.has_begun = True
            batch.append(turn)
        return batch

    # All that follows runs in the thread.

    def _run(self, batch: Sequence[_Turn]) -> int:
        """Run functions, each in a savepoint, and commit those that did not raise. Return how many were taken."""
        thread, until, taken = self._thread, time.monotonic() + LONGEST_S, 0
        thread.begin(engines.WRITE)
        execute = thread.driver.execute
        try:
            for turn in batch:
                if taken and time.monotonic() > until:
                    break
                taken += 1
                execute("SAVEPOINT work")
                try:
                    turn.value = turn.context.run(self._driven, turn.work)
                except BaseException as error:  # noqa: BLE001 - it is raised where the function is awaited
                    turn.error = error
                    if not thread.driver.in_transaction:  # as after SQLITE_FULL
                        undone = StoreUnavailableError("an error has undone the transaction")
                        for other in batch[:taken]:
                            other.error = other.error or undone
                        return taken
                    execute("ROLLBACK TO work")
                execute("RELEASE work")
            for turn in batch[:taken]:
                if turn.error is None:
                    turn.commit.enter_context(turn.committing())
        except BaseException:
            thread.rollback()
            raise
        self._commit()
        return taken

    def _driven(self, work: Work[T] | None) -> T:
        if work is None:
            raise TypeError("a block is no function")
        lease = ThreadLease(self._thread)
        try:
            return driven(work(lease))
        finally:
            lease.end()

    def _unless_damaged(self, work: Callable[[], T]) -> T:
        """Run the work, unless an earlier commit failed."""
        try:
            self.check()
        except StoreDamagedError:
            self._thread.rollback()
            raise
        return work()

    def _commit(self) -> None:
        try:
            with named_faults():
                self._check_log()  # a commit to a log that is gone is not shown to readers
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
        """Close all connections; nobody may be reading any more."""
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
            self._give_back(thread)

    @asynccontextmanager
    async def block(self) -> AsyncGenerator[Lease, None]:
        """One snapshot, taken at the first statement of the block."""
        await self._wait()
        thread = self._idle.pop()
        lease = BlockLease(thread, engines.READ)
        try:
            yield lease
        finally:
            if lease.end():
                thread.run_unheard(thread.forget)
            self._give_back(thread)

    def _give_back(self, thread: ConnectionThread) -> None:
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
