"""`/league-staff`: rulings. Each is one command with a reason, is previewed first, and can be undone."""

import discord
from discord import app_commands
from discord.ext import commands
from discord.utils import remove_markdown

from bot.delivery.season_calendar import may_plan
from bot.errors import UserError
from bot.interactions.permissions import forum_of, granted_in, require_staff, silent_role
from bot.interactions.receiver import Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.league import ruling_events
from bot.league.agenda import played_within
from bot.league.calendar_acts import extended, paused, resumed
from bot.league.moments import read_moment
from bot.panels.league.desk import check_panel
from bot.panels.league.words import event_words
from bot.services import Services
from bot.ui.items import MOST_OPTIONS
from bot.words.texts import texts
from cogs.league.desk import LeagueDesk
from cogs.league.members import LeagueMembers
from cogs.league.replies import league_offers, season_of
from cogs.league.ruling_steps import LeagueActing, PodNumber, Reason
from cogs.league.staff import LeagueStaff, season_commands
from cogs.league.times import as_typed, offered_reading
from cogs.league.wizard import LeagueWizard
from league.season import Season
from league.times import DAY


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
        """Preview what another deadline would move, and ask for confirmation."""
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
        """Suggest the typed time as the bot reads it."""
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
        """Preview what a pause would stop, and ask for confirmation."""
        await self._prepare(interaction, league, reason, lambda season, _, __: paused(season))

    @app_commands.command(
        description="Resume a paused league; everything moves back by the length of the pause"
    )
    @app_commands.describe(reason="Why", league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def resume(self, interaction: AnyInteraction, reason: Reason, league: str = "") -> None:
        """Preview the new dates, and ask for confirmation."""
        await self._prepare(interaction, league, reason, lambda season, _, __: resumed(season))


class LeagueUnplayed(LeagueActing):
    """Mixed into the group of `/league-staff`."""

    @app_commands.command(description="Enter the result of a match that was played elsewhere")
    @app_commands.describe(
        pod="The pod's number",
        deals="Points by seat, deals separated by ; such as 9 -3 -6; -4 8 -4",
        reason="Why",
        missing="A player who did not come, and so has no points in the deals",
        other="Another player who did not come",
        third="Another player who did not come",
        league="Which league",
    )
    @app_commands.autocomplete(league=league_offers)
    async def enter(
        self,
        interaction: AnyInteraction,
        pod: PodNumber,
        deals: str,
        reason: Reason,
        missing: discord.User | None = None,
        other: discord.User | None = None,
        third: discord.User | None = None,
        league: str = "",
    ) -> None:
        """Enter a result."""
        named = _people(missing, other, third)
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, players: ruling_events.entered(
                season, pod, deals, [players[user.id] for user in named]
            ),
            named=named,
        )

    @app_commands.command(description="Rule on a match that was not played: say who did not come")
    @app_commands.describe(
        pod="The pod's number",
        missing="A player who did not come",
        other="Another player who did not come",
        third="Another player who did not come",
        fourth="Another player who did not come",
        fifth="Another player who did not come",
        reason="Why",
        league="Which league",
    )
    @app_commands.autocomplete(league=league_offers)
    async def adjudicate(
        self,
        interaction: AnyInteraction,
        pod: PodNumber,
        reason: Reason,
        missing: discord.User | None = None,
        other: discord.User | None = None,
        third: discord.User | None = None,
        fourth: discord.User | None = None,
        fifth: discord.User | None = None,
        league: str = "",
    ) -> None:
        """Adjudicate a match."""
        named = _people(missing, other, third, fourth, fifth)
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, players: ruling_events.ruled(season, pod, [players[user.id] for user in named]),
            named=named,
        )


def _people(*given: discord.User | None) -> list[discord.User]:
    """Return the given people without duplicates."""
    return list(dict.fromkeys(user for user in given if user is not None))


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
        """Order a deal or match to be played again."""
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
        """Return when the new attempt must be over, in milliseconds since 1970.

        By default it lasts as many days as a round.
        """
        return self._services.clock.now() + (days * DAY if days else played_within(season))


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
        """Undo a ruling."""
        await self._prepare(
            interaction,
            league,
            reason,
            lambda _, entries, __: ruling_events.undone(entries, number),
            corrects=number,
        )

    @undo.autocomplete("number")
    async def _offer(self, interaction: AnyInteraction, current: int | str) -> list[app_commands.Choice[int]]:
        """Suggest everything that can be undone, the latest first."""
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
        """Keep two players apart; `undo` reverses it."""
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
    """Discord shows these commands to everybody, since it does not know a league's staff role.

    Non-staff are refused at run time.
    """

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
