"""Commands as clickable mentions, such as `</marriage play:123>`, once Discord has told their ids."""

from collections.abc import Iterable

import discord
from discord.app_commands import AppCommand


class Mentions:
    """Knows the ids of the typed commands; a message of the catalogue says `{cmd[marriage play]}`."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def learn(self, commands: Iterable[AppCommand]) -> None:
        """Learn the ids from Discord's answer to registering the commands."""
        self._ids = {
            command.name: command.id
            for command in commands
            if command.type is discord.AppCommandType.chat_input
        }

    def __getitem__(self, name: str) -> str:
        command = self._ids.get(name.partition(" ")[0])
        return f"`/{name}`" if command is None else f"</{name}:{command}>"
