"""Automatic messages other than those of tables and seasons: greetings, boards of days and weeks, daily reminders."""

from datetime import date
from typing import Final

import discord

from bot.clock import Clock
from bot.daily.deals import Daily
from bot.daily.reminders import Reminders
from bot.delivery import discord_calls
from bot.delivery.discord_calls import ChannelGoneError, DirectMessages, MissingAccessError
from bot.delivery.outbox import Handlers, Patience, PostponedError
from bot.history.leaderboards import (
    Leaderboards,
    ask_for_next,
    next_monday,
    posted_at,
    week_before,
    within_week,
)
from bot.panels.daily import day_panel, reminder_panel
from bot.panels.history.leaderboard import week_panel
from bot.panels.server.setup import greeting_panel
from bot.servers import Servers
from bot.ui.panel import Panel
from bot.words.names import Mentions, server_address
from bot.words.texts import texts
from data.ids import ChannelId, MessageId
from data.names import clean_name
from data.outbox_keys import (
    DailyAmendmentKey,
    DailyPostKey,
    DailyReminderKey,
    GreetingKey,
    WeekAmendmentKey,
    WeekPostKey,
)
from data.repositories.messages import OutboxRow
from data.store import Store
from data.transaction import WriteTransaction
from league.ids import GuildId
from league.statistics.leaderboard import Board
from league.times import DAY, HOUR
from render.words import speaking

UNTIL_PERMITTED: Final = Patience((MissingAccessError,), HOUR)
"""Errors to retry: a permission may be granted in the next hours. No board is posted over a day late."""


class DailyPosts:
    """Posts one message a day in a server, and reminds people."""

    def __init__(
        self, client: discord.Client, store: Store, daily: Daily, reminders: Reminders, direct: DirectMessages
    ) -> None:
        self._client = client
        self._store = store
        self._daily = daily
        self._reminders = reminders
        self._direct = direct

    async def publish(self, row: OutboxRow[DailyPostKey]) -> int:
        """Post a board, unless the server wants none. Raises the errors of `bot.delivery.discord_calls`."""
        set_id = row.key.set_id
        found = await self._store.read(lambda db: db.boards.get_set(set_id))
        settings = await self._store.directory.guild_settings(found.guild_id if found else None)
        board = await self._daily.board_of(set_id)
        channel_id = settings.daily_channel_id
        if found is not None and board is not None and channel_id is not None:
            with speaking(settings.language):
                panel = day_panel(board, texts())
            discord_calls.require_channel(self._client, found.guild_id, channel_id)
            posted = await discord_calls.send(self._client, channel_id, panel, row.nonce)
            await self._daily.posted(set_id, board, channel_id, MessageId(posted.id))
        return row.revision

    async def remind(self, row: OutboxRow[DailyReminderKey]) -> int:
        """Remind a person of the deal of the day, once.

        They are not reminded if they have begun the deal, want no reminders, or cannot be reached.
        """
        due = await self._reminders.due(row.key.table_id, row.queued_at)
        if due is None or not due.person.dms_open:
            return row.revision
        guild = discord_calls.known_guild(self._client, due.guild_id)
        if guild is None:
            return row.revision
        person, address = due.person, server_address(due.guild_id)
        with speaking(person.settings.spoken or due.language):
            panel = reminder_panel(clean_name(guild.name, "–"), address, due.days, texts())
        async with self._direct.noting_closed(person.id):
            await self._direct.send(
                person.id, lambda channel: discord_calls.send(self._client, channel, panel, row.nonce)
            )
        return row.revision

    async def draw(self, key: DailyAmendmentKey) -> Panel | None:
        """Draw the current content of a board's message."""
        board = await self._daily.board_of(key.about)
        found = await self._store.read(lambda db: db.boards.get_set(key.about))
        settings = await self._store.directory.guild_settings(found.guild_id if found else None)
        with speaking(settings.language):
            return None if board is None else day_panel(board, texts())


