"""One SQLite file, opened once: one connection writes, others read in snapshots."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import (
    AbstractAsyncContextManager,
    ExitStack,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from pathlib import Path
from typing import TypeVar

from sqlalchemy import text

from data.cancellation import to_the_end
from data.errors import StoreDamagedError, StoreUnavailableError
from data.files import FileLock, named_file_faults, real
from data.season_rows import SeasonCache
from data.session import Call, Lease, Scope
from data.sqlite import engines
from data.sqlite.engines import named_faults
from data.sqlite.integrity import MarkRepository, claim, look_through_beside, mark_file, note_closed
from data.sqlite.opening import prepare
from data.sqlite.transactions import Committing, Readers, Work, Writer, held

READERS = 4

T = TypeVar("T")


class SQLiteDatabase:
    """An open file, which no other process writes."""

    shard_locks = press_line = newsline = None
    """Discord delivers everything to this one process, and nobody else has anything to tell."""

    def __init__(self, path: Path, lock: FileLock, *, is_intact: bool) -> None:
        self.place = path
        self._lock = lock
        self._is_intact = is_intact
        """Whether the file was checked since, or just before, it was opened, and no fault was found since."""
        self._is_looking = False
        # SQLite has one writer. Readers have their own connections, so that they need not wait for it.
        self.writer = Writer(path)
        self.readers = Readers(path, READERS)

    @classmethod
    async def open(cls, path: Path, *, accept_loss: bool = False) -> "SQLiteDatabase":
        """Lock, check and migrate the file. A new file gets mode 600, a new directory 700.

        Links are resolved first, as in SQLite: the lock, the mark and the log are next to the file itself.
        Raises StoreLockedError, StoreDamagedError, StoreTooNewError or StoreLost, having changed nothing;
        StoreUnavailableError if the place can't be written. With `accept_loss` the file is opened without the
        missing part.
        """
        path = real(path)
        with named_file_faults():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = FileLock(path.with_name(path.name + ".lock"))
        try:
            with named_file_faults():
                is_intact = await to_the_end(asyncio.to_thread(prepare, path, accept_loss=accept_loss))
        except BaseException:
            lock.release()
            raise
        database = cls(path, lock, is_intact=is_intact)
        try:
            # The writer is the first to connect, and the last to disconnect.
            await database._mark(anew=not mark_file(path).exists())
        except BaseException:
            await database._release()
            raise
        return database

    async def close(self) -> None:
        """Close the file; no one may be reading or writing any more."""
        try:
            await self.mark()
        except (StoreUnavailableError, StoreDamagedError):
            """The previous claim is still valid."""
            self._is_intact = False
        finally:
            await self._release()

    async def _release(self) -> None:
        await self.readers.close()
        await self.writer.close()
        if self._is_intact:
            with suppress(OSError):  # then the next start checks the file
                await asyncio.to_thread(note_closed, self.place)
        self._lock.release()

    async def look_through(self) -> None:
        """Check the file in the background, unless it was checked before opening; raises StoreDamagedError."""
        if self._is_intact:
            return
        self._is_looking = True
        try:
            await look_through_beside(self.place)
        finally:
            self._is_looking = False
        self._is_intact = True

    async def mark(self) -> None:
        """Record the file's progress next to it, so that losing what is committed by now will be noticed.

        Call it now and then, never while handling a move. Raises StoreUnavailableError or StoreDamagedError.
        """
        await self._mark(anew=False)

    async def _mark(self, *, anew: bool) -> None:
        mark = await self.write(
            lambda lease: MarkRepository(Scope(lease, SeasonCache())).add(anew=anew), ExitStack
        )
        with named_file_faults():
            await to_the_end(asyncio.to_thread(claim, self.place, mark))

    async def empty_log(self) -> bool:
        """Checkpoint the log into the file and truncate it: it contains data overwritten in the file.

        Return False, with the log as long as before, if someone has been reading an older state all the time.
        """
        with named_faults():
            return await self.writer.run(
                lambda driver: engines.empty_log(driver, is_patient=not self._is_looking)
            )

    async def last_ids(self, lease: Lease) -> dict[str, int]:
        """Return the greatest id ever assigned in each table whose ids are counted."""
        found = await lease.execute(Call(text("SELECT name, seq FROM sqlite_sequence WHERE seq > 0")))
        return {row.name: row.seq for row in found}

    async def go_on_from(self, lease: Lease, ids: dict[str, int]) -> None:
        """Make new rows of these tables start above these ids."""
        for name, last in ids.items():
            row = {"name": name, "last": last}
            await lease.execute(Call(text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": name}))
            await lease.execute(
                Call(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"), row)
            )

    @contextmanager
    def _named_faults(self) -> Generator[None, None, None]:
        """Name errors, and remember one after which the file cannot be trusted."""
        try:
            with named_faults():
                yield
        except StoreDamagedError:
            self._is_intact = False
            raise

    async def read(self, work: Work[T]) -> T:
        """Run a function to its end in one snapshot and return its result."""
        with self._named_faults():
            found = await self.readers.read(work)
            self.writer.check()
            return found

    async def write(self, work: Work[T], committing: Committing) -> T:
        """Run a function to its end in one transaction and return its result once it is durable."""
        with self._named_faults():
            return await self.writer.write(work, committing)

    def reading(self) -> AbstractAsyncContextManager[Lease]:
        """Yield one snapshot from which everything is copied."""
        return reading_once(self.place)

    @asynccontextmanager
    async def writing(self) -> AsyncGenerator[Lease, None]:
        """Yield one transaction into which everything is copied."""
        with self._named_faults():
            async with held(engines.writer(self.place), engines.WRITE) as lease:
                yield lease


@asynccontextmanager
async def reading_once(path: Path) -> AsyncGenerator[Lease, None]:
    """Yield one snapshot for a process that has no store."""
    with named_faults():
        async with held(engines.readers(path), engines.READ) as lease:
            yield lease
