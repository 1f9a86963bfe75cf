"""Players who are slow, away, and back: the turn's deadline, the reminder at half time, and the seat's return."""

from dataclasses import replace

from bot.errors import StaleRevisionError
from bot.table.clocks import Clocks
from bot.table.endings import Endings
from bot.table.play import Play
from bot.table.repository import TableRepository
from bot.table.seating import occasion, stand_in, take_back
from bot.table.transaction import TURN, WARN, TableTransaction
from data.store import Store
from marriage.state import Phase


class Presence:
    """Who is there at the tables in play."""

    def __init__(
        self, store: Store, tables: TableRepository, clocks: Clocks, play: Play, endings: Endings
    ) -> None:
        self._store = store
        self._tables = tables
        self._clocks = clocks
        self._play = play
        self._endings = endings

    async def warn(self, table_id: int, revision: int) -> None:
        """Half of a turn is over: remind the player, unless he wants no reminders. Raises StaleRevisionError for a past turn."""
        async with self._tables.open(table_id) as tx:
            seat = await _slow_seat(tx, WARN, revision)
            await tx.stop(WARN)
            person = await tx.db.people.get(tx.seats[seat].person_id or 0)
            if person is not None and person.settings.turn_ping:
                await tx.publish_notice(seat)

    async def time_out(self, table_id: int, revision: int) -> None:
        """A turn's time is over: the player is away, and a computer plays for him. Raises StaleRevisionError for a past turn."""
        async with self._tables.open(table_id) as tx:
            seat = await _slow_seat(tx, TURN, revision)
            await stand_in(tx, seat, left=False)
            await self._clocks.rewind(tx, seat)
            await self._clocks.watch(tx)
            await tx.publish([seat])
            await self._endings.count(tx)

    async def back(self, table_id: int, person_id: int) -> str | None:
        """Somebody looks at their hand: the seat is theirs again, and a paused table is tried again.

        For one question of the deal he is given his time twice at most; after that a computer answers it at once, and
        the seat is his from then on. The key of what to say to him; None for those who were not away. Raises UserError
        for one who left this table and sits at another.
        """
        async with self._tables.lock(table_id):
            async with self._store.read() as db:
                table = await db.tables.get(table_id)
                seats = await db.tables.seats(table_id)
                deadlines = await db.deadlines.of_table(table_id)
            if table is None or table.status not in {"playing", "between"}:
                return None
            key = occasion(person_id, table.status, seats, deadlines)
            match key:
                case None:
                    return None
                case "presence.had_two_clocks":
                    await self._play.play_for(table_id, person_id)
                case _:
                    await self._return(table_id, person_id)
            return key

    async def _return(self, table_id: int, person_id: int) -> None:
        async with self._tables.transaction(table_id) as tx:
            seat = tx.seat_of(person_id)
            if seat in tx.asked() and not tx.seats[seat].present:
                await tx.set_seat(replace(tx.seats[seat], second_clock=await tx.asked_since()))
            await take_back(tx, seat)
            await self._clocks.rewind(tx, seat)
            await self._clocks.watch(tx)
            await tx.publish()  # a paused table goes on if it can be shown by now


async def _slow_seat(tx: TableTransaction, kind: str, revision: int) -> int:
    """The seat whose turn this deadline is about; raises StaleRevisionError when that turn is past."""
    await tx.require_due(kind, revision)
    state = tx.state
    if tx.table.status != "playing" or state is None or state.phase in (Phase.WINDOW, Phase.OVER):
        raise StaleRevisionError
    return state.turn
