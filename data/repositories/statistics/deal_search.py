"""Finding finished deals, and the one rule about who may see them: their players, people who could watch, and for a reported deal the staff."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select

from data.dialect import unindexed
from data.repositories.duplicate_boards import sealed_deals
from data.repositories.statistics.deal_pages import Filters, asked_of, counted, has_played, in_block
from data.repositories.statistics.stats import played_row, seat_facts
from data.schema.boards import board_set, daily_try
from data.schema.stats import played, played_seat
from data.session import Session
from data.values import PlayedRow
from league.ids import GuildId, PersonId, TableId
from league.statistics.facts import SeatFacts


@dataclass(frozen=True, slots=True)
class Sight:
    """The person who asks, and what they may see of a server."""

    person_id: PersonId
    guild_id: GuildId | None
    """The server where they ask; None in direct messages, which find only their own deals, in all servers."""
    channels: frozenset[int] = frozenset()
    """The channels of the server that they see."""
    reported: tuple[TableId, int] | None = None
    """A deal that a player reported to the staff, to whom this person belongs: its table and number."""


@dataclass(frozen=True, slots=True)
class Search:
    """The filters of a search; None means no filter."""

    own: bool = True
    """Only deals in which the person who asks has played."""
    table_id: TableId | None = None
    with_id: PersonId | None = None
    """A person who also played in the deal."""
    preset: str | None = None
    since: int | None = None
    """The earliest end of a deal, in milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class FoundDeal:
    """A finished deal with its seats."""

    row: PlayedRow
    seats: tuple[SeatFacts, ...]


@dataclass(frozen=True, slots=True)
class DealPage:
    """A page of finished deals."""

    deals: Sequence[FoundDeal]
    number: int
    """The number of the page, from 0."""
    count: int
    """How many deals there are on all pages."""


class HistoryQueries(Session):
    """Searches the finished deals."""

    __slots__ = ()

    async def page(self, sight: Sight, search: Search, number: int, size: int) -> DealPage:
        """A page of `size` deals that somebody may see, the latest first; the last page if `number` is too high."""
        server_wide = not search.own and search.table_id is None and search.with_id is None
        if sight.guild_id is not None and server_wide:
            channels = sorted(sight.channels)
            filters = Filters(sight.guild_id, sight.person_id, channels, search.preset, search.since)
            return await self._server_page(filters, number, size)
        found = _asked(sight, search)
        count = await self._scalar(select(func.count()).select_from(found.subquery()))
        number = _nearest(number, count, size)
        ordered = found.order_by(found.selected_columns[0].desc())
        rows = await self._execute(ordered.offset(number * size).limit(size))
        return DealPage(await self._deals(rows.scalars().all()), number, count)

    async def _server_page(self, filters: Filters, number: int, size: int) -> DealPage:
        blocks = (await self._execute(counted(filters))).all()
        count = sum(row.deals for row in blocks)
        number = _nearest(number, count, size)
        skip, found = number * size, list[int]()
        for row in blocks:
            if skip < row.deals and len(found) < size:
                numbers = in_block(filters, row.block).offset(skip).limit(size - len(found))
                found += (await self._execute(numbers)).scalars()
            skip = max(0, skip - row.deals)
        return DealPage(await self._deals(found), number, count)

    async def find(self, sight: Sight, table_id: TableId, deal_no: int) -> FoundDeal | None:
        """One finished deal; None if the person may not see it, or if it does not exist."""
        number = await self._scalar(
            select(played.c.number).where(
                played.c.table_id == table_id, played.c.deal_no == deal_no, _visible(sight)
            )
        )
        return None if number is None else (await self._deals([number]))[0]

    async def may_see(self, sight: Sight, table_id: TableId, deal_no: int) -> bool:
        """Whether a finished deal may be shown to somebody.

        Deals of the day are in no list. Everybody in the server may see them once their board is released.
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

    async def _deals(self, numbers: Sequence[int]) -> list[FoundDeal]:
        """The deals with these numbers and their seats, the latest first."""
        found = select(played).where(played.c.number.in_(numbers)).order_by(played.c.number.desc())
        rows = [played_row(row) for row in await self._execute(found)]
        seats: dict[int, list[SeatFacts]] = {row.number: [] for row in rows}
        of_seats = select(played_seat).where(played_seat.c.number.in_(numbers))
        for row in await self._execute(of_seats.order_by(played_seat.c.number, played_seat.c.seat)):
            seats[row.number].append(seat_facts(row))
        return [FoundDeal(row, tuple(seats[row.number])) for row in rows]


def _asked(sight: Sight, search: Search) -> Select[tuple[int]]:
    """The numbers of the deals that match a search for a table or a person."""
    if search.table_id is not None:
        found = select(played.c.number).where(played.c.table_id == search.table_id, _visible(sight))
        people = [sight.person_id] if search.own else []
        people += [] if search.with_id is None else [search.with_id]
        return found.where(*map(has_played, people), *asked_of(search.preset, search.since))
    if search.own or sight.guild_id is None:
        return _own(sight, search)
    seat = played_seat.c
    found = select(seat.number).join_from(played_seat, played, played.c.number == seat.number)
    of_them = (seat.person_id == search.with_id, seat.guild_id == sight.guild_id)
    return found.where(*of_them, _visible(sight), *asked_of(search.preset, search.since))


def _own(sight: Sight, search: Search) -> Select[tuple[int]]:
    """The numbers of a person's own deals. Without a filter the index alone answers this."""
    seat = played_seat.c
    found = select(seat.number).where(seat.person_id == sight.person_id, seat.number.not_in(sealed_deals()))
    if sight.guild_id is not None:
        found = found.where(seat.guild_id == sight.guild_id)
    if search.with_id is not None:
        found = found.where(has_played(search.with_id, played_seat))
    if filters := asked_of(search.preset, search.since):
        found = found.join(played, played.c.number == seat.number).where(*filters)
    return found


def _visible(sight: Sight) -> ColumnElement[bool]:
    """A person's own deals, the deals of public tables in channels of this server that the person sees, and a reported deal.

    No board is visible before the last table has played it, not even to people who have played it.
    """
    mine = has_played(sight.person_id)
    told = played.c.number.not_in(sealed_deals())
    if sight.guild_id is None:
        return and_(mine, told)
    watched = and_(~played.c.private, played.c.channel_id.in_(sorted(sight.channels)))
    seen = [watched, mine]
    if sight.reported is not None:
        table_id, deal_no = sight.reported
        seen.append(and_(played.c.table_id == table_id, played.c.deal_no == deal_no))
    return and_(unindexed(played.c.guild_id) == sight.guild_id, or_(*seen), told)


def _nearest(number: int, count: int, size: int) -> int:
    """The page of this number, or the last one if there are fewer."""
    return min(number, max(0, count - 1) // size)
