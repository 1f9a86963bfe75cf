"""The store: one SQLite file, opened once, read in snapshots and written in whole transactions."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path

from data import engines
from data.cancellation import to_the_end
from data.commits import Commits, ReadLease
from data.connections import Lease, Link, Pool
from data.directory import Directory
from data.errors import StoreDamagedError, StoreUnavailableError
from data.files.faults import named_faults, named_file_faults
from data.files.filelock import FileLock
from data.files.log import Log
from data.files.marks import claim, mark_file
from data.files.opening import prepare
from data.files.soundness import look_through_beside, note_closed
from data.repositories.season_cache import SeasonCache
from data.session import Changes, Scope
from data.transaction import ReadTransaction, WriteTransaction, read_transaction, write_transaction

READERS = 4


class Store:
    """An open database. Its methods hold no clock: every time is passed in."""

    def __init__(self, path: Path, lock: FileLock, *, is_sound: bool) -> None:
        self.path = path.resolve()
        """Of the database, for other processes that read it."""
        self._lock = lock
        self._is_sound = is_sound
        """Whether the file was looked through since it was opened, or just before, and nothing was wrong since."""
        self._is_looking = False
        # SQLite has one writer. Readers have connections of their own, so that they need not wait for it.
        self._writer = Pool(engines.writer(path), engines.WRITE, 1)
        self._readers = Pool(engines.readers(path), engines.READ, READERS)
        self._commits = Commits(Log(path))
        self._season_cache = SeasonCache()
        self.directory = Directory(self.read)
        """People and servers, from memory where they are known."""
        self._caches: list[Callable[[Changes], AbstractContextManager[None]]] = [self.directory.changing]

    @classmethod
    async def open(cls, path: Path, *, accept_loss: bool = False) -> "Store":
        """Lock, check and migrate the file. A new file gets mode 600, a new directory 700.

        Raises StoreLockedError, StoreDamagedError, StoreTooNewError or StoreLost, and has then changed nothing; StoreUnavailableError if
        the place can't be written. With `accept_loss` it goes on without what is missing.
        """
        with named_file_faults():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = FileLock(path.with_name(path.name + ".lock"))
        try:
            with named_file_faults():
                is_sound = await to_the_end(asyncio.to_thread(prepare, path, accept_loss=accept_loss))
        except BaseException:
            lock.release()
            raise
        store = cls(path, lock, is_sound=is_sound)
        try:
            # The writer is the first to connect, and the last to leave.
            await store.mark(anew=not mark_file(path).exists())
        except BaseException:
            await store._release()
            raise
        return store

    async def close(self) -> None:
        """Close the file; nobody may be reading or writing any more."""
        try:
            await self.mark()
        except (StoreUnavailableError, StoreDamagedError):
            """What was claimed before is still true."""
            self._is_sound = False
        finally:
            await self._release()

    async def _release(self) -> None:
        self._commits.close()
        await self._readers.close()
        await self._writer.close()
        if self._is_sound:
            with suppress(OSError):  # then the next start looks through the file
                await asyncio.to_thread(note_closed, self.path)
        self._lock.release()

    async def look_through(self) -> None:
        """Look through the file beside the work, unless that was done before it was opened; raises StoreDamagedError."""
        if self._is_sound:
            return
        self._is_looking = True
        try:
            await look_through_beside(self.path)
        finally:
            self._is_looking = False
        self._is_sound = True

    async def mark(self, *, anew: bool = False) -> None:
        """Write down beside the file how far it has come: a loss of what is committed by now will be noticed.

        To be called now and then, never on the way of a move. Raises StoreUnavailableError or StoreDamagedError.
        """
        async with self.write() as db:
            mark = await db.marks.add(anew=anew)
        with named_file_faults():
            await to_the_end(asyncio.to_thread(claim, self.path, mark))

    async def forget_the_past(self) -> bool:
        """After somebody was forgotten: keep nothing in mind that was read before, and empty the log.

        False as `empty_log` says.
        """
        self._season_cache = SeasonCache()
        self.directory.clear()
        return await self.empty_log()

    async def empty_log(self) -> bool:
        """Bring the log into the file and cut it to nothing: it holds what has been overwritten in the file.

        False, and the log as long as it was, when somebody has been reading an older state all the while.
        """
        with named_faults():
            async with self._writer.lend() as link:
                return await link.run(
                    lambda: engines.empty_log(link.driver(), is_patient=not self._is_looking)
                )

    def on_changes(self, changing: Callable[[Changes], AbstractContextManager[None]]) -> None:
        """Run every commit within `changing` of what it changes, until it is durable or has failed.

        In that block others may see the new rows in the file before the writer knows of its commit.
        """
        self._caches.append(changing)

    @contextmanager
    def _named_faults(self) -> Generator[None, None, None]:
        """Name faults, and remember one after which the file cannot be trusted."""
        try:
            with named_faults():
                yield
        except StoreDamagedError:
            self._is_sound = False
            raise

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[ReadTransaction, None]:
        """One snapshot of the database, taken at the first question. All that it tells of is durable."""
        with self._named_faults():
            async with self._readers.lend() as link:
                lease = ReadLease(link, self._commits)
                try:
                    yield read_transaction(Scope(lease, self._season_cache))
                finally:
                    if lease.end():
                        link.forget()

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[WriteTransaction, None]:
        """One transaction: stored for good when the block is left, undone when it raises. Never nested.

        Writers wait for each other. A task cancelled in its commit learns of it when the commit is done.
        Raises StoreUnavailableError if the disk is full or locked, StoreDamagedError if it fails.
        """
        changes = Changes()
        with self._named_faults(), ExitStack() as committing:
            async with self._writer.lend() as link:
                async with _undone_if_it_raises(link) as lease:
                    yield write_transaction(Scope(lease, self._season_cache, changes))
                if not lease.end():
                    return
                for changing in self._caches:
                    committing.enter_context(changing(changes))
                commit = await self._commits.commit(link, lease.noted, lambda: self._writer.is_wanted)
            await to_the_end(self._commits.until_durable(commit))


@asynccontextmanager
async def _undone_if_it_raises(link: Link) -> AsyncGenerator[Lease, None]:
    """The connection for the time of one transaction, which is rolled back if the block raises."""
    lease = Lease(link)
    try:
        yield lease
    except BaseException:
        if lease.end():
            await link.run(link.rollback)
        raise
