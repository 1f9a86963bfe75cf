"""Who may do what where: the permissions of the bot in a place, the place of an interaction, and the staff of a server."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import discord
from discord import app_commands

from bot.errors import UnexpectedInputError, UserError
from bot.people import channel_of, guild_of
from bot.table.core.repository import TableRepository
from bot.ui.items import MOST_OPTIONS
from bot.words.texts import Texts, texts
from data.ids import ChannelId
from data.store import Store
from league.ids import GuildId, PersonId, TableId
from league.times import timezones

NEEDED = ("view_channel", "send_messages", "embed_links", "attach_files", "read_message_history")

FOR_THREADS = ("create_public_threads", "create_private_threads", "send_messages_in_threads")
"""The additional permissions for tables with their own thread."""


def thread_permissions(*, private: bool) -> tuple[str, ...]:
    """Return the permissions that a thread for such a table needs."""
    return ("create_private_threads" if private else "create_public_threads", "send_messages_in_threads")


def missing_for_thread(granted: discord.Permissions, *, private: bool) -> list[str]:
    """Return the thread permissions that the bot lacks."""
    return [name for name in thread_permissions(private=private) if not getattr(granted, name)]


FOR_POSTS = ("send_messages", "send_messages_in_threads")
"""The permissions that a table needs in a forum: to open a post, and to write in it."""


def missing_for_posts(granted: discord.Permissions) -> list[str]:
    """Return the permissions for forum posts that the bot lacks."""
    return [name for name in FOR_POSTS if not getattr(granted, name)]


def missing_permissions(granted: discord.Permissions, *, threads: bool) -> list[str]:
    """Return the names of the permissions that the bot lacks, the most important first."""
    needed = (*NEEDED, *FOR_THREADS) if threads else NEEDED
    return [name for name in needed if not getattr(granted, name)]


def permission_words(names: Iterable[str], texts: Texts) -> str:
    """Return permissions by their names in Discord's settings."""
    return ", ".join(texts(f"permission.{name}") for name in names)


def require_permissions(granted: discord.Permissions) -> None:
    """Raise UserError with the missing permissions, so that no table opens where it could not be shown."""
    missing = missing_permissions(granted, threads=False)
    if missing:
        raise UserError("sorry.permissions", missing=permission_words(missing, texts()))


def forum_of(guild: discord.Guild | None, channel_id: ChannelId) -> discord.ForumChannel | None:
    """Return the forum with that id; None for any other channel, including media channels."""
    channel = guild.get_channel(channel_id) if guild else None
    return channel if isinstance(channel, discord.ForumChannel) and not channel.is_media() else None


def require_forum(forum: discord.ForumChannel) -> None:
    """Raise UserError with what keeps the bot from opening posts in a forum."""
    missing = missing_for_posts(forum.permissions_for(forum.guild.me))
    if missing:
        raise UserError("sorry.forum", forum=forum.id, missing=post_words(missing, texts()))
    if forum.flags.require_tag:
        raise UserError("sorry.forum_tags", forum=forum.id)


def post_words(names: Iterable[str], texts: Texts) -> str:
    """Return names like `permission_words`, with Discord's name for "Send Messages" in a forum."""
    return permission_words(("create_posts" if name == "send_messages" else name for name in names), texts)


def granted_in(guild: discord.Guild | None, channel_id: ChannelId | None) -> discord.Permissions | None:
    """Return the bot's permissions in a channel of this server; None if the channel is gone."""
    channel = guild.get_channel(channel_id or 0) if guild else None
    return None if channel is None else channel.permissions_for(channel.guild.me)


def sees_channel(interaction: discord.Interaction[Any]) -> Callable[[ChannelId], bool]:
    """Return a predicate: whether the bot sees a channel of the interaction's server, as far as the client knows.

    Every channel counts as seen while the server is unavailable.
    """
    guild = interaction.guild

    def sees(channel_id: ChannelId) -> bool:
        if guild is None or guild.unavailable:
            return True
        granted = granted_in(guild, channel_id)
        return granted is not None and granted.view_channel

    return sees


def require_own_channel(guild: discord.Guild | None, channel_id: int) -> None:
    """Raise UnexpectedInputError for a channel that this server does not have: only a forged choice names one."""
    if guild is None or guild.get_channel(channel_id) is None:
        raise UnexpectedInputError("a channel of another server")


def require_own_role(guild: discord.Guild | None, role_id: int) -> None:
    """Raise UnexpectedInputError for a role that this server does not have: only a forged choice names one."""
    if guild is None or guild.get_role(role_id) is None:
        raise UnexpectedInputError("a role of another server")


