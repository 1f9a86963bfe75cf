"""Finding finished deals, and the one rule about who may see them: their players, people who could watch, and for a reported deal the staff.

Pages of the public deals of a server are found however many there are: blocks of numbers are counted, not deals. `played_block` stores
how many public deals each channel has in each block of numbers. So the number of pages is a sum over some hundred rows, and a page
is searched only in the blocks that contain it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, Table, and_, exists, func, or_, select, union_all

from data.dialect import total, unindexed
from data.ids import ChannelId
from data.repositories.deals import sealed_deals
from data.repositories.people import LISTED
from data.repositories.stats import played_row, seat_facts
from data.schema.core import board_set, daily_try, deal, event, person
from data.schema.stats import BLOCK, played, played_block, played_seat
from data.session import Session
from data.values import PlayedRow
from league.ids import GuildId, PersonId, TableId
from league.results import DealId
from league.statistics.fairplay import BoardPlay
from league.statistics.stats import SeatFacts


@dataclass(frozen=True, slots=True)
class Filters:
    """Selects deals of a server: those in channels that a person sees, and the person's own."""

    guild_id: GuildId
    person_id: PersonId
    channels: Sequence[int]
    preset: str | None
    since: int | None
    """The earliest end of a deal, in milliseconds since 1970."""

    @property
    def wanted(self) -> ColumnElement[bool]:
        """The condition that a deal is of the server, and has the requested preset and time."""
        return and_(played.c.guild_id == self.guild_id, *asked_of(self.preset, self.since))

    @property
    def watched(self) -> ColumnElement[bool]:
        """The condition that a deal was played where the person could have watched."""
        return and_(~played.c.private, played.c.channel_id.in_(self.channels))


def counted(filters: Filters) -> Select[Any, int]:
    """Return the blocks that contain such deals, latest first, each with its number of such deals."""
    counts = union_all(
        _whole(filters), _partly(filters), _own_uncounted(filters), _sealed(filters)
    ).subquery()
    block, deals = counts.c
    found = total(deals)
    return select(block, found.label("deals")).group_by(block).having(found > 0).order_by(block.desc())


def in_block(filters: Filters, block: int) -> Select[Any]:
    """Return the numbers of such deals in a block, latest first."""
    number = played.c.number
    return (
        select(number)
        .where(filters.wanted, number >= block * BLOCK, number < (block + 1) * BLOCK)
        .where(or_(filters.watched, has_played(filters.person_id)), number.not_in(sealed_deals()))
        .order_by(number.desc())
    )


def _whole(filters: Filters) -> Select[Any, int]:
    """Select public deals of the blocks that lie entirely in the requested time."""
    rows = played_block.c
    chosen = select(rows.block, rows.deals).where(_of(filters))
    return chosen if filters.since is None else chosen.where(rows.first_at >= filters.since)


def _partly(filters: Filters) -> Select[Any, int]:
    """Select public deals of the blocks in which the requested time begins: rarely more than one block."""
    rows, since = played_block.c, 0 if filters.since is None else filters.since
    deals = (
        select(func.count())
        .where(filters.wanted, ~played.c.private)
        .where(played.c.channel_id == rows.channel_id, played.c.preset == rows.preset)
        .where(played.c.number >= rows.block * BLOCK, played.c.number < (rows.block + 1) * BLOCK)
        .correlate(played_block)
        .scalar_subquery()
    )
    return select(rows.block, deals).where(_of(filters), rows.first_at < since, rows.last_at >= since)


def _of(filters: Filters) -> ColumnElement[bool]:
    rows = played_block.c
    here = and_(rows.guild_id == filters.guild_id, rows.channel_id.in_(filters.channels))
    return here if filters.preset is None else and_(here, rows.preset == filters.preset)


