"""Tables kept in memory while they are played, so that looking at one costs no statement.

The file stays the truth: an entry is of one version (`TableRow.version`) and can be read anew at any time. Whatever
changes what is stored of a table makes its version grow in the same transaction, and names the table among the changes
of that transaction (`data.session.Changes`), for which it is dropped here. So a process that shares the file with
others can tell with one question, `SELECT id, version FROM game_table WHERE id IN (...)`, which entries are old.
"""

from collections import OrderedDict
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Final

from bot.table.core.table import Table

MOST_TABLES: Final = 2_000
MOST_ROWS: Final = 200_000
"""Of results and guests of all these tables together: a long match has many."""


class Claim:
    """Somebody who reads or changes a table just now, and will know its newest value."""

    def __init__(self, cache: "TableCache", table_id: int) -> None:
        self._cache = cache
        self._table_id = table_id
        self.drops = 0
        """How often the table was changed since."""

    def keep(self, table: Table, *, own_changes: int = 0) -> None:
        """Keep this value, unless somebody else has changed the table since."""
        if self.drops == own_changes:
            self._cache.put(self._table_id, table)


class TableCache:
    """The tables that were used last; what was used longest ago goes first."""

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
        """Take notice of all changes of a table in the block, which is to begin before the table is read."""
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
        """This is the table now."""
        self._forget(table_id)
        if table_id in self._doubted:
            return
        self._tables[table_id] = table
        self._rows += _rows(table)
        while len(self._tables) > self._most or (self._rows > self._most_rows and len(self._tables) > 1):
            self._forget(next(iter(self._tables)))

    def doubt(self, table_ids: Iterable[int]) -> None:
        """These tables are about to change in the file: until that is settled they are only known from there."""
        for table_id in table_ids:
            self._forget(table_id)
            self._doubted.add(table_id)

    def settle(self, table_ids: Iterable[int]) -> None:
        """They have changed, or have not: nothing that was read of them before is kept."""
        self._doubted.difference_update(table_ids)
        self.drop(table_ids)

    def drop(self, table_ids: Iterable[int]) -> None:
        """These tables have changed, or may have: nothing that was read of them before is kept."""
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
