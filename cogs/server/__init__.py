"""Settings of people and servers, privacy, channels that come and go."""

from bot.app import TipluBot
from cogs.server.channels import Places
from cogs.server.privacy import Privacy
from cogs.server.settings import Settings
from cogs.server.setup_commands import Setup


async def setup(bot: TipluBot) -> None:
    """Add the cogs of this feature."""
    await bot.add_cog(Places(bot.services))
    await bot.add_cog(Privacy(bot.services, bot.router))
    await bot.add_cog(Settings(bot.services, bot.router))
    await bot.add_cog(Setup(bot.services, bot.router))
