"""The player of each seat: a person or a computer in their place, who asks for the next deal, and how it begins.

People on the bench who sat down for the deal count as having requested it. People who sit out are not asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from bot.errors import UserError
from bot.table.core.change import TableChange, TableTransaction, retire_hands
from bot.table.core.table import (
    COMPUTER,
    PAUSED,
    Place,
    around,
    complete,
    has_asked,
    has_room,
    is_deal,
    lineup,
    mixture,
    on_bench,
    reseated,
)
from bot.table.core.thread_members import add_members, people_at, review_members
from bot.table.flow.computers import free_name
from bot.table.flow.matches import clear_votes, enter_match, match_is_over
from bot.table.flow.sealing import take_board
from bot.table.lobby import COMPUTER_LEVEL, require_free, require_unblocked
from bot.words.names import shown_name
from data.ids import InteractionId
from data.values import BenchRow, DeadlineRow, DealRow, SeatRow, TableStatus
from league.ids import PersonId
from marriage.decide import start
from marriage.rules import SEATS_MIN


def stand_in(tx: TableChange, seat: int, *, left: bool) -> None:
    """Let a computer play this seat from now on, until the end of the deal or until its person is back."""
    tx.set_seat(replace(tx.seats[seat], left=left, away=not left, ending=False, ready=False))
    if tx.table.status == "playing" and tx.seats[seat].stand_in is None:
        tx.set_seat(replace(tx.seats[seat], stand_in="part"))
    if not any(row.ending for row in tx.seats):
        clear_votes(tx)


async def require_place(tx: TableTransaction, seat: int) -> None:
    """Raise UserError for a person who has left this seat and may not have it back.

    This happens if they now sit at another table, if their place was taken, or if they were blocked.
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
    """Return why this person returns to the table, as a message key; None if nothing changes.

    A person who left between two deals comes back only by asking for the next one.
    """
    row = next((seat for seat in seats if seat.person_id == person_id), None)
    if row is None:
        return None
    if row.away or (row.left and status == "playing"):
        return "presence.had_two_clocks" if _had_two_clocks(row, deadlines) else "presence.welcome_back"
    return "presence.tries" if PAUSED in deadlines and not row.left else None


def _had_two_clocks(row: SeatRow, deadlines: Mapping[str, DeadlineRow]) -> bool:
    """Return whether the current question has waited for this person twice, so that no one blocks a table."""
    asked = {due.revision for kind, due in deadlines.items() if kind in {COMPUTER, PAUSED}}
    return row.second_clock in asked


def pass_host(tx: TableChange) -> None:
    """If the host has gone, make a person at the table the host, or else an absent person."""
    seated = sorted((seat for seat in tx.seats if not seat.left), key=lambda seat: seat.away)
    staying = [place.person_id for place in (*seated, *tx.bench) if place.person_id is not None]
    if staying and tx.table.host_id not in staying:
        tx.update(host_id=staying[0])


def send_away(tx: TableChange, person_id: PersonId, name: str) -> None:
    """Remove a person whom the host does not want at the table; they keep their account.

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
    """Mark the people of these seats as gone before a deal that they do not play. Computers stay."""
    for seat in seats:
        if tx.seats[seat].person_id is not None:
            stand_in(tx, seat, left=True)
    pass_host(tx)


def note_stand_ins(tx: TableChange) -> None:
    """Mark the people for whom a computer plays from the first card of a deal. It is not their deal."""
    for row in tx.seats:
        stand_in = "whole" if row.person_id is not None and row.by_computer else None
        if row.stand_in != stand_in:
            tx.set_seat(replace(row, stand_in=stand_in))


def next_players(tx: TableChange) -> list[Place]:
    """Return the players of the next deal if it began now."""
    return lineup(_circle(tx, _staying(tx)))


def _staying(tx: TableChange) -> Sequence[SeatRow]:
    """Return the seats. After a match, people who have not requested another one count as gone."""
    if not match_is_over(tx):
        return tx.seats
    return [replace(row, left=row.left or is_left_out(row)) for row in tx.seats]


def is_left_out(row: SeatRow) -> bool:
    """Return whether another match would begin without this seat's person."""
    return row.person_id is not None and not row.ready and not row.sits_out


def take_places(tx: TableChange) -> None:
    """Before a deal, remove people who left, move people who sit out to the bench, and seat people who come.

    In a league the players stay: a computer plays on for people who left.
    """
    if not tx.table.kind.may_come_and_go:
        return
    circle = _circle(tx, tx.seats)
    players = lineup(circle)
    if players == list(tx.seats):
        return
    deal = tx.following
    dealer = _next_dealer(circle, players, deal)
    tx.prepare(replace(deal, entropy=_contributions(deal, players), dealer=dealer))
    tx.update(dealer=dealer)
    tx.set_bench(_sitting_out(circle, players))
    tx.set_seats([_seated(row, place) for place, row in enumerate(players)])


def _circle(tx: TableChange, seats: Sequence[SeatRow]) -> list[Place]:
    """Return everybody around the table, with computers in as many deserted seats as a deal needs.

    If a person sits out, the table waits for them instead.
    """
    filled, bench = list(seats), tx.bench
    taken = {row.name for row in seats}
    with_account = {row.name for row in tx.before.results}
    for row in seats:
        if row.left and sum(not other.left for other in filled) + len(bench) < SEATS_MIN:
            name = free_name(row.table_id, row.seat, taken, with_account)
            filled[row.seat] = SeatRow(row.table_id, row.seat, None, name, COMPUTER_LEVEL)
            taken.add(name)
    return around(filled, bench)


