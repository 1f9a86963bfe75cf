"""People who come and go between the deals of a table that has begun.

* Whoever sits down plays from the next deal on. He takes a free place; where computers sit on the rest, the last of
  them makes room. His total begins at 0; one who played in the match before goes on with his own.
* Who sits out keeps his place until he is back. Deals without him bring him nothing and cost him nothing, except for a
  foul that he still owes. Two must play; until then the table waits, as long as any other.
* Not in a league, where the draw says who plays, nor where somebody plays alone.
"""

from dataclasses import replace

from bot.errors import Sorry
from bot.people import Person
from bot.table.bench import has_room, is_open, on_bench
from bot.table.clocks import Clocks
from bot.table.fairness import mixture
from bot.table.lobby import require_company, require_free, require_welcome, welcome
from bot.table.next_deal import come
from bot.table.play import Play
from bot.table.repository import Desk, Sitting
from bot.table.seating import take_back
from bot.words.names import person_name
from data.values import BenchRow, SeatRow
from marriage.rules import SEATS_MAX


class Changing:
    """Every method raises Sorry, with the reason, where nobody may come or go."""

    def __init__(self, desk: Desk, play: Play, clocks: Clocks) -> None:
        self._desk = desk
        self._play = play
        self._clocks = clocks

    async def sit_down(self, table_id: int, person: Person, interaction_id: int) -> None:
        """Play from the next deal on: somebody new, one who sits out, or one who left between the deals.

        The press is mixed into the shuffle.
        """
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            _require_begun(sitting)
            await _sit_down(sitting, person, interaction_id)
            await self._changed(sitting)

    async def sit_out(
        self, table_id: int, person_id: int, interaction_id: int, *, in_deal: bool = False
    ) -> None:
        """Keep the place and play no deal from the next one on.

        Without `in_deal` it was asked for between two deals: one that has begun meanwhile has to be said first.
        """
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            _require_begun(sitting)
            if sitting.table.status == "playing" and not in_deal and _plays(sitting, person_id):
                raise Sorry("sorry.sit_out_late")
            await _sit_out(sitting, person_id)
            await self._changed(sitting)
            if sitting.table.status == "between":
                await self._play.fewer_are_asked(sitting)

    async def _changed(self, sitting: Sitting) -> None:
        """It is shown, and a table between two deals waits its full time again."""
        await sitting.publish()
        await self._clocks.watch(sitting)
        if sitting.table.status == "between":
            await self._play.stay_open(sitting)


async def _sit_down(sitting: Sitting, person: Person, interaction_id: int) -> None:
    waiting, seat = on_bench(sitting.bench, person.id), _seat_of(sitting, person.id)
    if waiting is not None:
        if waiting.comes:
            raise Sorry("sorry.comes_next", table=sitting.table.id)
        await come(sitting, waiting, interaction_id)
    elif seat is not None:
        await _stay(sitting, seat)
    else:
        await require_welcome(sitting, person.id)
        if not has_room(sitting.seats, sitting.bench):
            raise Sorry("sorry.full_of_people", seats=SEATS_MAX)
        await require_free(sitting.writer, person.id)
        await welcome(sitting.writer, person, sitting.now)
        name, place = person_name(person.id, person.name), len(sitting.seats)
        row = BenchRow(sitting.table.id, 0, person.id, name, place, comes=True, mixed=mixture(interaction_id))
        await sitting.set_bench([*sitting.bench, row])


async def _stay(sitting: Sitting, seat: SeatRow) -> None:
    """One who had a seat in the latest deal plays the next one after all."""
    if seat.left and sitting.table.status == "playing":
        raise Sorry("sorry.back_by_hand")
    if not seat.left and not seat.sits_out:
        raise Sorry("sorry.already_seated")
    await take_back(sitting, seat.seat)
    await sitting.set_seat(replace(sitting.seats[seat.seat], sits_out=False))


async def _sit_out(sitting: Sitting, person_id: int) -> None:
    waiting, seat = on_bench(sitting.bench, person_id), _seat_of(sitting, person_id)
    if (waiting and not waiting.comes) or (seat and seat.sits_out):
        raise Sorry("sorry.sits_out_already")
    if waiting is not None:
        rest = replace(waiting, comes=False, mixed=None)
        await sitting.set_bench([rest if one == waiting else one for one in sitting.bench])
        return
    seat = sitting.seats[sitting.seat_of(person_id)]
    if seat.left:
        raise Sorry("sorry.left_already")
    await sitting.set_seat(replace(seat, sits_out=True, ready=False))


def _seat_of(sitting: Sitting, person_id: int) -> SeatRow | None:
    return next((row for row in sitting.seats if row.person_id == person_id), None)


def _plays(sitting: Sitting, person_id: int) -> bool:
    seat = _seat_of(sitting, person_id)
    return seat is not None and not seat.left


def _require_begun(sitting: Sitting) -> None:
    """Refuse where people do not come and go between deals; raises Sorry."""
    require_company(sitting)
    match sitting.table.status:
        case "closed":
            raise Sorry("sorry.table_closed")
        case "lobby":
            raise Sorry("sorry.in_lobby", table=sitting.table.id)
        case _:
            pass
    if not is_open(sitting.table.options):
        raise Sorry("league.players_stay", table=sitting.table.id)
