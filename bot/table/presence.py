"""Players who look elsewhere, are away or come back: the mention, the deadline of a turn, the return to a seat."""

from dataclasses import replace

from bot.errors import StaleRevisionError
from bot.table.core.change import TableChange, TableTransaction
from bot.table.core.pace import SILENCE_MS
from bot.table.core.repository import TableRepository
from bot.table.core.table import MENTION, TURN, Table
from bot.table.endings import Endings
from bot.table.flow.clocks import Clocks
from bot.table.flow.seating import occasion, stand_in, take_back
from bot.table.play import Play
from data.caches import Directory
from data.outbox_keys import TurnMentionByDmKey, TurnMentionKey
from data.values import TableStatus
from league.ids import PersonId, TableId
from marriage.state import Phase


class Presence:
    """Notes who is present at the tables in play."""

    def __init__(
        self, directory: Directory, tables: TableRepository, clocks: Clocks, play: Play, endings: Endings
    ) -> None:
        self._directory = directory
        self._tables = tables
        self._clocks = clocks
        self._play = play
        self._endings = endings

    async def mention(self, table_id: TableId, revision: int) -> None:
        """Mention a player who does not seem to look at their turn, in the way that they chose.

        Raises StaleRevisionError if that turn is past.
        """

        async def amend(tx: TableTransaction) -> None:
            seat = _asked_seat(tx, MENTION, revision)
            person_id = tx.seats[seat].person_id or PersonId(0)
            silent_ms = self._tables.activity.silent_ms(table_id, person_id)
            if silent_ms is not None and silent_ms < SILENCE_MS:
                tx.remind(MENTION, SILENCE_MS - silent_ms, revision)
                return
            tx.stop(MENTION)
            person = await self._directory.person(person_id)
            if tx.table.mention_id is None and person is not None and person.settings.turn_ping:
                by_dm = person.settings.turn_ping_by_dm and person.dms_open
                tx.request((TurnMentionByDmKey if by_dm else TurnMentionKey)(table_id, seat, revision))

        await self._tables.amend(table_id, amend)

    async def time_out(self, table_id: TableId, revision: int) -> None:
        """End a turn whose time is over: the player is away, and a computer plays for them.

        Raises StaleRevisionError if that turn is past.
        """

        async def command(tx: TableTransaction) -> None:
            seat = _asked_seat(tx, TURN, revision)
            stand_in(tx, seat, left=False)
            self._clocks.rewind(tx, seat)
            self._clocks.watch(tx)
            tx.publish([seat])
            await self._endings.count(tx)

        await self._tables.change(table_id, command)

    async def back(self, table_id: TableId, person_id: PersonId) -> str | None:
        """Return their seat to a person who looks at their hand, and try to show a paused table again.

        A player gets their time for the same question of the deal at most twice. After that a computer
        answers it at once, and the player plays on from there. Returns a message key; None for people who
        were not away. Raises UserError for a person who left this table and sits at another.
        """
        table = await self._tables.get(table_id)
        if _why_back(person_id, table.row.status, table) is None:
            return None  # the usual case: it need not wait for the table's lock

        async def command(tx: TableTransaction) -> str | None:
            key = _why_back(person_id, tx.table.status, tx)
            match key:
                case None:
                    pass
                case "presence.had_two_clocks":
                    await self._play.play_for(tx, tx.seat_of(person_id))
                case _:
                    await self._return(tx, tx.seat_of(person_id))
            return key

        return await self._tables.change(table_id, command)

    async def _return(self, tx: TableTransaction, seat: int) -> None:
        if seat in tx.asked() and not tx.seats[seat].present:
            tx.set_seat(replace(tx.seats[seat], second_clock=tx.asked_since()))
        await take_back(tx, seat)
        self._clocks.rewind(tx, seat)
        self._clocks.watch(tx)
        tx.publish()  # a paused table goes on if it can be shown by now
        if seat in tx.asked():
            self._play.show_later(tx, seat)


def _why_back(person_id: PersonId, status: TableStatus, table: Table | TableChange) -> str | None:
    """Why this person returns to a table that has begun, as a message key; None if nothing changes."""
    if status not in {"playing", "between"}:
        return None
    return occasion(person_id, status, table.seats, table.deadlines)


def _asked_seat(change: TableChange, kind: str, revision: int) -> int:
    """The seat whose turn this deadline is for; raises StaleRevisionError if that turn is past."""
    change.require_due(kind, revision)
    state = change.state
    if change.table.status != "playing" or state is None or state.phase in (Phase.WINDOW, Phase.OVER):
        raise StaleRevisionError
    return state.turn
