"""`python -m tests.load.bare`: the least that a bot in discord.py can do, an "ok" to every press.

What it costs is what the library and the wire cost on this machine.
"""

import asyncio

import discord
from discord import ui

from bot.rest import point_at_server
from bot.settings import load_settings
from tests.load.gauge import Gauge

BUTTON = "mr1:bare:0:0"


class BareBot(discord.Client):
    """Posts one message with a button, and answers its presses."""

    async def setup_hook(self) -> None:
        self._gauge = Gauge()
        await self._gauge.open()

    async def on_ready(self) -> None:
        view = ui.View(timeout=None)
        view.add_item(ui.Button(label="Press", custom_id=BUTTON))
        await self.guilds[0].text_channels[0].send("Press it.", view=view)
        view.stop()  # the library need not look for a callback

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("ok", ephemeral=True)


async def main() -> None:
    settings = load_settings()
    await point_at_server(settings)
    async with BareBot(intents=discord.Intents(guilds=True)) as bot:
        await bot.start(settings.discord_token.get_secret_value())


if __name__ == "__main__":
    asyncio.run(main())
