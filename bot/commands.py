"""Registering commands with Discord, only if they have changed: Discord accepts few changes a day."""

import json
from hashlib import sha256

import structlog
from discord.app_commands import AppCommand
from discord.ext import commands as ext

from bot.words.translation import Translator
from data.store import Store

NOTE = "commands"

log = structlog.get_logger(__name__)


async def sync_commands(bot: ext.AutoShardedBot, store: Store) -> list[AppCommand]:
    """Send the command tree if its payload has changed since the last time. Returns the commands as Discord has them."""
    translator = Translator()
    await bot.tree.set_translator(translator)
    commands = bot.tree.get_commands()
    payload = [await command.get_translated_payload(bot.tree, translator) for command in commands]
    content = json.dumps([bot.application_id, payload], sort_keys=True, default=str)
    digest = sha256(content.encode()).hexdigest()
    async with store.read() as db:
        known = await db.key_values.get(NOTE)
    if known == digest and (there := await bot.tree.fetch_commands()):
        return there
    synced = await bot.tree.sync()
    async with store.write() as db:
        await db.key_values.set(NOTE, digest)
    log.info("commands.synced", count=len(synced))
    return synced
