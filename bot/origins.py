"""The ids of the server and the channel that an interaction comes from."""

from typing import Any

import discord

from data.ids import ChannelId
from league.ids import GuildId


def guild_of(interaction: discord.Interaction[Any]) -> GuildId | None:
    """The id of an interaction's server; None in direct messages."""
    return None if interaction.guild_id is None else GuildId(interaction.guild_id)


def channel_of(interaction: discord.Interaction[Any]) -> ChannelId | None:
    """The id of an interaction's channel or thread; None where Discord does not tell."""
    return None if interaction.channel_id is None else ChannelId(interaction.channel_id)
