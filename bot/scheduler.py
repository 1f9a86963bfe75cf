"""The scheduler: everything that is due later, except messages, which the outbox sends.

A source returns the jobs of one kind of subject: the deadlines of tables, the moments of seasons, repeated
work. The scheduler sleeps until the first of them is due, runs it, and retries it later if it fails. Each
subject has its own lane, so one that hangs or fails delays no other.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import structlog

from bot.clock import Clock
from bot.errors import StaleRevisionError
from bot.lanes import Failures, Lanes, Wakeup, backoff_ms
from data.errors import RevisionConflictError, StoreDamagedError, StoreUnavailableError
from data.ids import SeasonId
from data.shards import EVERYTHING, Share
from data.store import Store
from data.transaction import WriteTransaction
from data.values import DeadlineRow
from league.ids import TableId
from league.times import SECOND

AT_ONCE = 4
"""The most concurrent jobs, not counting slow ones. More would delay the answers to people."""
BATCH = 50
"""The number of rows of a source that are read at a time."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """Work that is due at a moment, in milliseconds since 1970."""

    kind: str
    subject: int
    """The subject of the job, such as a table. Only one job of a subject runs at a time."""
    due_at: int
    run: Callable[[], Awaitable[None]]
    """Does the work. It removes the job or makes it due later, and may be called more than once."""
    put_off: Callable[[int], Awaitable[None]]
    """Makes the job due at a later moment after a failure."""


class Source(Protocol):
    """A source of jobs."""

    async def soonest(self, busy: Collection[int]) -> Sequence[Job]:
        """Return the first jobs, soonest first, without those of `busy` subjects.

        They need not be due yet.
        """
        ...


class Scheduler:
    """Runs each job at least once when it is due, the one that has been due the longest first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._sources: dict[str, Source] = {}
        self._failures = Failures()
        self._sleeper = Wakeup(clock)
        self.wake = self._sleeper.wake
        self._lanes: Lanes[tuple[str, int]] = Lanes(AT_ONCE, self.wake)
        """One lane for each subject of each source."""
        self._looks_at = math.inf
        """When it will look again unless it is woken; infinite while that is not known."""

    def add(self, name: str, source: Source) -> None:
        """Run the jobs of this source, under this name in the log."""
        self._sources[name] = source

    def repeat(self, name: str, work: Callable[[], Awaitable[float]], first_after_s: float = 0) -> None:
        """Repeat this work. It returns the pause before the next time, in seconds."""
        self.add(name, _Repeated(name, self._clock, work, first_after_s))

    def was_set(self, due_at: int) -> None:
        """Note that a job was made due at this moment.

        If that is after the next check, no earlier one is needed.
        """
        if due_at < self._looks_at:
            self.wake()

    async def run(self) -> None:
        """Run jobs until cancelled."""
        async with self._lanes:
            while True:
                self._sleeper.look()
                self._looks_at = math.inf
                self._lanes.check()
                jobs = await self._soonest() if self._lanes.room else []
                due = [(lane, job) for lane, job in jobs if job.due_at <= self._clock.now()]
                for lane, job in due:
                    self._lanes.offer(lane, lane, partial(self._do, lane, job))
                if not due:
                    moments = [job.due_at for _, job in jobs[:1]]
                    self._looks_at = min(moments, default=math.inf)
                    await self._sleeper.sleep(moments)

    async def _soonest(self) -> list[tuple[tuple[str, int], Job]]:
        # A job that ends while its source is read must not come again.
        taken, jobs = [*self._lanes.taken], list[tuple[tuple[str, int], Job]]()
        for name, source in self._sources.items():
            busy = [subject for of, subject in taken if of == name]
            jobs += [((name, job.subject), job) for job in await source.soonest(busy)]
        return sorted(jobs, key=lambda found: found[1].due_at)

    async def _do(self, lane: tuple[str, int], job: Job) -> bool:
        try:
            await job.run()
        except StoreDamagedError:
            raise
        except Exception as error:
            # Rows that another process has changed meanwhile are read again next time.
            if isinstance(error, RevisionConflictError):
                log.warning("job.changed_elsewhere", kind=job.kind, subject=job.subject)
            else:
                log.exception("job.failed", kind=job.kind, subject=job.subject)
            await self._put_off(job, backoff_ms(self._failures.failed((lane, job.kind))))
        else:
            self._failures.succeeded((lane, job.kind))
        return True  # the subject may have another job

    async def _put_off(self, job: Job, wait_ms: int) -> None:
        try:
            await job.put_off(self._clock.now() + wait_ms)
        except StoreUnavailableError:
            log.exception("job.put_off_failed", kind=job.kind, subject=job.subject)
            await asyncio.sleep(wait_ms / SECOND)  # the store refuses writes: do not spin


