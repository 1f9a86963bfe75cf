"""Deadlines: one a table and kind, set anew by every move that concerns it."""

from collections.abc import Collection

from sqlalchemy import Integer, bindparam, case, delete, select, update

from data.dialect import upsert
from data.schema.core import deadline
from data.session import Session
from data.values import DeadlineRow

_SOONEST_FIRST = select(deadline).order_by(deadline.c.due_at, deadline.c.table_id, deadline.c.kind)
_SOONEST = _SOONEST_FIRST.where(deadline.c.table_id.not_in(bindparam("beside", expanding=True))).limit(
    bindparam("limit", type_=Integer())
)
"""Asked after every move."""


class DeadlineQueries(Session):
    """Tells what is due."""

    __slots__ = ()

    async def soonest(self, limit: int, beside: Collection[int] = ()) -> list[DeadlineRow]:
        """The first of all, soonest first, leaving out the tables `beside`."""
        return await self._all(DeadlineRow, _SOONEST, {"beside": list(beside), "limit": limit})

    async def tables_waiting(self, kind: str) -> list[int]:
        """The tables with a deadline of this kind."""
        rows = await self._execute(select(deadline.c.table_id).where(deadline.c.kind == kind))
        return list(rows.scalars())

    async def of_table(self, table_id: int) -> list[DeadlineRow]:
        """Those of one table, soonest first."""
        return await self._all(DeadlineRow, _SOONEST_FIRST.where(deadline.c.table_id == table_id))


class DeadlineRepository(DeadlineQueries):
    """Sets and clears clocks."""

    __slots__ = ()

    async def set(self, table_id: int, kind: str, revision: int, due_at: int) -> None:
        """The table's deadline of this kind, in place of the one it had."""
        key = {"table_id": table_id, "kind": kind}
        await self._execute(upsert(deadline, key, {"revision": revision, "due_at": due_at}))

    async def clear(self, table_id: int, *kinds: str) -> None:
        """The table waits for these no longer."""
        await self._execute(
            delete(deadline).where(deadline.c.table_id == table_id, deadline.c.kind.in_(kinds))
        )

    async def clear_all(self, table_id: int) -> None:
        """The table waits for nothing."""
        await self._execute(delete(deadline).where(deadline.c.table_id == table_id))

    async def credit(self, gap_ms: int, at_least: int) -> None:
        """Give back an outage: every deadline `gap_ms` later, and none before the time `at_least`."""
        later = deadline.c.due_at + gap_ms
        await self._execute(update(deadline).values(due_at=case((later < at_least, at_least), else_=later)))
