"""`/league-staff`: rulings. Each is one command with a reason, and is previewed before it counts."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.router import Router
from bot.league import ruling_events
from bot.services import Services
from cogs.league.apart import LeagueApart
from cogs.league.calendar import LeagueCalendar
from cogs.league.desk import LeagueDesk
from cogs.league.members import LeagueMembers
from cogs.league.pods import LeaguePods
from cogs.league.replies import league_offers
from cogs.league.ruling_steps import PodNumber, Reason
from cogs.league.staff import LeagueStaff, season_commands
from cogs.league.undo import LeagueUndo
from cogs.league.unplayed import LeagueUnplayed
from cogs.league.wizard import LeagueWizard

Deal = app_commands.Range[int, 1, 50]


@app_commands.guild_only()
class LeagueRulings(
    LeagueApart,
    LeagueCalendar,
    LeagueDesk,
    LeagueMembers,
    LeaguePods,
    LeagueStaff,
    LeagueUnplayed,
    LeagueUndo,
    LeagueWizard,
    commands.GroupCog,
    name="league-staff",
    description="Run a league: open it, rule on matches, look after its players",
):
    """Discord shows these commands to everybody, because it does not know a league's staff role. Others are refused here."""

    season = season_commands

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("league-enact", self._enact)
        self.serve_staff(router)
        self.serve_wizard(router)
        self.serve_members(router)
        self.serve_desk(router)

    @app_commands.command(description="Correct one deal of a match")
    @app_commands.describe(
        pod="The pod's number",
        deal="Which deal",
        points="By seat, such as 24 -8 -8 -8",
        reason="Why",
        league="Which league",
    )
    @app_commands.autocomplete(league=league_offers)
    async def correct(
        self,
        interaction: AnyInteraction,
        pod: PodNumber,
        deal: Deal,
        points: str,
        reason: Reason,
        league: str = "",
    ) -> None:
        """Correct a result."""
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, __: ruling_events.corrected(season, pod, deal, points),
        )

    @app_commands.command(description="Void a deal of a match, so that it does not count")
    @app_commands.describe(pod="The pod's number", deal="Which deal", reason="Why", league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def void(
        self, interaction: AnyInteraction, pod: PodNumber, deal: Deal, reason: Reason, league: str = ""
    ) -> None:
        """Void a deal."""
        await self._prepare(
            interaction, league, reason, lambda season, _, __: ruling_events.voided(season, pod, deal)
        )

    @app_commands.command(description="Deduct league points, or add conduct points")
    @app_commands.describe(
        player="Who",
        points="League points to deduct",
        conduct="Conduct points",
        reason="Why",
        league="Which league",
    )
    @app_commands.autocomplete(league=league_offers)
    async def penalty(
        self,
        interaction: AnyInteraction,
        player: discord.User,
        points: app_commands.Range[int, 0, 100],
        reason: Reason,
        conduct: app_commands.Range[int, 0, 10] = 0,
        league: str = "",
    ) -> None:
        """Book a penalty."""
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, players: ruling_events.penalised(
                season, players.get(player.id), points, conduct
            ),
            named=[player],
        )

    @app_commands.command(description="Withdraw a player from the season; before it begins, refuse a sign-up")
    @app_commands.describe(player="Who", reason="Why", league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def withdraw(
        self, interaction: AnyInteraction, player: discord.User, reason: Reason, league: str = ""
    ) -> None:
        """Withdraw a player."""
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, players: ruling_events.withdrawn(season, players.get(player.id)),
            named=[player],
        )

    @app_commands.command(description="Give a player's seat to a substitute before the match begins")
    @app_commands.describe(
        pod="The pod's number",
        player="Whose seat",
        substitute="Who takes the seat",
        reason="Why",
        league="Which league",
    )
    @app_commands.autocomplete(league=league_offers)
    async def substitute(
        self,
        interaction: AnyInteraction,
        pod: PodNumber,
        player: discord.User,
        substitute: discord.User,
        reason: Reason,
        league: str = "",
    ) -> None:
        """Set a substitute."""
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, players: ruling_events.substituted(
                season, pod, players.get(player.id), players.get(substitute.id)
            ),
            named=[player, substitute],
        )
