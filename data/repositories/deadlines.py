"""Deadlines: at most one for each table and kind, set again by every move that concerns it."""

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from sqlalchemy import ColumnElement, CursorResult, Integer, bindparam, case, delete, func, select, update

from data.cluster.owned import OWNED_DEADLINE, asked, owned
from data.dialect import upsert_many
from data.repositories.tables import TableVersions
from data.schema.core import deadline, game_table
from data.session import Session
from data.shards import EVERYTHING, Share
from data.values import DeadlineRow
from league.ids import TableId

_SOONEST_FIRST = select(deadline).order_by(deadline.c.due_at, deadline.c.table_id, deadline.c.kind)
_SOONEST = _SOONEST_FIRST.where(deadline.c.table_id.not_in(bindparam("beside", expanding=True))).limit(
    bindparam("limit", type_=Integer())
)
"""Built once, because it runs after every move."""
_SOONEST_OWNED = _SOONEST.where(OWNED_DEADLINE)
_OF_TABLE = _SOONEST_FIRST.where(deadline.c.table_id == bindparam("of"))
_CLEAR = delete(deadline).where(
    deadline.c.table_id == bindparam("of"), deadline.c.kind.in_(bindparam("kinds", expanding=True))
)
_SET = upsert_many(deadline)


class DeadlineQueries(Session):
    """Looks up deadlines."""

    __slots__ = ()

    async def soonest(
        self, limit: int, beside: Collection[int] = (), share: Share = EVERYTHING
    ) -> list[DeadlineRow]:
        """The first `limit` deadlines of a share, soonest first, without those of the tables in `beside`."""
        given = {"beside": list(beside), "limit": limit}
        if share.is_all:
            return await self._all(DeadlineRow, _SOONEST, given)
        return await self._all(DeadlineRow, _SOONEST_OWNED, given | asked(share))

    async def tables_waiting(self, kind: str, share: Share = EVERYTHING) -> list[TableId]:
        """The tables of a share with a deadline of this kind."""
        waiting = select(deadline.c.table_id).where(deadline.c.kind == kind, OWNED_DEADLINE)
        return list((await self._execute(waiting, asked(share))).scalars())

    async def tables_telling_time(self, kinds: Collection[str], share: Share = EVERYTHING) -> list[TableId]:
        """The tables of a share with a deadline of one of these kinds, the soonest first."""
        soonest = func.min(deadline.c.due_at)
        told = select(deadline.c.table_id).where(deadline.c.kind.in_(kinds), OWNED_DEADLINE)
        ordered = told.group_by(deadline.c.table_id).order_by(soonest)
        return list((await self._execute(ordered, asked(share))).scalars())

    async def of_table(self, table_id: TableId) -> list[DeadlineRow]:
        """The deadlines of one table, soonest first."""
        return await self._all(DeadlineRow, _OF_TABLE, {"of": table_id})


class DeadlineRepository(TableVersions, DeadlineQueries):
    """Sets and clears deadlines."""

    __slots__ = ()

    async def set(self, *rows: DeadlineRow) -> None:
        """Set these deadlines in one statement. Each replaces the one of the same table and kind."""
        if rows:
            self._later(_SET, [asdict(row) for row in rows])

    async def clear(self, table_id: TableId, *kinds: str) -> None:
        """Clear the table's deadlines of these kinds."""
        self._later(_CLEAR, {"of": table_id, "kinds": list(kinds)})

    async def end(self, row: DeadlineRow) -> None:
        """Clear this deadline, unless it was set again meanwhile."""
        await self._touch_if(await self._execute(delete(deadline).where(*_exactly(row))), row)

    async def put_off(self, row: DeadlineRow, due_at: int) -> None:
        """Move this deadline to a later time, unless it was set again meanwhile."""
        later = update(deadline).where(*_exactly(row)).values(due_at=due_at)
        await self._touch_if(await self._execute(later), row)

    async def _touch_if(self, done: CursorResult[Any], row: DeadlineRow) -> None:
        if done.rowcount:
            await self._touch_tables(game_table.c.id == row.table_id)

    async def credit(self, gap_ms: int, at_least: int, share: Share = EVERYTHING) -> None:
        """Make up for an outage: put every deadline of a share off by `gap_ms`, and at least to the time `at_least`."""
        later = deadline.c.due_at + gap_ms
        put_off = update(deadline).values(due_at=case((later < at_least, at_least), else_=later))
        self._later(put_off.where(OWNED_DEADLINE), asked(share))
        own = owned(game_table.c.guild_id), game_table.c.id.in_(select(deadline.c.table_id))
        await self._touch_tables(*own, given=asked(share))


def _exactly(row: DeadlineRow) -> list[ColumnElement[bool]]:
    return [deadline.c[name] == value for name, value in asdict(row).items()]
