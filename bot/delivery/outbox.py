"""Publishing what was committed: one pending edit a message, the newest state wins, failures are tried again."""

from collections.abc import Awaitable, Callable

import discord
import structlog

from bot.clock import Clock
from bot.delivery.discord_calls import DmsClosed, MessageGone, NotAllowed, PlaceGone, TryLater
from bot.sleeper import Sleeper
from data.cancellation import all_to_their_ends
from data.store import Store
from data.values import OutboxRow

Publish = Callable[[OutboxRow], Awaitable[int]]

BATCH = 50
FIRST_WAIT_MS = 1_000
LONGEST_WAIT_MS = 60_000

log = structlog.get_logger(__name__)


class Outbox:
    """Takes the rows that are due and hands each to `publish`, which returns the revision it has shown."""

    def __init__(self, store: Store, clock: Clock, publish: Publish, gap_ms: int) -> None:
        self._store = store
        self._clock = clock
        self._publish = publish
        self._gap_ms = gap_ms
        self._last_sent: dict[str, int] = {}
        self._sleeper = Sleeper(clock)
        self.wake = self._sleeper.wake

    async def run(self) -> None:
        """Publish until cancelled."""
        while True:
            self._sleeper.look()
            now = self._clock.now()
            async with self._store.read() as reader:
                rows = await reader.outbox_due(now, BATCH)
                ready = [row for row in rows if self._rested_at(row) <= now]
                following = None if ready else await reader.next_outbox_at()
            if ready:
                await all_to_their_ends(map(self._send, ready))
            else:
                await self._sleep(rows, now, following)

    def _rested_at(self, row: OutboxRow) -> int:
        """When this message has rested enough for its next edit."""
        last = self._last_sent.get(row.key)
        return 0 if last is None else last + self._gap_ms

    async def _sleep(self, resting: list[OutboxRow], looked_at: int, following: int | None) -> None:
        """Wait for the first of the resting rows, or for the following one, if it was not due yet."""
        moments = [self._rested_at(row) for row in resting]
        if following is not None and following > looked_at:
            moments.append(following)
        await self._sleeper.sleep(moments)

    async def _send(self, row: OutboxRow) -> None:
        try:
            revision = await self._publish(row)
        except TryLater as error:
            await self._retry(row, str(error), error.after_s)
        except (PlaceGone, NotAllowed, DmsClosed, MessageGone) as error:
            log.warning("outbox.dropped", table=row.table_id, kind=row.kind, why=type(error).__name__)
            await self._drop(row, type(error).__name__)
        except discord.HTTPException as error:
            log.exception("outbox.refused", table=row.table_id, kind=row.kind, code=error.code)
            await self._drop(row, f"{error.status} {error.code}")
        except Exception as error:
            log.exception("outbox.failed", table=row.table_id, kind=row.kind)
            await self._retry(row, type(error).__name__, None)
        else:
            self._last_sent[row.key] = self._clock.now()
            async with self._store.write() as writer:
                await writer.outbox_done(row, max(revision, row.revision), self._clock.now())

    async def _retry(self, row: OutboxRow, why: str, after_s: float | None) -> None:
        backoff = min(FIRST_WAIT_MS << min(row.attempts, 10), LONGEST_WAIT_MS)
        wait = max(backoff, int((after_s or 0) * 1000))
        async with self._store.write() as writer:
            await writer.outbox_retry(row.id, self._clock.now() + wait, why)

    async def _drop(self, row: OutboxRow, why: str) -> None:
        async with self._store.write() as writer:
            await writer.outbox_drop(row.id, row.revision, why, self._clock.now())
