"""Schedule transactions: one at a time writes, and a few read in snapshots at the same time.

A transaction is a function, which runs to its end in the thread of the connection. Functions that wait for the writer at the
same time share one commit. Each has a savepoint, so if one raises, only that one is undone.

SQLite synchronises the log with the disk in every commit (`synchronous=FULL`) and shows the commit to readers only
afterwards. So no one learns of a commit before it is durable.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractContextManager, ExitStack
from contextvars import copy_context
from pathlib import Path
from typing import Any, Final, TypeVar

from data.errors import StoreBusyError, StoreDamagedError, StoreUnavailableError
from data.session import Lease
from data.sqlite import engines
from data.sqlite.connections import ConnectionThread, ThreadLease, driven
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
        """What `work` makes of the driver's connection, between two transactions."""
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

    # All that follows runs in the thread.

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
        """Run functions, until it has taken long. Return how many were run."""
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
        """Run a function; if it raises, undo what it did. One that is alone needs no savepoint."""
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
