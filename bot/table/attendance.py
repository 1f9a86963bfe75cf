"""People who come and go: who sits down, sits out, looks elsewhere, comes back or leaves.

* A person who sits down plays from the next deal on, at a free place. If computers have taken all free places, the
  last computer makes room. The person's total begins at 0, or goes on if they played in the match before.
* People who sit out keep their place until they are back. Deals without them bring them nothing and cost them nothing,
  except for a foul that they still owe. At least two must play; until then the table waits, as long as any other.
* Neither is possible in a league, where the draw says who plays, or where a person plays alone.
* People can leave at any time. Before the first deal they are gone at once; later a computer plays the deal to its end.
"""

from dataclasses import replace

from bot.errors import ChangedElsewhereError, StaleRevisionError, UserError
from bot.people import NamedPerson
from bot.table.core.change import TableChange, TableTransaction
from bot.table.core.repository import TableRepository
from bot.table.core.table import MENTION, SILENCE_MS, TURN, Table, has_room, mixture, on_bench
from bot.table.core.thread_members import review_members
from bot.table.endings import Endings
from bot.table.flow.clocks import Clocks
from bot.table.flow.seating import join_next, occasion, pass_host, stand_in, take_back
from bot.table.lobby import Lobby, require_company, require_free, require_welcome, welcome
from bot.table.play import Play
from bot.words.names import person_name
from data.caches import Directory
from data.errors import RevisionConflictError
from data.ids import InteractionId
from data.outbox_keys import TurnMentionByDmKey, TurnMentionKey
from data.values import BenchRow, SeatRow, TableStatus
from league.ids import PersonId, TableId
from marriage.rules import SEATS_MAX
from marriage.state import Phase


class Attendance:
    """Lets people come and go. Every method raises UserError, with the reason, if that is not allowed."""

    def __init__(self, tables: TableRepository, play: Play, clocks: Clocks) -> None:
        self._tables = tables
        self._play = play
        self._clocks = clocks

    async def sit_down(self, table_id: TableId, person: NamedPerson, interaction_id: InteractionId) -> None:
        """Let a person play from the next deal on, whether new, sitting out, or gone between deals.

        The press contributes to the shuffle of that deal if it is sealed already, so not while another is in play.
        """

        async def command(tx: TableTransaction) -> None:
            _require_begun(tx)
            await _sit_down(tx, person, interaction_id)
            self._changed(tx)

        await self._tables.change(table_id, command, interaction_id)

    async def sit_out(
        self, table_id: TableId, person_id: PersonId, interaction_id: InteractionId, *, in_deal: bool = False
    ) -> None:
        """Let a person keep their place but sit out from the next deal on.

        Without `in_deal` the person asked between two deals: if a deal has begun since, raise UserError to
        say so.
        """

        async def command(tx: TableTransaction) -> None:
            _require_begun(tx)
            if tx.table.status == "playing" and not in_deal and _plays(tx, person_id):
                raise UserError("sorry.sit_out_late")
            _sit_out(tx, person_id)
            self._changed(tx)
            if tx.table.status == "between":
                await self._play.fewer_are_asked(tx)

        await self._tables.change(table_id, command, interaction_id)

    def _changed(self, tx: TableTransaction) -> None:
        """Show the change. A table between two deals waits its full time again."""
        tx.publish()
        self._clocks.watch(tx)
        self._clocks.keep_company(tx)
        if tx.table.status == "between":
            self._play.stay_open(tx)


async def _sit_down(tx: TableTransaction, person: NamedPerson, interaction_id: InteractionId) -> None:
    waiting, seat = on_bench(tx.bench, person.id), _seat_of(tx, person.id)
    if waiting is not None:
        if waiting.comes:
            raise UserError("sorry.comes_next", table=tx.table.id)
        join_next(tx, waiting, interaction_id)
    elif seat is not None:
        await _stay(tx, seat)
    else:
        await require_welcome(tx, person.id)
        if not has_room(tx.seats, tx.bench):
            raise UserError("sorry.full_of_people", seats=SEATS_MAX)
        db = await tx.database()
        await require_free(db, person.id)
        await welcome(db, person, tx.now)
        name, place = person_name(person.id, person.name), len(tx.seats)
        row = BenchRow(tx.table.id, 0, person.id, name, place, comes=True, mixed=mixture(interaction_id))
        tx.set_bench([*tx.bench, row])


