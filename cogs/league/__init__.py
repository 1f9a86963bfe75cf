"""Leagues: the commands and components for members and staff."""

from bot.app import TipluBot
from cogs.league.commands import League
from cogs.league.reports import DealReporting
from cogs.league.rulings import LeagueRulings


async def setup(bot: TipluBot) -> None:
    """Add the cogs of this feature."""
    await bot.add_cog(League(bot.services, bot.router))
    await bot.add_cog(LeagueRulings(bot.services, bot.router))
    await bot.add_cog(DealReporting(bot.services, bot.router))
