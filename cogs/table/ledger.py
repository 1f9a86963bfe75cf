"""The ledger of a match: a button of the table message."""

from discord.ext import commands

from bot.errors import UserError
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.panels.table.match import ledger_panel
from bot.services import Services
from bot.words.texts import texts


class LedgerButton(commands.Cog):
    """The button that shows the ledger to anybody who sees the table message; it has no secrets."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("ledger", self._show)

    async def _show(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            snapshot = await self._services.tables.snapshot(pressed.table_id)
            if pressed.interaction.guild_id != snapshot.table.guild_id:
                raise UserError("sorry.no_table", table=pressed.table_id)
            await reply.show(ledger_panel(snapshot, texts()))
