"""`/help`: what to do next, for people who have never seen the bot."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.app import Tiplu
from bot.panels.notice import notice_panel
from bot.reply import Kind, Reply
from bot.router import faults
from bot.texts import texts


class Help(commands.Cog):
    """The way in."""

    @app_commands.command(name="help", description="How to play Marriage with Tiplu")
    async def help(self, interaction: discord.Interaction[Any]) -> None:
        """Explain the bot."""
        async with faults(interaction), Reply(interaction, Kind.PRIVATE) as reply:
            await reply.show(notice_panel(texts()("help.text")))


async def setup(bot: Tiplu) -> None:
    """Add the cog."""
    await bot.add_cog(Help())
