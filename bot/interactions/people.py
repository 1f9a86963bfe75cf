"""Who acts: the id and the name that Discord gives with an interaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the other end of an interaction. The name is what he chose, not yet cleaned."""

    id: int
    name: str

    @classmethod
    def of(cls, user: discord.User | discord.Member) -> "Person":
        """The person behind a Discord user, by the name the server knows him by."""
        return cls(user.id, user.display_name)


def chosen_people(interaction: discord.Interaction[Any], values: Sequence[str]) -> list[Person]:
    """The people that were chosen in a select of people, by the names the server knows them by; bots are left out."""
    data: Any = interaction.data or {}
    resolved = data.get("resolved", {})
    users, members = resolved.get("users", {}), resolved.get("members", {})
    people: list[Person] = []
    for value in values:
        user = users.get(value)
        if user is not None and not user.get("bot"):
            nick = members.get(value, {}).get("nick")
            people.append(Person(int(value), nick or user.get("global_name") or user["username"]))
    return people
