"""Getting up from a table, whatever it is doing: it always works."""

from bot.errors import Sorry
from bot.table.bench import on_bench
from bot.table.clocks import Clocks
from bot.table.endings import Endings
from bot.table.lobby import Lobby, require_company
from bot.table.repository import Desk, Sitting
from bot.table.seating import pass_host, stand_in
from data.values import BenchRow


class Leaving:
    """Lets people go: before the first deal at once, later when the deal in play is over."""

    def __init__(self, desk: Desk, lobby: Lobby, clocks: Clocks, endings: Endings) -> None:
        self._desk = desk
        self._lobby = lobby
        self._clocks = clocks
        self._endings = endings

    async def get_up(self, table_id: int, person_id: int, interaction_id: int) -> None:
        """Leave while no deal is on; raises Sorry for a press that was overtaken by the start of one."""
        if await self._desk.status(table_id) == "playing":
            raise Sorry("sorry.deal_is_on")
        await self.leave(table_id, person_id, interaction_id)

    async def leave(self, table_id: int, person_id: int, interaction_id: int | None) -> str:
        """Leave; the key of what to say. Raises Sorry for one who does not sit here or has left already.

        In a deal the seat stays, a computer plays it to the end and its points count; the next deal is without it.
        When the last person leaves, the deal is dismissed and the table closed.
        """
        if await self._desk.status(table_id) == "lobby":
            await self._lobby.leave(table_id, person_id, interaction_id)
            return "leaving.left"
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            if (waiting := on_bench(sitting.bench, person_id)) is not None:
                return await self._leave_bench(sitting, waiting)
            seat = sitting.seat_of(person_id)
            require_company(sitting)
            if sitting.table.status == "closed" or sitting.seats[seat].left:
                raise Sorry("sorry.left_already")
            await stand_in(sitting, seat, left=True)
            if _nobody_stays(sitting):
                await self._endings.shut(sitting, "left")
                return "leaving.left_last"
            await self._go_on(sitting, seat)
            return "leaving.left_deal" if sitting.table.status == "playing" else "leaving.left"

    async def _leave_bench(self, sitting: Sitting, waiting: BenchRow) -> str:
        await sitting.set_bench([row for row in sitting.bench if row != waiting])
        if _nobody_stays(sitting):
            await self._endings.shut(sitting, "left")
            return "leaving.left_last"
        pass_host(sitting)
        await self._clocks.watch(sitting)
        await sitting.publish()
        return "leaving.left"

    async def leave_all(self, person_id: int) -> list[int]:
        """Leave every table where this person sits; their ids."""
        left: list[int] = []
        while (table_id := await self._desk.table_of(person_id)) is not None:
            try:
                await self.leave(table_id, person_id, None)
            except Sorry:
                if await self._desk.table_of(person_id) == table_id:
                    raise
                continue  # it closed meanwhile
            left.append(table_id)
        return left

    async def show_again(self, table_ids: list[int]) -> None:
        """Bring the messages of these tables up to date, such as with the new name of somebody who has left."""
        for table_id in table_ids:
            async with self._desk.lock(table_id), self._desk.sitting(table_id) as sitting:
                await sitting.publish()

    async def _go_on(self, sitting: Sitting, seat: int) -> None:
        pass_host(sitting)
        await self._clocks.watch(sitting)
        await sitting.publish()
        if sitting.table.status == "playing":
            await self._clocks.rewind(sitting, seat)
        await self._endings.count(sitting)


def _nobody_stays(sitting: Sitting) -> bool:
    """Whether everybody has left the table, and nobody keeps a place on its bench."""
    return not sitting.bench and all(row.left for row in sitting.seats if row.person_id is not None)
