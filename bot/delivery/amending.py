"""Editing what still names somebody who was forgotten: each message where it stands, none posted anew."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

import discord
import structlog

from bot.clock import Clock
from bot.delivery import discord_calls
from bot.delivery.discord_calls import (
    ChannelGoneError,
    MessageGoneError,
    MissingAccessError,
    RetryLaterError,
    UneditableMessageError,
)
from bot.errors import UserError
from bot.lanes import Lanes, backoff_ms
from bot.ui.panel import Panel
from bot.wakeup import Wakeup
from data.privacy.rows import AmendmentRow
from data.store import Store

Draw = Callable[[AmendmentRow], Awaitable[Panel | None]]
"""What a message shows by now; None for one of which nothing is known any more."""

AT_ONCE = 4
"""Nobody waits for these: messages that people wait for come first."""
LONGEST_WAIT_MS = 3_600_000
"""Discord lets only so many old messages be edited, and a permission may come back."""

log = structlog.get_logger(__name__)


class Amender:
    """Edits what is to be edited, one message at a time in each channel, until Discord has taken it or it is gone."""

    def __init__(self, client: discord.Client, store: Store, clock: Clock, draw: Mapping[str, Draw]) -> None:
        self._client = client
        self._store = store
        self._clock = clock
        self._draw = draw
        self._sleeper = Wakeup(clock)
        self.wake = self._sleeper.wake
        self._lanes: Lanes[int] = Lanes(AT_ONCE, self.wake)
        """By channel: the ids of messages."""

    async def run(self) -> None:
        """Edit until cancelled."""
        async with self._lanes:
            while True:
                self._sleeper.look()
                self._lanes.check()
                if not self._lanes.room:
                    await self._sleeper.sleep()
                    continue
                now = self._clock.now()
                async with self._store.read() as db:
                    due = await db.amendments.amendments_due(now, self._lanes.room, self._lanes.taken)
                    following = None if due else await db.amendments.next_amendment_at(now)
                for row in due:
                    self._lanes.offer(row.channel_id, row.message_id, partial(self.amend, row))
                if not due:
                    await self._sleeper.sleep([] if following is None else [following])

    async def amend(self, row: AmendmentRow) -> None:
        """Edit one message, and note what became of it."""
        try:
            await self._edit(row)
        except (RetryLaterError, MissingAccessError, UneditableMessageError) as error:
            log.warning("amending.waits", kind=row.kind, message_id=row.message_id, why=type(error).__name__)
            await self._put_off(row, getattr(error, "after_s", None))
        except (MessageGoneError, ChannelGoneError, UserError):
            await self._done(row)
        except discord.HTTPException as error:  # it would be refused again
            log.error("amending.refused", kind=row.kind, message_id=row.message_id, code=error.code)  # noqa: TRY400
            await self._done(row)
        except Exception:
            log.exception("amending.failed", kind=row.kind, message_id=row.message_id)
            await self._put_off(row, None)
        else:
            await self._done(row)

    async def _edit(self, row: AmendmentRow) -> None:
        try:
            await self._bring_up_to_date(row)
        except UneditableMessageError:
            if not await discord_calls.open_thread_again(self._client, row.channel_id):
                raise
            try:
                await self._bring_up_to_date(row)
            finally:
                await discord_calls.archive_thread(self._client, row.channel_id)

    async def _bring_up_to_date(self, row: AmendmentRow) -> None:
        panel = await self._draw[row.kind](row)
        if panel is not None:
            await discord_calls.edit(self._client, row.channel_id, row.message_id, panel)

    async def _done(self, row: AmendmentRow) -> None:
        async with self._store.write() as db:
            await db.amendments.amended(row)

    async def _put_off(self, row: AmendmentRow, after_s: float | None) -> None:
        wait = max(backoff_ms(row.attempts, LONGEST_WAIT_MS), int((after_s or 0) * 1000))
        async with self._store.write() as db:
            await db.amendments.amendment_failed(row, self._clock.now() + wait)
