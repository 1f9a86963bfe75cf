"""The place of an interaction, and what its author sees of the server."""

from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands

from bot.errors import UserError
from bot.interactions.permissions import forum_of, require_forum, require_permissions
from bot.people import channel_of
from bot.table.core.repository import TableRepository
from bot.ui.items import MOST_OPTIONS
from data.ids import ChannelId
from league.ids import GuildId, PersonId, TableId
from league.times import timezones


def timezone_choices(typed: str) -> list[app_commands.Choice[str]]:
    """The time zones with these letters in their names, in the order of the alphabet."""
    wanted = typed.casefold().replace(" ", "_")
    names = [name for name in sorted(timezones()) if wanted in name.casefold()]
    return [app_commands.Choice(name=name, value=name) for name in names[:MOST_OPTIONS]]


def require_guild(interaction: discord.Interaction[Any]) -> tuple[GuildId, ChannelId]:
    """The ids of an interaction's server and channel; raises UserError in direct messages."""
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
    """The table that a typed command is about; raises UserError if its author sits at none."""
    table_id = await tables.find_table(PersonId(interaction.user.id), channel_of(interaction))
    tables.activity.note(table_id, PersonId(interaction.user.id))
    return table_id


def parent_of(interaction: discord.Interaction[Any]) -> ChannelId | None:
    """The channel whose thread the interaction comes from; None outside of threads."""
    channel = interaction.channel
    return ChannelId(channel.parent_id) if isinstance(channel, discord.Thread) else None


def may_see(interaction: discord.Interaction[Any]) -> Callable[[ChannelId], bool]:
    """A predicate: whether the author of the interaction sees a channel or thread, by its id."""
    guild, member = interaction.guild, interaction.user

    def sees(place_id: ChannelId) -> bool:
        channel = guild.get_channel_or_thread(place_id) if guild else None
        if channel is None or not isinstance(member, discord.Member):
            return False
        return channel.permissions_for(member).view_channel

    return sees
