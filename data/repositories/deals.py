"""Deals with their events and results, and the matches that they belong to.

Events are only added, never changed, and their numbers have no gaps.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, bindparam, func, insert, or_, select, update

from data.errors import EventsDamaged, SequenceGapError
from data.schema.columns import as_stored, checksum
from data.schema.core import EVENT_BODY, deal, event, game_match, result
from data.session import Call, Expected, Session
from data.values import DealRow, Ended, MatchEnd, MatchRow, ResultRow
from league.ids import TableId
from marriage.events import EVENT_VERSION, Event
from marriage.sheet import Status

_LATEST = (
    select(game_match)
    .where(game_match.c.table_id == bindparam("of"))
    .order_by(game_match.c.match_no.desc())
    .limit(1)
)


class MatchQueries(Session):
    """Finds matches. Their results are in `DealQueries.results_of_match`."""

    __slots__ = ()

    async def latest(self, table_id: TableId) -> MatchRow | None:
        """The latest match of a table, running or over; None before the table's first deal."""
        return await self._one(MatchRow, _LATEST, {"of": table_id})


class MatchRepository(MatchQueries):
    """Begins and ends matches."""

    __slots__ = ()

    async def start(self, row: MatchRow) -> None:
        """Store a new match; raises SequenceGapError unless it has the next number and the one before is over."""
        before = await self.latest(row.table_id)
        if before is not None and not before.is_over:
            raise SequenceGapError(f"match {before.match_no} of table {row.table_id} is not over")
        last = before.match_no if before else 0
        if row.match_no != last + 1:
            raise SequenceGapError(f"table {row.table_id} has {last} matches, {row.match_no} is not the next")
        await self._execute(insert(game_match).values(asdict(row)))

    async def end(self, table_id: TableId, match_no: int, now: int, ended: MatchEnd) -> None:
        """Note that the match is over: no further deal belongs to it."""
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
"""Insert an event, but only if the one before it is stored: the events of a deal have no gaps."""

_ADD_RESULTS = insert(result)
_FROM = select(deal).where(deal.c.table_id == bindparam("of"), deal.c.deal_no >= bindparam("first"))
_EVENTS = _AS_STORED.where(
    event.c.table_id == bindparam("of"), event.c.deal_no == bindparam("deal")
).order_by(event.c.seq)


class DealQueries(Session):
    """Reads deals."""

    __slots__ = ()

    async def get(self, table_id: TableId, deal_no: int) -> DealRow | None:
        """One deal of a table, including its secret seed."""
        return await self._one(
            DealRow, select(deal).where(deal.c.table_id == table_id, deal.c.deal_no == deal_no)
        )

    async def deals_from(self, table_id: TableId, deal_no: int) -> dict[int, DealRow]:
        """The deals of a table from this number on, by number: such as the latest and the prepared one."""
        found = await self._all(DealRow, _FROM, {"of": table_id, "first": deal_no})
        return {row.deal_no: row for row in found}

    async def events(self, table_id: TableId, deal_no: int) -> list[Event]:
        """The events of a deal, in order; raises EventsDamaged or UnreadableValueError."""
        where = f"deal {deal_no} of table {table_id}"
        return await self._built(partial(_events, where), Call(_EVENTS, {"of": table_id, "deal": deal_no}))

    async def results(self, table_id: TableId) -> list[ResultRow]:
        """All results of a table, deal by deal, seat by seat."""
        return await self._results(result.c.table_id == table_id)

    async def results_of_match(self, table_id: TableId, match_no: int) -> list[ResultRow]:
        """All results of one match of a table, deal by deal, seat by seat."""
        deals = select(deal.c.deal_no).where(deal.c.table_id == table_id, deal.c.match_no == match_no)
        return await self._results(result.c.table_id == table_id, result.c.deal_no.in_(deals))

    async def _results(self, *conditions: ColumnElement[bool]) -> list[ResultRow]:
        found = select(result).where(*conditions).order_by(result.c.deal_no, result.c.seat)
        return await self._all(_result_row, found)


class DealRepository(DealQueries):
    """Stores deals as they are played."""

    __slots__ = ()

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
        """Replace a prepared deal; raises SequenceGapError once it is dealt, because then it is fixed."""
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
        """The deal is over, for the reason `ended` if it was not finished: its seed is no longer secret."""
        self._later(
            update(deal)
            .where(deal.c.table_id == table_id, deal.c.deal_no == deal_no)
            .values(ended_at=now, ended=ended)
        )

    async def share_replay(self, table_id: TableId, deal_no: int, now: int) -> bool:
        """Note that the animated replay is posted for everybody; returns False if it was posted before."""
        done = await self._execute(
            update(deal)
            .where(deal.c.table_id == table_id, deal.c.deal_no == deal_no, deal.c.shared_at.is_(None))
            .values(shared_at=now)
        )
        return done.rowcount == 1

    async def unshare_replay(self, table_id: TableId, deal_no: int) -> None:
        """Note that the animated replay could not be posted after all."""
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
        """Store the results of a deal; this is done once for each deal."""
        if any((row.table_id, row.deal_no) != (table_id, deal_no) for row in rows):
            raise ValueError(f"not all results are of deal {deal_no} of table {table_id}")
        if rows:
            self._later(_ADD_RESULTS, [asdict(row) for row in rows])


def _events(where: str, rows: Iterable[Sequence[Any]]) -> list[Event]:
    return list(_checked_events(rows, where))


def _checked_events(rows: Iterable[Sequence[Any]], where: str) -> Iterator[Event]:
    """The events of a deal from its rows in order; raises EventsDamaged at the first event missing or changed."""
    for number, (*values, check) in enumerate(rows):
        if values[2] != number or checksum(*values) != check:
            raise EventsDamaged(where, number)
        yield EVENT_BODY.load(values[5])


def _result_row(**values: Any) -> ResultRow:
    """A row of `result`."""
    values["status"] = Status(values["status"])
    return ResultRow(**values)
