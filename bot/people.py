"""The author of an interaction: their id and name from Discord."""

from dataclasses import dataclass

import discord

from league.ids import PersonId


@dataclass(frozen=True, slots=True)
class Person:
    """A person who uses the bot. The name is the one they chose, not yet cleaned."""

    id: PersonId
    name: str

    @classmethod
    def of(cls, user: discord.User | discord.Member) -> "Person":
        """The person behind a Discord user, with their name in the server."""
        return cls(PersonId(user.id), user.display_name)
