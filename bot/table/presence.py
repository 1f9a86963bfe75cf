"""Players who are slow, away, and back: the turn's deadline, the reminder at half time, and the seat's return."""

from bot.errors import Stale
from bot.table.clocks import Clocks
from bot.table.desk import PAUSED, TURN, WARN, Desk, Sitting
from bot.table.endings import Endings
from bot.table.seating import stand_in, take_back
from data.store import Store
from data.values import DeadlineRow, SeatRow, TableStatus
from marriage.state import Phase


class Presence:
    """Who is there at the tables in play."""

    def __init__(self, store: Store, desk: Desk, clocks: Clocks, endings: Endings) -> None:
        self._store = store
        self._desk = desk
        self._clocks = clocks
        self._endings = endings

    async def warn(self, table_id: int, revision: int) -> None:
        """Half of a turn is over: remind the player, unless he wants no reminders. Raises Stale for a past turn."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id) as sitting:
            seat = await _slow_seat(sitting, WARN, revision)
            await sitting.stop(WARN)
            person = await sitting.writer.person(sitting.seats[seat].person_id or 0)
            if person is not None and person.settings.turn_ping:
                await sitting.publish_notice(seat)

    async def time_out(self, table_id: int, revision: int) -> None:
        """A turn's time is over: the player is away, and a computer plays for him. Raises Stale for a past turn."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id) as sitting:
            seat = await _slow_seat(sitting, TURN, revision)
            await stand_in(sitting, seat, left=False)
            await self._clocks.rewind(sitting, seat)
            await self._clocks.watch(sitting)
            await sitting.publish([seat])
            await self._endings.count(sitting)

    async def back(self, table_id: int, person_id: int) -> str | None:
        """Somebody looks at his hand or plays: his seat is his own again, and clocks that stood go on.

        The key of what to say to him; None for those who were not away. Raises Sorry for one who left this table and sits at another.
        """
        async with self._desk.lock(table_id):
            async with self._store.read() as reader:
                table = await reader.table(table_id)
                seats = await reader.seats(table_id)
                deadlines = await reader.deadlines(table_id)
            if table is None or table.status not in {"playing", "between"}:
                return None
            key = _occasion(person_id, table.status, seats, deadlines)
            if key is not None:
                await self._return(table_id, person_id)
            return key

    async def _return(self, table_id: int, person_id: int) -> None:
        async with self._desk.sitting(table_id) as sitting:
            seat = sitting.seat_of(person_id)
            paused = await sitting.deadline(PAUSED) is not None
            await take_back(sitting, seat)
            if paused:
                await self._clocks.wind_same(sitting)
            else:
                await self._clocks.rewind(sitting, seat)
            await self._clocks.watch(sitting)
            await sitting.publish()


def _occasion(
    person_id: int, status: TableStatus, seats: tuple[SeatRow, ...], deadlines: list[DeadlineRow]
) -> str | None:
    """Why there is something to return to; None when everything goes on as it does.

    Who has left between two deals is back only by asking for the next one.
    """
    row = next((seat for seat in seats if seat.person_id == person_id), None)
    if row is None:
        return None
    if row.away or (row.left and status == "playing"):
        return "presence.welcome_back"
    return "presence.resumed" if any(due.kind == PAUSED for due in deadlines) else None


async def _slow_seat(sitting: Sitting, kind: str, revision: int) -> int:
    """The seat whose turn this deadline is about; raises Stale when that turn is past."""
    await sitting.require_due(kind, revision)
    state = sitting.state
    if sitting.table.status != "playing" or state is None or state.phase in (Phase.WINDOW, Phase.OVER):
        raise Stale
    return state.turn