def silent_role(
    guild: discord.Guild | None, role_id: int | None, granted: discord.Permissions | None
) -> int | None:
    """Return the role if the bot's mentions of it would send no notification in a channel with these permissions; else None."""
    role = guild.get_role(role_id or 0) if guild else None
    if role is None or granted is None or role.mentionable or granted.mention_everyone:
        return None
    return role.id


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason why the bot cannot show a table in its place."""

    what: Literal["server", "channel", "permissions", "unknown"]
    """A gone server or channel, missing permissions, or a refusal by Discord for an unknown reason."""
    missing: tuple[str, ...] = ()
    """The missing permissions."""


def obstacle_in(guild: discord.Guild | None, place_id: ChannelId) -> Obstacle:
    """Return why nothing can be shown in a channel or thread, as far as the client knows."""
    if guild is None:
        return Obstacle("server")
    place = guild.get_channel_or_thread(place_id)
    if place is None:
        return Obstacle("channel")
    missing = tuple(missing_permissions(place.permissions_for(guild.me), threads=False))
    return Obstacle("permissions", missing) if missing else Obstacle("unknown")


def is_unseen(guild: discord.Guild | None, place_id: ChannelId) -> bool:
    """Return whether the client knows that the bot does not see a channel or thread, or does not know the thread.

    It knows nothing of a server that is unavailable.
    """
    if guild is None or guild.unavailable:
        return False
    place = guild.get_channel_or_thread(place_id)
    if place is None or (isinstance(place, discord.Thread) and place.parent is None):
        return True
    return not place.permissions_for(guild.me).view_channel


def timezone_choices(typed: str) -> list[app_commands.Choice[str]]:
    """Return the time zones whose names contain this text, in alphabetical order."""
    wanted = typed.casefold().replace(" ", "_")
    names = [name for name in sorted(timezones()) if wanted in name.casefold()]
    return [app_commands.Choice(name=name, value=name) for name in names[:MOST_OPTIONS]]


def require_guild(interaction: discord.Interaction[Any]) -> tuple[GuildId, ChannelId]:
    """Return the ids of an interaction's server and channel; raises UserError in direct messages."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise UserError("sorry.server_only")
    return GuildId(interaction.guild_id), ChannelId(interaction.channel_id)


def require_league_place(interaction: discord.Interaction[Any]) -> tuple[GuildId, ChannelId]:
    """Return the ids of the server and of the place for a league: this channel, or the forum of this post.

    Raises UserError in direct messages, and if the bot lacks permissions.
    """
    guild_id, channel_id = require_guild(interaction)
    require_permissions(interaction.app_permissions)
    forum = forum_of(interaction.guild, parent_of(interaction) or channel_id)
    if forum is None:
        return guild_id, channel_id
    require_forum(forum)
    return guild_id, ChannelId(forum.id)


async def my_table(tables: TableRepository, interaction: discord.Interaction[Any]) -> TableId:
    """Return the table that a typed command is about; raises UserError if its author sits at none."""
    table_id = await tables.find_table(PersonId(interaction.user.id), channel_of(interaction))
    tables.activity.note(table_id, PersonId(interaction.user.id))
    return table_id


def parent_of(interaction: discord.Interaction[Any]) -> ChannelId | None:
    """Return the channel of the thread that the interaction comes from; None outside threads."""
    channel = interaction.channel
    return ChannelId(channel.parent_id) if isinstance(channel, discord.Thread) else None


def may_see(interaction: discord.Interaction[Any]) -> Callable[[ChannelId], bool]:
    """Return a predicate: whether the author of the interaction sees a channel or thread, by its id.

    The bot does not know the members of other people's private threads. So it takes only those who write there for
    members. Its own private threads count as seen: their tables are announced in the channel.
    """
    guild, member = interaction.guild, interaction.user

    def sees(place_id: ChannelId) -> bool:
        channel = guild.get_channel_or_thread(place_id) if guild else None
        if guild is None or channel is None or not isinstance(member, discord.Member):
            return False
        granted = channel.permissions_for(member)
        if isinstance(channel, discord.Thread) and channel.is_private() and channel.owner_id != guild.me.id:
            return channel.id == interaction.channel_id or (granted.view_channel and granted.manage_threads)
        return granted.view_channel

    return sees


def may_write(interaction: discord.Interaction[Any]) -> bool:
    """Return whether the author of the interaction may write where it comes from; false in direct messages."""
    rights, thread = interaction.permissions, isinstance(interaction.channel, discord.Thread)
    may = rights.send_messages_in_threads if thread else rights.send_messages
    return interaction.guild_id is not None and may


def require_may_share(interaction: discord.Interaction[Any]) -> None:
    """Raise UserError if the author of the interaction may not write where they want to share a result."""
    if not may_write(interaction):
        raise UserError("sorry.share_not_here")


async def require_staff(store: Store, interaction: discord.Interaction[Any]) -> None:
    """Raise UserError for anyone else.

    Discord's command permissions can be overridden, so they are not trusted.
    """
    if interaction.guild_id is None:
        raise UserError("sorry.server_only")
    if not await is_staff(store, interaction):
        raise UserError("sorry.staff_only")


async def is_staff(store: Store, interaction: discord.Interaction[Any]) -> bool:
    """Return whether this person is staff of the interaction's server."""
    if interaction.guild_id is None:
        return False
    if interaction.permissions.manage_guild:
        return True
    role_id = (await store.directory.guild_settings(guild_of(interaction))).staff_role_id
    user = interaction.user
    # Everyone has the role with the server's id.
    ids = {role.id for role in user.roles} if isinstance(user, discord.Member) else set[int]()
    return role_id in ids - {interaction.guild_id}


def require_manager(interaction: discord.Interaction[Any]) -> GuildId:
    """Return the server's id if this person may manage the server.

    Raises UserError for anyone else, including staff.
    """
    if interaction.guild_id is None:
        raise UserError("sorry.server_only")
    if not interaction.permissions.manage_guild:
        raise UserError("sorry.managers_only")
    return GuildId(interaction.guild_id)
