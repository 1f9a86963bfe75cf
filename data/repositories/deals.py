"""Deals with their events and results, the matches that they belong to, and sets of boards that several tables play.

Events are only added, never changed, and their numbers have no gaps.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, func, insert, or_, select, update

from data.dialect import as_stored, checksum
from data.errors import EventsDamaged, SequenceGapError
from data.repositories.people import LISTED
from data.repositories.tables import TableVersions
from data.schema.core import (
    EVENT_BODY,
    board,
    board_set,
    board_table,
    daily_try,
    deal,
    event,
    game_match,
    game_table,
    person,
    result,
)
from data.schema.stats import played
from data.session import Call, Expected, Session
from data.values import BoardRow, BoardSetRow, DailyTryRow, DealRow, Ended, MatchEnd, MatchRow, ResultRow
from league.ids import GuildId, PersonId, TableId
from marriage.events import EVENT_VERSION, Event
from marriage.rules import Rules
from marriage.sheet import Status

_LATEST = (
    select(game_match)
    .where(game_match.c.table_id == bindparam("of"))
    .order_by(game_match.c.match_no.desc())
    .limit(1)
)


class MatchQueries(Session):
    """Finds matches. Their results are in `DealQueries.results_of_match`."""

    async def latest(self, table_id: TableId) -> MatchRow | None:
        """Return the latest match of a table, running or over; None before the table's first deal."""
        return await self._one(MatchRow, _LATEST, {"of": table_id})


class MatchRepository(MatchQueries):
    """Begins and ends matches."""

    async def start(self, row: MatchRow) -> None:
        """Store a new match; raises SequenceGapError unless its number is next and the previous one is over."""
        before = await self.latest(row.table_id)
        if before is not None and not before.is_over:
            raise SequenceGapError(f"match {before.match_no} of table {row.table_id} is not over")
        last = before.match_no if before else 0
        if row.match_no != last + 1:
            raise SequenceGapError(f"table {row.table_id} has {last} matches, {row.match_no} is not the next")
        await self._execute(insert(game_match).values(asdict(row)))

    async def end(self, table_id: TableId, match_no: int, now: int, ended: MatchEnd) -> None:
        """Mark the match as over: no further deal belongs to it."""
        await self._execute(
            update(game_match)
            .where(game_match.c.table_id == table_id, game_match.c.match_no == match_no)
            .values(ended_at=now, ended=ended)
        )


_COLUMNS = tuple(event.c.keys())
_AS_STORED = as_stored(event)

_EARLIER = event.alias()
_FOLLOWS = or_(
    bindparam("seq", type_=event.c.seq.type) == 0,
    select(_EARLIER.c.seq)
    .where(_EARLIER.c.table_id == bindparam("table_id", type_=event.c.table_id.type))
    .where(_EARLIER.c.deal_no == bindparam("deal_no", type_=event.c.deal_no.type))
    .where(_EARLIER.c.seq == bindparam("seq", type_=event.c.seq.type) - 1)
    .exists(),
)
_APPEND = insert(event).from_select(
    _COLUMNS, select(*(bindparam(column.name, type_=column.type) for column in event.columns)).where(_FOLLOWS)
)
"""Insert an event only if the previous one is stored: the events of a deal have no gaps."""

_ADD_RESULTS = insert(result)
_FROM = select(deal).where(deal.c.table_id == bindparam("of"), deal.c.deal_no >= bindparam("first"))
_EVENTS = _AS_STORED.where(
    event.c.table_id == bindparam("of"), event.c.deal_no == bindparam("deal")
).order_by(event.c.seq)


class DealQueries(Session):
    """Reads deals."""

    async def get(self, table_id: TableId, deal_no: int) -> DealRow | None:
        """Return one deal of a table, including its secret seed."""
        return await self._one(
            DealRow, select(deal).where(deal.c.table_id == table_id, deal.c.deal_no == deal_no)
        )

    async def deals_from(self, table_id: TableId, deal_no: int) -> dict[int, DealRow]:
        """Return the deals of a table from this number on, by number: the latest and the prepared one, say."""
        found = await self._all(DealRow, _FROM, {"of": table_id, "first": deal_no})
        return {row.deal_no: row for row in found}

    async def events(self, table_id: TableId, deal_no: int) -> list[Event]:
        """Return the events of a deal, in order; raises EventsDamaged or UnreadableValueError."""
        where = f"deal {deal_no} of table {table_id}"
        return await self._built(partial(_events, where), Call(_EVENTS, {"of": table_id, "deal": deal_no}))

    async def results(self, table_id: TableId) -> list[ResultRow]:
        """Return all results of a table, deal by deal, seat by seat."""
        return await self._results(result.c.table_id == table_id)

    async def results_of_deal(self, table_id: TableId, deal_no: int) -> list[ResultRow]:
        """Return the results of one deal, seat by seat."""
        return await self._results(result.c.table_id == table_id, result.c.deal_no == deal_no)

    async def has_played(self, table_id: TableId, person_id: PersonId) -> bool:
        """Return whether a person has a result at a table."""
        found = select(result.c.deal_no).where(result.c.table_id == table_id, result.c.person_id == person_id)
        return await self._scalar(found.limit(1)) is not None

    async def results_of_match(self, table_id: TableId, match_no: int) -> list[ResultRow]:
        """Return all results of one match of a table, deal by deal, seat by seat."""
        numbers = select(deal.c.deal_no).where(deal.c.table_id == table_id, deal.c.match_no == match_no)
        return await self._results(result.c.table_id == table_id, result.c.deal_no.in_(numbers))

    async def _results(self, *conditions: ColumnElement[bool]) -> list[ResultRow]:
        found = select(result).where(*conditions).order_by(result.c.deal_no, result.c.seat)
        return await self._all(_result_row, found)


