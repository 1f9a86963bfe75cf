"""Keeping the score of games with real cards."""

from bot.app import TipluBot
from cogs.scorekeeping.score import Score


async def setup(bot: TipluBot) -> None:
    """Add the cogs of this feature."""
    await bot.add_cog(Score(bot.services, bot.router))
