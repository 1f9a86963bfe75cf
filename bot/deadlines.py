"""The worker of all deadlines: it wakes when the next one is due and lets the table act on it."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

import structlog

from bot.clock import Clock
from bot.errors import StaleRevisionError
from bot.lanes import Failures, Lanes, backoff_ms
from bot.wakeup import Wakeup
from data.errors import RevisionConflictError, StoreUnavailableError
from data.shards import EVERYTHING, Share
from data.store import Store
from data.values import DeadlineRow
from league.ids import TableId
from league.times import SECOND

Handler = Callable[[TableId, int], Awaitable[None]]

BATCH = 50
AT_ONCE = 4
"""How many tables are served side by side: more would delay the answers to people."""

log = structlog.get_logger(__name__)


class Deadlines:
    """Acts on each deadline at least once; its handler compares the revision again under the table's lock.

    Each table has its own lane, so that a slow or failing one delays no other.
    """

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
        """The shards whose deadlines are this process's: those of others wait, because nobody could react now."""
        self._failures = Failures()
        self._sleeper = Wakeup(clock)
        self.wake = self._sleeper.wake
        self._lanes: Lanes[int] = Lanes(AT_ONCE, self.wake)
        """Lanes by table id."""
        self._looks_at = math.inf
        """When it will look again unless it is woken; infinite while that is not known."""

    def was_set(self, due_at: int) -> None:
        """A deadline was set for this moment. One that comes after the next look needs no look of its own."""
        if due_at < self._looks_at:
            self.wake()

    async def run(self) -> None:
        """Serve deadlines until cancelled."""
        async with self._lanes:
            while True:
                self._sleeper.look()
                self._looks_at = math.inf
                self._lanes.check()
                share = self._served()
                rows = await self._soonest(share) if self._lanes.room and share.held else []
                due = [row for row in rows if row.due_at <= self._clock.now()]
                for table_id, deadlines in _by_table(due).items():
                    self._lanes.offer(table_id, table_id, partial(self._act_on_table, share, deadlines))
                if not due:
                    moments = [row.due_at for row in rows[:1]]
                    self._looks_at = min(moments, default=math.inf)
                    await self._sleeper.sleep(moments)

    async def _soonest(self, share: Share) -> list[DeadlineRow]:
        taken = [*self._lanes.taken]
        return await self._store.read(lambda db: db.deadlines.soonest(BATCH, taken, share))

    async def _act_on_table(self, share: Share, due: Sequence[DeadlineRow]) -> bool:
        for row in due:
            if self._served() == share:
                await self._act(row)
        return True  # the table may have a new deadline, or the others have to be looked at again

    async def _act(self, row: DeadlineRow) -> None:
        subject = row.table_id, row.kind
        try:
            await self._handlers[row.kind](row.table_id, row.revision)
        except StaleRevisionError:
            log.debug("deadline.stale", table=row.table_id, kind=row.kind)
        except Exception as error:
            # The table that was changed beside its lock is read anew next time.
            if isinstance(error, RevisionConflictError):
                log.warning("deadline.changed_elsewhere", table=row.table_id, kind=row.kind)
            else:
                log.exception("deadline.failed", table=row.table_id, kind=row.kind)
            await self._put_off(row, backoff_ms(self._failures.failed(subject)))
            return
        self._failures.succeeded(subject)
        await self._clear(row)

    async def _clear(self, row: DeadlineRow) -> None:
        """Remove the deadline, unless its handler has set it anew."""
        if row in await self._store.read(lambda db: db.deadlines.of_table(row.table_id)):
            await self._store.write(lambda db: db.deadlines.end(row))

    async def _put_off(self, row: DeadlineRow, wait_ms: int) -> None:
        try:
            due_at = self._clock.now() + wait_ms
            await self._store.write(lambda db: db.deadlines.put_off(row, due_at))
        except StoreUnavailableError:
            log.exception("deadline.put_off_failed", table=row.table_id, kind=row.kind)
            await asyncio.sleep(wait_ms / SECOND)  # the store refuses writes: wait instead of spinning


def _by_table(rows: Sequence[DeadlineRow]) -> dict[int, list[DeadlineRow]]:
    tables: dict[int, list[DeadlineRow]] = {}
    for row in rows:
        tables.setdefault(row.table_id, []).append(row)
    return tables
