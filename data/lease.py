"""What a transaction asks of its database, whichever that is: statements, one after the other."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import CursorResult, Executable

from data.errors import StoreError

T = TypeVar("T")

Values = Mapping[str, Any] | None
"""The parameters of a statement by name, if it has any."""
Rows = Values | Sequence[Mapping[str, Any]]
"""The same, or those of many rows for each of which the statement is run."""


class Expected(NamedTuple):
    """How many rows a statement has to change, and what is raised where it changes more or fewer."""

    changed: int
    error: StoreError


class Call(NamedTuple):
    """A statement to run, with its parameters."""

    statement: Executable
    rows: Rows = None
    expected: Expected | None = None

    def check(self, result: CursorResult[Any]) -> CursorResult[Any]:
        """The result; raises the error of `expected` if another number of rows was changed."""
        if self.expected is not None and result.rowcount != self.expected.changed:
            raise self.expected.error
        return result


Noted = deque[Call]
"""What a transaction still has to run before anything else, in this order."""


class Lease(ABC):
    """A connection for the time of one transaction."""

    __slots__ = ("_is_over", "_is_used", "news", "noted", "touched")

    def __init__(self) -> None:
        self.touched: set[str] = set()
        """The names of the tables in which it changes rows, where that is told to other processes."""
        self.news: str | None = None
        """What other processes hear when it is committed, where there are any."""
        self._is_used = False
        self._is_over = False
        self.noted = Noted()

    def note(self, call: Call) -> None:
        """Have this statement run on the way of the next one, or of the commit."""
        self._use()
        self.noted.append(call)

    @abstractmethod
    async def execute(self, *calls: Call) -> list[CursorResult[Any]]:
        """Run what was noted and then these statements, one after the other; their results are fetched already."""

    @abstractmethod
    async def build(self, build: Callable[..., T], *statements: Executable) -> T:
        """What a function makes of the rows of these statements, a list for each; the event loop is free meanwhile."""

    def _use(self) -> None:
        if self._is_over:
            raise RuntimeError("the transaction of this statement is over")
        self._is_used = True

    def end(self) -> bool:
        """Take no further statement. True if there was any, so that there is a transaction to end."""
        self._is_over = True
        return self._is_used