async def _stay(tx: TableTransaction, seat: SeatRow) -> None:
    """Let a person who had a seat in the latest deal play the next one after all."""
    if seat.left and tx.table.status == "playing":
        raise UserError("sorry.back_by_hand")
    if not seat.left and not seat.sits_out:
        raise UserError("sorry.already_seated")
    await take_back(tx, seat.seat)
    tx.set_seat(replace(tx.seats[seat.seat], sits_out=False))


def _sit_out(tx: TableTransaction, person_id: PersonId) -> None:
    waiting, seat = on_bench(tx.bench, person_id), _seat_of(tx, person_id)
    if (waiting and not waiting.comes) or (seat and seat.sits_out):
        raise UserError("sorry.sits_out_already")
    if waiting is not None:
        rest = replace(waiting, comes=False, mixed=None)
        tx.set_bench([rest if row == waiting else row for row in tx.bench])
        return
    seat = tx.seats[tx.seat_of(person_id)]
    if seat.left:
        raise UserError("sorry.left_already")
    tx.set_seat(replace(seat, sits_out=True, ready=False))


def _seat_of(tx: TableTransaction, person_id: PersonId) -> SeatRow | None:
    return next((row for row in tx.seats if row.person_id == person_id), None)


def _plays(tx: TableTransaction, person_id: PersonId) -> bool:
    seat = _seat_of(tx, person_id)
    return seat is not None and not seat.left


def _require_begun(tx: TableTransaction) -> None:
    """Raise UserError at tables where people do not come and go between deals."""
    require_company(tx)
    match tx.table.status:
        case "closed":
            raise UserError("sorry.table_closed")
        case "lobby":
            raise UserError("sorry.in_lobby", table=tx.table.id)
        case _:
            pass
    if not tx.table.kind.may_come_and_go:
        raise UserError("league.players_stay", table=tx.table.id)


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
        """Mention a player who seems not to have noticed their turn, in the way that they chose.

        Raises StaleRevisionError if that turn is over.
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

        Raises StaleRevisionError if that turn is over.
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
        """Give a person who looks at their hand their seat back, and try to show a paused table again.

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
        tx.publish()  # a paused table resumes if it can now be shown
        if seat in tx.asked():
            self._play.show_later(tx, seat)


def _why_back(person_id: PersonId, status: TableStatus, table: Table | TableChange) -> str | None:
    """Return why this person returns to a table that has begun, as a message key; None if nothing changes."""
    if status not in {"playing", "between"}:
        return None
    return occasion(person_id, status, table.seats, table.deadlines)


def _asked_seat(change: TableChange, kind: str, revision: int) -> int:
    """Return the seat whose turn this deadline is for; raises StaleRevisionError if that turn is over."""
    change.require_due(kind, revision)
    state = change.state
    if change.table.status != "playing" or state is None or state.phase in (Phase.WINDOW, Phase.OVER):
        raise StaleRevisionError
    return state.turn


class Leaving:
    """Lets people leave: before the first deal at once, later when the deal in play is over."""

    def __init__(
        self, tables: TableRepository, lobby: Lobby, play: Play, clocks: Clocks, endings: Endings
    ) -> None:
        self._tables = tables
        self._lobby = lobby
        self._play = play
        self._clocks = clocks
        self._endings = endings

    async def get_up(self, table_id: TableId, person_id: PersonId, interaction_id: InteractionId) -> None:
        """Leave while no deal is in play; raises UserError if one has since started."""
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
        review_members(tx, [waiting.person_id])
        if _nobody_stays(tx):
            await self._endings.shut(tx, "left")
            return "leaving.left_last"
        pass_host(tx)
        self._clocks.watch(tx)
        self._clocks.keep_company(tx)
        tx.publish()
        await self._play.one_has_left(tx)
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
            except (ChangedElsewhereError, RevisionConflictError):
                continue  # another process has changed it
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
        await self._play.one_has_left(tx)


def _nobody_stays(tx: TableTransaction) -> bool:
    """Return whether everyone has left the table and its bench is empty."""
    return not tx.bench and all(row.left for row in tx.seats if row.person_id is not None)
