"""Finished deals: history, replays, leaderboards and files."""

from bot.app import TipluBot
from cogs.history.history import ExportCommands, FairPlayCommands, HistoryCommands, VerifyCommands
from cogs.history.leaderboards import LeaderboardCommands
from cogs.history.replay import AnalysisCommands, ReplayCog


async def setup(bot: TipluBot) -> None:
    """Add the cogs of this feature."""
    await bot.add_cog(AnalysisCommands(bot.services, bot.router))
    await bot.add_cog(ExportCommands(bot.services))
    await bot.add_cog(FairPlayCommands(bot.services))
    await bot.add_cog(HistoryCommands(bot.services, bot.router))
    await bot.add_cog(LeaderboardCommands(bot.services, bot.router))
    await bot.add_cog(ReplayCog(bot.services, bot.router))
    await bot.add_cog(VerifyCommands(bot.services))