class ServerPosts:
    """Greets a server once, and posts the board of each week once.

    Each post requests the next one before it is sent.
    """

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        clock: Clock,
        boards: Leaderboards,
        servers: Servers,
        mentions: Mentions,
    ) -> None:
        self._client = client
        self._store = store
        self._clock = clock
        self._boards = boards
        self._servers = servers
        self._mentions = mentions

    def register(self, handlers: Handlers) -> None:
        """Register the handlers of its keys."""
        handlers.on(WeekPostKey, self.publish_week, UNTIL_PERMITTED)
        handlers.on(GreetingKey, self.greet)

    async def greet(self, row: OutboxRow[GreetingKey]) -> int:
        """Greet a server in a channel where the bot may write, if there is one.

        Raises the errors of `bot.delivery.discord_calls`.
        """
        guild = discord_calls.known_guild(self._client, row.key.guild_id)
        channel_id = None if guild is None else greeting_channel(guild)
        if channel_id is None:
            return row.revision
        settings = await self._store.directory.guild_settings(row.key.guild_id)
        with speaking(settings.language):
            panel = greeting_panel(self._mentions, texts())
        await discord_calls.send(self._client, channel_id, panel, row.nonce)
        return row.revision

    async def publish_week(self, row: OutboxRow[WeekPostKey]) -> int:
        """Post the board of the week before a Monday, unless the server wants none or had no deals.

        A post that a clock requested too early, because it was ahead, gives way to that of the next Monday. Raises the
        errors of `bot.delivery.discord_calls`, and PostponedError if the server's clocks were set back.
        """
        guild_id, monday, now = row.key.guild_id, date.fromordinal(row.key.monday), self._clock.now()
        settings = await self._store.directory.guild_settings(guild_id)
        channel_id = settings.weekly_channel_id
        if channel_id is None:
            return row.revision
        at = posted_at(monday, settings.timezone)
        if now < at and monday == next_monday(now, settings.timezone):
            raise PostponedError(at)

        async def write(db: WriteTransaction):
            await ask_for_next(db, guild_id, settings.timezone, now)
            return await db.public_messages.has_week(guild_id, week_before(monday))

        is_posted = await self._store.write(write)
        if now < at:
            return row.revision
        board = await self._boards.of_week(guild_id, within_week(monday))
        if is_posted or now > at + DAY or not board.rows:
            return row.revision
        with speaking(settings.language):
            panel = week_panel(board, texts())
        try:
            discord_calls.require_channel(self._client, guild_id, channel_id)
            posted = await discord_calls.send(self._client, channel_id, panel, row.nonce)
        except ChannelGoneError:
            await self._servers.channel_gone(guild_id, channel_id)
            return row.revision
        await self._posted(guild_id, monday, board, channel_id, MessageId(posted.id))
        return row.revision

    async def _posted(
        self, guild_id: GuildId, monday: date, shown: Board, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        """Record where the board was posted.

        If someone was forgotten meanwhile, they are edited out of the post.
        """
        note = (guild_id, monday.toordinal(), week_before(monday), channel_id, message_id)
        await self._store.write(lambda db: db.public_messages.note_week(*note))
        if await self._boards.of_week(guild_id, within_week(monday)) != shown:
            key = WeekAmendmentKey(guild_id, channel_id, message_id, monday.toordinal())
            now = self._clock.now()
            await self._store.write(lambda db: db.outbox.ask(key, now))

    async def draw_week(self, key: WeekAmendmentKey) -> Panel | None:
        """Draw the current content of a weekly board's message."""
        guild_id, monday = GuildId(key.about), date.fromordinal(key.monday)
        board = await self._boards.of_week(guild_id, within_week(monday))
        settings = await self._store.directory.guild_settings(guild_id)
        with speaking(settings.language):
            return week_panel(board, texts())


def greeting_channel(guild: discord.Guild) -> ChannelId | None:
    """Return the channel for greeting a server: its welcome channel, or the first where the bot may write."""
    places = [guild.system_channel, *sorted(guild.text_channels, key=lambda place: place.position)]
    for place in places:
        if place is not None:
            granted = place.permissions_for(guild.me)
            if granted.view_channel and granted.send_messages:
                return ChannelId(place.id)
    return None