def _own_uncounted(filters: Filters) -> Select[Any, int]:
    """Select the person's deals that are not counted as public ones."""
    block = played_seat.c.number // BLOCK
    return (
        select(block, func.count())
        .join_from(played_seat, played, played.c.number == played_seat.c.number)
        .where(played_seat.c.person_id == filters.person_id, played_seat.c.guild_id == filters.guild_id)
        .where(~filters.watched, *asked_of(filters.preset, filters.since))
        .group_by(block)
    )


def _sealed(filters: Filters) -> Select[Any, int]:
    """Select the sealed boards among these deals as negative counts: the other counts include them.

    Sealed boards stay hidden.
    """
    block = played.c.number // BLOCK
    seen = or_(filters.watched, has_played(filters.person_id))
    return (
        select(block, -func.count())
        .where(played.c.number.in_(sealed_deals()), unindexed(played.c.guild_id) == filters.guild_id)
        .where(seen, *asked_of(filters.preset, filters.since))
        .group_by(block)
    )


def asked_of(preset: str | None, since: int | None) -> list[ColumnElement[bool]]:
    """Return the conditions for deals of this preset that ended since `since`; None means no condition."""
    conditions: list[ColumnElement[bool]] = []
    if preset is not None:
        conditions.append(played.c.preset == preset)
    if since is not None:
        conditions.append(played.c.ended_at >= since)
    return conditions


def has_played(person_id: PersonId, deals: Table = played) -> ColumnElement[bool]:
    """Return the condition that a person has a seat in a deal, a row of `played` or of `played_seat`.

    The condition on the deal's server makes this one step in the index of the person's deals.
    """
    seat = played_seat.alias()
    same = and_(seat.c.guild_id == deals.c.guild_id, seat.c.number == deals.c.number)
    return exists(select(seat.c.number).where(seat.c.person_id == person_id, same).correlate(deals))


@dataclass(frozen=True, slots=True)
class Sight:
    """The person who asks, and what they may see of a server."""

    person_id: PersonId
    guild_id: GuildId | None
    """The server where they ask; None in direct messages, which find only their own deals, in all servers."""
    channels: frozenset[int] = frozenset()
    """The channels of the server that they see."""
    reported: tuple[TableId, int] | None = None
    """A deal that a player reported to the staff, of which this person is a member: its table and number."""


@dataclass(frozen=True, slots=True)
class Search:
    """The filters of a search; None means no filter."""

    own: bool = True
    """Only deals that the person who asks has played."""
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
    """The number of deals on all pages."""


class HistoryQueries(Session):
    """Searches the finished deals."""

    async def page(self, sight: Sight, search: Search, number: int, size: int) -> DealPage:
        """Return a page of `size` deals that a person may see, latest first.

        Returns the last page if `number` is too high.
        """
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
        """Return one finished deal; None if it does not exist or the person may not see it."""
        number = await self._scalar(
            select(played.c.number).where(
                played.c.table_id == table_id, played.c.deal_no == deal_no, _visible(sight)
            )
        )
        return None if number is None else (await self._deals([number]))[0]

    async def may_see(self, sight: Sight, table_id: TableId, deal_no: int) -> bool:
        """Return whether a finished deal may be shown to someone.

        Deals of the day are in no list. Once their board is released, a person may see their own, and everyone
        in the server those that the board lists or that their players have shared.
        """
        listed = select(played.c.number).where(
            _visible(sight), played.c.table_id == table_id, played.c.deal_no == deal_no
        )
        is_shown = or_(and_(daily_try.c.net.is_not(None), LISTED), deal.c.shared_at.is_not(None))
        told = (
            select(daily_try.c.table_id)
            .join(deal, deal.c.table_id == daily_try.c.table_id)
            .join(board_set, board_set.c.id == daily_try.c.set_id)
            .join(person, person.c.id == daily_try.c.person_id)
            .where(deal.c.table_id == table_id, deal.c.deal_no == deal_no)
            .where(board_set.c.released_at.is_not(None))
            .where(
                or_(
                    daily_try.c.person_id == sight.person_id,
                    and_(board_set.c.guild_id == sight.guild_id, is_shown),
                )
            )
        )
        return bool(await self._scalar(select(or_(exists(listed), exists(told)))))

    async def watched_in(self, table_id: TableId, deal_no: int) -> ChannelId | None:
        """Return the channel where everyone could watch a finished deal.

        Returns None for a deal of a private table, and for a deal of the day.
        """
        return await self._scalar(
            select(played.c.channel_id).where(
                played.c.table_id == table_id, played.c.deal_no == deal_no, ~played.c.private
            )
        )

    async def _deals(self, numbers: Sequence[int]) -> list[FoundDeal]:
        """Return the deals with these numbers and their seats, latest first."""
        found = select(played).where(played.c.number.in_(numbers)).order_by(played.c.number.desc())
        rows = [played_row(row) for row in await self._execute(found)]
        seats: dict[int, list[SeatFacts]] = {row.number: [] for row in rows}
        of_seats = select(played_seat).where(played_seat.c.number.in_(numbers))
        for row in await self._execute(of_seats.order_by(played_seat.c.number, played_seat.c.seat)):
            seats[row.number].append(seat_facts(row))
        return [FoundDeal(row, tuple(seats[row.number])) for row in rows]


