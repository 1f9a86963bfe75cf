"""People who come and go between the deals of a table that has begun.

* A person who sits down plays from the next deal on, at a free place. If computers have taken all free places, the
  last computer makes room. The person's total begins at 0, or goes on if they played in the match before.
* People who sit out keep their place until they are back. Deals without them bring them nothing and cost them nothing,
  except for a foul that they still owe. At least two must play; until then the table waits, as long as any other.
* None of this is possible in a league, where the draw says who plays, or where a person plays alone.
"""

from dataclasses import replace

from bot.errors import UserError
from bot.people import Person
from bot.table.core.change import TableTransaction
from bot.table.core.fairness import mixture
from bot.table.core.repository import TableRepository
from bot.table.core.table import has_room, on_bench
from bot.table.flow.clocks import Clocks
from bot.table.flow.seating import join_next, take_back
from bot.table.lobby import require_company, require_free, require_welcome, welcome
from bot.table.play import Play
from bot.words.names import person_name
from data.ids import InteractionId
from data.values import BenchRow, SeatRow
from league.ids import PersonId, TableId
from marriage.rules import SEATS_MAX


class Attendance:
    """Lets people come and go. Every method raises UserError, with the reason, if that is not allowed."""

    def __init__(self, tables: TableRepository, play: Play, clocks: Clocks) -> None:
        self._tables = tables
        self._play = play
        self._clocks = clocks

    async def sit_down(self, table_id: TableId, person: Person, interaction_id: InteractionId) -> None:
        """Play from the next deal on: for new people, for people who sit out, and for people who left between deals.

        The press contributes to the shuffle.
        """

        async def command(tx: TableTransaction) -> None:
            _require_begun(tx)
            await _sit_down(tx, person, interaction_id)
            self._changed(tx)

        await self._tables.change(table_id, command, interaction_id)

    async def sit_out(
        self, table_id: TableId, person_id: PersonId, interaction_id: InteractionId, *, in_deal: bool = False
    ) -> None:
        """Keep the place and play no deal from the next one on.

        Without `in_deal` the person asked between two deals: if a deal has begun meanwhile, raise UserError to say so.
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


async def _sit_down(tx: TableTransaction, person: Person, interaction_id: InteractionId) -> None:
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
    """Refuse at tables where people do not come and go between deals; raises UserError."""
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
