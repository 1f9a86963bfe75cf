"""Registering commands with Discord, only if they have changed: Discord accepts few changes a day."""

import json
from hashlib import sha256

import structlog
from discord.app_commands import AppCommand
from discord.ext import commands as ext

from bot.words.languages import OF_DISCORD
from bot.words.translation import CATALOGUES, Translator
from data.store import Store
from render.catalogue import own_messages

NOTE = "commands"

log = structlog.get_logger(__name__)


async def sync_commands(bot: ext.AutoShardedBot, store: Store) -> list[AppCommand]:
    """Send the command tree if its payload has changed since the last time. Returns the commands as Discord has them."""
    await bot.tree.set_translator(Translator())
    digest = _digest(bot)
    async with store.read() as db:
        known = await db.key_values.get(NOTE)
    if known == digest and (there := await bot.tree.fetch_commands()):
        return there
    synced = await bot.tree.sync()
    async with store.write() as db:
        await db.key_values.set(NOTE, digest)
    log.info("commands.synced", count=len(synced))
    return synced


def _digest(bot: ext.AutoShardedBot) -> str:
    """Changes with whatever Discord is sent: the commands, their texts in every language, the application that they belong to."""
    commands = [command.to_dict(bot.tree) for command in bot.tree.get_commands()]
    texts = {language: own_messages(CATALOGUES, language) for language in OF_DISCORD.values()}
    content = json.dumps([bot.application_id, commands, texts], sort_keys=True, default=str)
    return sha256(content.encode()).hexdigest()
