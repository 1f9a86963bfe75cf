"""From season to season: staff open the next one, and everybody can look at finished ones."""

from discord import app_commands

from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.places import require_guild
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.panels.league.archive import archive_panel
from bot.panels.league.posts import signup_panel
from bot.services import Services
from bot.words.texts import texts
from cogs.league.replies import LeagueOffers


class LeagueSeasons(LeagueOffers):
    """Mixed into the group of `/league`."""

    _services: Services

    def serve_seasons(self, router: Router) -> None:
        """Serve the verbs of this part."""
        router.add("league-older", self._turn_archive)
        router.add("pick-season", self._pick)

    @app_commands.command(description="List past seasons, with their winners and tables")
    @app_commands.guild_only()
    async def archive(self, interaction: AnyInteraction) -> None:
        """Show the archive."""
        await self._archive(interaction, 0, Kind.PRIVATE)

    async def _turn_archive(self, pressed: Pressed) -> None:
        await self._archive(pressed.interaction, pressed.press.revision, pressed.privately)

    async def _archive(self, interaction: AnyInteraction, page: int, kind: Kind) -> None:
        async with Reply(interaction, kind) as reply:
            guild_id, _ = require_guild(interaction)
            await reply.show(archive_panel(await self._services.leagues.archive(guild_id, page), texts()))

    async def _pick(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            guild_id, _ = require_guild(pressed.interaction)
            row = await self._services.leagues.find(guild_id, pressed.chosen or "-")
            view = await self._services.leagues.view(row.id)
            await reply.show(signup_panel(view, texts(), self._services.settings.pages_url))
