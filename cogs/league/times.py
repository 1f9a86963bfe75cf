"""Agreeing on a time for a match: a player proposes it, the others agree."""

import asyncio

from discord import app_commands

from bot.interactions.guard import AnyInteraction
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.league.moments import read_moment
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
        when="Such as: tomorrow 8pm, friday 18:30, in 2h, 2026-12-01 18:30; in the league's time zone",
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
            say, view = texts(), await self._services.leagues.view(season_id)
            zone = view.season.settings.timezone
            at = await asyncio.to_thread(read_moment, when, view.now, zone, say.language)
            person = Person.of(interaction.user)
            await self._services.meetings.propose(season_id, person, at, InteractionId(interaction.id))
            await reply.tell(say("league.proposed", at=at))

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
