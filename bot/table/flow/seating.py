"""Who plays a seat: its person, or a computer in their place; and who sits where when the next deal begins."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.errors import UserError
from bot.table.core.bench import Place, around, has_room, lineup
from bot.table.core.change import TableChange
from bot.table.core.fairness import reseated
from bot.table.core.transaction import TableTransaction
from bot.table.core.waits import COMPUTER, PAUSED
from bot.table.flow import matches, votes
from bot.table.lobby import COMPUTER_LEVEL, COMPUTER_NAMES, require_free, require_unblocked
from bot.words.names import shown_name
from data.values import BenchRow, DeadlineRow, DealRow, SeatRow, TableStatus
from marriage.rules import SEATS_MIN


def stand_in(tx: TableChange, seat: int, *, left: bool) -> None:
    """A computer plays this seat from now on: until the end of the deal, or until its person is back."""
    tx.set_seat(replace(tx.seats[seat], left=left, away=not left, ending=False, ready=False))
    if tx.table.status == "playing" and tx.seats[seat].stand_in is None:
        tx.set_seat(replace(tx.seats[seat], stand_in="part"))
    if not any(row.ending for row in tx.seats):
        votes.clear(tx)


async def require_place(tx: TableTransaction, seat: int) -> None:
    """Refuse a person who has left this seat and may not have it back; raises UserError.

    They sit at another table by now, their place was taken, or they were blocked.
    """
    row = tx.seats[seat]
    if row.left and row.person_id is not None:
        if not has_room(tx.seats, tx.bench):
            raise UserError("sorry.place_taken", table=tx.table.id)
        await require_unblocked(tx, row.person_id)
        await require_free(await tx.database(), row.person_id)


async def take_back(tx: TableTransaction, seat: int) -> None:
    """The person of this seat plays again; raises UserError as `require_place` does."""
    await require_place(tx, seat)
    tx.set_seat(replace(tx.seats[seat], left=False, away=False))


def occasion(
    person_id: int, status: TableStatus, seats: Sequence[SeatRow], deadlines: Mapping[str, DeadlineRow]
) -> str | None:
    """Why there is something to return to, as the key of what to say; None when everything goes on as it does.

    Who has left between two deals is back only by asking for the next one.
    """
    row = next((seat for seat in seats if seat.person_id == person_id), None)
    if row is None:
        return None
    if row.away or (row.left and status == "playing"):
        return "presence.had_two_clocks" if _had_two_clocks(row, deadlines) else "presence.welcome_back"
    return "presence.tries" if PAUSED in deadlines else None


def _had_two_clocks(row: SeatRow, deadlines: Mapping[str, DeadlineRow]) -> bool:
    """Whether what the deal asks now has waited for this seat's person twice: nobody holds up a table for ever."""
    asked = {due.revision for kind, due in deadlines.items() if kind in {COMPUTER, PAUSED}}
    return row.second_clock in asked


def pass_host(tx: TableChange) -> None:
    """Somebody who is there looks after the table; one who is away if there is nobody else."""
    seated = sorted((seat for seat in tx.seats if not seat.left), key=lambda seat: seat.away)
    staying = [place.person_id for place in (*seated, *tx.bench) if place.person_id is not None]
    if staying and tx.table.host_id not in staying:
        tx.update(host_id=staying[0])


def send_away(tx: TableChange, person_id: int, name: str) -> None:
    """The host does not want this person at the table: they leave it, and keep their account.

    Raises UserError for one who has played the match from its beginning, and for one who plays the deal that is on.
    """
    tx.set_bench([row for row in tx.bench if row.person_id != person_id])
    row = next((row for row in tx.seats if row.person_id == person_id and not row.left), None)
    if row is None:
        return
    results = tx.before.results
    first = [one.person_id for one in results if one.deal_no == results[0].deal_no]
    if not first or person_id in first:
        raise UserError("sorry.block_began", name=shown_name(name))
    if tx.table.status == "playing":
        raise UserError("sorry.block_in_deal", name=shown_name(name))
    stand_in(tx, row.seat, left=True)


