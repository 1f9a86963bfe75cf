"""The permissions that the bot needs in a channel to host a table there."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import discord

from bot.errors import UserError
from bot.words.texts import Texts, texts
from data.ids import ChannelId

NEEDED = ("view_channel", "send_messages", "embed_links", "attach_files", "read_message_history")

FOR_THREADS = ("create_public_threads", "create_private_threads", "send_messages_in_threads")
"""The additional permissions for tables with their own thread."""


def thread_permissions(*, private: bool) -> tuple[str, ...]:
    """The permissions that a thread for such a table needs."""
    return ("create_private_threads" if private else "create_public_threads", "send_messages_in_threads")


def missing_for_thread(granted: discord.Permissions, *, private: bool) -> list[str]:
    """The thread permissions that the bot lacks."""
    return [name for name in thread_permissions(private=private) if not getattr(granted, name)]


FOR_POSTS = ("send_messages", "send_messages_in_threads")
"""The permissions that a table needs in a forum: to open a post, and to write in it."""


def missing_for_posts(granted: discord.Permissions) -> list[str]:
    """The permissions for posts in a forum that the bot lacks."""
    return [name for name in FOR_POSTS if not getattr(granted, name)]


def missing_permissions(granted: discord.Permissions, *, threads: bool) -> list[str]:
    """The names of the permissions that the bot lacks, the most important first."""
    needed = (*NEEDED, *FOR_THREADS) if threads else NEEDED
    return [name for name in needed if not getattr(granted, name)]


def permission_words(names: Iterable[str], texts: Texts) -> str:
    """Permissions by their names in Discord's settings."""
    return ", ".join(texts(f"permission.{name}") for name in names)


def require_permissions(granted: discord.Permissions) -> None:
    """Raise UserError with the missing permissions, so that no table opens where it could not be shown."""
    missing = missing_permissions(granted, threads=False)
    if missing:
        raise UserError("sorry.permissions", missing=permission_words(missing, texts()))


def forum_of(guild: discord.Guild | None, channel_id: ChannelId) -> discord.ForumChannel | None:
    """The forum of this server with that id; None for any other channel, also one whose posts all need a picture."""
    channel = guild.get_channel(channel_id) if guild else None
    return channel if isinstance(channel, discord.ForumChannel) and not channel.is_media() else None


def require_forum(forum: discord.ForumChannel) -> None:
    """Raise UserError that says what keeps the bot from opening posts in a forum."""
    missing = missing_for_posts(forum.permissions_for(forum.guild.me))
    if missing:
        raise UserError("sorry.forum", forum=forum.id, missing=post_words(missing, texts()))
    if forum.flags.require_tag:
        raise UserError("sorry.forum_tags", forum=forum.id)


def post_words(names: Iterable[str], texts: Texts) -> str:
    """Like `permission_words`, with the name that Discord's settings give "Send Messages" in a forum."""
    return permission_words(("create_posts" if name == "send_messages" else name for name in names), texts)


def granted_in(guild: discord.Guild | None, channel_id: ChannelId | None) -> discord.Permissions | None:
    """The bot's permissions in a channel of this server; None if the channel is gone."""
    channel = guild.get_channel(channel_id or 0) if guild else None
    return None if channel is None else channel.permissions_for(channel.guild.me)


def silent_role(
    guild: discord.Guild | None, role_id: int | None, granted: discord.Permissions | None
) -> int | None:
    """Return the role if the bot's mentions of it would notify nobody in a channel with these permissions; else None."""
    role = guild.get_role(role_id or 0) if guild else None
    if role is None or granted is None or role.mentionable or granted.mention_everyone:
        return None
    return role.id


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason why the bot cannot show a table in its place."""

    what: Literal["server", "channel", "permissions", "unknown"]
    """The server or channel is gone, permissions are missing, or Discord refuses for an unknown reason."""
    missing: tuple[str, ...] = ()
    """The missing permissions."""


def obstacle_in(guild: discord.Guild | None, place_id: ChannelId) -> Obstacle:
    """Why nothing can be shown in a channel or thread, as far as the client knows."""
    if guild is None:
        return Obstacle("server")
    place = guild.get_channel_or_thread(place_id)
    if place is None:
        return Obstacle("channel")
    missing = tuple(missing_permissions(place.permissions_for(guild.me), threads=False))
    return Obstacle("permissions", missing) if missing else Obstacle("unknown")
