"""The worker that publishes committed changes.

Each message has at most one pending edit, the newest state wins, and errors are retried.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

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
from bot.lanes import LONGEST_WAIT_MS, Lanes, Wakeup, backoff_ms
from bot.rest import Urgency, urgency
from data.errors import RevisionConflictError, StoreUnavailableError
from data.outbox_keys import (
    EndedMentionKey,
    HandKey,
    OutboxKey,
    RetiredHandKey,
    ShowAnewKey,
    StandingKey,
    TableKey,
    TableMessageKey,
    TurnMentionKey,
)
from data.repositories.messages import Key, OutboxRow, Pending
from data.shards import EVERYTHING, Share
from data.store import Store
from league.times import DAY, SECOND

Publish = Callable[[OutboxRow[Key]], Awaitable[int]]
"""Brings a message up to date and returns the revision that it shows.

Raises the errors of `bot.delivery.discord_calls`, and PostponedError.
"""


class PostponedError(Exception):
    """Raised when the request need not be published before `until`, in milliseconds since 1970."""

    def __init__(self, until: int) -> None:
        super().__init__("postponed")
        self.until = until


@dataclass(frozen=True, slots=True)
class Patience:
    """Errors that are retried although a retry helps only after people have done something."""

    errors: tuple[type[Exception], ...] = ()
    """Such as a missing permission. RetryLaterError and unforeseen errors are always retried."""
    longest_wait_ms: int = LONGEST_WAIT_MS
    """The longest wait between two attempts after such an error."""


@dataclass(frozen=True, slots=True)
class Handler:
    """How to publish the keys of one class, and which of their errors to retry."""

    publish: Publish[Any]
    patience: Patience


class Handlers:
    """An outbox's handlers, by the class of the key."""

    def __init__(self) -> None:
        self._handlers: dict[type[OutboxKey], Handler] = {}

    def on(self, kind: type[Key], publish: Publish[Key], patience: Patience = Patience()) -> "Handlers":
        """Publish keys of this class with `publish`; returns the same object."""
        self._handlers[kind] = Handler(publish, patience)
        return self

    def __getitem__(self, key: OutboxKey) -> Handler:
        return self._handlers[type(key)]

    def __iter__(self) -> Iterator[type[OutboxKey]]:
        return iter(self._handlers)


AT_ONCE = 64
"""The most concurrent requests, not counting slow ones."""
LOST = (ChannelGoneError, MissingAccessError, DirectMessagesClosedError, MessageGoneError)
"""Errors after which a message is given up, unless its handler retries them."""
UNREADABLE_REST_MS = DAY
"""How long a row that cannot be read is put off. A newer version may read it by then."""
KEPT_UP_TO_DATE = (TableMessageKey, ShowAnewKey, HandKey)
"""Messages that are edited again and again, so that an older state may arrive after a newer one."""

_OF_A_TURN = (HandKey, TurnMentionKey, StandingKey, EndedMentionKey, RetiredHandKey)
log = structlog.get_logger(__name__)


