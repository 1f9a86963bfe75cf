"""`/privacy`: what is stored about a person, the download of it, and being forgotten."""

from discord import app_commands
from discord.ext import commands

from bot.history.exports import personal_file
from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.panels.server.privacy import export_panel, forget_panel, privacy_panel
from bot.services import Services
from bot.words.texts import texts
from bot.workpool.pool import WorkKind


class Privacy(commands.Cog):
    """Everything is about the person who presses, and answered in private."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("export", self._export)
        router.add("forget", self._ask)
        router.add("forget-sure", self._forget)

    @app_commands.command(description="See what I keep about you; export it, or have me forget you")
    async def privacy(self, interaction: AnyInteraction) -> None:
        """Show the policy."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await reply.show(privacy_panel(texts()))

    async def _export(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            content = await self._services.workpool.run(
                WorkKind.EXPORT,
                pressed.person.id,
                personal_file,
                self._services.store.place,
                pressed.person.id,
            )
            await reply.show(export_panel(content, self._services.clock.now(), texts()))

    async def _ask(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await reply.show(forget_panel(texts()))

    async def _forget(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            known = await self._services.forgetting.forget(pressed.person.id)
            await reply.tell(texts()("privacy.forgotten" if known else "privacy.nothing"))
