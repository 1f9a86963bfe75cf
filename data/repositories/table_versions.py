"""The version of a table: it counts all changes to the stored table, so that a copy in memory can be compared."""

from sqlalchemy import ColumnElement, update

from data.schema.core import game_table
from data.session import Session, Values


class TableVersions(Session):
    """The base of repositories that change parts of a table beside its row in `game_table`."""

    __slots__ = ()

    async def _touch_tables(self, *which: ColumnElement[bool], given: Values = None) -> None:
        """These tables have changed: increase their versions, and drop them from memory. The conditions may have parameters."""
        grown = update(game_table).where(*which).values(version=game_table.c.version + 1)
        rows = await self._execute(grown.returning(game_table.c.id), given)
        self._changes.tables.update(rows.scalars())
