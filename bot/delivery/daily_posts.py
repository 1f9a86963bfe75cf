"""Posting the board of a day that is over, where the server wants it."""

import discord

from bot.daily.deals import Daily
from bot.delivery import discord_calls
from bot.panels.daily import day_panel
from bot.ui.panel import Panel
from bot.words.texts import speaking, texts
from data.privacy_rows import AmendmentRow
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
        async with self._store.read() as db:
            table = await db.tables.get(row.table_id)
            settings = await db.guilds.settings(table.guild_id if table else 0)
        set_id = table.options.board_set if table else None
        board = None if set_id is None else await self._daily.board_of(set_id)
        if set_id is not None and board is not None and settings.daily_channel_id is not None:
            with speaking(settings.language):
                panel = day_panel(board, texts())
            channel_id = settings.daily_channel_id
            message_id = await discord_calls.send(self._client, channel_id, panel, row.nonce)
            async with self._store.write() as db:
                await db.amendments.note_message("day", set_id, channel_id, message_id)
        return row.revision

    async def board_now(self, row: AmendmentRow) -> Panel | None:
        """What the message of a board shows by now."""
        board = await self._daily.board_of(row.about)
        async with self._store.read() as db:
            found = await db.boards.get_set(row.about)
            settings = await db.guilds.settings(found.guild_id if found else 0)
        with speaking(settings.language):
            return None if board is None else day_panel(board, texts())