def leave_out(tx: TableChange, seats: Sequence[int]) -> None:
    """Before a deal: the people of these seats are not in it, so they have left; computers stay."""
    for seat in seats:
        if tx.seats[seat].person_id is not None:
            stand_in(tx, seat, left=True)
    pass_host(tx)


def note_stand_ins(tx: TableChange) -> None:
    """As a deal begins: for whom a computer plays from the first card on, so that it is not their deal."""
    for row in tx.seats:
        stand_in = "whole" if row.person_id is not None and row.by_computer else None
        if row.stand_in != stand_in:
            tx.set_seat(replace(row, stand_in=stand_in))


def next_players(tx: TableChange) -> list[Place]:
    """Who would play if the next deal began now."""
    return lineup(_circle(_staying(tx), tx.bench))


def _staying(tx: TableChange) -> Sequence[SeatRow]:
    """The seats; after a match, who has not asked for another one does not stay."""
    if not matches.is_over(tx):
        return tx.seats
    return [replace(row, left=row.left or is_left_out(row)) for row in tx.seats]


def is_left_out(row: SeatRow) -> bool:
    """Whether another match would begin without this seat's person."""
    return row.person_id is not None and not row.ready and not row.sits_out


def take_places(tx: TableChange) -> None:
    """Before a deal: who has left goes, who sits out goes to the bench, and who comes takes his place in the circle.

    In a league the match is played out by all who began it: there the computer goes on.
    """
    if not tx.table.kind.may_come_and_go:
        return
    circle = _circle(tx.seats, tx.bench)
    players = lineup(circle)
    if players == list(tx.seats):
        return
    deal = tx.following
    dealer = _dealer(circle, players, deal)
    tx.prepare(replace(deal, entropy=_mixed(deal, players), dealer=dealer))
    tx.update(dealer=dealer)
    tx.set_bench(_sitting_out(circle, players))
    tx.set_seats([_seated(one, place) for place, one in enumerate(players)])


def _circle(seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> list[Place]:
    """Everybody around the table, with computers in so many of the left seats that a deal is possible.

    Where somebody sits out the table waits for him instead.
    """
    filled = list(seats)
    taken = {row.name for row in seats}
    for row in seats:
        if row.left and sum(not other.left for other in filled) + len(bench) < SEATS_MIN:
            name = next(name for name in COMPUTER_NAMES if name not in taken)
            filled[row.seat] = SeatRow(row.table_id, row.seat, None, name, COMPUTER_LEVEL)
            taken.add(name)
    return around(filled, bench)


def _dealer(circle: Sequence[Place], players: Sequence[Place], deal: DealRow) -> int:
    """Whose turn it is to deal, by their new seat: the next one in the order of play where they do not play."""
    due = next(
        place for place, one in enumerate(circle) if isinstance(one, SeatRow) and one.seat == deal.dealer
    )
    order = (due, *deal.rules.playing_order(len(circle), due))
    return next(players.index(circle[place]) for place in order if circle[place] in players)


def _mixed(deal: DealRow, players: Sequence[Place]) -> list[str]:
    """What has been mixed into the deal, by the new numbers of the seats."""
    items = reseated(deal.entropy, [one.seat if isinstance(one, SeatRow) else -1 for one in players])
    own = {seat: one.mixed for seat, one in enumerate(players) if isinstance(one, BenchRow) and one.mixed}
    return [*items, *(f"{seat}:{mixed}" for seat, mixed in own.items())]


def _sitting_out(circle: Sequence[Place], players: Sequence[Place]) -> list[BenchRow]:
    """Who keeps a place in the circle, and does not play."""
    bench: list[BenchRow] = []
    before = 0
    for one in circle:
        if one in players:
            before += 1
        elif isinstance(one, BenchRow):
            bench.append(replace(one, place=before))
        elif one.person_id is not None and not one.left:
            bench.append(BenchRow(one.table_id, 0, one.person_id, one.name, before, comes=False))
    return bench


def _seated(one: Place, seat: int) -> SeatRow:
    if isinstance(one, SeatRow):
        return replace(one, seat=seat)
    return SeatRow(one.table_id, seat, one.person_id, one.name)
