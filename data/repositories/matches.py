"""Matches: the deals of a table whose points count together."""

from dataclasses import asdict

from sqlalchemy import bindparam, insert, select, update

from data.errors import SequenceGapError
from data.schema.core import game_match
from data.session import Session
from data.values import MatchEnd, MatchRow
from league.ids import TableId

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
