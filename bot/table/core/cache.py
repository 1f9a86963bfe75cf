"""A cache of the tables in play, so that looking at a table needs no SQL statement.

The database stays the source of truth: an entry holds one version of a table (`TableRow.version`) and can be read again
at any time. Each change to the stored rows of a table increases its version in the same transaction, and names the
table among the changes of that transaction (`data.cluster.changes`). While that is committed, the cache does not hold
the table. A process that shares the database with others is told which tables they change.
"""

from typing import Final

from bot.table.core.table import Table
from data.committed_cache import CommittedCache

MOST_TABLES: Final = 2_000
MOST_ROWS: Final = 200_000
"""The results and guests of all cached tables together: a long match has many."""


def table_cache(most: int = MOST_TABLES, most_rows: int = MOST_ROWS) -> CommittedCache[Table]:
    """An empty cache of tables, bounded by their number and by the rows that they hold together."""
    return CommittedCache(most, most_weight=most_rows, weigh=_rows)


def _rows(table: Table) -> int:
    return len(table.results) + len(table.guests)
