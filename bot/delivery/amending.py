"""Messages that name a forgotten person. Each is edited in place, and none is posted again."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import discord

from bot.delivery import discord_calls
from bot.delivery.discord_calls import MissingAccessError, UneditableMessageError
from bot.delivery.outbox import Handlers, Patience
from bot.errors import UserError
from bot.ui.panel import Panel
from data.outbox_keys import AmendmentKey
from data.repositories.messages import OutboxRow
from league.times import HOUR

Key = TypeVar("Key", bound=AmendmentKey)
Draw = Callable[[Key], Awaitable[Panel | None]]
"""Draws the current content of a message; None if it is no longer known."""

AT_ONCE = 4
"""The most concurrent edits. It is low because no person waits for them."""
UNTIL_EDITABLE = Patience((MissingAccessError, UneditableMessageError), HOUR)
"""Errors to retry: Discord limits hourly edits of old messages, and a permission may be granted again."""


class Amending:
    """Edits messages by their keys. A deleted message is left alone."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self.handlers = Handlers()

    def on(self, kind: type[Key], draw: Draw[Key]) -> "Amending":
        """Edit the messages of these keys to what `draw` returns."""
        self.handlers.on(kind, partial(self._publish, draw), UNTIL_EDITABLE)
        return self

    async def _publish(self, draw: Draw[Key], row: OutboxRow[Key]) -> int:
        await self.edit(draw, row.key)
        return row.revision

    async def edit(self, draw: Draw[Key], key: Key) -> None:
        """Edit a message. An archived thread is opened for it, and archived again."""
        try:
            await self._edit(draw, key)
        except UneditableMessageError:
            if not await discord_calls.open_thread_again(self._client, key.channel_id):
                raise
            try:
                await self._edit(draw, key)
            finally:
                await discord_calls.archive_thread(self._client, key.channel_id)

    async def _edit(self, draw: Draw[Key], key: Key) -> None:
        try:
            panel = await draw(key)
        except UserError:  # the table or the season is no longer stored
            return
        if panel is not None:
            await discord_calls.edit(self._client, key.channel_id, key.message_id, panel)