def _next_dealer(circle: Sequence[Place], players: Sequence[Place], deal: DealRow) -> int:
    """Return the dealer's new seat. If the dealer does not play, it is the next player in order."""
    due = next(
        place for place, row in enumerate(circle) if isinstance(row, SeatRow) and row.seat == deal.dealer
    )
    order = (due, *deal.rules.playing_order(len(circle), due))
    return next(players.index(circle[place]) for place in order if circle[place] in players)


def _contributions(deal: DealRow, players: Sequence[Place]) -> list[str]:
    """Return the contributions to the deal, by the new numbers of the seats."""
    items = reseated(deal.entropy, [row.seat if isinstance(row, SeatRow) else -1 for row in players])
    own = {seat: row.mixed for seat, row in enumerate(players) if isinstance(row, BenchRow) and row.mixed}
    return [*items, *(f"{seat}:{mixed}" for seat, mixed in own.items())]


def _sitting_out(circle: Sequence[Place], players: Sequence[Place]) -> list[BenchRow]:
    """Return the people who keep a place in the circle and do not play."""
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


def require_at_table(tx: TableChange, person_id: PersonId) -> None:
    """Raise UserError for people who have no place at the table, in its deal or on its bench."""
    if on_bench(tx.bench, person_id) is None:
        tx.seat_of(person_id)


def require_seat(tx: TableChange, person_id: PersonId) -> int:
    """Return the seat of a person who has not left the table; raises UserError.

    Until the next deal, people who have left, or were sent away, still have a row among the seats.
    """
    seat = tx.seat_of(person_id)
    if tx.seats[seat].left:
        raise UserError("sorry.left_already")
    return seat


async def ask_for_next(tx: TableTransaction, person_id: PersonId, interaction_id: InteractionId) -> bool:
    """Request the next deal, or the first one of another match; return whether this person had already.

    The press contributes to its shuffle. This brings back a person who has left or sits out. Raises UserError as
    `seat_of` and `take_back` do.
    """
    row = on_bench(tx.bench, person_id)
    if row is not None:
        join_next(tx, row, interaction_id)
        return row.mixed is not None
    seat = tx.seat_of(person_id)
    await take_back(tx, seat)
    had_asked = _asks(tx, tx.seats[seat])
    tx.set_seat(replace(tx.seats[seat], sits_out=False, ready=True))
    tx.mix_in(seat, interaction_id)
    return had_asked


def join_next(tx: TableChange, row: BenchRow, interaction_id: InteractionId) -> None:
    """Let this person of the bench play from the next deal on."""
    back = replace(row, comes=True, mixed=row.mixed or mixture(interaction_id))
    tx.set_bench([back if other == row else other for other in tx.bench])


def all_have_asked(tx: TableChange) -> bool:
    """Return whether everyone who is present and does not sit out has requested the next deal.

    Where nobody is asked, someone on the bench has to want it: no deal begins for nobody.
    """
    return _is_wanted(tx) and all(_asks(tx, row) for row in _people_asked(tx))


def anyone_has_asked(tx: TableChange) -> bool:
    """Return whether anyone who is present and does not sit out has requested the next deal."""
    return any(_asks(tx, row) for row in _people_asked(tx))


def _is_wanted(tx: TableChange) -> bool:
    """Return whether anyone who is there has requested the next deal, or has sat down for it."""
    return anyone_has_asked(tx) or any(row.comes for row in tx.bench)


def _people_asked(tx: TableChange) -> list[SeatRow]:
    return [row for row in tx.seats if row.present and not row.sits_out]


def _asks(tx: TableChange, row: SeatRow) -> bool:
    """Return whether the person of this seat has requested the next deal, or another match."""
    return row.ready if match_is_over(tx) else has_asked(tx.entropy(), row)


def next_is_possible(tx: TableChange) -> bool:
    """Return whether enough players would play the next deal if it began now."""
    return not tx.table.kind.may_come_and_go or is_deal(next_players(tx))


def next_is_wanted(tx: TableChange) -> bool:
    """Return whether the next deal may begin: enough people would play it, and someone there still wants it."""
    return _is_wanted(tx) and next_is_possible(tx)


async def begin_deal(tx: TableTransaction) -> None:
    """Deal the prepared deal to its players. Before that, listeners may still change seats and options."""
    were_here = people_at(tx)
    await tx.hooks.announce_deal_begins(tx)
    if match_is_over(tx):
        leave_out(tx, [row.seat for row in tx.seats if is_left_out(row)])
    before = {row.person_id for row in tx.seats}
    take_places(tx)
    add_members(tx, before)
    review_members(tx, were_here - people_at(tx))
    note_stand_ins(tx)
    players = len(tx.seats)
    await take_board(tx)
    deal = tx.following
    if deal.board_set is None:
        deal = replace(deal, entropy=complete(deal.entropy, deal.rules.playing_order(players, deal.dealer)))
        tx.prepare(deal)
    seed = deal.secret
    if _is_first(tx, deal):
        deal = replace(deal, dealer=seed.first_dealer(deal.rules, players))
        tx.prepare(deal)
        tx.update(dealer=deal.dealer)
    terms = await enter_match(tx)
    retire_hands(tx, partial(tx.hooks.played_in, tx.table.id))
    clear_votes(tx)
    tx.deadlines.clear()
    tx.update(deal_no=deal.deal_no, status="playing", ended=None)
    tx.state = None
    dealt = start(
        deal.rules,
        players,
        deal.dealer,
        seed,
        better=terms.better,
        carry=terms.carry,
        board=deal.board_set is not None,
    )
    tx.record(dealt, actor=None)


def _is_first(tx: TableTransaction, deal: DealRow) -> bool:
    """Return whether to draw the first dealer. A league's draw decides it, and a board has its own dealer."""
    return deal.deal_no == 1 and deal.board_set is None and tx.table.kind.finds_first_dealer
