"""What the deal of the day sends: the board of a day that is over, where the server wants it, and reminders to those who want them."""

import discord

from bot.daily.deals import Daily
from bot.daily.reminders import Reminders
from bot.delivery import discord_calls
from bot.delivery.hand_messages import noting_closed
from bot.panels.daily import day_panel, reminder_panel
from bot.ui.panel import Panel
from bot.words.names import clean_name, server_address
from bot.words.texts import speaking, texts
from data.ids import MessageId
from data.outbox_keys import DailyAmendmentKey, DailyPostKey, DailyReminderKey
from data.rows.outbox import OutboxRow
from data.store import Store


class DailyPosts:
    """Posts one message a day in a server, and reminds people."""

    def __init__(self, client: discord.Client, store: Store, daily: Daily, reminders: Reminders) -> None:
        self._client = client
        self._store = store
        self._daily = daily
        self._reminders = reminders

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

    async def remind(self, row: OutboxRow[DailyReminderKey]) -> int:
        """Tell somebody once that the deal of the day waits, unless they have begun it, want no reminders, or cannot be told."""
        due = await self._reminders.due(row.key.table_id, row.queued_at)
        guild = self._client.get_guild(due.guild_id) if due else None
        if due is None or guild is None or not due.person.dms_open:
            return row.revision
        person, address = due.person, server_address(due.guild_id)
        with speaking(person.settings.spoken or due.language):
            panel = reminder_panel(clean_name(guild.name, "–"), address, due.days, texts())
        async with noting_closed(self._store, person.id):
            channel_id = await discord_calls.open_dm(self._client, person.id)
            await discord_calls.send(self._client, channel_id, panel, row.nonce)
        return row.revision

    async def draw(self, key: DailyAmendmentKey) -> Panel | None:
        """What the message of a board shows now."""
        board = await self._daily.board_of(key.about)
        async with self._store.read() as db:
            found = await db.boards.get_set(key.about)
        settings = await self._store.directory.guild_settings(found.guild_id if found else None)
        with speaking(settings.language):
            return None if board is None else day_panel(board, texts())
