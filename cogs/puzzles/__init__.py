"""Puzzles from real deals: one near a person's strength, and a daily one for everybody."""

from bot.app import TipluBot
from cogs.puzzles.puzzle import PuzzleCommand


async def setup(bot: TipluBot) -> None:
    """Add the cogs of this feature."""
    await bot.add_cog(PuzzleCommand(bot.services, bot.router))
