"""The one sleeper: wakes when the soonest deadline is due and lets the table act on it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import structlog

from bot.clock import Clock
from bot.errors import Stale
from bot.sleeper import Sleeper
from data.cancellation import all_to_their_ends
from data.errors import StaleRevision, StoreUnavailable
from data.store import Store
from data.values import DeadlineRow

Handler = Callable[[int, int], Awaitable[None]]

RETRY_MS = 5_000
BATCH = 50
AT_ONCE = 4
"""Tables that are served beside each other: more of them would keep people waiting for their answers."""

log = structlog.get_logger(__name__)


class Deadlines:
    """Acts on deadlines, at least once each; whoever handles one compares the revision again under the lock."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        handlers: Mapping[str, Handler],
        hold: Callable[[], bool] = lambda: False,
    ) -> None:
        self._store = store
        self._clock = clock
        self._handlers = handlers
        self._hold = hold
        """Whether nothing may come due now, because nobody could do anything about it."""
        self._places = asyncio.Semaphore(AT_ONCE)
        self._sleeper = Sleeper(clock)
        self.wake = self._sleeper.wake

    async def run(self) -> None:
        """Serve deadlines until cancelled."""
        while True:
            self._sleeper.look()
            now = self._clock.now()
            async with self._store.read() as reader:
                rows = [] if self._hold() else await reader.soonest_deadlines(BATCH)
            due = [row for row in rows if row.due_at <= now]
            if due:
                await self._act_all(due)
            else:
                await self._sleeper.sleep(row.due_at for row in rows[:1])

    async def _act_all(self, due: list[DeadlineRow]) -> None:
        """Act on rows: those of one table in order, some tables beside each other."""
        tables: dict[int, list[DeadlineRow]] = {}
        for row in due:
            tables.setdefault(row.table_id, []).append(row)
        await all_to_their_ends(map(self._act_on_table, tables.values()))

    async def _act_on_table(self, due: list[DeadlineRow]) -> None:
        async with self._places:
            for row in due:
                if not self._hold():
                    await self._act(row)

    async def _act(self, row: DeadlineRow) -> None:
        try:
            await self._handlers[row.kind](row.table_id, row.revision)
        except (Stale, StaleRevision):
            log.debug("deadline.stale", table=row.table_id, kind=row.kind)
        except Exception:
            log.exception("deadline.failed", table=row.table_id, kind=row.kind)
            await self._put_off(row)
            return
        await self._clear(row)

    async def _clear(self, row: DeadlineRow) -> None:
        """Remove the deadline, unless what it led to has set it anew."""
        async with self._store.write() as writer:
            if row in await writer.deadlines(row.table_id):
                await writer.clear_deadline(row.table_id, row.kind)

    async def _put_off(self, row: DeadlineRow) -> None:
        try:
            async with self._store.write() as writer:
                if row in await writer.deadlines(row.table_id):
                    later = self._clock.now() + RETRY_MS
                    await writer.set_deadline(row.table_id, row.kind, row.revision, later)
        except StoreUnavailable:
            log.exception("deadline.put_off_failed", table=row.table_id, kind=row.kind)
            await asyncio.sleep(RETRY_MS / 1000)  # the disk refuses: give it time instead of spinning
