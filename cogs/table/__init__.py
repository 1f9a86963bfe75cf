"""Tables and hands: opening, joining, playing and leaving."""

from bot.app import TipluBot
from bot.delivery.private_panels import PrivatePanels
from bot.errors import UserError
from bot.interactions.receiver import Handler, Pressed, Router
from bot.people import guild_of
from bot.table.core.repository import TableRepository
from cogs.table.commands import Marriage
from cogs.table.daily import DailyDeal
from cogs.table.hand import ChoosingSets, HandButtons, Tools
from cogs.table.hosting import Fouls, HostingButtons
from cogs.table.leaving import ChangingButtons, LeavingButtons
from cogs.table.opening import Challenge, PlayNow
from cogs.table.replies import TableReplies
from cogs.table.rules import TableRules
from cogs.table.table_buttons import FairnessButton, LedgerButton, TableButtons
from data.ids import MessageId


class TableRouter(Router):
    """Adds handlers for presses at a table to another router.

    It refuses strangers outside the table's server, and marks the others as active at the table. The answer takes over
    the private panel that they press.
    """

    def __init__(self, router: Router, tables: TableRepository, private: PrivatePanels) -> None:
        super().__init__()
        self._router = router
        self._tables = tables
        self._private = private

    def add(self, verb: str, handler: Handler, *, is_of_table: bool = True) -> None:
        """Register `handler` for this verb; raises ValueError if it already has a handler."""

        async def serve(pressed: Pressed) -> None:
            await self._refuse_strangers(pressed)
            self._tables.activity.note(pressed.table_id, pressed.person.id)
            message = pressed.interaction.message
            with self._private.answering(MessageId(message.id) if message is not None else None):
                await handler(pressed)

        self._router.add(verb, serve, is_of_table=is_of_table)

    async def _refuse_strangers(self, pressed: Pressed) -> None:
        """Raise UserError outside the table's server, except for those at the table: they may leave from anywhere.

        Nothing tells whether someone who presses in direct messages is in that server. Only those at a table get its
        buttons there.
        """
        if not pressed.table_id:
            return
        guild_id, table = guild_of(pressed.interaction), await self._tables.get(pressed.table_id)
        at_table = {row.person_id for row in (*table.seats, *table.bench)}
        if table.row.guild_id != guild_id and pressed.person.id not in at_table:
            key = "sorry.not_at_table" if guild_id is None else "sorry.other_server"
            raise UserError(key, table=pressed.table_id)


async def setup(bot: TipluBot) -> None:
    """Add the cogs of this feature."""
    router = TableRouter(bot.router, bot.services.tables, bot.delivery.private)
    replies = TableReplies(bot.services, bot.delivery)
    await bot.add_cog(ChangingButtons(bot.services, router))
    await bot.add_cog(Challenge(bot.services, replies, bot.tree))
    await bot.add_cog(ChoosingSets(bot.services, router, replies))
    await bot.add_cog(Marriage(bot.services, replies))
    await bot.add_cog(DailyDeal(bot.services, router, replies))
    await bot.add_cog(FairnessButton(bot.services, router))
    await bot.add_cog(Fouls(bot.services, router, replies))
    await bot.add_cog(HandButtons(bot.services, router, replies))
    await bot.add_cog(Tools(bot.services, router, replies))
    await bot.add_cog(HostingButtons(bot.services, router, replies))
    await bot.add_cog(LeavingButtons(bot.services, router))
    await bot.add_cog(LedgerButton(bot.services, router))
    await bot.add_cog(PlayNow(bot.services, router, replies))
    await bot.add_cog(TableRules(bot.services, router, replies))
    await bot.add_cog(TableButtons(bot.services, router, replies))