Handler = Callable[[TableId, int], Awaitable[None]]
"""Acts on a deadline, given the table and the revision that set it. Raises StaleRevisionError if it is out of date."""


class Deadlines:
    """The deadlines of tables. Their handlers compare the revision again under the table's lock."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        handlers: Mapping[str, Handler],
        served: Callable[[], Share] = lambda: EVERYTHING,
    ) -> None:
        self._store = store
        self._clock = clock
        self._handlers = handlers
        self._served = served
        """The shards of this process: the deadlines of others wait, because nothing could be done about them now."""

    async def soonest(self, busy: Collection[int]) -> list[Job]:
        """The first deadlines; none while the bot serves no shard."""
        share, taken = self._served(), [*busy]
        if not share.held:
            return []
        rows = await self._store.read(lambda db: db.deadlines.soonest(BATCH, taken, share))
        return [
            Job(
                row.kind,
                row.table_id,
                row.due_at,
                partial(self._run, row, share),
                partial(self._put_off, row),
            )
            for row in rows
        ]

    async def _run(self, row: DeadlineRow, share: Share) -> None:
        if self._served() == share:
            await self.act(row)

    async def act(self, row: DeadlineRow) -> None:
        """Act on a deadline and remove it, unless its handler has set it again."""
        try:
            await self._handlers[row.kind](row.table_id, row.revision)
        except StaleRevisionError:
            log.debug("deadline.stale", table=row.table_id, kind=row.kind)
        if row in await self._store.read(lambda db: db.deadlines.of_table(row.table_id)):
            await self._store.write(lambda db: db.deadlines.end(row))

    async def _put_off(self, row: DeadlineRow, due_at: int) -> None:
        await self._store.write(lambda db: db.deadlines.put_off(row, due_at))


class SeasonMoments:
    """The moments of seasons. Each season has stored when something is next due."""

    def __init__(
        self,
        store: Store,
        catch_up: Callable[[SeasonId], Awaitable[None]],
        served: Callable[[], Share] = lambda: EVERYTHING,
    ) -> None:
        self._store = store
        self._catch_up = catch_up
        """Acts on everything that is due in a season, and sets its next moment."""
        self._served = served

    async def soonest(self, busy: Collection[int]) -> list[Job]:
        """The first moments; none while the bot serves no shard."""
        share, taken = self._served(), [*busy]
        if not share.held:
            return []
        moments = await self._store.read(lambda db: db.seasons.soonest(BATCH, taken, share))
        return [
            Job("season", season, due_at, partial(self._catch_up, season), partial(self._put_off, season))
            for season, due_at in moments
        ]

    async def _put_off(self, season_id: SeasonId, due_at: int) -> None:
        async def write(db: WriteTransaction) -> None:
            row = await db.seasons.get(season_id)
            if row is not None:
                await db.seasons.update(row, due_at=due_at)

        await self._store.write(write)


class _Repeated:
    """A job that becomes due repeatedly. Its time is kept in memory, so it is due soon after a start."""

    def __init__(
        self, kind: str, clock: Clock, work: Callable[[], Awaitable[float]], first_after_s: float
    ) -> None:
        self._kind = kind
        self._clock = clock
        self._work = work
        self._rest_for(first_after_s)

    async def soonest(self, busy: Collection[int]) -> list[Job]:
        """Return the job, unless it is running."""
        # If the clock was set back, the job does not rest longer than it asked for.
        self._due_at = min(self._due_at, self._clock.now() + self._rest_ms)
        return [] if busy else [Job(self._kind, 0, self._due_at, self._run, self._put_off)]

    async def _run(self) -> None:
        self._rest_for(await self._work())

    def _rest_for(self, seconds: float) -> None:
        self._rest_ms = int(seconds * SECOND)
        self._due_at = self._clock.now() + self._rest_ms

    async def _put_off(self, due_at: int) -> None:
        self._due_at = due_at
        self._rest_ms = due_at - self._clock.now()