class Outbox:
    """Takes due rows, passes each to its handler, and records the outcome.

    Lanes run side by side, so a place that hangs, is rate limited or fails delays no other. Keys without a
    handler are left to other outboxes.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        handlers: Handlers,
        gap_ms: int,
        at_once: int = AT_ONCE,
        own: Callable[[], Share] = lambda: EVERYTHING,
    ) -> None:
        self._store = store
        self._clock = clock
        self._handlers = handlers
        self._kinds = frozenset(key.kind for key in handlers)
        self._gap_ms = gap_ms
        """How long a table's message rests after an edit, in milliseconds."""
        self._own = own
        """The shards whose messages this process sends."""
        self._sleeper = Wakeup(clock)
        self.wake = self._sleeper.wake
        self._lanes: Lanes[int] = Lanes(at_once, self.wake)
        """Lanes by place; their items are the ids of rows."""
        self._looking = asyncio.Lock()
        self._perhaps_behind: deque[OutboxRow[OutboxKey]] = deque()
        """Rows whose edit may have arrived after another process's newer edit. They are requested again."""

    async def run(self) -> None:
        """Publish until cancelled."""
        async with self._lanes:
            while True:
                self._sleeper.look()
                self._lanes.check()
                await self._repeat()
                if not self._lanes.room:
                    await self._sleeper.sleep()
                    continue
                async with self._looking:
                    share = self._own()
                    due, next_at, unreadable = await self._look(share)
                    for row in due:
                        self._lanes.offer(row.key.lane, row.id, partial(self._send, row, share))
                if unreadable:
                    await self._put_off(unreadable)
                    continue  # rows behind them were not looked at
                await self._sleeper.sleep([] if next_at is None else [next_at])

    async def _put_off(self, unreadable: frozenset[int]) -> None:
        """Put off rows that the disk has changed or a newer version has written. There may be any number of them."""
        until = self._clock.now() + UNREADABLE_REST_MS
        await self._store.write(lambda db: db.outbox.postpone_all(unreadable, until))
        for row_id in sorted(unreadable):
            log.error("outbox.unreadable", row=row_id)

    async def settle(self) -> None:
        """Wait until everything being sent or about to be sent has arrived, except to a place that hangs."""
        async with self._looking:
            pass  # rows found before this have started by now
        await self._lanes.settle()

    async def _look(self, share: Share) -> Pending:
        now, room, beside = self._clock.now(), self._lanes.room, self._lanes.taken
        return await self._store.read(
            lambda db: db.outbox.look(now, room, beside, kinds=self._kinds, gap_ms=self._gap_ms, share=share)
        )

    async def _send(self, row: OutboxRow[OutboxKey], share: Share) -> bool:
        """Publish a row that was found in this share; returns whether its lane may have more to do.

        If a shard was lost meanwhile, another process may have edited the message, and this edit may have come behind its newer
        one. So the process that has the shard now is asked to edit it once more. So it is where the work was broken off, as when
        the store cannot be reached: the time of that edit is unknown.
        """
        is_sure = False
        try:
            has_more = await self._publish(row)
            is_sure = share.held <= self._own().held
        finally:
            if not is_sure and isinstance(row.key, KEPT_UP_TO_DATE):
                self._perhaps_behind.append(row)
                self.wake()
        return has_more

    async def _repeat(self) -> None:
        while self._perhaps_behind:
            await self._ask_again(self._perhaps_behind[0])
            self._perhaps_behind.popleft()

    async def _ask_again(self, row: OutboxRow[OutboxKey]) -> None:
        now = self._clock.now()
        await self._store.write(lambda db: db.outbox.repeat(row, now))

    async def _publish(self, row: OutboxRow[OutboxKey]) -> bool:
        """Publish a row; returns whether its lane may have more to do."""
        urgency.set(_urgency(row.key))
        handler, told = self._handlers[row.key], {"kind": row.key.kind, "about": row.key.about}
        try:
            revision = await handler.publish(row)
        except PostponedError as later:
            until = later.until
            await self._store.write(lambda db: db.outbox.postpone(row.id, until))
        except RetryLaterError as error:
            await self._retry(row, str(error), backoff_ms(row.attempts), error.after_s)
        except (StoreUnavailableError, *handler.patience.errors) as error:
            log.warning("outbox.waits", **told, why=type(error).__name__)
            wait_ms = backoff_ms(row.attempts, handler.patience.longest_wait_ms)
            await self._retry(row, type(error).__name__, wait_ms)
        except LOST as error:
            log.warning("outbox.dropped", **told, why=type(error).__name__)
            await self._drop(row, type(error).__name__)
        except discord.HTTPException as error:  # it would be refused again
            log.error("outbox.refused", **told, code=error.code, why=error.text)  # noqa: TRY400
            await self._drop(row, f"{error.status} {error.code}")
        except Exception as error:
            # The table was changed without its lock; it is read again next time.
            if isinstance(error, RevisionConflictError):
                log.warning("outbox.changed_elsewhere", **told)
            else:
                log.exception("outbox.failed", **told)
            await self._retry(row, type(error).__name__, backoff_ms(row.attempts))
        else:
            sent, now = [(row, max(revision, row.revision))], self._clock.now()
            return not await self._store.write(lambda db: db.outbox.done(sent, now))
        return True

    async def _retry(
        self, row: OutboxRow[OutboxKey], why: str, wait_ms: int, after_s: float | None = None
    ) -> None:
        at = self._clock.now() + max(wait_ms, int((after_s or 0) * SECOND))
        await self._store.write(lambda db: db.outbox.retry(row.id, at, why))

    async def _drop(self, row: OutboxRow[OutboxKey], why: str) -> None:
        now = self._clock.now()
        await self._store.write(lambda db: db.outbox.drop(row.id, row.revision, why, now))


def _urgency(key: OutboxKey) -> Urgency:
    """Return how urgent requests for a key are.

    The handler of a table's message sets the urgency itself, once it has looked at the table.
    """
    if isinstance(key, _OF_A_TURN):
        return Urgency.TURN
    return Urgency.TABLE if isinstance(key, TableKey) else Urgency.LATER
