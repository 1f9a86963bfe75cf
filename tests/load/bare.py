"""`python -m tests.load.bare`: the least that a bot in discord.py can do with a press.

One button is answered with "ok". The other is answered with what a hand takes: a picture and 25 buttons, and
then an edit with another picture. Their cost is the cost of the library and the wire on this machine.
"""

import asyncio
from io import BytesIO

import discord
from discord import ui

from bot.rest import point_at_server
from bot.settings import load_settings
from render.samples import NAMES, table_views
from render.table_picture import draw_table
from tests.load.gauge import Gauge

OK, FULL = "mr1:ok:0:0", "mr1:full:0:0"
BUTTONS = 25


class BareBot(discord.Client):
    """Posts one message with two buttons, and answers their presses."""

    async def setup_hook(self) -> None:
        views = [view for view in table_views().values() if view.players <= len(NAMES)]
        self._pictures = [draw_table(view, NAMES[: view.players]).png for view in views[:2]]
        self._gauge = Gauge()
        await self._gauge.open()

    async def on_ready(self) -> None:
        view = _view(ui.Button(label="ok", custom_id=OK), ui.Button(label="all", custom_id=FULL))
        await self.guilds[0].text_channels[0].send("Press it.", view=view)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if (interaction.data or {}).get("custom_id") == OK:
            await interaction.response.send_message("ok", ephemeral=True)
            return
        first, second = (discord.File(BytesIO(png), f"{n}.png") for n, png in enumerate(self._pictures))
        buttons = (ui.Button(label=f"{n}", custom_id=f"{n}") for n in range(BUTTONS))
        await interaction.response.send_message("ok", view=_view(*buttons), file=first, ephemeral=True)
        await interaction.edit_original_response(content="ok", attachments=[second])


def _view(*buttons: ui.Button) -> ui.View:
    """Return a view that makes the library look for no callbacks."""
    view = ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    view.stop()
    return view


async def main() -> None:
    settings = load_settings()
    await point_at_server(settings)
    async with BareBot(intents=discord.Intents(guilds=True)) as bot:
        await bot.start(settings.discord_token.get_secret_value())


if __name__ == "__main__":
    asyncio.run(main())
