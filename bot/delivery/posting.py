"""Posting a message exactly once, even if the answer to an earlier attempt was lost."""

from collections.abc import Awaitable, Callable, Collection

import discord

from bot.clock import Clock
from bot.delivery import discord_calls
from bot.delivery.discord_calls import Posted
from bot.ui.panel import Panel
from data.ids import ChannelId, MessageId
from data.outbox_keys import OutboxKey
from data.repositories.messages import OutboxRow
from league.ids import PersonId

Draw = Callable[[], Awaitable[Panel]]


class Posting:
    """Posts messages that are kept up to date."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._since = clock.now()
        """Since when no other process has sent for the servers of this process; at the earliest since this run began."""

    def begin_anew(self) -> None:
        """The process has servers for which another one has sent until now."""
        self._since = self._clock.now()

    def may_have_sent(self, row: OutboxRow[OutboxKey]) -> bool:
        """Whether an earlier attempt may have sent this: one of this run, of a former one, or of another process."""
        return row.may_have_arrived(self._since)

    async def post(
        self,
        channel_id: ChannelId,
        row: OutboxRow[OutboxKey],
        draw: Draw,
        pinged: Collection[PersonId] = (),
        roles: Collection[int] = (),
    ) -> Posted:
        """Post a message for a row of the outbox. Raises the errors of `bot.delivery.discord_calls`.

        Mentions in it notify the people `pinged` and these roles, and nobody else. If an earlier attempt may
        have arrived, Discord answers the same nonce with the message of that attempt, which is then edited to
        what `draw` returns now.
        """
        posted = await discord_calls.send(
            self._client, channel_id, await draw(), row.nonce, pinged, roles=roles
        )
        if self.may_have_sent(row):
            files = await discord_calls.edit(
                self._client, channel_id, MessageId(posted.id), await draw(), posted.files
            )
            return Posted(posted.id, files)
        return posted
