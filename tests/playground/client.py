"""A small bot on the real discord.py that connects quickly, for the tests of the playground."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator

import discord
import pytest
import yarl
from discord import app_commands

from playground.server import Playground
from tests.waiting import until


def point_at(discord_server: Playground, patch: pytest.MonkeyPatch) -> None:
    """Make discord.py of this process talk to the playground, until the patch is undone."""
    patch.setattr(discord.http.Route, "BASE", discord_server.api_url)
    patch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(discord_server.gateway_url))
    patch.setattr(discord.Asset, "BASE", discord_server.url)


class QuickBot(discord.AutoShardedClient):
    """A client that does not wait: it identifies at once, and is ready with the guilds that it has."""

    def __init__(self, *, intents: discord.Intents | None = None, **options) -> None:
        options.setdefault("guild_ready_timeout", 0.05)
        super().__init__(intents=intents or discord.Intents(guilds=True), **options)
        self.tree = app_commands.CommandTree(self)
        self.errors: list[object] = []
        self.seen: list[tuple[str, object]] = []

    async def before_identify_hook(self, shard_id, *, initial=False) -> None:
        return None

    async def on_error(self, event_method, *args, **kwargs) -> None:
        self.errors.append(sys.exc_info()[1])

    async def on_resumed(self) -> None:
        self.seen.append(("resumed", None))

    async def on_shard_resumed(self, shard_id) -> None:
        self.seen.append(("shard_resumed", shard_id))

    async def on_message(self, message) -> None:
        self.seen.append(("message", message))


@contextlib.asynccontextmanager
async def running(bot: QuickBot, server: Playground) -> AsyncIterator[QuickBot]:
    """Run a bot until the block ends; an exception that stops it fails the test."""
    task = asyncio.create_task(bot.start(server.token))
    ready = asyncio.create_task(_ready(bot, server))
    done, _ = await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED, timeout=10)
    try:
        if task in done:
            task.result()
        if ready not in done:
            raise TimeoutError("the bot did not become ready")
        ready.result()
        yield bot
        assert bot.errors == []
        if task.done():
            task.result()
    finally:
        ready.cancel()
        await bot.close()
        await asyncio.gather(task, return_exceptions=True)


async def _ready(bot: discord.Client, server: Playground) -> None:
    while not server.gateway.connected:
        await server.world.changed()
    await bot.wait_until_ready()
    if server.world.guild.has(server.world.bot):  # it does not wait long for guilds
        await until(lambda: _has_guild(bot, server))


def _has_guild(bot: discord.Client, server: Playground) -> bool:
    guild = bot.get_guild(server.world.guild.id)
    return guild is not None and not guild.unavailable
