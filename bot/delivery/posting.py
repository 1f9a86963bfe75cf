"""Posting a message for a row of the outbox, so that it is there once even where an answer was lost."""

from collections.abc import Awaitable, Callable

import discord

from bot.delivery import discord_calls
from bot.delivery.discord_calls import Posted
from bot.ui.panel import Panel
from data.outbox_keys import OutboxKey
from data.rows.outbox import OutboxRow

Draw = Callable[[], Awaitable[Panel]]


async def post(
    client: discord.Client, channel_id: int, row: OutboxRow[OutboxKey], since: int, draw: Draw
) -> Posted:
    """Post a message. Raises as `bot.delivery.discord_calls` does.

    Where an earlier attempt may have arrived, this run's, which began at `since`, or a former one's, Discord answers
    the same nonce with the message as it was then: that is brought up to date.
    """
    posted = await discord_calls.send(client, channel_id, await draw(), row.nonce)
    if row.may_have_arrived(since):
        files = await discord_calls.edit(client, channel_id, posted.id, await draw(), posted.files)
        return Posted(posted.id, files)
    return posted
