"""The board of a day that is over, posted where the server wants it."""

import discord

from bot.daily.deals import Daily
from bot.delivery import discord_calls
from bot.panels.daily import day_panel
from bot.ui.panel import Panel
from bot.words.texts import speaking, texts
from data.ids import MessageId
from data.outbox_keys import DailyAmendmentKey, DailyPostKey
from data.rows.outbox import OutboxRow
from data.store import Store


class DailyPosts:
    """Posts one message a day."""

    def __init__(self, client: discord.Client, store: Store, daily: Daily) -> None:
        self._client = client
        self._store = store
        self._daily = daily

    async def publish(self, row: OutboxRow[DailyPostKey]) -> int:
        """Post a board, unless the server wants none. Raises the errors of `bot.delivery.discord_calls`."""
        set_id = row.key.set_id
        async with self._store.read() as db:
            found = await db.boards.get_set(set_id)
        settings = await self._store.directory.guild_settings(found.guild_id if found else None)
        board = await self._daily.board_of(set_id)
        if board is not None and settings.daily_channel_id is not None:
            with speaking(settings.language):
                panel = day_panel(board, texts())
            channel_id = settings.daily_channel_id
            posted = await discord_calls.send(self._client, channel_id, panel, row.nonce)
            await self._daily.posted(set_id, board, channel_id, MessageId(posted.id))
        return row.revision

    async def draw(self, key: DailyAmendmentKey) -> Panel | None:
        """What the message of a board shows now."""
        board = await self._daily.board_of(key.about)
        async with self._store.read() as db:
            found = await db.boards.get_set(key.about)
        settings = await self._store.directory.guild_settings(found.guild_id if found else None)
        with speaking(settings.language):
            return None if board is None else day_panel(board, texts())
