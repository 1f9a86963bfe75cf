"""`/help` and the rules: what to do next, for people who have never seen the bot."""

from discord import app_commands
from discord.ext import commands

from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.people import guild_of
from bot.services import Services
from cogs.learning.rules_replies import page_number, show_help, show_page


class Help(commands.Cog):
    """Helps newcomers and others by situation."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("pick-help", self._situation)
        router.add("rules", self._open)
        router.add("pick-page", self._choose)
        router.add("page-back", self._turn)
        router.add("page-on", self._turn)

    @app_commands.command(name="help", description="Find out what you can do here")
    async def help(self, interaction: AnyInteraction) -> None:
        """Ask which situation the person is in."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await show_help(self._services, reply, None)

    async def _situation(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await show_help(self._services, reply, pressed.chosen or None)

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
        await show_page(self._services, reply, pressed.press, number, guild_of(pressed.interaction))
