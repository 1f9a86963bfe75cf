"""Rows kept in memory by id, so that asking for one again costs no statement."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from typing import Generic, TypeVar

Row = TypeVar("Row")


class RowCache(Generic[Row]):
    """The rows that were asked for last, and the ids that have none; what was asked for longest ago goes first."""

    def __init__(self, load: Callable[[set[int]], Awaitable[dict[int, Row]]], most: int) -> None:
        """`load` reads the rows of some ids from the file, in a snapshot taken after the call; `most` are kept."""
        self._load = load
        self._most = most
        self._rows: OrderedDict[int, Row | None] = OrderedDict()
        self._reading: dict[int, object] = {}
        """Who reads a row just now. Where it is dropped meanwhile, what was read may be old and isn't kept."""

    async def get_many(self, ids: Iterable[int]) -> dict[int, Row]:
        """The rows of those of the ids that have one; a statement is made only where one isn't known."""
        wanted = set(ids)
        rows = {row_id: self._rows[row_id] for row_id in wanted if row_id in self._rows}
        for row_id in rows:
            self._rows.move_to_end(row_id)
        if missing := wanted - rows.keys():
            rows |= await self._read(missing)
        return {row_id: row for row_id, row in rows.items() if row is not None}

    def drop(self, ids: Iterable[int]) -> None:
        """Forget these rows: they have changed, or may have."""
        for row_id in ids:
            self._rows.pop(row_id, None)
            self._reading.pop(row_id, None)

    def clear(self) -> None:
        """Forget every row."""
        self._rows.clear()
        self._reading.clear()

    async def _read(self, ids: set[int]) -> dict[int, Row]:
        reader = object()
        self._reading |= dict.fromkeys(ids, reader)
        try:
            rows = await self._load(ids)
            for row_id in ids:
                if self._reading.get(row_id) is reader:
                    self._keep(row_id, rows.get(row_id))
            return rows
        finally:
            for row_id in ids:
                if self._reading.get(row_id) is reader:
                    del self._reading[row_id]

    def _keep(self, row_id: int, row: Row | None) -> None:
        self._rows[row_id] = row
        self._rows.move_to_end(row_id)
        if len(self._rows) > self._most:
            self._rows.popitem(last=False)
