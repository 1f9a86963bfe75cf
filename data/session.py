"""What every part of the reader and the writer stands on: one connection in one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import CursorResult, Executable
from sqlalchemy.ext.asyncio import AsyncConnection

from data.cancellation import to_the_end
from data.repositories.season_cache import SeasonCache

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Changes:
    """Whose rows a transaction has changed: what is in memory of them is dropped when it ends."""

    people: set[int] = field(default_factory=set[int])
    guilds: set[int] = field(default_factory=set[int])


@dataclass(frozen=True, slots=True)
class Scope:
    """What all repositories of one transaction share."""

    connection: AsyncConnection
    season_cache: SeasonCache
    changes: Changes = field(default_factory=Changes)


class Session:
    """Holds the connection; lives as long as the transaction that `Store` opened."""

    __slots__ = ("__connection", "_changes", "_season_cache")

    def __init__(self, scope: Scope) -> None:
        self.__connection = scope.connection
        self._season_cache = scope.season_cache
        self._changes = scope.changes

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
