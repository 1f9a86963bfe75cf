"""Agreeing on a time for a match: a player proposes it, the others agree."""

from discord import app_commands

from bot.interactions.guard import AnyInteraction
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.league.meetings import read_time
from bot.people import Person
from bot.services import Services
from bot.words.texts import texts
from cogs.league.replies import LeagueOffers, league_offers, season_of
from data.ids import InteractionId


class LeagueTimes(LeagueOffers):
    """Mixed into the group of `/league`."""

    _services: Services

    def serve_times(self, router: Router) -> None:
        """Serve the verbs of this part."""
        router.add("league-agree", self._agree)

    @app_commands.command(description="Propose a time for your match to the others of your pod")
    @app_commands.describe(
        when="Such as: in 2h 30m, or 2026-12-01 18:30 +5:45, or 2026-12-01 12:45 for UTC",
        league="Which one; else the newest",
    )
    @app_commands.autocomplete(league=league_offers)
    @app_commands.guild_only()
    async def propose(
        self, interaction: AnyInteraction, when: app_commands.Range[str, 1, 60], league: str = ""
    ) -> None:
        """Propose a time."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            season_id = await season_of(self._services, interaction, league)
            at = read_time(when, self._services.clock.now())
            person = Person.of(interaction.user)
            await self._services.meetings.propose(season_id, person, at, InteractionId(interaction.id))
            await reply.tell(texts()("league.proposed", at=at))

    async def _agree(self, pressed: Pressed) -> None:
        press = pressed.press
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            said = await self._services.meetings.agree(
                pressed.season_id,
                press.revision,
                press.id_argument,
                pressed.person,
                pressed.interaction_id,
            )
            await reply.tell(texts()(said))
