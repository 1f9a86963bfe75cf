"""What every repository stands on: one connection, lent to one transaction (`Lease`), and what that changes (`Changes`)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import CursorResult, Executable

from data.errors import StoreError
from data.season_rows import SeasonCache


@dataclass(slots=True)
class Changes:
    """Whose rows a transaction has changed. While it commits, their values are read only from the file."""

    people: set[int] = field(default_factory=set[int])
    guilds: set[int] = field(default_factory=set[int])
    tables: set[int] = field(default_factory=set[int])
    is_of_everything: bool = False
    """Whether other processes must drop everything they keep in memory."""
    is_own_work: bool = False
    """Whether all the resulting work belongs to this process."""


@dataclass(frozen=True, slots=True)
class News:
    """A commit of another process."""

    changes: Changes
    is_work: bool
    """Whether there may be work to do: something to send or to wait for."""


Values = Mapping[str, Any] | None
"""The parameters of a statement by name, if it has any."""
Rows = Values | Sequence[Mapping[str, Any]]
"""The same, or the values of many rows, for each of which the statement is run."""

T = TypeVar("T")


class Expected(NamedTuple):
    """The number of rows that a statement must change, and the error if it changes more or fewer."""

    changed: int
    error: StoreError


class Call(NamedTuple):
    """A statement to run, with its parameters."""

    statement: Executable
    rows: Rows = None
    expected: Expected | None = None

    def check(self, result: CursorResult[Any]) -> CursorResult[Any]:
        """Return the result; raises the error of `expected` if another number of rows was changed."""
        if self.expected is not None and result.rowcount != self.expected.changed:
            raise self.expected.error
        return result


class Lease(ABC):
    """A connection for the time of one transaction."""

    __slots__ = ("_is_over", "_is_used", "news", "touched")

    def __init__(self) -> None:
        self.touched: set[str] = set()
        """The names of the tables whose rows it changes, if other processes are notified of them."""
        self.news: str | None = None
        """The notice sent to other processes on commit, if there are any."""
        self._is_used = False
        self._is_over = False

    @abstractmethod
    def note(self, call: Call) -> None:
        """Run a write whose result is not needed, now or with the next statement or the commit."""

    @abstractmethod
    async def execute(self, call: Call) -> CursorResult[Any]:
        """Run a statement and return its result, already fetched."""

    async def build(self, build: Callable[..., T], *calls: Call) -> T:
        """Return what a function makes of the rows of these statements, one list each, off the event loop."""
        return build(*[(await self.execute(call)).all() for call in calls])

    def _use(self) -> None:
        if self._is_over:
            raise RuntimeError("the transaction of this statement is over")
        self._is_used = True

    def end(self) -> bool:
        """Accept no further statement. Return True if there was any, so that there is a transaction to end."""
        self._is_over = True
        return self._is_used


@dataclass(frozen=True, slots=True)
class Scope:
    """The state shared by all repositories of one transaction."""

    lease: Lease
    season_cache: SeasonCache
    changes: Changes = field(default_factory=Changes)


class Session:
    """Runs statements in the transaction that `Store` opened, and lives as long as it.

    A statement built once, with a `bindparam` for each value, costs a third of one that is built for every
    call. So the statements of a move are constants of their modules.
    """

    def __init__(self, scope: Scope) -> None:
        self.__lease = scope.lease
        self._season_cache = scope.season_cache
        self._changes = scope.changes

    async def _execute(self, statement: Executable, rows: Rows = None) -> CursorResult[Any]:
        """Run a statement once, with these parameters if it has any, or once for each of many rows."""
        return await self.__lease.execute(Call(statement, rows))

    def _later(self, statement: Executable, rows: Rows = None, *, expected: Expected | None = None) -> None:
        """Run a write whose result is not needed, in order.

        SQLite runs it at once, as a text. PostgreSQL runs it with the next statement or the commit: a
        transaction that only writes shares the lock of writers and can be repeated. An error is raised at
        that point, `expected.error` if another number of rows is changed, and undoes the whole transaction.
        """
        self.__lease.note(Call(statement, rows, expected))

    async def _built(self, build: Callable[..., T], *statements: Executable | Call) -> T:
        """Return what a function makes of the rows of these statements, one list each.

        It runs in the thread of the connection, so that many rows do not block the event loop.
        """
        calls = (one if isinstance(one, Call) else Call(one) for one in statements)
        return await self.__lease.build(build, *calls)

    async def _scalar(self, statement: Executable, values: Values = None) -> Any:
        """Return the first column of the first row, or None."""
        return (await self._execute(statement, values)).scalar()

    async def _all(self, kind: Callable[..., T], statement: Executable, values: Values = None) -> list[T]:
        """Return the rows that a query finds as instances of this class, whose fields are its columns."""
        found = await self._execute(statement, values)
        names = tuple(found.keys())
        return [kind(**dict(zip(names, row, strict=True))) for row in found]

    async def _one(self, kind: Callable[..., T], statement: Executable, values: Values = None) -> T | None:
        """Return the one row that a query finds, or None."""
        row = (await self._execute(statement, values)).mappings().one_or_none()
        return None if row is None else kind(**row)
