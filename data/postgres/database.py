"""One PostgreSQL database, which other processes may write as well."""

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
"""The tables whose ids are counted, each with its counter and the last number that was given."""
T = TypeVar("T")
READERS = 4
WRITERS = 4


class PostgresDatabase:
    """An open database. The server keeps what is in it safe."""

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
        """Check the server, and make or migrate the tables; other processes may serve a shared one as well.

        Raises StoreLockedError, StoreUnsuitable, StoreForeign or StoreTooNewError, and has then changed nothing; StoreUnavailableError if no server answers.
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
        """Close all connections; nobody may be reading or writing any more."""
        await self.readers.dispose()
        await self.writers.dispose()
        if self.press_line is not None:
            await self.press_line.close()
        await self._claim.release()

    async def look_through(self) -> None:
        """Nothing: a damaged page is found by the server when it is read."""

    async def mark(self) -> None:
        """Make sure that still no other process serves the database, or none that does so alone; raises StoreLockedError.

        Of what the server holds nothing is lost: nobody takes its files away beneath it.
        """
        await self._claim.hold()

    async def empty_log(self) -> bool:
        """Nothing: when the server overwrites what was deleted, and its log, is its own affair; the hosting guide tells how."""
        return True

    async def last_ids(self, lease: Lease) -> dict[str, int]:
        """The greatest id that was ever given to a row of each of the tables whose ids are counted."""
        found = await lease.execute(Call(_SEQUENCES))
        return {row.name: row.last for row in found if row.last is not None}

    async def go_on_from(self, lease: Lease, ids: dict[str, int]) -> None:
        """Give no new row of these tables an id up to these."""
        found = await lease.execute(Call(_SEQUENCES))
        move = text("SELECT setval(CAST(CAST(:sequence AS text) AS regclass), CAST(:last AS bigint))")
        for row in found:
            if row.name in ids:
                await lease.execute(Call(move, {"sequence": row.sequence, "last": ids[row.name]}))

    async def read(self, work: Callable[[Lease], Coroutine[Any, Any, T]]) -> T:
        """What a function returns, which runs in one snapshot."""
        async with self.reading() as lease:
            return await work(lease)

    async def write(
        self,
        work: Callable[[Lease], Coroutine[Any, Any, T]],
        committing: Callable[[], AbstractContextManager[object]],
    ) -> T:
        """What a function returns, which runs in one transaction, once that is durable."""
        async with self.writing(committing) as lease:
            return await work(lease)

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[Lease, None]:
        """One snapshot, taken at the first statement. All that it tells of is durable."""
        async with _snapshot(self.readers) as lease:
            yield lease

    @asynccontextmanager
    async def writing(
        self, committing: Callable[[], AbstractContextManager[object]] = ExitStack
    ) -> AsyncGenerator[Lease, None]:
        """One transaction: durable when the block is left, undone when it raises. It is committed within `committing()`."""
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
    """One snapshot for a process that has no store."""
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
