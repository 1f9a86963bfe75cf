"""`/league-staff`: rulings. Each is one command with a reason, is previewed before it counts, and can be taken back."""

import discord
from discord import app_commands
from discord.ext import commands
from discord.utils import remove_markdown

from bot.errors import UserError
from bot.interactions.receiver import Router
from bot.interactions.reply import AnyInteraction
from bot.league import ruling_events
from bot.panels.league.events import event_words
from bot.services import Services
from bot.ui.items import MOST_OPTIONS
from bot.words.texts import texts
from cogs.league.calendar import LeagueCalendar
from cogs.league.desk import LeagueDesk
from cogs.league.members import LeagueMembers
from cogs.league.pods import LeaguePods
from cogs.league.replies import league_offers, season_of
from cogs.league.ruling_steps import LeagueActing, PodNumber, Reason
from cogs.league.staff import LeagueStaff, season_commands
from cogs.league.unplayed import LeagueUnplayed
from cogs.league.wizard import LeagueWizard


class LeagueUndo(LeagueActing):
    """Mixed into the group of `/league-staff`."""

    @app_commands.command(description="Take back an earlier act, or a result")
    @app_commands.describe(number="Which one: choose from the list", reason="Why", league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def undo(
        self,
        interaction: AnyInteraction,
        number: app_commands.Range[int, 1, 2**31],
        reason: Reason,
        league: str = "",
    ) -> None:
        """Undo."""
        await self._prepare(
            interaction,
            league,
            reason,
            lambda _, entries, __: ruling_events.undone(entries, number),
            corrects=number,
        )

    @undo.autocomplete("number")
    async def _offer(self, interaction: AnyInteraction, current: int | str) -> list[app_commands.Choice[int]]:
        """Offer everything that can be taken back, the latest first."""
        typed = str(current or "")
        try:
            season_id = await season_of(self._services, interaction, interaction.namespace.league or "")
        except UserError:  # there is no such league
            return []
        view = await self._services.leagues.view(season_id)
        rows = ruling_events.undoable(
            await self._services.store.read(lambda db: db.seasons.events(season_id))
        )
        found = [(row.id, remove_markdown(event_words(view, row.body, texts()))) for row in rows]
        return [
            app_commands.Choice(name=f"#{number} {said}"[:100], value=number)
            for number, said in found
            if typed in f"{number} {said}"
        ][:MOST_OPTIONS]


class LeagueApart(LeagueActing):
    """Mixed into the group of `/league-staff`."""

    @app_commands.command(description="Keep two players apart in draws, such as two of one household")
    @app_commands.describe(player="Who", other="The other player", reason="Why", league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def apart(
        self,
        interaction: AnyInteraction,
        player: discord.User,
        other: discord.User,
        reason: Reason,
        league: str = "",
    ) -> None:
        """Keep two players apart; `undo` takes it back."""
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, players: ruling_events.kept_apart(
                season, players.get(player.id), players.get(other.id)
            ),
            named=[player, other],
        )


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
