"""The ledger of a match: a button of the table message, and `/marriage ledger`."""

from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.interactions.guard import AnyInteraction
from bot.interactions.places import may_see, my_table
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.panels.table.match import ledger_panel
from bot.services import Services
from bot.words.texts import texts
from league.ids import TableId


class LedgerCommand(commands.Cog):
    """The part of `/marriage` that shows the ledger; a base class of that cog."""

    _services: Services

    @app_commands.command(description="Everybody's points in the match, and who would pay whom")
    @app_commands.describe(table="The number of a table of this server; else your own")
    async def ledger(
        self, interaction: AnyInteraction, table: app_commands.Range[int, 1, 2**31] | None = None
    ) -> None:
        """Show the ledger in private."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            table_id = await my_table(self._services.tables, interaction) if table is None else TableId(table)
            snapshot = await self._services.tables.snapshot(table_id)
            elsewhere = snapshot.table.guild_id != interaction.guild_id or not may_see(interaction)(
                snapshot.table.place_id
            )
            if table is not None and elsewhere:
                raise UserError("sorry.no_table", table=table)
            await reply.show(ledger_panel(snapshot, texts()))


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
