"""One PostgreSQL database, which other processes may also write."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from typing import Any, TypeVar

from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncEngine

from data.cancellation import to_the_end
from data.postgres import engines
from data.postgres.claim import Claim
from data.postgres.leases import ReadLease, WriteLease
from data.postgres.lines import Newsline, PressLine
from data.postgres.opening import prepare
from data.session import Call, Lease

_SEQUENCES = text(
    "SELECT name, sequence, pg_sequence_last_value(CAST(sequence AS regclass)) AS last FROM ("
    " SELECT c.relname::text AS name, pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS sequence"
    " FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
    " WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND a.atthasdef"
    ") AS counted WHERE sequence IS NOT NULL"
)
"""The tables whose ids are counted, each with its sequence and the last number assigned."""
T = TypeVar("T")
READERS = 4
WRITERS = 4


class PostgresDatabase:
    """An open database. The server protects its contents."""

    def __init__(self, url: URL, *, is_shared: bool = False) -> None:
        self.place = url
        self.writers = engines.writers(url, WRITERS)
        self.readers = engines.readers(url, READERS)
        self._alone = asyncio.Lock()
        self.newsline = Newsline() if is_shared else None
        self.press_line = PressLine(url) if is_shared else None
        self._claim = Claim(url, self.newsline, self.press_line)
        self.shard_locks = self._claim if is_shared else None

    @classmethod
    async def open(cls, url: URL, *, is_shared: bool = False) -> "PostgresDatabase":
        """Check the server, and create or migrate the tables.

        A shared database may also be served by other processes. Raises StoreLockedError, StoreUnsuitable,
        StoreForeign or StoreTooNewError, having changed nothing; StoreUnavailableError if no server answers.
        """
        await prepare(url)
        database = cls(url, is_shared=is_shared)
        try:
            await database.mark()
        except BaseException:
            await database.close()
            raise
        return database

    async def close(self) -> None:
        """Close all connections; no one may be reading or writing any more."""
        await self.readers.dispose()
        await self.writers.dispose()
        if self.press_line is not None:
            await self.press_line.close()
        await self._claim.release()

    async def look_through(self) -> None:
        """Do nothing: the server finds a damaged page when it reads it."""

    async def mark(self) -> None:
        """Ensure that no other process has taken over the database; raises StoreLockedError.

        Nothing else is needed: the server loses no data, because no one removes its files.
        """
        await self._claim.hold()

    async def empty_log(self) -> bool:
        """Do nothing and return True: the server itself decides when to overwrite deleted rows and its log.

        The hosting guide explains how.
        """
        return True

    async def last_ids(self, lease: Lease) -> dict[str, int]:
        """Return the greatest id ever assigned in each table whose ids are counted."""
        found = await lease.execute(Call(_SEQUENCES))
        return {row.name: row.last for row in found if row.last is not None}

    async def go_on_from(self, lease: Lease, ids: dict[str, int]) -> None:
        """Make new rows of these tables start above these ids."""
        found = await lease.execute(Call(_SEQUENCES))
        move = text("SELECT setval(CAST(CAST(:sequence AS text) AS regclass), CAST(:last AS bigint))")
        for row in found:
            if row.name in ids:
                await lease.execute(Call(move, {"sequence": row.sequence, "last": ids[row.name]}))

    async def read(self, work: Callable[[Lease], Coroutine[Any, Any, T]]) -> T:
        """Run a function in one snapshot and return its result."""
        async with self.reading() as lease:
            return await work(lease)

    async def write(
        self,
        work: Callable[[Lease], Coroutine[Any, Any, T]],
        committing: Callable[[], AbstractContextManager[object]],
    ) -> T:
        """Run a function in one transaction and return its result once it is durable."""
        async with self.writing(committing) as lease:
            return await work(lease)

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[Lease, None]:
        """Yield one snapshot, taken at the first statement. Everything it contains is durable."""
        async with _snapshot(self.readers) as lease:
            yield lease

    @asynccontextmanager
    async def writing(
        self, committing: Callable[[], AbstractContextManager[object]] = ExitStack
    ) -> AsyncGenerator[Lease, None]:
        """Yield one transaction: committed within `committing()` at the block's end, undone if it raises."""
        with ExitStack() as stack:
            lease = WriteLease(self.writers, self._alone)
            try:
                yield lease
                if lease.end():
                    stack.enter_context(committing())
                    await to_the_end(lease.commit())
            finally:
                lease.end()
                await lease.over()


@asynccontextmanager
async def reading_once(url: URL) -> AsyncGenerator[Lease, None]:
    """Yield one snapshot for a process that has no store."""
    engine = engines.reader(url)
    try:
        async with _snapshot(engine) as lease:
            yield lease
    finally:
        await engine.dispose()


@asynccontextmanager
async def _snapshot(engine: AsyncEngine) -> AsyncGenerator[Lease, None]:
    lease = ReadLease(engine)
    try:
        yield lease
    finally:
        lease.end()
        await lease.over()
