"""What every part of the reader and the writer stands on: one connection in one transaction."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import CursorResult, Executable
from sqlalchemy.ext.asyncio import AsyncConnection

from data.cancellation import to_the_end
from data.folds import Folds


class Session:
    """Holds the connection; lives as long as the transaction that `Store` opened."""

    __slots__ = ("_connection", "_folds")

    def __init__(self, connection: AsyncConnection, folds: Folds) -> None:
        self._connection = connection
        self._folds = folds

    async def _execute(
        self, statement: Executable, rows: Sequence[dict[str, Any]] | None = None
    ) -> CursorResult[Any]:
        """Run a statement, once or for each of the rows; its result is fetched already."""
        return await to_the_end(self._connection.execute(statement, rows))

    async def _scalar(self, statement: Executable) -> Any:
        """The first column of the first row, or None."""
        return (await self._execute(statement)).scalar()
