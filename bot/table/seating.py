"""Who plays a seat: its person, or a computer in his place; and who still sits there when the next deal begins."""

from collections.abc import Sequence
from dataclasses import replace

from bot.table import votes
from bot.table.desk import COMPUTER, PAUSED, Sitting
from bot.table.fairness import reseated
from bot.table.lobby import COMPUTER_LEVEL, COMPUTER_NAMES, require_free
from data.values import DeadlineRow, SeatRow, TableStatus
from marriage.rules import SEATS_MIN


async def stand_in(sitting: Sitting, seat: int, *, left: bool) -> None:
    """A computer plays this seat from now on: until the end of the deal, or until its person is back."""
    await sitting.set_seat(replace(sitting.seats[seat], left=left, away=not left, ending=False, ready=False))
    if sitting.table.status == "playing" and sitting.seats[seat].stand_in is None:
        await sitting.set_seat(replace(sitting.seats[seat], stand_in="part"))
    if not any(row.ending for row in sitting.seats):
        await votes.clear(sitting)


async def take_back(sitting: Sitting, seat: int) -> None:
    """The person of this seat plays again; raises Sorry for one who sits at another table by now."""
    row = sitting.seats[seat]
    if row.left and row.person_id is not None:
        await require_free(sitting.writer, row.person_id)
    await sitting.set_seat(replace(row, left=False, away=False))


def occasion(
    person_id: int, status: TableStatus, seats: Sequence[SeatRow], deadlines: Sequence[DeadlineRow]
) -> str | None:
    """Why there is something to return to, as the key of what to say; None when everything goes on as it does.

    Who has left between two deals is back only by asking for the next one.
    """
    row = next((seat for seat in seats if seat.person_id == person_id), None)
    if row is None:
        return None
    if row.away or (row.left and status == "playing"):
        return "presence.had_two_clocks" if _had_two_clocks(row, deadlines) else "presence.welcome_back"
    return "presence.resumed" if any(due.kind == PAUSED for due in deadlines) else None


def _had_two_clocks(row: SeatRow, deadlines: Sequence[DeadlineRow]) -> bool:
    """Whether what the deal asks now has waited for this seat's person twice: nobody holds up a table for ever."""
    asked = {due.revision for due in deadlines if due.kind in {COMPUTER, PAUSED}}
    return row.second_clock in asked


def pass_host(sitting: Sitting) -> None:
    """Somebody who is there looks after the table; one who is away if there is nobody else."""
    staying = [seat for seat in sitting.seats if seat.person_id is not None and not seat.left]
    staying.sort(key=lambda seat: seat.away)
    if staying and sitting.table.host_id not in {seat.person_id for seat in staying}:
        sitting.changes["host_id"] = staying[0].person_id


async def leave_out(sitting: Sitting, seats: Sequence[int]) -> None:
    """Before a deal: the people of these seats are not in it, so they have left; computers stay."""
    for seat in seats:
        if sitting.seats[seat].person_id is not None:
            await stand_in(sitting, seat, left=True)
    pass_host(sitting)


async def note_stand_ins(sitting: Sitting) -> None:
    """As a deal begins: for whom a computer plays from the first card on, so that it is not his deal."""
    for row in sitting.seats:
        stand_in = "whole" if row.person_id is not None and row.by_computer else None
        if row.stand_in != stand_in:
            await sitting.set_seat(replace(row, stand_in=stand_in))


async def drop_left(sitting: Sitting) -> None:
    """Before a deal: the seats of those who have left go; a computer takes one where too few would remain.

    In a league the match is played out by all who began it: there the computer goes on.
    """
    if sitting.table.options.league:
        return
    seats = _filled(sitting.seats)
    kept = [row for row in seats if not row.left]
    if kept == list(sitting.seats):
        return
    number, places = sitting.deal_no + 1, [row.seat for row in kept]
    deal = await sitting.writer.deal(sitting.table.id, number)
    if deal is None:
        raise ValueError(f"deal {number} of table {sitting.table.id} was not prepared")
    following = (deal.dealer, *deal.rules.playing_order(len(seats), deal.dealer))
    dealer = places.index(next(seat for seat in following if seat in places))
    await sitting.set_entropy(reseated(deal.entropy, places))
    await sitting.writer.set_dealer(sitting.table.id, number, dealer)
    sitting.changes["dealer"] = dealer
    await sitting.set_seats([replace(row, seat=place) for place, row in enumerate(kept)])


def _filled(seats: Sequence[SeatRow]) -> list[SeatRow]:
    """The seats, with computers in so many of the left ones that a deal is possible."""
    filled = list(seats)
    taken = {row.name for row in seats}
    for row in seats:
        if row.left and sum(not other.left for other in filled) < SEATS_MIN:
            name = next(name for name in COMPUTER_NAMES if name not in taken)
            filled[row.seat] = SeatRow(row.table_id, row.seat, None, name, COMPUTER_LEVEL)
            taken.add(name)
    return filled
