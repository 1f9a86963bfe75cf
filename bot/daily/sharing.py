"""The result of a deal of the day as a person shows it to others: how it went, and no card."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

from bot.daily.days import STREAKS_BACK
from bot.errors import UserError
from bot.table.core.repository import TableRepository
from data.store import Store
from data.transaction import ReadTransaction
from league.ids import PersonId, TableId
from league.statistics.duplicate import streak
from marriage.events import Discarded, Drew, Event, Finished, FinishedDublees, Showed, ShowedDublees, Took
from marriage.state import Phase

DREW, TOOK, SHOWED, WON, LOST = "⬜", "🟨", "🟦", "🟩", "⬛"
_IN_A_ROW: Final = 10


@dataclass(frozen=True, slots=True)
class SharedDay:
    """What others may know about a person's attempt while they may still play the same cards."""

    day: date
    name: str
    net: int
    won: bool
    squares: tuple[str, ...]
    """The turns of the person, in rows."""
    days: int
    """How many days in a row they have finished the deal, including this one; days are in the server's time zone."""


async def shared_day(
    store: Store, tables: TableRepository, table_id: TableId, person_id: PersonId
) -> SharedDay:
    """The result of this person's own attempt; raises UserError if they have none at this table, or not finished it."""
    table = await tables.get(table_id)
    row, state, played = table.row, table.state, table.row.options.daily
    if played is None or not table.seats:
        raise UserError("daily.nothing_to_share")
    seat = table.seats[0]
    if seat.person_id != person_id or not seat.present:
        raise UserError("daily.nothing_to_share")
    if state is None or state.phase is not Phase.OVER:
        raise UserError("daily.nothing_to_share")
    day = date.fromisoformat(played)

    async def read(db: ReadTransaction):
        events = await db.deals.events(table_id, row.deal_no)
        done = await db.boards.days_finished(person_id, row.guild_id, (day - STREAKS_BACK).isoformat())
        return events, done

    events, done = await store.read(read)
    sheet = state.sheet
    return SharedDay(
        day=day,
        name=seat.name,
        net=0 if sheet is None else sheet.lines[0].net,
        won=sheet is not None and sheet.winner == 0,
        squares=in_rows(turns(events, 0)),
        days=streak({day, *map(date.fromisoformat, done)}, day),
    )


def turns(events: Iterable[Event], seat: int) -> str:
    """A square for each turn of this seat, and one for the end of the deal: who has finished it."""
    squares, turn = "", ""
    for event in events:
        match event:
            case Finished() | FinishedDublees():
                return squares + (WON if event.seat == seat else LOST)
            case Drew() if event.seat == seat:
                turn = DREW
            case Took() if event.seat == seat:
                turn = TOOK
            case Showed() | ShowedDublees() if event.seat == seat:
                turn = SHOWED
            case Discarded() if event.seat == seat:
                squares += turn
            case _:
                pass
    return squares


def in_rows(squares: str) -> tuple[str, ...]:
    """The squares in rows that a telephone shows without breaking them.

    >>> [len(row) for row in in_rows(DREW * 23)]
    [10, 10, 3]
    """
    return tuple(squares[first : first + _IN_A_ROW] for first in range(0, len(squares), _IN_A_ROW))
