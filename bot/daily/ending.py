"""The end of a deal of the day for its player: their streak, and the current board of the day.

It names people and points but no cards, so people who have yet to play may see it.
"""

from dataclasses import dataclass
from datetime import date
from typing import Final

from bot.daily.days import STREAKS_BACK
from data.store import Store
from data.transaction import ReadTransaction
from data.values import TableRow
from league.ids import PersonId
from league.statistics.duplicate import Attempt, DayLine, day_board, streak

_BEST: Final = 5


@dataclass(frozen=True, slots=True)
class DayEnd:
    """The end of a day's deal for one player."""

    days: int
    """How many days in a row they have finished the deal, including this one; 0 if a computer finished it."""
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
            Attempt(day, attempt.person_id, attempt.name, attempt.net or 0, bool(attempt.finished))
            for attempt in tries
            if attempt.person_id == person_id or people[attempt.person_id].settings.listed
        ]
    )
    own = next((line for line in lines if line.attempt.player == person_id), None)
    if own is None:
        return None
    days = streak({day, *map(date.fromisoformat, done)}, day) if own.attempt.finished else 0
    return DayEnd(days, own, lines[:_BEST], len(lines))
