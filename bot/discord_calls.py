"""Every call to Discord that the bot makes by itself, with the failures each may have, told apart by what to do."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import discord

from bot.panels.panel import Panel

_GONE_MESSAGE = {10008}
_GONE_PLACE = {10003, 10004}
_FORBIDDEN = {50001, 50013}
_CLOSED_DM = {50007, 50278}
_UNEDITABLE = {30046, 50083}
"""Too old to be edited, or in a thread that is archived: a new message is possible, and opens the thread again."""
_TOO_FAST = {40003}


class MessageGone(Exception):  # noqa: N818 - what is the case, not what went wrong
    """The message was deleted, or can't be edited any more: post it anew."""


class PlaceGone(Exception):  # noqa: N818
    """The channel or the server is gone."""


class NotAllowed(Exception):  # noqa: N818
    """The bot may not see the channel or write in it."""


class DmsClosed(Exception):  # noqa: N818
    """This person takes no direct messages from the bot."""


class TryLater(Exception):  # noqa: N818
    """Discord is busy or ill: the same call may work later. `after_s` is how long it asks to wait, if it says."""

    def __init__(self, reason: str, after_s: float | None = None) -> None:
        super().__init__(reason)
        self.after_s = after_s


async def send(
    client: discord.Client, channel_id: int, panel: Panel, nonce: str, pinged: int | None = None
) -> int:
    """Post a panel; the id of the message. The same nonce twice within minutes posts once.

    `pinged` is the only person whom a mention in it may notify.
    """
    mentions = discord.AllowedMentions.none()
    if pinged is not None:
        mentions.users = [discord.Object(pinged)]
    async with _failures():
        channel = client.get_partial_messageable(channel_id)
        message = await channel.send(
            view=panel.view, files=panel.files, nonce=nonce, allowed_mentions=mentions
        )
        return message.id


async def edit(client: discord.Client, channel_id: int, message_id: int, panel: Panel) -> None:
    """Bring a message to this panel; its former files go."""
    async with _failures():
        message = client.get_partial_messageable(channel_id).get_partial_message(message_id)
        # An edit without words of its own would leave the client's default out.
        await message.edit(
            view=panel.view, attachments=panel.files, allowed_mentions=discord.AllowedMentions.none()
        )


async def delete(client: discord.Client, channel_id: int, message_id: int) -> None:
    """Take a message of the bot away."""
    async with _failures():
        await client.get_partial_messageable(channel_id).get_partial_message(message_id).delete()


async def open_dm(client: discord.Client, person_id: int) -> int:
    """The id of the channel for direct messages with this person."""
    async with _failures():
        channel = await client.create_dm(discord.Object(person_id))
        return channel.id


@asynccontextmanager
async def _failures() -> AsyncIterator[None]:
    """Turn what Discord says into what to do about it. A refusal of our own payload stays an HTTPException."""
    try:
        yield
    except discord.RateLimited as error:
        raise TryLater("rate limited", error.retry_after) from error
    except discord.HTTPException as error:
        raise _meaning(error) from error
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise TryLater(type(error).__name__) from error


def _meaning(error: discord.HTTPException) -> Exception:
    meanings = (
        (_GONE_MESSAGE | _UNEDITABLE, MessageGone),
        (_GONE_PLACE, PlaceGone),
        (_FORBIDDEN, NotAllowed),
        (_CLOSED_DM, DmsClosed),
    )
    for codes, kind in meanings:
        if error.code in codes:
            return kind(error.text)
    if error.code in _TOO_FAST or error.status in {408, 429} or error.status >= 500:
        return TryLater(f"{error.status} {error.code}")
    return error
