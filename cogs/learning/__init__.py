"""For newcomers: help, the pages of the rules, and a practice deal."""

from bot.app import TipluBot
from cogs.learning.practice import Help, Learn


async def setup(bot: TipluBot) -> None:
    """Add the cogs of this feature."""
    await bot.add_cog(Help(bot.services, bot.router))
    await bot.add_cog(Learn(bot.services, bot.router))
