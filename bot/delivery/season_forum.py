"""The place of a season's messages if its channel is a forum: one post, which its first message opens."""

from collections.abc import Awaitable, Callable

import discord

from bot.clock import Clock
from bot.delivery import discord_calls
from bot.delivery.discord_calls import RetryLaterError, ThreadLimitError, UneditableMessageError
from bot.delivery.threads import WEEK_MINUTES
from bot.interactions.permissions import forum_of
from bot.league.season import SeasonView
from bot.ui.panel import Panel
from bot.words.texts import Texts
from data.ids import ChannelId, MessageId
from data.outbox_keys import season_key
from data.season_posts import SeasonPost, SignupPost
from data.store import Store
from data.transaction import WriteTransaction

_NAME = 80
"""The most letters of a season in the name of its post, which may have 100."""


class SeasonForum:
    """Find, open and edit the posts of seasons. A season's post is the thread with its sign-up."""

    def __init__(self, client: discord.Client, store: Store, clock: Clock) -> None:
        self._client = client
        self._store = store
        self._clock = clock

    async def place_of(self, view: SeasonView, post: SeasonPost) -> ChannelId | None:
        """Return the place of a season's message: its channel, or its post in a forum.

        None for the sign-up of a season that has no post yet, or whose post was deleted. For any other
        message the sign-up is requested, and RetryLaterError raised. Raises the errors of
        `bot.delivery.discord_calls`.
        """
        channel_id = view.row.channel_id
        if forum_of(discord_calls.known_guild(self._client, view.row.guild_id), channel_id) is None:
            return channel_id
        signup = SignupPost()
        place = await self._store.read(lambda db: db.seasons.post(view.row.id, signup))
        there = None if place is None else place.channel_id
        if there is not None and await discord_calls.parent_of(self._client, there) == channel_id:
            return there
        if post == signup:
            return None
        key, now = season_key(view.row.id, signup), self._clock.now()

        async def ask(db: WriteTransaction) -> None:
            await db.seasons.keep_post(key)
            await db.outbox.ask(key, now)

        await self._store.write(ask)
        raise RetryLaterError("the season's post is opened first")

    async def open(self, view: SeasonView, panel: Panel, texts: Texts) -> ChannelId:
        """Open the season's post with this panel; returns its id, which is that of its first message too."""
        name = texts("thread.name_season", league=view.plain_title[:_NAME])
        try:
            posted = await discord_calls.open_post(
                self._client, view.row.channel_id, name, WEEK_MINUTES, panel
            )
        except ThreadLimitError:
            raise RetryLaterError("the server has as many open threads as it may have") from None
        return ChannelId(posted.id)

    async def edit(
        self, channel_id: ChannelId, message_id: MessageId, draw: Callable[[], Awaitable[Panel]]
    ) -> None:
        """Edit a message of a season; a post that was archived meanwhile is opened for it."""
        try:
            await discord_calls.edit(self._client, channel_id, message_id, await draw())
        except UneditableMessageError:
            if not await discord_calls.open_thread_again(self._client, channel_id):
                raise
            await discord_calls.edit(self._client, channel_id, message_id, await draw())
