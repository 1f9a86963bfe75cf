"""The store: one database, opened once, read in snapshots and written in whole transactions."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeVar

from prometheus_client import Histogram
from sqlalchemy import URL

from data.caches import CommittedCache, Directory
from data.season_rows import SeasonCache
from data.session import Changes, Lease, News, Scope
from data.sqlite.database import SQLiteDatabase, reading_once
from data.transaction import ReadTransaction, WriteTransaction

if TYPE_CHECKING:  # what a server needs is imported only where there is one
    from data.postgres.claim import Claim
    from data.postgres.database import PostgresDatabase
    from data.postgres.lines import PressLine

    Database = SQLiteDatabase | PostgresDatabase

Place = Path | URL
"""A file or a server with the rows, in the form that another process needs to read them."""
_SECONDS: Final = Histogram(
    "tiplu_store_seconds",
    "How long transactions take, from the wait for a connection until they are over or durable.",
    ["kind"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
P = ParamSpec("P")
T = TypeVar("T")
_READING, _WRITING = _SECONDS.labels("read"), _SECONDS.labels("write")

HAS_STORED: Final = ContextVar("has_stored", default=False)
"""Whether the current task has stored anything, except within `aside`. What the tasks that it starts store does not count."""


@contextmanager
def aside() -> Generator[None, None, None]:
    """Do not count what the block stores: nobody asked for it, or it takes effect only with a later request."""
    token = HAS_STORED.set(HAS_STORED.get())
    try:
        yield
    finally:
        HAS_STORED.reset(token)


async def opened(place: Place, *, accept_loss: bool = False, is_shared: bool = False) -> "Database":
    """Open the database at this place, checked and with the newest schema; create one if there is none.

    A server's database may be shared with other processes, which must all open it as shared.

    Raises StoreLockedError, StoreDamagedError, StoreTooNewError, StoreUnsuitable or StoreLost, having changed
    nothing; StoreUnavailableError if the place can't be reached or written. With `accept_loss` a file is
    opened without the missing part.
    """
    if isinstance(place, Path):
        if is_shared:
            raise ValueError("a file is served by one process alone")
        return await SQLiteDatabase.open(place, accept_loss=accept_loss)
    from data.postgres import database

    return await database.PostgresDatabase.open(place, is_shared=is_shared)


class Store:
    """An open database. Its methods read no clock: every time is an argument."""

    def __init__(self, database: "Database") -> None:
        self._database = database
        self._season_cache = SeasonCache()
        self.directory = Directory(self)
        """People and servers, cached where known."""
        self._caches: list[tuple[CommittedCache[Any], Callable[[Changes], set[int]]]] = [
            (self.directory.people_kept, lambda changes: changes.people),
            (self.directory.guilds_kept, lambda changes: changes.guilds),
        ]
        self._followers: list[Callable[[News], None]] = []
        self._newsline = database.newsline
        if self._newsline is not None:
            self._newsline.follow(self._hear, self._listen)

    @classmethod
    async def open(cls, place: Place, *, accept_loss: bool = False, is_shared: bool = False) -> "Store":
        """Open the database at this place, as `opened` does."""
        return cls(await opened(place, accept_loss=accept_loss, is_shared=is_shared))

    @property
    def place(self) -> Place:
        """The place of the database, for other processes that read it."""
        return self._database.place

    @property
    def shard_locks(self) -> "Claim | None":
        """The shard locks; None if no other process may serve the database."""
        return self._database.shard_locks

    @property
    def press_line(self) -> "PressLine | None":
        """The presses passed between processes; None if no other process may serve the database."""
        return self._database.press_line

    async def close(self) -> None:
        """Close the database; no one may be reading or writing any more."""
        await self._database.close()

    async def look_through(self) -> None:
        """Check the database in the background, unless it was checked before opening.

        Raises StoreDamagedError.
        """
        await self._database.look_through()

    async def mark(self) -> None:
        """Ensure that losing what is committed by now will be noticed.

        Call it now and then, never while handling a move. Raises StoreUnavailableError or StoreDamagedError.
        """
        await self._database.mark()

    async def forget_the_past(self) -> bool:
        """Drop all caches and empty the log, after someone was forgotten.

        Returns False in the same case as `empty_log`.
        """
        self._forget_all()
        return await self.empty_log()

    async def empty_log(self) -> bool:
        """Discard all overwritten data; return False if someone has been reading an older state all the time."""
        return await self._database.empty_log()

    def keep_true(self, cache: CommittedCache[Any], ids: Callable[[Changes], set[int]]) -> None:
        """Keep a cache up to date: `ids` returns the ids of its values that a transaction changes.

        The cache stays empty while changes of other processes are not reported.
        """
        self._caches.append((cache, ids))
        self._listen()

    def on_news(self, hear: Callable[[News], None]) -> None:
        """Call `hear` with each commit of another process, after this store has dropped what it cached of it."""
        self._followers.append(hear)

    async def read(
        self,
        work: Callable[Concatenate[ReadTransaction, P], Coroutine[Any, Any, T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a function on one snapshot of the database and return its result. All that it sees is durable.

        The function may await nothing but the transaction. It runs in another thread, so it must touch
        nothing that others change meanwhile.
        """
        cache = self._season_cache

        def run(lease: Lease) -> Coroutine[Any, Any, T]:
            return work(ReadTransaction(Scope(lease, cache)), *args, **kwargs)

        with _READING.time():
            return await self._database.read(run)

    async def write(
        self,
        work: Callable[Concatenate[WriteTransaction, P], Coroutine[Any, Any, T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a function as one transaction and return its result once it is durable; undo it if it raises.

        The function may await nothing but the transaction. It runs in another thread, so it must touch
        nothing that others change meanwhile. Cancelling the task before the function has begun undoes it; a
        later cancellation is raised when the commit is done. Raises StoreUnavailableError if the disk is full
        or locked, StoreDamagedError if it fails.
        """
        changes, cache = Changes(), self._season_cache

        async def run(lease: Lease) -> T:
            done = await work(WriteTransaction(Scope(lease, cache, changes)), *args, **kwargs)
            if self._newsline is not None:
                self._newsline.tell(lease, changes)
            return done

        with _WRITING.time():
            done = await self._database.write(run, partial(self._changing, changes))
        HAS_STORED.set(True)
        return done

    @contextmanager
    def _changing(self, changes: Changes) -> Generator[None, None, None]:
        """The block commits these changes: until its end, however it ends, the file is asked for what they concern.

        Others may see them in the file before their writer knows of its commit. It may begin in another thread.
        """
        with ExitStack() as committing:
            for cache, ids in self._caches:
                if changed := ids(changes):
                    committing.enter_context(cache.changing(changed))
            yield

    def _hear(self, news: News) -> None:
        if news.changes.is_of_everything:
            self._forget_all()
        with self._changing(news.changes):
            pass
        for hear in self._followers:
            hear(news)

    def _listen(self) -> None:
        is_heard = self._newsline is None or self._newsline.is_heard
        for cache, _ in self._caches:
            if is_heard:
                cache.keep_again()
            else:
                cache.keep_nothing()

    def _forget_all(self) -> None:
        self._season_cache = SeasonCache()
        for cache, _ in self._caches:
            cache.clear()


SLICE_S: Final = 0.05
"""A query yields to other work after so long."""


def asked(place: Place, question: Callable[[ReadTransaction], Awaitable[T]]) -> Generator[None, None, T]:
    """Run a query on the database at `place`, in time slices, and return its answer.

    The query sees one snapshot and cannot write. Raises what the query raises, StoreUnavailableError and
    StoreDamagedError. Closing early abandons the query.
    """
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        task = loop.create_task(_answer(place, question))
        while not task.done():
            loop.run_until_complete(asyncio.wait({task}, timeout=SLICE_S))
            yield
        return task.result()


async def _answer(place: Place, question: Callable[[ReadTransaction], Awaitable[T]]) -> T:
    if isinstance(place, Path):
        reading = reading_once(place)
    else:
        from data.postgres import database

        reading = database.reading_once(place)
    async with reading as lease:
        return await question(ReadTransaction(Scope(lease, SeasonCache())))
