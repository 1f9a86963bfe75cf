"""Discord's application commands: their localized names, and their registration.

They are registered only if they have changed, because Discord accepts few changes a day.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import discord
import structlog
from discord import app_commands
from discord.app_commands import AppCommand
from discord.app_commands import TranslationContextLocation as Where
from discord.ext import commands as ext

from bot.words.texts import OF_DISCORD
from data.store import Store
from render.words import own_messages

CATALOGUES: Final = Path(__file__).parent / "words" / "messages" / "commands"

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
        """Return the text of `string` for that locale; None to leave it unchanged."""
        language = OF_DISCORD.get(locale)
        if language is None:
            return None
        return own_messages(CATALOGUES, language).get(_key(string, context))


def _key(string: app_commands.locale_str, context: app_commands.TranslationContext[Any, Any]) -> str:
    """Return the catalogue key, such as `marriage discard.options.card.name`."""
    where, what = context.location, context.data
    if where in _OF_COMMANDS:
        return f"{what.qualified_name}.{_OF_COMMANDS[where]}"
    if where in _OF_OPTIONS:
        return f"{what.command.qualified_name}.options.{what.display_name}.{_OF_OPTIONS[where]}"
    return f"choice.{string.message}"


NOTE = "commands"

_NOT_NOW: Final = {403, 429}
"""HTTP statuses for an application that may not register commands, or has done so too often today."""

log = structlog.get_logger(__name__)


class CommandsRefusedError(Exception):
    """Raised when Discord accepts no commands now and has none of this application. Its answer is the cause."""


async def sync_commands(bot: ext.AutoShardedBot, store: Store) -> list[AppCommand]:
    """Send the command tree if its payload has changed since the last time. Returns Discord's commands.

    If Discord refuses it, the registered commands stay, and the next start tries again. Raises
    CommandsRefusedError if there are none.
    """
    await bot.tree.set_translator(Translator())
    digest = _digest(bot)
    known = await store.read(lambda db: db.key_values.get(NOTE))
    try:
        if known == digest and (there := await bot.tree.fetch_commands()):
            return there
        synced = await bot.tree.sync()
    except (discord.HTTPException, discord.RateLimited) as error:
        if not _is_refusal(error):
            raise
        there = await _registered(bot)
        if not (known if there is None else there):
            raise CommandsRefusedError from error
        log.warning("commands.refused", why=str(error))
        return there or []
    await store.write(lambda db: db.key_values.set(NOTE, digest))
    log.info("commands.synced", count=len(synced))
    return synced


async def _registered(bot: ext.AutoShardedBot) -> list[AppCommand] | None:
    """Return Discord's commands; None if it refuses to list them."""
    try:
        return await bot.tree.fetch_commands()
    except (discord.HTTPException, discord.RateLimited) as error:
        if not _is_refusal(error):
            raise
        return None


def _is_refusal(error: discord.HTTPException | discord.RateLimited) -> bool:
    return isinstance(error, discord.RateLimited) or error.status in _NOT_NOW


def _digest(bot: ext.AutoShardedBot) -> str:
    """Return a digest of everything sent to Discord: the commands, their texts in every language, and their application."""
    commands = [command.to_dict(bot.tree) for command in bot.tree.get_commands()]
    texts = {language: own_messages(CATALOGUES, language) for language in OF_DISCORD.values()}
    content = json.dumps([bot.application_id, commands, texts], sort_keys=True, default=str)
    return sha256(content.encode()).hexdigest()
