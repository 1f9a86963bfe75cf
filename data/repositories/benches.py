"""The benches of tables: the people at a table without a seat in its deal."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import bindparam, delete, insert, select

from data.schema.core import bench
from data.session import Session
from data.values import BenchRow
from league.ids import TableId

_OF_TABLE = select(bench).where(bench.c.table_id == bindparam("of")).order_by(bench.c.number)


class BenchQueries(Session):
    """Looks up a table's bench."""

    __slots__ = ()

    async def get(self, table_id: TableId) -> tuple[BenchRow, ...]:
        """The people on the bench of a table, in the order in which they sit around it."""
        return tuple(await self._all(BenchRow, _OF_TABLE, {"of": table_id}))


class BenchRepository(BenchQueries):
    """Changes benches."""

    __slots__ = ()

    async def set(self, table_id: TableId, rows: Sequence[BenchRow]) -> None:
        """Replace the bench by these people, who must already be stored."""
        if any((row.table_id, row.number) != (table_id, place) for place, row in enumerate(rows)):
            raise ValueError(f"the bench of table {table_id} is not numbered 0, 1, 2 ...")
        self._later(delete(bench).where(bench.c.table_id == table_id))
        if rows:
            self._later(insert(bench), [asdict(row) for row in rows])
