"""Days of a server, from midnight to midnight in its time zone, and how its deal of the day ends for a player.

At the end the player sees their streak and the current board of the day. It names people and points but no cards, so people
who have yet to play may see it. The result that a person shows to others says how it went, and names no card either.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from bot.errors import UserError
from bot.table.core.repository import TableRepository
from data.store import Store
from data.transaction import ReadTransaction
from data.values import TableRow
from league.ids import PersonId, TableId
from league.statistics.duplicate import Attempt, DayLine, day_board, streak
from league.times import at_hour, local
from marriage.events import Discarded, Drew, Event, Finished, FinishedDublees, Showed, ShowedDublees, Took
from marriage.state import Phase

STREAKS_BACK: Final = timedelta(days=400)
"""How many days back streaks are counted. A longer streak is shown as this many days everywhere."""


@dataclass(frozen=True, slots=True)
class Day:
    """One day of a server."""

    date: date
    ends_at: int
    """The start of the next day, in milliseconds since 1970, UTC."""


def day_at(now: int, timezone: str) -> Day:
    """Return the day at a time in milliseconds since 1970; UTC if this machine does not know the time zone.

    >>> day_at(1_795_000_000_000, "Asia/Kathmandu").date.isoformat()
    '2026-11-18'
    """
    return Day(local(now, timezone).date(), at_hour(now, timezone, 0, days=1))


_BEST: Final = 5


@dataclass(frozen=True, slots=True)
class DayEnd:
    """The end of a day's deal for one player."""

    days: int
    """The number of consecutive days on which they finished the deal, including this one.

    It is 0 if a computer finished this one.
    """
    own: DayLine
    best: tuple[DayLine, ...]
    """The first lines of the board so far."""
    players: int
    """The number of players on the board."""


async def day_end(store: Store, table: TableRow, person_id: PersonId) -> DayEnd | None:
    """Return how a finished attempt ranks among the others so far; None for any other table.

    Others who do not want to be listed are left out.
    """
    set_id, played = table.options.board_set, table.options.daily
    if set_id is None or played is None:
        return None
    day = date.fromisoformat(played)

    async def read(db: ReadTransaction):
        tries = [attempt for attempt in await db.boards.daily_attempts(set_id) if attempt.net is not None]
        done = await db.boards.days_finished(person_id, table.guild_id, (day - STREAKS_BACK).isoformat())
        people = await db.people.get_many({attempt.person_id for attempt in tries})
        return tries, done, people

    tries, done, people = await store.read(read)
    lines = day_board(
        [
            Attempt(day, attempt.person_id, attempt.name, attempt.net or 0, bool(attempt.finished), set_id)
            for attempt in tries
            if attempt.person_id == person_id or people[attempt.person_id].settings.listed
        ]
    )
    own = next((line for line in lines if line.attempt.player == person_id), None)
    if own is None:
        return None
    days = streak({day, *map(date.fromisoformat, done)}, day) if own.attempt.finished else 0
    return DayEnd(days, own, lines[:_BEST], len(lines))


DREW, TOOK, SHOWED, WON, LOST = "⬜", "🟨", "🟦", "🟩", "⬛"
_IN_A_ROW: Final = 10


@dataclass(frozen=True, slots=True)
class SharedDay:
    """What others may know about a person's attempt before they play the same cards."""

    day: date
    name: str
    net: int
    won: bool
    squares: tuple[str, ...]
    """The turns of the person, in rows."""
    days: int
    """The number of consecutive days on which they finished the deal, including this one.

    Days are in the server's time zone.
    """


async def shared_day(
    store: Store, tables: TableRepository, table_id: TableId, person_id: PersonId
) -> SharedDay:
    """Return this person's own result; raises UserError if they have no finished attempt at this table."""
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
    """Return a square for each turn of this seat, and one for whether it finished the deal."""
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
    """Return the squares in rows short enough for a phone.

    >>> [len(row) for row in in_rows(DREW * 23)]
    [10, 10, 3]
    """
    return tuple(squares[first : first + _IN_A_ROW] for first in range(0, len(squares), _IN_A_ROW))
