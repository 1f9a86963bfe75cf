"""Publishing what was committed: one pending edit a message, the newest state wins, failures are tried again."""

from collections.abc import Awaitable, Callable, Hashable
from functools import partial

import discord
import structlog

from bot.clock import Clock
from bot.delivery.discord_calls import (
    ChannelGoneError,
    DirectMessagesClosedError,
    MessageGoneError,
    MissingAccessError,
    RetryLaterError,
)
from bot.lanes import Lanes, backoff_ms
from bot.table.duplicate import OPENED
from bot.table.outbox_requests import MEMBER
from bot.wakeup import Wakeup
from data.store import Store
from data.values import OutboxRow

Publish = Callable[[OutboxRow], Awaitable[int]]

AT_ONCE = 64
"""Requests under way that are not slow."""
AT_THE_TABLE = {"table", "notice", OPENED, MEMBER}
"""The kinds of rows that are shown where the table stands; each other one has a place of its own."""

log = structlog.get_logger(__name__)


def destination(row: OutboxRow) -> Hashable:
    """Where a row goes: the place of a table, or one message elsewhere, such as somebody's hand."""
    return ("table", row.table_id) if row.kind in AT_THE_TABLE else row.key


class Outbox:
    """Takes the rows that are due and hands each to `publish`, which returns the revision it has shown.

    Every destination has a lane of its own: one that hangs, is limited or fails delays no other.
    """

    def __init__(self, store: Store, clock: Clock, publish: Publish, gap_ms: int) -> None:
        self._store = store
        self._clock = clock
        self._publish = publish
        self._gap_ms = gap_ms
        self._resting: dict[str, int] = {}
        """By key: until when a message rests before its next edit."""
        self._sleeper = Wakeup(clock)
        self.wake = self._sleeper.wake
        self._lanes: Lanes[int] = Lanes(AT_ONCE, self.wake)
        """By destination: the ids of rows."""

    async def run(self) -> None:
        """Publish until cancelled."""
        async with self._lanes:
            while True:
                self._sleeper.look()
                self._lanes.check()
                if not self._lanes.room:
                    await self._sleeper.sleep()
                    continue
                now = self._clock.now()
                due = await self._due(now)
                ready = [row for row in due if row.key not in self._resting]
                for row in ready:
                    self._lanes.offer(destination(row), row.id, partial(self._send, row))
                if not ready:
                    await self._sleep(due, now)

    async def _due(self, now: int) -> list[OutboxRow]:
        """Rows that are due, as many as there is room for beside those that rest."""
        # A clock that was set back must not make a message rest for longer than it is meant to.
        self._resting = {
            key: until for key, until in self._resting.items() if now < until <= now + self._gap_ms
        }
        async with self._store.read() as db:
            return await db.outbox.due(now, self._lanes.room + len(self._resting), self._lanes.taken)

    async def _sleep(self, resting: list[OutboxRow], looked_at: int) -> None:
        """Wait for the first of the resting rows, or for the next one that was not due yet."""
        async with self._store.read() as db:
            following = await db.outbox.next_at(looked_at)
        moments = [self._resting[row.key] for row in resting]
        await self._sleeper.sleep(moments if following is None else [*moments, following])

    async def _send(self, row: OutboxRow) -> None:
        try:
            revision = await self._publish(row)
        except RetryLaterError as error:
            await self._retry(row, str(error), error.after_s)
        except (ChannelGoneError, MissingAccessError, DirectMessagesClosedError, MessageGoneError) as error:
            log.warning("outbox.dropped", table=row.table_id, kind=row.kind, why=type(error).__name__)
            await self._drop(row, type(error).__name__)
        except discord.HTTPException as error:  # it would be refused again
            log.error("outbox.refused", table=row.table_id, kind=row.kind, code=error.code, why=error.text)  # noqa: TRY400
            await self._drop(row, f"{error.status} {error.code}")
        except Exception as error:
            log.exception("outbox.failed", table=row.table_id, kind=row.kind)
            await self._retry(row, type(error).__name__, None)
        else:
            self._resting[row.key] = self._clock.now() + self._gap_ms
            async with self._store.write() as db:
                await db.outbox.done(row, max(revision, row.revision), self._clock.now())

    async def _retry(self, row: OutboxRow, why: str, after_s: float | None) -> None:
        wait = max(backoff_ms(row.attempts), int((after_s or 0) * 1000))
        async with self._store.write() as db:
            await db.outbox.retry(row.id, self._clock.now() + wait, why)

    async def _drop(self, row: OutboxRow, why: str) -> None:
        async with self._store.write() as db:
            await db.outbox.drop(row.id, row.revision, why, self._clock.now())