def _asked(sight: Sight, search: Search) -> Select[tuple[int]]:
    """Select the numbers of the deals that match a search for a table or a person."""
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
    """Select the numbers of a person's own deals. Without a filter the index alone answers this."""
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
    """Select the deals that a person may see.

    These are their own, those of public tables in channels of this server that they see, and a reported deal.
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
    """Return the page of this number, or the last one if there are fewer."""
    return min(number, max(0, count - 1) // size)


@dataclass(frozen=True, slots=True)
class EventTime:
    """When something happened in a deal."""

    deal: DealId
    type: str
    actor: int | None
    """The seat that acted; None for automatic events."""
    at: int
    """In UTC milliseconds. All effects of one press or deadline have the same time."""


class FairPlayQueries(Session):
    """Reads boards and times."""

    async def boards(self, guild_id: GuildId, since: int) -> dict[DealId, BoardPlay]:
        """Return the rated deals of a server from this time on that are boards finished by all tables."""
        rows = await self._execute(
            select(deal.c.table_id, deal.c.deal_no, deal.c.board_set, deal.c.board_no, deal.c.started_at)
            .join(played, and_(played.c.table_id == deal.c.table_id, played.c.deal_no == deal.c.deal_no))
            .join(board_set, board_set.c.id == deal.c.board_set)
            .where(played.c.guild_id == guild_id, played.c.rated, played.c.ended_at >= since)
            .where(board_set.c.released_at.is_not(None))
        )
        return {
            (TableId(row.table_id), row.deal_no): BoardPlay((row.board_set, row.board_no), row.started_at)
            for row in rows
        }

    async def moments(self, guild_id: GuildId, since: int, most: int) -> list[EventTime]:
        """Return all events of the latest `most` rated deals of a server since that time, in order."""
        here = (played.c.guild_id == guild_id, played.c.rated, played.c.ended_at >= since)
        latest = (
            select(played.c.table_id, played.c.deal_no)
            .where(*here)
            .order_by(played.c.number.desc())
            .limit(most)
            .subquery()
        )
        return await self._built(
            _moments,
            select(event.c.table_id, event.c.deal_no, event.c.type, event.c.actor, event.c.at)
            .join(latest, and_(latest.c.table_id == event.c.table_id, latest.c.deal_no == event.c.deal_no))
            .order_by(event.c.table_id, event.c.deal_no, event.c.seq),
        )


def _moments(rows: Sequence[Row[Any]]) -> list[EventTime]:
    return [EventTime((TableId(row.table_id), row.deal_no), row.type, row.actor, row.at) for row in rows]