class DealRepository(DealQueries):
    """Stores deals as they are played."""

    async def start(self, row: DealRow) -> None:
        """Store a new deal; raises SequenceGapError unless it has the table's next number."""
        last = await self._scalar(select(func.max(deal.c.deal_no)).where(deal.c.table_id == row.table_id))
        if row.deal_no != (last or 0) + 1:
            raise SequenceGapError(
                f"table {row.table_id} has {last or 0} deals, {row.deal_no} is not the next"
            )
        # Not asdict: it would copy the rules into a dictionary.
        self._later(insert(deal).values({column.name: getattr(row, column.name) for column in fields(row)}))

    async def change(self, row: DealRow) -> None:
        """Replace a prepared deal; raises SequenceGapError once it is dealt, because it is fixed then."""
        stored = await self._scalar(
            select(func.count())
            .select_from(event)
            .where(event.c.table_id == row.table_id, event.c.deal_no == row.deal_no)
        )
        if stored:
            raise SequenceGapError(f"deal {row.deal_no} of table {row.table_id} is dealt already")
        self._later(
            update(deal)
            .where(deal.c.table_id == row.table_id, deal.c.deal_no == row.deal_no)
            .values({column.name: getattr(row, column.name) for column in fields(row)})
        )

    async def end(self, table_id: TableId, deal_no: int, now: int, ended: Ended | None = None) -> None:
        """End the deal, with the reason `ended` if it was not finished; its seed is no longer secret."""
        self._later(
            update(deal)
            .where(deal.c.table_id == table_id, deal.c.deal_no == deal_no)
            .values(ended_at=now, ended=ended)
        )

    async def share_replay(self, table_id: TableId, deal_no: int, now: int) -> bool:
        """Record that the animated replay is posted publicly; return False if it was posted before."""
        done = await self._execute(
            update(deal)
            .where(deal.c.table_id == table_id, deal.c.deal_no == deal_no, deal.c.shared_at.is_(None))
            .values(shared_at=now)
        )
        return done.rowcount == 1

    async def unshare_replay(self, table_id: TableId, deal_no: int) -> None:
        """Record that the animated replay could not be posted."""
        await self._execute(
            update(deal).where(deal.c.table_id == table_id, deal.c.deal_no == deal_no).values(shared_at=None)
        )

    async def append_events(
        self,
        table_id: TableId,
        deal_no: int,
        first_seq: int,
        acts: Sequence[tuple[Event, int | None]],
        now: int,
    ) -> None:
        """Add events, each with the seat that acted, in one statement.

        `first_seq` is how many events the deal has already. Raises SequenceGapError if the deal has fewer, and
        IntegrityError if it has more.
        """
        if not acts:
            return
        rows = [
            (table_id, deal_no, seq, happened.event, EVENT_VERSION, EVENT_BODY.dump(happened), actor, now)
            for seq, (happened, actor) in enumerate(acts, first_seq)
        ]
        error = SequenceGapError(f"deal {deal_no} of table {table_id} has fewer events than {first_seq}")
        self._later(
            _APPEND,
            [
                dict(zip(_COLUMNS, (*row, checksum(*row)), strict=True)) | {"body": happened}
                for row, (happened, _) in zip(rows, acts, strict=True)
            ],
            expected=Expected(len(rows), error),
        )

    async def add_results(self, table_id: TableId, deal_no: int, rows: Sequence[ResultRow]) -> None:
        """Store the results of a deal; called once for each deal."""
        if any((row.table_id, row.deal_no) != (table_id, deal_no) for row in rows):
            raise ValueError(f"not all results are of deal {deal_no} of table {table_id}")
        if rows:
            self._later(_ADD_RESULTS, [asdict(row) for row in rows])


