"""Measure the store: the cost of a statement and a transaction against bare SQLite, and moves per second.

    python -m benchmarks.store [TIMES]

The first table is in microseconds of processor time of all threads, the mean of TIMES (1,000). The same
queries and changes are sent to SQLite through the driver alone, one commit per transaction. The second table
has writers that each store moves at a table of their own. It counts the commits, each of which SQLite
synchronises with the disk. The last lines simulate a disk that takes 5 ms for each, as cheap servers do.
"""

import asyncio
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

from data.ids import InteractionId
from data.outbox_keys import TableMessageKey
from data.sqlite.transactions import ConnectionThread
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import DeadlineRow, TableRow
from marriage.cards import Card
from marriage.events import Discarded, Drew
from tests.data.conftest import first_deal, open_table

WRITERS = (1, 10, 50)
SLOW_DISK_S = 0.005

QUESTION = "SELECT value FROM meta WHERE key = ?"
NOTE = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


class Table:
    """A table with a deal, and the moves to store."""

    def __init__(self, store: Store, row: TableRow) -> None:
        self._store = store
        self._row = row
        self._seq = 0

    @classmethod
    async def opened(cls, store: Store) -> "Table":
        """Open a new table in its first deal."""
        row = await open_table(store)

        async def write(db: WriteTransaction) -> "Table":
            await db.deals.start(first_deal(row))
            return cls(store, await db.tables.update(row, status="playing", deal_no=1))

        return await store.write(write)

    async def move(self) -> None:
        """Store the rows of a move: two events, the table, the interaction, a deadline and a publication."""
        self._row = await self._store.write(_move, self._row, self._seq)
        self._seq += 2


async def _move(db: WriteTransaction, table: TableRow, seq: int) -> TableRow:
    events = [Drew(0, Card(3)), Discarded(0, Card(3))]
    row = await db.tables.update(table, dealer=seq % 3)
    await db.deals.append_events(row.id, 1, seq, [(event, 0) for event in events], seq)
    await db.interactions.record(InteractionId(row.id * 1_000_000 + seq), row.id, row.revision, "done", seq)
    await db.deadlines.set(DeadlineRow(row.id, "turn", row.revision, seq))
    await db.outbox.put(TableMessageKey(row.id), row.revision, seq)
    return row


async def cost(work: Callable[[], Awaitable[None]], times: int) -> float:
    """Return the microseconds of processor time per call."""
    for _ in range(20):
        await work()
    begun = time.process_time()
    for _ in range(times):
        await work()
    return (time.process_time() - begun) / times * 1e6


class Bare:
    """The driver alone, in the event loop's thread."""

    def __init__(self, path: Path) -> None:
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.execute("PRAGMA synchronous=FULL")

    async def ask(self, statements: int) -> None:
        """Read in one transaction."""
        self.database.execute("BEGIN")
        for _ in range(statements):
            self.database.execute(QUESTION, ("alive",)).fetchall()
        self.database.execute("COMMIT")

    async def note(self, statements: int) -> None:
        """Write in one transaction."""
        self.database.execute("BEGIN IMMEDIATE")
        for number in range(statements):
            self.database.execute(NOTE, ("alive", str(number)))
        self.database.execute("COMMIT")


async def ask(store: Store, statements: int) -> None:
    """Read through the store."""
    await store.read(_ask, statements)


async def _ask(db: ReadTransaction, statements: int) -> None:
    for _ in range(statements):
        await db.key_values.get("alive")


async def note(store: Store, statements: int) -> None:
    """Write through the store."""
    await store.write(_note, statements)


async def _note(db: WriteTransaction, statements: int) -> None:
    for number in range(statements):
        await db.key_values.alive(number)


async def print_costs(store: Store, path: Path, times: int) -> None:
    """Print the first table."""
    print(f"{'processor time, us':<28}{'bare':>8}{'store':>8}")
    bare = Bare(path)
    with closing(bare.database):
        for name, raw, ours in (("read", bare.ask, ask), ("write", bare.note, note)):
            found = {
                count: (
                    await cost(lambda count=count, raw=raw: raw(count), times),
                    await cost(lambda count=count, ours=ours: ours(store, count), times),
                )
                for count in (1, 11)
            }
            one, eleven = found[1], found[11]
            print(f"{name + ', one statement':<28}{one[0]:8.0f}{one[1]:8.0f}")
            further = [(more - first) / 10 for first, more in zip(one, eleven, strict=True)]
            print(f"{name + ', each further one':<28}{further[0]:8.0f}{further[1]:8.0f}")
    table = await Table.opened(store)
    print(f"{'a move':<28}{'':>8}{await cost(table.move, times):8.0f}")


async def print_rates(store: Store, moves: int, *, on_a_slow_disk: bool) -> None:
    """Print one line for each number of writers."""
    really = ConnectionThread.commit
    for writers in WRITERS:
        counted, each = 0, max(1, moves // writers)

        def commit(thread: ConnectionThread) -> None:
            nonlocal counted
            counted += 1
            if on_a_slow_disk:
                time.sleep(SLOW_DISK_S)
            really(thread)

        tables = [await Table.opened(store) for _ in range(writers)]
        ConnectionThread.commit = commit
        begun = time.perf_counter()
        await asyncio.gather(*(store_moves(table, each) for table in tables))
        taken = time.perf_counter() - begun
        ConnectionThread.commit = really
        stored = each * writers
        print(
            f"{f'{writers} writers' + (', slow disk' if on_a_slow_disk else ''):<28}"
            f"{stored / taken:8.0f} moves a second{counted / stored:8.2f} commits a move"
        )


async def store_moves(table: Table, moves: int) -> None:
    """Store one move after the other."""
    for _ in range(moves):
        await table.move()


async def measure(times: int) -> None:
    """Measure in a new file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.sqlite3")
        store = await Store.open(path)
        try:
            await print_costs(store, path, times)
            await print_rates(store, times, on_a_slow_disk=False)
            await print_rates(store, times, on_a_slow_disk=True)
        finally:
            await store.close()


def main() -> None:
    """Measure as often as the command line asks."""
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000))


if __name__ == "__main__":
    main()
