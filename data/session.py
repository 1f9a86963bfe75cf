"""What every part of the reader and the writer stands on: one connection in one transaction."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import CursorResult, Executable
from sqlalchemy.ext.asyncio import AsyncConnection

from data.cancellation import to_the_end
from data.repositories.season_cache import SeasonCache

T = TypeVar("T")


class Session:
    """Holds the connection; lives as long as the transaction that `Store` opened."""

    __slots__ = ("__connection", "_folds")

    def __init__(self, connection: AsyncConnection, folds: SeasonCache) -> None:
        self.__connection = connection
        self._folds = folds

    async def _execute(
        self, statement: Executable, rows: Sequence[dict[str, Any]] | None = None
    ) -> CursorResult[Any]:
        """Run a statement, once or for each of the rows; its result is fetched already."""
        return await to_the_end(self.__connection.execute(statement, rows))

    async def _scalar(self, statement: Executable) -> Any:
        """The first column of the first row, or None."""
        return (await self._execute(statement)).scalar()

    async def _all(self, kind: Callable[..., T], statement: Executable) -> list[T]:
        """What a question finds, each row as one of these: its columns are their fields."""
        return [kind(**row) for row in (await self._execute(statement)).mappings()]

    async def _one(self, kind: Callable[..., T], statement: Executable) -> T | None:
        """The one row that a question finds, or None."""
        row = (await self._execute(statement)).mappings().one_or_none()
        return None if row is None else kind(**row)
