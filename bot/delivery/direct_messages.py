"""Direct messages: their channels, and the one rule for people who accept none from the bot."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import discord
import structlog

from bot.delivery import discord_calls
from bot.delivery.discord_calls import ChannelGoneError, DirectMessagesClosedError, MissingAccessError
from data.ids import ChannelId
from data.store import Store
from league.ids import PersonId

T = TypeVar("T")
log = structlog.get_logger(__name__)


class DirectMessages:
    """Finds the channels of direct messages. They are stored, because the library remembers no more than 128."""

    def __init__(self, client: discord.Client, store: Store) -> None:
        self._client = client
        self._store = store

    async def channel_of(self, person_id: PersonId) -> ChannelId:
        """The channel for direct messages with this person, which is opened if it is not known."""
        return await self._known(person_id) or await self._open(person_id)

    async def send(
        self, person_id: PersonId, act: Callable[[ChannelId], Awaitable[T]]
    ) -> tuple[ChannelId, T]:
        """Call `act` with this person's channel; returns the channel and the result.

        If Discord refuses a stored channel, it is opened again, once. Raises what `act` raises, and
        DirectMessagesClosedError.
        """
        known = await self._known(person_id)
        if known is not None:
            try:
                return known, await act(known)
            except (ChannelGoneError, DirectMessagesClosedError, MissingAccessError):
                log.info("dms.reopened", person=person_id)
                await self._keep(person_id, None)
        channel_id = await self._open(person_id)
        return channel_id, await act(channel_id)

    @asynccontextmanager
    async def noting_closed(self, person_id: PersonId) -> AsyncGenerator[None, None]:
        """If this person turns out to accept no direct messages, note that and stop trying."""
        try:
            yield
        except DirectMessagesClosedError:
            log.info("dms.closed", person=person_id)
            await self._store.write(lambda db: db.people.set_dms(person_id, open_=False))

    async def _known(self, person_id: PersonId) -> ChannelId | None:
        return await self._store.read(lambda db: db.people.direct_channel(person_id))

    async def _open(self, person_id: PersonId) -> ChannelId:
        channel_id = await discord_calls.open_dm(self._client, person_id)
        await self._keep(person_id, channel_id)
        return channel_id

    async def _keep(self, person_id: PersonId, channel_id: ChannelId | None) -> None:
        await self._store.write(lambda db: db.people.set_direct_channel(person_id, channel_id))
