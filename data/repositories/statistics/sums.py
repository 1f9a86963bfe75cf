"""Stored sums over finished deals, for the channels of each server and for each person, so that readers need no deals.

Each sum is one query about deals. Run for the deal that has just ended, it gives what that deal adds; run for all
deals, it gives the total. So the sums that grow deal by deal cannot differ from sums computed anew.
"""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Select,
    Table,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    select,
)

from data.dialect import add_up, total
from data.schema.stats import BLOCK, attendance, meeting, played, played_block, played_seat
from data.session import Session
from league.statistics.facts import StandIn

Rows = Select[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Sum:
    """One table of sums."""

    table: Table
    question: Rows
    """The query that computes its rows from all finished deals, grouped by key, with the columns in order."""
    of_deal: Column[int]
    """The column of the query that holds the number of a deal."""
    least: frozenset[str] = frozenset()
    """Columns that keep the least value, as those in `most` keep the greatest. All other columns are added up."""
    most: frozenset[str] = frozenset()


def _blocks() -> Rows:
    """How many deals of public tables each channel has, by preset and by block of numbers."""
    block = played.c.number // BLOCK
    key = (played.c.guild_id, block, played.c.channel_id, played.c.preset)
    ended = played.c.ended_at
    return (
        select(*key, func.count(), func.min(ended), func.max(ended)).where(~played.c.private).group_by(*key)
    )


def _meetings() -> Rows:
    """The results of each person's rated deals against each other player."""
    other = played_seat.alias()
    ours, theirs = played_seat.c.place, other.c.place
    key = (played_seat.c.person_id, played_seat.c.guild_id, other.c.person_id)
    return (
        select(
            *key,
            func.count(),
            total(case((ours < theirs, 1), else_=0)),
            total(case((ours > theirs, 1), else_=0)),
            total(played_seat.c.net),
        )
        .join_from(
            played_seat,
            other,
            and_(other.c.number == played_seat.c.number, other.c.seat != played_seat.c.seat),
        )
        .where(played_seat.c.rated, played_seat.c.person_id.is_not(None), other.c.person_id.is_not(None))
        .group_by(*key)
    )


def _attendances() -> Rows:
    """How many deals and rated matches each person has played, and when their first rated deal ended.

    A match counts with the person's first rated deal in it.
    """
    key = (played_seat.c.person_id, played_seat.c.guild_id)
    opens = and_(played_seat.c.rated, played.c.match_no.is_not(None), ~_earlier_in_match())
    return (
        select(
            *key,
            func.count(),
            total(case((opens, 1), else_=0)),
            func.min(case((played_seat.c.rated, played.c.ended_at))),
        )
        .join_from(played_seat, played, played.c.number == played_seat.c.number)
        .where(played_seat.c.person_id.is_not(None))
        .where(played_seat.c.stand_in.is_distinct_from(StandIn.WHOLE))
        .group_by(*key)
    )


def _earlier_in_match() -> ColumnElement[bool]:
    """Whether the person has played a rated deal of the same match before."""
    deal, seat = played.alias(), played_seat.alias()
    return exists(
        select(deal.c.number)
        .join(seat, seat.c.number == deal.c.number)
        .where(deal.c.table_id == played.c.table_id, deal.c.match_no == played.c.match_no)
        .where(deal.c.number < played.c.number, seat.c.rated)
        .where(seat.c.person_id == played_seat.c.person_id, seat.c.guild_id == played_seat.c.guild_id)
        .correlate(played, played_seat)
    )


SUMS: Final = (
    Sum(played_block, _blocks(), played.c.number, frozenset({"first_at"}), frozenset({"last_at"})),
    Sum(meeting, _meetings(), played_seat.c.number),
    Sum(attendance, _attendances(), played_seat.c.number, frozenset({"since"})),
)


ADDITIONS: Final = tuple(
    add_up(
        kept.table,
        kept.question.where(kept.of_deal == bindparam("of_deal")),
        least=kept.least,
        most=kept.most,
    )
    for kept in SUMS
)
"""The statements that add a deal, already stored with its seats, to each sum."""


class SumRepository(Session):
    """Keeps the sums."""

    __slots__ = ()

    async def add_sums_anew(self) -> int:
        """Compute all sums anew from all deals. Returns in how many rows they differed from the stored sums."""
        return sum([await self._anew(kept) for kept in SUMS])

    async def _anew(self, kept: Sum) -> int:
        stored, fresh = select(kept.table), kept.question
        differing = await self._count(stored.except_(fresh)) + await self._count(fresh.except_(stored))
        if differing:
            await self._execute(delete(kept.table))
            await self._execute(insert(kept.table).from_select(kept.table.columns.keys(), fresh))
        return differing

    async def _count(self, rows: Any) -> int:
        return await self._scalar(select(func.count()).select_from(rows.subquery()))
