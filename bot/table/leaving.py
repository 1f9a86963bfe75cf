"""Leave a table, which is possible in any state of the table."""

from bot.errors import UserError
from bot.table.core.change import TableTransaction
from bot.table.core.repository import TableRepository
from bot.table.core.table import on_bench
from bot.table.endings import Endings
from bot.table.flow.clocks import Clocks
from bot.table.flow.seating import pass_host, stand_in
from bot.table.lobby import Lobby, require_company
from data.ids import InteractionId
from data.values import BenchRow
from league.ids import PersonId, TableId


class Leaving:
    """Lets people leave: before the first deal at once, later when the deal in play is over."""

    def __init__(self, tables: TableRepository, lobby: Lobby, clocks: Clocks, endings: Endings) -> None:
        self._tables = tables
        self._lobby = lobby
        self._clocks = clocks
        self._endings = endings

    async def get_up(self, table_id: TableId, person_id: PersonId, interaction_id: InteractionId) -> None:
        """Leave while no deal is in play; raises UserError if one has started meanwhile."""
        if await self._tables.status(table_id) == "playing":
            raise UserError("sorry.deal_is_on")
        await self.leave(table_id, person_id, interaction_id)

    async def leave(
        self, table_id: TableId, person_id: PersonId, interaction_id: InteractionId | None
    ) -> str:
        """Leave the table; returns a message key. Raises UserError for a person who does not sit here or has left.

        During a deal a computer plays the seat to the end and its points count; the next deal is without the seat.
        When the last person leaves, the deal is dismissed and the table closed.
        """
        if await self._tables.status(table_id) == "lobby":
            await self._lobby.leave(table_id, person_id, interaction_id)
            return "leaving.left"

        async def command(tx: TableTransaction) -> str:
            if (waiting := on_bench(tx.bench, person_id)) is not None:
                return await self._leave_bench(tx, waiting)
            seat = tx.seat_of(person_id)
            require_company(tx)
            if tx.table.status == "closed" or tx.seats[seat].left:
                raise UserError("sorry.left_already")
            stand_in(tx, seat, left=True)
            if _nobody_stays(tx):
                await self._endings.shut(tx, "left")
                return "leaving.left_last"
            await self._go_on(tx, seat)
            return "leaving.left_deal" if tx.table.status == "playing" else "leaving.left"

        return await self._tables.change(table_id, command, interaction_id)

    async def _leave_bench(self, tx: TableTransaction, waiting: BenchRow) -> str:
        tx.set_bench([row for row in tx.bench if row != waiting])
        if _nobody_stays(tx):
            await self._endings.shut(tx, "left")
            return "leaving.left_last"
        pass_host(tx)
        self._clocks.watch(tx)
        tx.publish()
        return "leaving.left"

    async def leave_all(self, person_id: PersonId) -> list[TableId]:
        """Leave every table where this person sits. Returns the ids of the tables."""
        left: list[TableId] = []
        while (table_id := await self._tables.table_of(person_id)) is not None:
            try:
                await self.leave(table_id, person_id, None)
            except UserError:
                if await self._tables.table_of(person_id) == table_id:
                    raise
                continue  # it closed meanwhile
            left.append(table_id)
        return left

    async def show_again(self, table_ids: list[TableId]) -> None:
        """Update the messages of these tables, for example with the new name of a person who has left."""

        async def publish(tx: TableTransaction) -> None:
            tx.publish()

        for table_id in table_ids:
            await self._tables.change(table_id, publish)

    async def _go_on(self, tx: TableTransaction, seat: int) -> None:
        pass_host(tx)
        self._clocks.watch(tx)
        tx.publish()
        if tx.table.status == "playing":
            self._clocks.rewind(tx, seat)
        await self._endings.count(tx)


def _nobody_stays(tx: TableTransaction) -> bool:
    """Return whether everybody has left the table, and its bench is empty."""
    return not tx.bench and all(row.left for row in tx.seats if row.person_id is not None)
