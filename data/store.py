"""The store: one SQLite file, opened once, read in snapshots and written in whole transactions."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from data import engines
from data.deadlines import DeadlineReader, DeadlineWriter
from data.deals import DealReader, DealWriter
from data.filelock import FileLock
from data.interactions import InteractionReader, InteractionWriter
from data.notes import NoteReader, NoteWriter
from data.opening import prepare
from data.outbox import OutboxReader, OutboxWriter
from data.people import PeopleReader, PeopleWriter
from data.tables import TableReader, TableWriter


class Reader(
    PeopleReader, TableReader, DealReader, InteractionReader, DeadlineReader, OutboxReader, NoteReader
):
    """Everything that can be asked, from one snapshot."""

    __slots__ = ()


class Writer(
    PeopleWriter, TableWriter, DealWriter, InteractionWriter, DeadlineWriter, OutboxWriter, NoteWriter, Reader
):
    """Everything that can be asked and changed, in one transaction."""

    __slots__ = ()

    async def forget_old(self, now: int) -> None:
        """Remove what is kept for a while only: answered interactions, published outbox rows."""
        await self._forget_interactions(now)
        await self._forget_outbox(now)


class Store:
    """An open database. Its methods hold no clock and no state: every time is passed in."""

    def __init__(self, lock: FileLock, writer: AsyncEngine, readers: AsyncEngine) -> None:
        self._lock = lock
        self._writer = writer
        self._readers = readers

    @classmethod
    async def open(cls, path: Path) -> "Store":
        """Lock, check and migrate the file, made if need be; raises StoreLocked, StoreDamaged or StoreTooNew."""
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(path.with_name(path.name + ".lock"))
        try:
            await asyncio.to_thread(prepare, path)
        except BaseException:
            lock.release()
            raise
        return cls(lock, engines.writer(path), engines.readers(path))

    async def close(self) -> None:
        """Close the file; nobody may be reading or writing any more."""
        await self._readers.dispose()
        await self._writer.dispose()  # the last to close checkpoints, and only the writer may
        self._lock.release()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Reader]:
        """One snapshot of the database."""
        async with self._readers.connect() as connection:
            yield Reader(connection)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Writer]:
        """One transaction: stored for good when the block is left, undone when it raises. Never nested.

        Writers wait for each other. A commit that has begun is awaited to its end even by a cancelled task.
        """
        async with self._writer.connect() as connection:
            transaction = await connection.begin()
            try:
                yield Writer(connection)
            except BaseException:
                await transaction.rollback()
                raise
            await _to_the_end(transaction.commit())


async def _to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Await work that a cancellation must not break off; the cancellation is passed on afterwards."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
