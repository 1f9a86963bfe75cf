"""Finding finished deals, and the one rule of who may see them: those who played in them, and whoever could watch."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, exists, func, or_, select

from data.repositories.duplicate_boards import sealed
from data.repositories.stats import played_row, seat_facts
from data.schema.boards import board_set, daily_try
from data.schema.stats import played, played_seat
from data.session import Session
from data.values import PlayedRow
from league.statistics.facts import SeatFacts


@dataclass(frozen=True, slots=True)
class Sight:
    """Who asks, and what of a server he may look at."""

    person_id: int
    guild_id: int | None
    """The server where he asks; None in direct messages, where only his own deals are found, of all servers."""
    channels: frozenset[int] = frozenset()
    """The channels that he sees there."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for; None for whatever it is."""

    own: bool = True
    """Only deals in which the one who asks has played."""
    table_id: int | None = None
    with_id: int | None = None
    """A person who has played in it too."""
    preset: str | None = None
    since: int | None = None
    """In milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class FoundDeal:
    """A finished deal with its seats."""

    row: PlayedRow
    seats: tuple[SeatFacts, ...]


class HistoryQueries(Session):
    """Searches the finished deals."""

    __slots__ = ()

    async def count(self, sight: Sight, search: Search) -> int:
        """How many deals there are that he may see."""
        return await self._scalar(select(func.count()).select_from(played).where(_asked(sight, search)))

    async def search(self, sight: Sight, search: Search, skip: int, most: int) -> list[FoundDeal]:
        """Some of them, the latest first."""
        rows = await self._execute(
            select(played)
            .where(_asked(sight, search))
            .order_by(played.c.number.desc())
            .offset(skip)
            .limit(most)
        )
        found = [played_row(row) for row in rows]
        seats = await self._seats_of([row.number for row in found])
        return [FoundDeal(row, tuple(seats[row.number])) for row in found]

    async def find(self, sight: Sight, table_id: int, deal_no: int) -> FoundDeal | None:
        """One finished deal, if he may see it."""
        rows = await self._execute(
            select(played).where(_visible(sight), played.c.table_id == table_id, played.c.deal_no == deal_no)
        )
        row = rows.one_or_none()
        if row is None:
            return None
        seats = await self._seats_of([row.number])
        return FoundDeal(played_row(row), tuple(seats[row.number]))

    async def may_see(self, sight: Sight, table_id: int, deal_no: int) -> bool:
        """Whether a finished deal may be shown to him.

        Deals of the day are in no list; all of the server may look at them once their board is told.
        """
        listed = select(played.c.number).where(
            _visible(sight), played.c.table_id == table_id, played.c.deal_no == deal_no
        )
        told = (
            select(daily_try.c.table_id)
            .join(board_set, board_set.c.id == daily_try.c.set_id)
            .where(daily_try.c.table_id == table_id, board_set.c.released_at.is_not(None))
            .where(or_(board_set.c.guild_id == sight.guild_id, daily_try.c.person_id == sight.person_id))
        )
        return bool(await self._scalar(select(or_(exists(listed), exists(told)))))

    async def _seats_of(self, numbers: Collection[int]) -> dict[int, list[SeatFacts]]:
        seats: dict[int, list[SeatFacts]] = {number: [] for number in numbers}
        rows = await self._execute(
            select(played_seat)
            .where(played_seat.c.number.in_(numbers))
            .order_by(played_seat.c.number, played_seat.c.seat)
        )
        for row in rows:
            seats[row.number].append(seat_facts(row))
        return seats


def _asked(sight: Sight, search: Search) -> ColumnElement[bool]:
    """What is asked for, within what the person may see."""
    conditions = [_visible(sight)]
    if search.own:
        conditions.append(_has_played(sight.person_id))
    if search.table_id is not None:
        conditions.append(played.c.table_id == search.table_id)
    if search.with_id is not None:
        conditions.append(_has_played(search.with_id))
    if search.preset is not None:
        conditions.append(played.c.preset == search.preset)
    if search.since is not None:
        conditions.append(played.c.ended_at >= search.since)
    return and_(*conditions)


def _visible(sight: Sight) -> ColumnElement[bool]:
    """His own deals, and of this server those of tables in channels that he sees, which were open to all.

    No board is visible before the last table has played it, not even to those who have.
    """
    mine = _has_played(sight.person_id)
    if sight.guild_id is None:
        return and_(mine, ~sealed(played))
    watched = played.c.channel_id.in_(sorted(sight.channels))
    here = played.c.guild_id == sight.guild_id
    return and_(here, or_(and_(~played.c.private, watched), mine), ~sealed(played))


def _has_played(person_id: int) -> ColumnElement[bool]:
    return played.c.number.in_(select(played_seat.c.number).where(played_seat.c.person_id == person_id))
