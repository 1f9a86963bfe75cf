"""Staff commands for members: approve sign-ups, add, seed and ban."""

import discord
from discord import app_commands

from bot.errors import UserError
from bot.interactions.permissions import require_staff
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.league import ruling_events
from bot.panels.league.people import members_panel
from bot.people import guild_of
from bot.words.texts import texts
from cogs.league.replies import league_offers, season_of
from cogs.league.ruling_steps import LeagueActing, Reason
from data.ids import SeasonId
from league.results import Player


class LeagueMembers(LeagueActing):
    """Mixed into the group of `/league-staff`."""

    def serve_members(self, router: Router) -> None:
        """Serve the verbs of this part."""
        router.add("league-members", self._turn_members)
        router.add("league-approve", self._approve)
        router.add("pick-approved", self._approve)

    @app_commands.command(description="See who plays and how reliably, and approve sign-ups")
    @app_commands.describe(league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def members(self, interaction: AnyInteraction, league: str = "") -> None:
        """Show the members."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            await self._show_members(reply, await season_of(self._services, interaction, league), 0)

    @app_commands.command(description="Add a player to the season, whether they have signed up or not")
    @app_commands.describe(player="Who", reason="Why", league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def add(
        self, interaction: AnyInteraction, player: discord.User, reason: Reason, league: str = ""
    ) -> None:
        """Add a player."""
        if player.bot:
            raise UserError("league.no_bot")
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, players: ruling_events.added(season, players[player.id]),
            named=[player],
        )

    @app_commands.command(description="Ban a player from this season and those that follow")
    @app_commands.describe(player="Who", reason="Why", league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def ban(
        self, interaction: AnyInteraction, player: discord.User, reason: Reason, league: str = ""
    ) -> None:
        """Ban a person; `undo` reverses it."""
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, players: ruling_events.banned(season, players[player.id]),
            named=[player],
        )

    @app_commands.command(description="Set a newcomer's place before the first draw, 1 the strongest")
    @app_commands.describe(player="Who", place="Their place; 0 for none", reason="Why", league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def seed(
        self,
        interaction: AnyInteraction,
        player: discord.User,
        place: app_commands.Range[int, 0, 999],
        reason: Reason,
        league: str = "",
    ) -> None:
        """Seed a player."""
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, players: ruling_events.seeded(season, players[player.id], place),
            named=[player],
        )

    async def _show_members(self, reply: Reply, season_id: SeasonId, page: int) -> None:
        view = await self._services.leagues.view(season_id, guild_of(reply.interaction))
        known = await self._services.members.reliabilities(season_id)
        await reply.show(members_panel(view, known, page, texts()))

    async def _turn_members(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await require_staff(self._services.store, pressed.interaction)
            await self._show_members(reply, pressed.season_id, pressed.press.revision)

    async def _approve(self, pressed: Pressed) -> None:
        """Approve the chosen sign-ups, the one of a button at the desk, or all."""
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await require_staff(self._services.store, pressed.interaction)
            await self._services.leagues.require_here(pressed.season_id, guild_of(pressed.interaction))
            one = [pressed.press.revision] if pressed.press.revision else []
            chosen = [Player(number) for number in (*pressed.chosen_numbers, *one)] or None
            await self._services.members.approve(
                pressed.season_id, pressed.person, chosen, pressed.interaction_id
            )
            await self._show_members(reply, pressed.season_id, 0)
