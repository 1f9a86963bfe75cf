"""Names and descriptions of slash commands, in languages that both Discord and the bot have."""

from pathlib import Path
from typing import Any, Final

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Where

from bot.words.languages import OF_DISCORD
from render.catalogue import own_messages

CATALOGUES: Final = Path(__file__).with_name("messages") / "commands"

_OF_COMMANDS: Final = {
    Where.command_name: "name",
    Where.group_name: "name",
    Where.command_description: "description",
    Where.group_description: "description",
}
_OF_OPTIONS: Final = {Where.parameter_name: "name", Where.parameter_description: "description"}


class Translator(app_commands.Translator):
    """Looks names and descriptions up in `bot/words/messages/commands/`; others stay as in the code."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text of `string` for that locale; None to leave it as it is."""
        language = OF_DISCORD.get(locale)
        if language is None:
            return None
        return own_messages(CATALOGUES, language).get(_key(string, context))


def _key(string: app_commands.locale_str, context: app_commands.TranslationContext[Any, Any]) -> str:
    """The catalogue key, such as `marriage discard.options.card.name`."""
    where, what = context.location, context.data
    if where in _OF_COMMANDS:
        return f"{what.qualified_name}.{_OF_COMMANDS[where]}"
    if where in _OF_OPTIONS:
        return f"{what.command.qualified_name}.options.{what.display_name}.{_OF_OPTIONS[where]}"
    return f"choice.{string.message}"
