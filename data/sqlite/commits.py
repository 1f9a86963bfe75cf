"""Commits that share a synchronisation with the disk.

A commit is in the file at once, for the next writer to build on, but it is durable only when the log was synchronised
after it. Transactions that wait for the disk at the same time share one synchronisation, and the next transactions run
while it lasts. Each transaction stays one of its own: none waits for another's body, and none is undone with another.

No one learns of a commit before it is durable. A writer is told of its own when it is; what a reader finds may be
younger than that, so its first answer waits for every commit that it may contain.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from data.errors import StoreDamagedError
from data.session import Noted
from data.sqlite.connections import Link, LinkLease
from data.sqlite.log import Log

T = TypeVar("T")


class Commits:
    """The commits of the one writer, by number: those asked for, those in the file and those on the disk."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._thread = ThreadPoolExecutor(1, "log")
        self._asked = 0
        self._written = 0
        self._durable = 0
        self._is_quiet = asyncio.Event()
        """Set while no commit is under way."""
        self._syncing: asyncio.Future[None] | None = None
        self._fault: str | None = None
        self._synchronising = threading.Lock()

    @property
    def latest(self) -> int:
        """The youngest commit that a reader may see by now."""
        return self._asked

    async def commit(self, link: Link, noted: Noted, is_awaited: Callable[[], bool]) -> int:
        """Run what the transaction on this connection has noted, and commit it; the number to wait for.

        Unless another transaction waits for the connection by then, the synchronisation is done on the same trip.
        """
        self._is_quiet.clear()
        try:
            return await link.run(self._commit, link, noted, is_awaited)
        finally:
            self._written = self._asked
            self._is_quiet.set()

    async def until_durable(self, number: int) -> None:
        """Wait until this commit and all before it are on the disk, or have failed.

        Raises StoreDamagedError if the disk did not take them: whether they will be found after a crash is not known.
        """
        while self._durable < number:
            self._check()
            if self._written < number:
                await self._is_quiet.wait()
            else:
                await asyncio.shield(self._synchronisation())

    def close(self) -> None:
        """Let go of the log; no transaction may be open."""
        self._thread.shutdown()
        self._log.close()

    @property
    def _is_idle(self) -> bool:
        return self._syncing is None or self._syncing.done()

    def _check(self) -> None:
        """After a failed synchronisation nothing is certain any more, a later success included."""
        if self._fault is not None:
            raise StoreDamagedError(self._fault)

    def _synchronisation(self) -> asyncio.Future[None]:
        """The one that is under way, or a new one. One that began before a commit does not count for that commit."""
        if self._syncing is None or self._syncing.done():
            loop = asyncio.get_running_loop()
            self._syncing = loop.run_in_executor(self._thread, self._synchronise, self._written)
        return self._syncing

    # What follows runs in a thread.

    def _commit(self, link: Link, noted: Noted, is_awaited: Callable[[], bool]) -> int:
        if self._fault is not None:
            link.rollback()
        self._check()
        link.finish(noted)
        self._asked = number = self._asked + 1  # before readers can see it
        link.commit()
        if self._is_idle and not is_awaited():
            self._synchronise(number)
            self._check()
        return number

    def _synchronise(self, written: int) -> None:
        try:
            with self._synchronising:  # the thread of a commit and that of the log may both be at it
                self._log.synchronise()
        except OSError as error:
            self._fault = f"the disk did not take a commit: {error.strerror or error}"
        else:
            self._durable = max(self._durable, written)


class ReadLease(LinkLease):
    """A connection for the time of one transaction that only reads."""

    __slots__ = ("_commits", "_youngest")

    def __init__(self, link: Link, commits: Commits) -> None:
        super().__init__(link)
        self._commits = commits
        self._youngest: int | None = None
        """The youngest commit that the snapshot may contain; it is taken by the first statement."""

    async def _run(self, work: Callable[..., T], *args: Any) -> T:
        """The answer is given when all that it may tell of is durable."""
        found = await super()._run(work, *args)
        if self._youngest is None:
            self._youngest = self._commits.latest
        await self._commits.until_durable(self._youngest)
        return found
