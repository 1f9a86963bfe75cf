"""What staff do for a pod that could not play, and the check of a league's problems."""

from discord import app_commands

from bot.delivery.scheduled_events import may_plan
from bot.interactions.guard import AnyInteraction
from bot.interactions.permissions import granted_in
from bot.interactions.reply import Kind, Reply
from bot.interactions.staff import require_staff
from bot.league import ruling_events
from bot.panels.league.check import check_panel
from bot.words.texts import texts
from cogs.league.replies import league_offers, season_of
from cogs.league.ruling_steps import LeagueActing, PodNumber, Reason
from league.times import DAY


class LeaguePods(LeagueActing):
    """Mixed into the group of `/league-staff`."""

    @app_commands.command(description="Let a pod play after all whose table was closed before a result")
    @app_commands.describe(
        pod="The pod's number",
        reason="Why",
        days="Days it has for it; else as a round",
        league="Which league",
    )
    @app_commands.autocomplete(league=league_offers)
    async def reopen(
        self,
        interaction: AnyInteraction,
        pod: PodNumber,
        reason: Reason,
        days: app_commands.Range[int, 1, 31] | None = None,
        league: str = "",
    ) -> None:
        """Reopen a pod at a new table."""
        now = self._services.clock.now()
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, __: ruling_events.reopened(
                season, pod, (now + (days or season.settings.round_days) * DAY)
            ),
        )

    @app_commands.command(
        description="What keeps a league from running well: permissions, disputes, messages"
    )
    @app_commands.describe(league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def check(self, interaction: AnyInteraction, league: str = "") -> None:
        """Show everything that staff can fix."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            view = await self._services.leagues.view(await season_of(self._services, interaction, league))
            granted = granted_in(interaction.guild, view.row.channel_id)
            plans = may_plan(interaction.client, view.row.guild_id)
            await reply.show(check_panel(view, granted, texts(), plans=plans))
