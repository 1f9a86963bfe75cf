"""What every repository stands on: one connection in one transaction."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import CursorResult, Executable

from data.cluster.changes import Changes
from data.lease import Call, Expected, Lease, Rows, Values
from data.repositories.season_cache import SeasonCache

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Scope:
    """What all repositories of one transaction share."""

    lease: Lease
    season_cache: SeasonCache
    changes: Changes = field(default_factory=Changes)


class Session:
    """Runs statements in the transaction that `Store` opened, and lives as long as that.

    A statement that is put together once, with a `bindparam` for each value, costs a third of one that is made anew for
    every call. So the statements of a move are constants of their modules.
    """

    __slots__ = ("__lease", "_changes", "_season_cache")

    def __init__(self, scope: Scope) -> None:
        self.__lease = scope.lease
        self._season_cache = scope.season_cache
        self._changes = scope.changes

    async def _execute(self, statement: Executable, rows: Rows = None) -> CursorResult[Any]:
        """Run a statement once, with these parameters if it has any, or once for each of many rows."""
        (result,) = await self.__lease.execute(Call(statement, rows))
        return result

    def _later(self, statement: Executable, rows: Rows = None, *, expected: Expected | None = None) -> None:
        """Have a write, whose result nobody needs, run on the trip of the transaction's next statement, or of its commit.

        The order stays. An error is raised there, `expected.error` if another number of rows is changed, and undoes the
        whole transaction.
        """
        self.__lease.note(Call(statement, rows, expected))

    async def _execute_all(self, *calls: tuple[Executable, Rows]) -> list[CursorResult[Any]]:
        """Run statements one after the other, each with its parameters: much cheaper than one at a time."""
        return await self.__lease.execute(*(Call(*call) for call in calls))

    async def _built(self, build: Callable[..., T], *statements: Executable) -> T:
        """What a function makes of the rows of these statements, a list for each.

        It runs in the thread of the connection: where there may be many rows, so that the event loop is free meanwhile.
        """
        return await self.__lease.build(build, *statements)

    async def _scalar(self, statement: Executable, values: Values = None) -> Any:
        """The first column of the first row, or None."""
        return (await self._execute(statement, values)).scalar()

    async def _all(self, kind: Callable[..., T], statement: Executable, values: Values = None) -> list[T]:
        """What a question finds, each row as one of these: its columns are their fields."""
        return [kind(**row) for row in (await self._execute(statement, values)).mappings()]

    async def _one(self, kind: Callable[..., T], statement: Executable, values: Values = None) -> T | None:
        """The one row that a question finds, or None."""
        row = (await self._execute(statement, values)).mappings().one_or_none()
        return None if row is None else kind(**row)