def _events(where: str, rows: Iterable[Sequence[Any]]) -> list[Event]:
    return list(_checked_events(rows, where))


def _checked_events(rows: Iterable[Sequence[Any]], where: str) -> Iterator[Event]:
    """Return a deal's events from its ordered rows; raises EventsDamaged if one is missing or changed."""
    for number, (*values, check) in enumerate(rows):
        if values[2] != number or checksum(*values) != check:
            raise EventsDamaged(where, number)
        yield EVENT_BODY.load(values[5])


def _result_row(**values: Any) -> ResultRow:
    """Return a row of `result`."""
    values["status"] = Status(values["status"])
    return ResultRow(**values)


def sealed_deals() -> Select[tuple[int]]:
    """Select the numbers of finished deals on boards that other tables still play; these stay secret."""
    waiting = select(board_set.c.id).where(board_set.c.released_at.is_(None))
    return (
        select(played.c.number)
        .join_from(
            deal,
            played,
            and_(played.c.table_id == deal.c.table_id, played.c.deal_no == deal.c.deal_no),
        )
        .where(deal.c.board_set.in_(waiting))
    )


class DayResult(NamedTuple):
    """What a person has won or paid in a deal of the day."""

    set_id: int
    day: str
    person_id: PersonId
    name: str
    net: int


class DuplicateBoardQueries(Session):
    """Finds sets of boards, boards and attempts."""

    async def get_set(self, set_id: int) -> BoardSetRow | None:
        """Return the set of this id."""
        return await self._one(BoardSetRow, select(board_set).where(board_set.c.id == set_id))

    async def daily_set(self, guild_id: GuildId, now: int) -> BoardSetRow | None:
        """Return the current deal of the day of a server; None until someone asks for it.

        A released one is over, even if the clock was set back since: its cards are known.
        """
        return await self._one(
            BoardSetRow,
            select(board_set)
            .where(
                board_set.c.guild_id == guild_id,
                board_set.c.closes_at > now,
                board_set.c.released_at.is_(None),
            )
            .order_by(board_set.c.id.desc())
            .limit(1),
        )

    async def last_daily_set(self, guild_id: GuildId) -> BoardSetRow | None:
        """Return the latest deal of the day that may be shown in full."""
        return await self._one(
            BoardSetRow,
            select(board_set)
            .where(
                board_set.c.guild_id == guild_id,
                board_set.c.day.is_not(None),
                board_set.c.released_at.is_not(None),
            )
            .order_by(board_set.c.id.desc())
            .limit(1),
        )

    async def get(self, set_id: int, number: int) -> BoardRow | None:
        """Return one board of a set, including its secret seed."""
        return await self._one(
            BoardRow, select(board).where(board.c.set_id == set_id, board.c.number == number)
        )

    async def in_set(self, set_id: int) -> list[BoardRow]:
        """Return all boards of a set in order, including their secret seeds."""
        return await self._all(
            BoardRow, select(board).where(board.c.set_id == set_id).order_by(board.c.number)
        )

    async def tables(self, set_id: int) -> list[TableId]:
        """Return the tables that play a set, in the order in which they were added."""
        rows = await self._execute(
            select(board_table.c.table_id).where(board_table.c.set_id == set_id).order_by(board_table.c.place)
        )
        return list(rows.scalars())

    async def tables_playing(self, set_id: int) -> list[TableId]:
        """Return the tables that have not finished a set yet."""
        rows = await self._execute(
            select(board_table.c.table_id).where(board_table.c.set_id == set_id, ~board_table.c.done)
        )
        return list(rows.scalars())

    async def begun(self, set_id: int) -> bool:
        """Return whether a board of the set has been dealt at any table."""
        rows = await self._execute(
            select(deal.c.deal_no).where(deal.c.board_set == set_id, deal.c.match_no.is_not(None)).limit(1)
        )
        return rows.first() is not None

    async def daily_attempts(self, set_id: int) -> list[DailyTryRow]:
        """Return all attempts at a deal of the day, in the order in which they began."""
        return await self._all(
            DailyTryRow, select(daily_try).where(daily_try.c.set_id == set_id).order_by(daily_try.c.table_id)
        )

    async def listed_results(self, guild_id: GuildId, since: str) -> list[DayResult]:
        """Return the results of past deals of the day in a server since the day `since`.

        Leaves out deals that their players did not finish, and people who may not be shown to others.
        """
        rows = await self._execute(
            select(board_set.c.id, board_set.c.day, daily_try.c.person_id, daily_try.c.name, daily_try.c.net)
            .join(board_set, board_set.c.id == daily_try.c.set_id)
            .join(person, person.c.id == daily_try.c.person_id)
            .where(
                board_set.c.guild_id == guild_id,
                board_set.c.day >= since,
                board_set.c.released_at.is_not(None),
                daily_try.c.finished,
                LISTED,
            )
            .order_by(board_set.c.id, daily_try.c.table_id)
        )
        return [DayResult(*row) for row in rows]

    async def days_finished(self, person_id: PersonId, guild_id: GuildId | None, since: str) -> set[str]:
        """Return the days since `since` whose deal the person finished, in one server or, for None, in any."""
        here = [] if guild_id is None else [board_set.c.guild_id == guild_id]
        rows = await self._execute(
            select(board_set.c.day)
            .join(daily_try, daily_try.c.set_id == board_set.c.id)
            .where(daily_try.c.person_id == person_id, daily_try.c.finished, board_set.c.day >= since, *here)
        )
        return set(rows.scalars())

    async def days_finished_by(
        self, people: Collection[int], guild_id: GuildId, since: str
    ) -> dict[int, set[str]]:
        """Return the released days since `since` whose deal each of these people finished in a server."""
        rows = await self._execute(
            select(daily_try.c.person_id, board_set.c.day)
            .join(board_set, board_set.c.id == daily_try.c.set_id)
            .where(
                daily_try.c.person_id.in_(people),
                daily_try.c.finished,
                board_set.c.guild_id == guild_id,
                board_set.c.day >= since,
                board_set.c.released_at.is_not(None),
            )
        )
        found: dict[int, set[str]] = {}
        for row in rows.all():
            found.setdefault(row.person_id, set()).add(row.day)
        return found

    async def is_sealed(self, deal: DealRow) -> bool:
        """Return whether a deal is a board that other tables still play, so that it must stay secret."""
        if deal.board_set is None:
            return False
        found = await self.get_set(deal.board_set)
        return found is None or found.released_at is None

    async def is_revealed(self, deal: DealRow) -> bool:
        """Return whether a deal is over and its seed is no longer secret."""
        return deal.ended_at is not None and not await self.is_sealed(deal)


