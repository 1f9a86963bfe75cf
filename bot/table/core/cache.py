"""A cache of the tables in play, so that looking at a table needs no SQL statement.

The database stays the source of truth: an entry holds one version of a table (`TableRow.version`) and can be read again
at any time. Each change to the stored rows of a table increases its version in the same transaction, and names the
table among the changes of that transaction (`data.session.Changes`), so that the cache drops it. A process that shares
the database with others finds its old entries with one query, `SELECT id, version FROM game_table WHERE id IN (...)`.
"""

from collections import OrderedDict
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Final

from bot.table.core.table import Table

MOST_TABLES: Final = 2_000
MOST_ROWS: Final = 200_000
"""The results and guests of all cached tables together: a long match has many."""


class Claim:
    """One reader or writer of a table, who will know the table's newest value."""

    def __init__(self, cache: "TableCache", table_id: int) -> None:
        self._cache = cache
        self._table_id = table_id
        self.drops = 0
        """How often the table has changed since this claim began."""

    def keep(self, table: Table, *, own_changes: int = 0) -> None:
        """Cache this value, unless the table has changed otherwise than by the `own_changes` of this claim."""
        if self.drops == own_changes:
            self._cache.put(self._table_id, table)


class TableCache:
    """The most recently used tables; the least recently used one is dropped first."""

    def __init__(self, most: int = MOST_TABLES, most_rows: int = MOST_ROWS) -> None:
        self._most = most
        self._most_rows = most_rows
        self._rows = 0
        self._tables: OrderedDict[int, Table] = OrderedDict()
        self._claims: dict[int, set[Claim]] = {}
        self._doubted: set[int] = set()

    def __len__(self) -> int:
        return len(self._tables)

    def get(self, table_id: int) -> Table | None:
        """The table as last committed, if it is in memory."""
        table = self._tables.get(table_id)
        if table is not None:
            self._tables.move_to_end(table_id)
        return table

    @contextmanager
    def claim(self, table_id: int) -> Generator[Claim, None, None]:
        """Count the changes to a table within the block. Enter the block before the table is read."""
        claim = Claim(self, table_id)
        claims = self._claims.setdefault(table_id, set())
        claims.add(claim)
        try:
            yield claim
        finally:
            claims.remove(claim)
            if not claims:
                self._claims.pop(table_id, None)

    def put(self, table_id: int, table: Table) -> None:
        """Cache the current value of a table, unless a change to it is under way."""
        self._forget(table_id)
        if table_id in self._doubted:
            return
        self._tables[table_id] = table
        self._rows += _rows(table)
        while len(self._tables) > self._most or (self._rows > self._most_rows and len(self._tables) > 1):
            self._forget(next(iter(self._tables)))

    def doubt(self, table_ids: Iterable[int]) -> None:
        """These tables are about to change in the database: cache none of them until `settle`."""
        for table_id in table_ids:
            self._forget(table_id)
            self._doubted.add(table_id)

    def settle(self, table_ids: Iterable[int]) -> None:
        """The change to these tables was committed or undone: drop what was read of them before."""
        self._doubted.difference_update(table_ids)
        self.drop(table_ids)

    def drop(self, table_ids: Iterable[int]) -> None:
        """These tables have changed, or may have: drop what was read of them before."""
        for table_id in table_ids:
            self._forget(table_id)
            for claim in self._claims.get(table_id, ()):
                claim.drops += 1

    def _forget(self, table_id: int) -> None:
        before = self._tables.pop(table_id, None)
        if before is not None:
            self._rows -= _rows(before)


def _rows(table: Table) -> int:
    return len(table.results) + len(table.guests)
