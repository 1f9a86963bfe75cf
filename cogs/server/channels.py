"""Servers, channels and threads of tables that disappear or come back."""

import discord
from discord.ext import commands

from bot.services import Services
from data.ids import ChannelId
from league.ids import GuildId


class Places(commands.Cog):
    """Pauses tables at once when their place is gone, and tries them again when it may be back."""

    def __init__(self, services: Services) -> None:
        self._pauses = services.pauses
        self._servers = services.servers

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread was deleted, archived or not."""
        await self._pauses.place_gone(ChannelId(payload.thread_id))

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel and its threads were deleted."""
        await self._pauses.place_gone(ChannelId(channel.id))
        await self._servers.channel_gone(GuildId(channel.guild.id), ChannelId(channel.id))

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server, or the server was deleted."""
        await self._pauses.server_gone(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was added to a server."""
        await self._pauses.try_again(GuildId(guild.id))
        await self._servers.joined(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is reachable again after an outage."""
        await self._pauses.try_again(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _: object, channel: discord.abc.GuildChannel) -> None:
        """The bot may have got back what it needs to show a table."""
        await self._pauses.try_again(GuildId(channel.guild.id))

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread may be open again."""
        await self._pauses.try_again(GuildId(payload.guild_id))

    @commands.Cog.listener()
    async def on_guild_role_update(self, _: object, role: discord.Role) -> None:
        """The bot may have got back what it needs to show a table."""
        await self._pauses.try_again(GuildId(role.guild.id))
