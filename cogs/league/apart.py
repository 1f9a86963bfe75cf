"""A ruling on the draw: two players are not to meet."""

import discord
from discord import app_commands

from bot.interactions.error_boundary import AnyInteraction
from bot.league import ruling_events
from cogs.league.replies import league_offers
from cogs.league.ruling_steps import LeagueActing, Reason


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
