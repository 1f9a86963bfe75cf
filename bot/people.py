"""Who acts: the id and the name that Discord gives with an interaction."""

from dataclasses import dataclass

import discord

from league.ids import PersonId


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the other end of an interaction. The name is what he chose, not yet cleaned."""

    id: PersonId
    name: str

    @classmethod
    def of(cls, user: discord.User | discord.Member) -> "Person":
        """The person behind a Discord user, by the name the server knows him by."""
        return cls(PersonId(user.id), user.display_name)
