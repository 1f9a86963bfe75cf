"""Settings of people and servers, privacy, and channels that disappear or return."""

from bot.app import TipluBot
from cogs.server.settings import Privacy, SettingsCommands
from cogs.server.setup_commands import COMPARE_S, Places, Setup


async def setup(bot: TipluBot) -> None:
    """Add the cogs of this feature."""
    places = Places(bot.services, bot)
    bot.services.scheduler.repeat("servers", places.compare, first_after_s=COMPARE_S)
    await bot.add_cog(places)
    await bot.add_cog(Privacy(bot.services, bot.router))
    await bot.add_cog(SettingsCommands(bot.services, bot.router))
    await bot.add_cog(Setup(bot.services, bot.router))
