"""The author and the place of an interaction: ids and names from Discord."""

from dataclasses import dataclass
from typing import Any

import discord

from data.ids import ChannelId
from data.repositories.people import Nickname
from data.transaction import WriteTransaction
from league.ids import GuildId, PersonId


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """A person who uses the bot. The names are those they chose, not yet cleaned."""

    id: PersonId
    general_name: str
    """Their name outside servers, and in servers where they have no nickname."""
    nickname: Nickname | None = None
    """What they are called in the server of the interaction; None in direct messages, and if Discord does not send it."""

    @classmethod
    def of(cls, user: discord.User | discord.Member) -> "NamedPerson":
        """Return the person behind a Discord user, with their name in the server."""
        there = None
        if isinstance(user, discord.Member):
            there = Nickname(GuildId(user.guild.id), user.nick or None)
        return cls(PersonId(user.id), user.global_name or user.name, there)

    @property
    def name(self) -> str:
        """Their name where the interaction is."""
        return (self.nickname and self.nickname.name) or self.general_name

    async def keep(self, db: WriteTransaction, now: int) -> None:
        """Store the person with these names; those that they have in other servers stay."""
        await db.people.keep(self.id, self.general_name, now, self.nickname)


def guild_of(interaction: discord.Interaction[Any]) -> GuildId | None:
    """Return the id of an interaction's server; None in direct messages."""
    return None if interaction.guild_id is None else GuildId(interaction.guild_id)


def channel_of(interaction: discord.Interaction[Any]) -> ChannelId | None:
    """Return the id of an interaction's channel or thread; None if Discord does not send it."""
    return None if interaction.channel_id is None else ChannelId(interaction.channel_id)
