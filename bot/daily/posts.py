"""Posting the board of a day that is over, where the server wants it."""

import discord

from bot.daily.deals import Daily
from bot.delivery import discord_calls
from bot.panels.daily import day_panel
from bot.words.texts import speaking, texts
from data.store import Store
from data.values import OutboxRow


class DailyPosts:
    """One message a day."""

    def __init__(self, client: discord.Client, store: Store, daily: Daily) -> None:
        self._client = client
        self._store = store
        self._daily = daily

    async def publish(self, row: OutboxRow) -> int:
        """Post a board, unless the server wants none; raises the exceptions of `bot.delivery.discord_calls`."""
        board = await self._daily.board_at(row.table_id)
        async with self._store.read() as reader:
            table = await reader.table(row.table_id)
            settings = await reader.guild_settings(table.guild_id if table else 0)
        if board is not None and settings.daily_channel_id is not None:
            with speaking(settings.language):
                panel = day_panel(board, texts())
            await discord_calls.send(self._client, settings.daily_channel_id, panel, row.nonce)
        return row.revision
