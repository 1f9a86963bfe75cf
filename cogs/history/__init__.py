"""Finished deals: history, replays, leaderboards, files."""

from bot.app import TipluBot
from cogs.history.analysis import Analyses
from cogs.history.history import Exports, Fair, FairPlay, History
from cogs.history.leaderboards import Boards
from cogs.history.replay import Replays


async def setup(bot: TipluBot) -> None:
    """Add the cogs of this feature."""
    await bot.add_cog(Analyses(bot.services, bot.router))
    await bot.add_cog(Exports(bot.services))
    await bot.add_cog(FairPlay(bot.services))
    await bot.add_cog(History(bot.services, bot.router))
    await bot.add_cog(Boards(bot.services, bot.router))
    await bot.add_cog(Replays(bot.services, bot.router))
    await bot.add_cog(Fair(bot.services))
