"""Commands of the staff for the calendar of a league: extend, pause, resume."""

from discord import app_commands

from bot.errors import UserError
from bot.interactions.permissions import require_staff
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.league.calendar_acts import extended, paused, resumed
from bot.league.moments import read_moment
from cogs.league.replies import league_offers, season_of
from cogs.league.ruling_steps import LeagueActing, Reason
from cogs.league.time_offers import as_typed, offered_reading


class LeagueCalendar(LeagueActing):
    """Mixed into the group of `/league-staff`."""

    @app_commands.command(description="Extend the current round or the sign-up; what follows moves back")
    @app_commands.describe(
        until="Until when, such as sunday 19:00; in the league's time zone",
        reason="Why",
        league="Which league",
    )
    @app_commands.autocomplete(league=league_offers)
    async def extend(
        self,
        interaction: AnyInteraction,
        until: app_commands.Range[str, 1, 60],
        reason: Reason,
        league: str = "",
    ) -> None:
        """Show what another deadline would move, and ask."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            season_id = await season_of(self._services, interaction, league)
            view = await self._services.leagues.view(season_id)
            at = read_moment(until, view.now, view.season.settings.timezone)
            await self._preview(
                reply, season_id, reason, lambda season, _, __: extended(view.row, season, at)
            )

    @extend.autocomplete("until")
    async def _offer_until(self, interaction: AnyInteraction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer what is typed as it is read."""
        try:
            season_id = await season_of(self._services, interaction, interaction.namespace.league or "")
        except UserError:  # there is no such league
            return as_typed(typed)
        view = await self._services.leagues.view(season_id)
        return offered_reading(typed, view.now, view.season.settings.timezone)

    @app_commands.command(
        description="Pause a league: no round is drawn and no deadline passes until you resume it"
    )
    @app_commands.describe(reason="Why", league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def pause(self, interaction: AnyInteraction, reason: Reason, league: str = "") -> None:
        """Show what a pause would stop, and ask."""
        await self._prepare(interaction, league, reason, lambda season, _, __: paused(season))

    @app_commands.command(
        description="Resume a paused league; everything moves back by the length of the pause"
    )
    @app_commands.describe(reason="Why", league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def resume(self, interaction: AnyInteraction, reason: Reason, league: str = "") -> None:
        """Show when everything would come, and ask."""
        await self._prepare(interaction, league, reason, lambda season, _, __: resumed(season))
