"""Requests for the next deal of a table that has begun, and whether it may start.

People on the bench who sat down for the deal count as having requested it. People who sit out are not asked.
"""

from dataclasses import replace

from bot.table.core.change import TableChange, TableTransaction
from bot.table.core.fairness import has_contributed, mixture
from bot.table.core.table import is_deal, on_bench
from bot.table.flow import matches
from bot.table.flow.seating import next_players, take_back
from data.ids import InteractionId
from data.values import BenchRow
from league.ids import PersonId


def require_place(tx: TableChange, person_id: PersonId) -> None:
    """Refuse those who have no place at the table, in its deal or on its bench; raises UserError."""
    if on_bench(tx.bench, person_id) is None:
        tx.seat_of(person_id)


async def ask(tx: TableTransaction, person_id: PersonId, interaction_id: InteractionId) -> bool:
    """Ask for the next deal, whose shuffle the press contributes to. Returns whether this person had asked before.

    Asking brings back a person who has left or sits out. Raises UserError as `seat_of` and `take_back` do.
    """
    row = on_bench(tx.bench, person_id)
    if row is not None:
        come(tx, row, interaction_id)
        return row.comes
    seat = tx.seat_of(person_id)
    await take_back(tx, seat)
    if tx.seats[seat].sits_out:
        tx.set_seat(replace(tx.seats[seat], sits_out=False))
    had_asked = has_contributed(tx.entropy(), seat)
    tx.mix_in(seat, interaction_id)
    return had_asked


async def ask_again(tx: TableTransaction, person_id: PersonId, interaction_id: InteractionId) -> bool:
    """Request the first deal of another match. There a contributed text alone does not count as a request."""
    had_asked = await ask(tx, person_id, interaction_id)
    if on_bench(tx.bench, person_id) is not None:
        return had_asked
    seat = tx.seats[tx.seat_of(person_id)]
    tx.set_seat(replace(seat, ready=True))
    return seat.ready


def come(tx: TableChange, row: BenchRow, interaction_id: InteractionId) -> None:
    """Let this person of the bench play from the next deal on."""
    back = replace(row, comes=True, mixed=row.mixed or mixture(interaction_id))
    tx.set_bench([back if other == row else other for other in tx.bench])


def all_ask(tx: TableChange) -> bool:
    """Return whether everybody who is present and does not sit out has requested the next deal."""
    asked = [row for row in tx.seats if row.present and not row.sits_out]
    if matches.is_over(tx):
        return all(row.ready for row in asked)
    items = tx.entropy()
    return all(has_contributed(items, row.seat) for row in asked)


def is_possible(tx: TableChange) -> bool:
    """Whether enough players would play the next deal if it began now."""
    return not tx.table.kind.may_come_and_go or is_deal(next_players(tx))


def is_wanted(tx: TableChange) -> bool:
    """Return whether the next deal may begin: enough people would play it, and a new match still has a request."""
    if matches.is_over(tx) and not (any(row.ready for row in tx.seats) or any(row.comes for row in tx.bench)):
        return False
    return is_possible(tx)
