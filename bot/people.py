"""The author and the place of an interaction: ids and names from Discord."""

from dataclasses import dataclass
from typing import Any

import discord

from data.ids import ChannelId
from league.ids import GuildId, PersonId


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """A person who uses the bot. The name is the one they chose, not yet cleaned."""

    id: PersonId
    name: str

    @classmethod
    def of(cls, user: discord.User | discord.Member) -> "NamedPerson":
        """Return the person behind a Discord user, with their name in the server."""
        return cls(PersonId(user.id), user.display_name)


def guild_of(interaction: discord.Interaction[Any]) -> GuildId | None:
    """Return the id of an interaction's server; None in direct messages."""
    return None if interaction.guild_id is None else GuildId(interaction.guild_id)


def channel_of(interaction: discord.Interaction[Any]) -> ChannelId | None:
    """Return the id of an interaction's channel or thread; None if Discord does not send it."""
    return None if interaction.channel_id is None else ChannelId(interaction.channel_id)
