"""Rulings on matches that were not played at their table: a result from elsewhere, or who did not come."""

import discord
from discord import app_commands

from bot.interactions.reply import AnyInteraction
from bot.league import ruling_events
from cogs.league.replies import league_offers
from cogs.league.ruling_steps import LeagueActing, PodNumber, Reason


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
        """Adjudicate."""
        named = _people(missing, other, third, fourth, fifth)
        await self._prepare(
            interaction,
            league,
            reason,
            lambda season, _, players: ruling_events.ruled(season, pod, [players[user.id] for user in named]),
            named=named,
        )


def _people(*given: discord.User | None) -> list[discord.User]:
    """The people who were given, each once."""
    return list(dict.fromkeys(user for user in given if user is not None))
