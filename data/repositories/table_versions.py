"""The version of a table: it counts every change of what is stored of it, so that a copy in memory can be compared."""

from sqlalchemy import ColumnElement, update

from data.schema.core import game_table
from data.session import Session


class TableVersions(Session):
    """The base of what changes tables otherwise than by their own row."""

    __slots__ = ()

    async def _touch_tables(self, *which: ColumnElement[bool]) -> None:
        """These tables have changed: their version grows, and what is in memory of them is dropped."""
        grown = update(game_table).where(*which).values(version=game_table.c.version + 1)
        rows = await self._execute(grown.returning(game_table.c.id))
        self._changes.tables.update(rows.scalars())