class DuplicateBoardRepository(TableVersions, DuplicateBoardQueries):
    """Stores sealed boards and attempts, and releases sets."""

    async def open_set(
        self,
        guild_id: GuildId,
        rules: Rules,
        seats: int,
        now: int,
        *,
        day: str | None = None,
        closes_at: int | None = None,
    ) -> BoardSetRow:
        """Store a new set without boards; its server must already be stored."""
        values = {
            "guild_id": guild_id,
            "day": day,
            "rules": rules,
            "seats": seats,
            "opened_at": now,
            "closes_at": closes_at,
            "released_at": None,
        }
        set_id = await self._scalar(insert(board_set).values(values).returning(board_set.c.id))
        return BoardSetRow(
            id=set_id,
            guild_id=GuildId(guild_id),
            day=day,
            rules=rules,
            seats=seats,
            opened_at=now,
            closes_at=closes_at,
            released_at=None,
        )

    async def add(self, rows: Sequence[BoardRow]) -> None:
        """Store the boards of a set."""
        await self._execute(insert(board), [asdict(row) for row in rows])

    async def add_tables(self, set_id: int, tables: Sequence[TableId]) -> None:
        """Make these tables play a set, in this order."""
        rows = [
            {"table_id": table_id, "set_id": set_id, "place": place, "done": False}
            for place, table_id in enumerate(tables, 1)
        ]
        await self._execute(insert(board_table), rows)

    async def end_table(self, table_id: TableId) -> None:
        """Record that a table has finished its set."""
        await self._execute(update(board_table).where(board_table.c.table_id == table_id).values(done=True))

    async def close(self, set_id: int, entropy: Sequence[str]) -> None:
        """Store what all tables have contributed to the boards of a set."""
        await self._execute(update(board).where(board.c.set_id == set_id).values(entropy=list(entropy)))

    async def add_attempt(self, row: DailyTryRow) -> None:
        """Record that someone begins a deal of the day; raises IntegrityError for their second attempt."""
        await self._execute(
            insert(daily_try).values({field.name: getattr(row, field.name) for field in fields(row)})
        )

    async def end_attempt(self, table_id: TableId, net: int, *, finished: bool) -> None:
        """Record the result of the attempt at this table, in points, and whether the person finished it."""
        await self._execute(
            update(daily_try).where(daily_try.c.table_id == table_id).values(net=net, finished=finished)
        )

    async def release_set(self, set_id: int, now: int) -> None:
        """Release a set: from now on everything about it may be shown."""
        await self._execute(update(board_set).where(board_set.c.id == set_id).values(released_at=now))
        playing = select(deal.c.table_id).where(deal.c.board_set == set_id)
        await self._touch_tables(game_table.c.id.in_(playing))
