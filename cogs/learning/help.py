"""`/help` and the rules: what to do next, for people who have never seen the bot."""

from discord import app_commands
from discord.ext import commands

from bot.app import TipluBot
from bot.interactions.guard import AnyInteraction
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed
from cogs.learning.rules_replies import page_number, show_help, show_page


class Help(commands.Cog):
    """The way in."""

    def __init__(self, bot: TipluBot) -> None:
        self._bot = bot
        bot.router.add("pick-help", self._situation)
        bot.router.add("rules", self._open)
        bot.router.add("pick-page", self._choose)
        bot.router.add("page-back", self._turn)
        bot.router.add("page-on", self._turn)

    @app_commands.command(name="help", description="What to do next, with Tiplu and with Marriage")
    async def help(self, interaction: AnyInteraction) -> None:
        """Ask for the situation."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await show_help(self._bot, reply, None)

    async def _situation(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await show_help(self._bot, reply, pressed.chosen or None)

    async def _open(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await self._page(pressed, reply, 0)

    async def _choose(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._page(pressed, reply, page_number(pressed.chosen))

    async def _turn(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._page(pressed, reply, pressed.press.revision)

    async def _page(self, pressed: Pressed, reply: Reply, number: int) -> None:
        await show_page(self._bot, reply, pressed.press, number, pressed.interaction.guild_id)


async def setup(bot: TipluBot) -> None:
    """Add the cog."""
    await bot.add_cog(Help(bot))
