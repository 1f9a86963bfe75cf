"""The player of each seat, a person or a computer in their place, and the seating of the next deal."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.errors import UserError
from bot.table.core.change import TableChange, TableTransaction
from bot.table.core.computer_names import free_name
from bot.table.core.fairness import reseated
from bot.table.core.table import COMPUTER, PAUSED, Place, around, has_room, lineup
from bot.table.flow import matches, votes
from bot.table.lobby import COMPUTER_LEVEL, require_free, require_unblocked
from bot.words.names import shown_name
from data.values import BenchRow, DeadlineRow, DealRow, SeatRow, TableStatus
from league.ids import PersonId
from marriage.rules import SEATS_MIN


def stand_in(tx: TableChange, seat: int, *, left: bool) -> None:
    """Let a computer play this seat from now on, until the end of the deal or until its person is back."""
    tx.set_seat(replace(tx.seats[seat], left=left, away=not left, ending=False, ready=False))
    if tx.table.status == "playing" and tx.seats[seat].stand_in is None:
        tx.set_seat(replace(tx.seats[seat], stand_in="part"))
    if not any(row.ending for row in tx.seats):
        votes.clear(tx)


async def require_place(tx: TableTransaction, seat: int) -> None:
    """Refuse a person who has left this seat and may not have it back; raises UserError.

    This happens if they sit at another table by now, if their place was taken, or if they were blocked.
    """
    row = tx.seats[seat]
    if row.left and row.person_id is not None:
        if not has_room(tx.seats, tx.bench):
            raise UserError("sorry.place_taken", table=tx.table.id)
        await require_unblocked(tx, row.person_id)
        await require_free(await tx.database(), row.person_id)


async def take_back(tx: TableTransaction, seat: int) -> None:
    """Let the person of this seat play again; raises UserError as `require_place` does."""
    await require_place(tx, seat)
    tx.set_seat(replace(tx.seats[seat], left=False, away=False))


def occasion(
    person_id: PersonId, status: TableStatus, seats: Sequence[SeatRow], deadlines: Mapping[str, DeadlineRow]
) -> str | None:
    """Why this person returns to the table, as a message key; None if nothing changes.

    A person who left between two deals comes back only by asking for the next one.
    """
    row = next((seat for seat in seats if seat.person_id == person_id), None)
    if row is None:
        return None
    if row.away or (row.left and status == "playing"):
        return "presence.had_two_clocks" if _had_two_clocks(row, deadlines) else "presence.welcome_back"
    return "presence.tries" if PAUSED in deadlines else None


def _had_two_clocks(row: SeatRow, deadlines: Mapping[str, DeadlineRow]) -> bool:
    """Return whether the present question has waited for this person twice. Nobody may hold up a table forever."""
    asked = {due.revision for kind, due in deadlines.items() if kind in {COMPUTER, PAUSED}}
    return row.second_clock in asked


def pass_host(tx: TableChange) -> None:
    """If the host has gone, make a person at the table the host, or else an absent person."""
    seated = sorted((seat for seat in tx.seats if not seat.left), key=lambda seat: seat.away)
    staying = [place.person_id for place in (*seated, *tx.bench) if place.person_id is not None]
    if staying and tx.table.host_id not in staying:
        tx.update(host_id=staying[0])


def send_away(tx: TableChange, person_id: PersonId, name: str) -> None:
    """The host does not want this person at the table: they leave it, and keep their account.

    Raises UserError for a person who has played the match from its beginning, or who plays the deal in play.
    """
    tx.set_bench([row for row in tx.bench if row.person_id != person_id])
    row = next((row for row in tx.seats if row.person_id == person_id and not row.left), None)
    if row is None:
        return
    results = tx.before.results
    first = [result.person_id for result in results if result.deal_no == results[0].deal_no]
    if not first or person_id in first:
        raise UserError("sorry.block_began", name=shown_name(name))
    if tx.table.status == "playing":
        raise UserError("sorry.block_in_deal", name=shown_name(name))
    stand_in(tx, row.seat, left=True)


def leave_out(tx: TableChange, seats: Sequence[int]) -> None:
    """Before a deal, mark the people of these seats as gone, because they do not play it. Computers stay."""
    for seat in seats:
        if tx.seats[seat].person_id is not None:
            stand_in(tx, seat, left=True)
    pass_host(tx)


def note_stand_ins(tx: TableChange) -> None:
    """When a deal begins, mark the people for whom a computer plays from the first card. It is not their deal."""
    for row in tx.seats:
        stand_in = "whole" if row.person_id is not None and row.by_computer else None
        if row.stand_in != stand_in:
            tx.set_seat(replace(row, stand_in=stand_in))


def next_players(tx: TableChange) -> list[Place]:
    """The players of the next deal if it began now."""
    return lineup(_circle(_staying(tx), tx.bench))


def _staying(tx: TableChange) -> Sequence[SeatRow]:
    """Return the seats. After a match, people who have not requested another one count as gone."""
    if not matches.is_over(tx):
        return tx.seats
    return [replace(row, left=row.left or is_left_out(row)) for row in tx.seats]


def is_left_out(row: SeatRow) -> bool:
    """Whether another match would begin without this seat's person."""
    return row.person_id is not None and not row.ready and not row.sits_out


def take_places(tx: TableChange) -> None:
    """Before a deal, remove people who left, move people who sit out to the bench, and seat people who come.

    In a league nobody comes or goes: a computer plays on for people who left.
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
    tx.set_seats([_seated(row, place) for place, row in enumerate(players)])


def _circle(seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> list[Place]:
    """Return everybody around the table, with computers in as many deserted seats as a deal needs.

    If a person sits out, the table waits for them instead.
    """
    filled = list(seats)
    taken = {row.name for row in seats}
    for row in seats:
        if row.left and sum(not other.left for other in filled) + len(bench) < SEATS_MIN:
            name = free_name(row.table_id, row.seat, taken)
            filled[row.seat] = SeatRow(row.table_id, row.seat, None, name, COMPUTER_LEVEL)
            taken.add(name)
    return around(filled, bench)


def _dealer(circle: Sequence[Place], players: Sequence[Place], deal: DealRow) -> int:
    """The new seat of the dealer. If the dealer does not play, it is the next player in the order of play."""
    due = next(
        place for place, row in enumerate(circle) if isinstance(row, SeatRow) and row.seat == deal.dealer
    )
    order = (due, *deal.rules.playing_order(len(circle), due))
    return next(players.index(circle[place]) for place in order if circle[place] in players)


def _mixed(deal: DealRow, players: Sequence[Place]) -> list[str]:
    """The contributions to the deal, by the new numbers of the seats."""
    items = reseated(deal.entropy, [row.seat if isinstance(row, SeatRow) else -1 for row in players])
    own = {seat: row.mixed for seat, row in enumerate(players) if isinstance(row, BenchRow) and row.mixed}
    return [*items, *(f"{seat}:{mixed}" for seat, mixed in own.items())]


def _sitting_out(circle: Sequence[Place], players: Sequence[Place]) -> list[BenchRow]:
    """The people who keep a place in the circle and do not play."""
    bench: list[BenchRow] = []
    before = 0
    for row in circle:
        if row in players:
            before += 1
        elif isinstance(row, BenchRow):
            bench.append(replace(row, place=before))
        elif row.person_id is not None and not row.left:
            bench.append(BenchRow(row.table_id, 0, row.person_id, row.name, before, comes=False))
    return bench


def _seated(one: Place, seat: int) -> SeatRow:
    if isinstance(one, SeatRow):
        return replace(one, seat=seat)
    return SeatRow(one.table_id, seat, one.person_id, one.name)
