"""Commands of the staff about pods, and the check that lists a league's problems."""

from discord import app_commands

from bot.delivery.season_calendar import may_plan
from bot.interactions.permissions import forum_of, granted_in, require_staff, silent_role
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.league import ruling_events
from bot.league.agenda import played_within
from bot.panels.league.check import check_panel
from bot.words.texts import texts
from cogs.league.replies import league_offers, season_of
from cogs.league.ruling_steps import LeagueActing, PodNumber, Reason
from league.season import Season
from league.times import DAY


class LeaguePods(LeagueActing):
    """Mixed into the group of `/league-staff`."""

    @app_commands.command(description="Reopen a pod whose table closed without a result")
    @app_commands.describe(
        pod="The pod's number",
        reason="Why",
        days="How many days it has; otherwise as long as a round",
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
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, __: ruling_events.reopened(season, pod, self._closes_at(season, days)),
        )

    @app_commands.command(
        description="Void a match, or one deal of it, and have it played again at a new table"
    )
    @app_commands.describe(
        pod="The pod's number",
        reason="Why",
        deal="Which deal; otherwise the whole match",
        days="How many days it has; otherwise as long as a round",
        league="Which league",
    )
    @app_commands.autocomplete(league=league_offers)
    async def replay(
        self,
        interaction: AnyInteraction,
        pod: PodNumber,
        reason: Reason,
        deal: app_commands.Range[int, 1, 50] | None = None,
        days: app_commands.Range[int, 1, 31] | None = None,
        league: str = "",
    ) -> None:
        """Have something played again."""
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, __: ruling_events.replayed(season, pod, deal, self._closes_at(season, days)),
        )

    @app_commands.command(
        description="See what keeps a league from running well: permissions, disputes, messages"
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
            silent = silent_role(interaction.guild, view.staff_role_id, granted)
            forum = forum_of(interaction.guild, view.row.channel_id)
            kind = None if forum is None else "tags" if forum.flags.require_tag else "forum"
            panel = check_panel(view, granted, texts(), plans=plans, silent_role=silent, forum=kind)
            await reply.show(panel)

    def _closes_at(self, season: Season, days: int | None) -> int:
        """When the new attempt has to be over, in milliseconds since 1970: after so many days, else after those of a round."""
        return self._services.clock.now() + (days * DAY if days else played_within(season))
