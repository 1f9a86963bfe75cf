"""Where an interaction comes from, and what its author sees of the server."""

from collections.abc import Callable
from typing import Any

import discord

from bot.errors import UserError
from bot.table.core.repository import TableRepository


def require_guild(interaction: discord.Interaction[Any]) -> tuple[int, int]:
    """The ids of an interaction's server and channel; raises UserError in direct messages."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise UserError("sorry.server_only")
    return interaction.guild_id, interaction.channel_id


async def my_table(tables: TableRepository, interaction: discord.Interaction[Any]) -> int:
    """The table that a typed command is about; raises UserError if its author sits at none."""
    table_id = await tables.find_table(interaction.user.id, interaction.channel_id)
    tables.activity.note(table_id, interaction.user.id)
    return table_id


def parent_of(interaction: discord.Interaction[Any]) -> int | None:
    """The channel whose thread the interaction comes from; None outside of threads."""
    channel = interaction.channel
    return channel.parent_id if isinstance(channel, discord.Thread) else None


def may_see(interaction: discord.Interaction[Any]) -> Callable[[int], bool]:
    """A predicate: whether the author of the interaction sees a channel or thread, by its id."""
    guild, member = interaction.guild, interaction.user

    def sees(place_id: int) -> bool:
        channel = guild.get_channel_or_thread(place_id) if guild else None
        if channel is None or not isinstance(member, discord.Member):
            return False
        return channel.permissions_for(member).view_channel

    return sees
