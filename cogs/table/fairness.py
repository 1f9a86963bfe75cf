"""Buttons that show what anybody at a table may look at: all its shuffles, and the ledger of the match."""

from discord.ext import commands

from bot.errors import UserError
from bot.history.past_deals import sight_of
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.panels.table.fairness import fairness_panel
from bot.panels.table.match import ledger_panel
from bot.services import Services
from bot.table.core.snapshot import Snapshot
from bot.words.texts import texts
from data.transaction import ReadTransaction


class FairnessButton(commands.Cog):
    """Show privately what anybody needs to check that nobody chose the cards."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("fair", self._show)

    async def _show(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            snapshot = await self._services.tables.snapshot(pressed.table_id)
            await self._check(pressed, snapshot)
            await reply.show(fairness_panel(snapshot, self._services.mentions, texts()))

    async def _check(self, pressed: Pressed, snapshot: Snapshot) -> None:
        """Raise UserError for a person who may not see the deal: all its hands follow from its seed."""
        if snapshot.seat_of(pressed.person.id) is not None:
            return
        table, shuffle = snapshot.table, snapshot.shuffle
        if pressed.interaction.guild_id != table.guild_id:
            raise UserError("sorry.no_table", table=table.id)
        if shuffle is None or shuffle.seed is None:
            return

        async def read(db: ReadTransaction) -> None:
            if not await db.history.may_see(sight_of(pressed.interaction), table.id, shuffle.deal_no):
                raise UserError("sorry.verify_hidden", table=table.id, deal=shuffle.deal_no)

        await self._services.store.read(read)


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
