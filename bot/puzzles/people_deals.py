"""Finished deals of people who allow puzzles of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from data.rows.puzzles import NewPuzzle
from data.transaction import ReadTransaction
from league.ids import PersonId, TableId
from marriage.events import Event
from marriage.puzzles import Found

_DEALS_AT_ONCE: Final = 200
"""Finished deals that are looked through in one go."""


@dataclass(frozen=True, slots=True, repr=False)
class PeopleDeal:
    """A finished deal, and the seats whose players allow puzzles of it."""

    number: int
    """Its number among all finished deals."""
    table_id: TableId
    deal_no: int
    people: Mapping[int, PersonId]
    """The people by seat."""
    events: tuple[Event, ...]
    """The events; empty if they must stay hidden, because others still play the same cards."""

    def puzzle(self, found: Found) -> NewPuzzle:
        """A puzzle found in it, as it is stored: without a name, and from the one seat alone."""
        source = f"deal:{self.table_id}:{self.deal_no}:{found.seat}:{found.step}"
        return NewPuzzle(source, found.seat, found.position, found.puzzle, self.people[found.seat])


async def next_deal(db: ReadTransaction, after: int, last: int) -> PeopleDeal | None:
    """Return the first deal after this number, up to `last`, with a person who allows it; None if there is none.

    Only recorded deals are considered: those of tables that are over for everybody, never a deal of the day.
    """
    while after < last:
        before = min(last, after + _DEALS_AT_ONCE) + 1
        allowed = await db.puzzles.allowed_deals(after, before)
        if allowed:
            first = allowed[0]
            people = {seat.seat: seat.person_id for seat in allowed if seat.number == first.number}
            events = await _events(db, first.table_id, first.deal_no)
            return PeopleDeal(first.number, first.table_id, first.deal_no, people, events)
        after = before - 1
    return None


async def _events(db: ReadTransaction, table_id: TableId, deal_no: int) -> tuple[Event, ...]:
    deal = await db.deals.get(table_id, deal_no)
    if deal is None or not await db.boards.is_revealed(deal):
        return ()
    return tuple(await db.deals.events(table_id, deal_no))
