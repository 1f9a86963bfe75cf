"""kill -9 of a process that writes moves: everything it acknowledged is stored, and nothing is partial."""

import asyncio
import multiprocessing
import random
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from sqlalchemy import text

from data.outbox_keys import TableMessageKey
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import DeadlineRow, TableRow
from marriage.cards import Card
from marriage.events import Discarded, Drew
from tests.data.conftest import by, first_deal, open_table

KILLS = 10
WRITERS = 20


def play(path: Path, acknowledge: Connection) -> None:
    """Run in a separate process: make moves, and acknowledge each committed one with the number of events."""
    asyncio.run(_play(path, acknowledge))


async def _play(path: Path, acknowledge: Connection) -> None:
    store = await Store.open(path)
    (table,) = await store.read(lambda db: db.tables.all_open())
    seq = len(await store.read(lambda db: db.deals.events(table.id, 1)))

    async def move(db: WriteTransaction, before: TableRow, seq: int) -> TableRow:
        seat, card = before.revision % 3, Card(seq % 52)
        table = await db.tables.update(before, dealer=seat)
        drawn = [Drew(seat, card), Discarded(seat, card)]
        await db.deals.append_events(table.id, 1, seq, by(seat, drawn), seq)
        await db.interactions.record(table.revision, table.id, table.revision, "done", seq)
        await db.deadlines.set(DeadlineRow(table.id, "turn", table.revision, seq))
        await db.outbox.put(TableMessageKey(table.id), table.revision, seq)
        return table

    while True:
        table = await store.write(move, table, seq)
        seq += 2
        if seq % 6 == 0:
            await store.mark()  # a kill during this raises no false alarm
        acknowledge.send(seq)


async def begin(path: Path) -> None:
    store = await Store.open(path)
    table = await open_table(store)

    async def write(db: WriteTransaction) -> None:
        await db.deals.start(first_deal(table))
        await db.tables.update(table, status="playing", deal_no=1)

    await store.write(write)
    await store.close()


def kill_while_it_runs(target: Callable[[Path, Connection], None], path: Path, chance: random.Random) -> list:
    """Kill the process while it runs, and return all that it acknowledged."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["data.store"])
    mine, its = context.Pipe(duplex=False)
    process = context.Process(target=target, args=(path, its))
    process.start()
    its.close()
    acknowledged = [mine.recv() for _ in range(chance.randrange(1, 20))]
    mine.poll(chance.random() * 0.01)  # into the middle of some statement of the next moves
    process.kill()
    process.join()
    try:
        while True:  # what it had sent before
            acknowledged.append(mine.recv())
    except EOFError:
        return acknowledged
    finally:
        mine.close()
        process.close()


async def check(path: Path, acknowledged: int) -> TableRow:
    """Compare the file after a crash with the acknowledged moves."""
    store = await Store.open(path)

    async def read(db: ReadTransaction):
        (table,) = await db.tables.all_open()
        numbers = (await db.tables._execute(text("SELECT seq FROM event ORDER BY seq"))).scalars().all()
        assert numbers == list(range(len(numbers)))
        assert len(numbers) - acknowledged in (0, 2)  # one move may have been committed and not acknowledged
        moves = len(numbers) // 2
        assert table.revision == 1 + moves
        assert len(await db.deals.events(table.id, 1)) == len(numbers)
        seen = (await db.tables._execute(text("SELECT revision FROM interaction_seen"))).scalars().all()
        assert sorted(seen) == list(range(2, table.revision + 1))
        deadlines, outbox = await db.deadlines.of_table(table.id), await db.outbox.due(10**12, 10)
        assert [row.revision for row in (*deadlines, *outbox)] == [table.revision] * 2
        return table

    table = await store.read(read)
    await store.close()
    return table


def crowd(path: Path, acknowledge: Connection) -> None:
    """Run in a separate process: many concurrent writers, each of which acknowledges every stored number."""
    asyncio.run(_crowd(path, acknowledge))


async def _crowd(path: Path, acknowledge: Connection) -> None:
    store = await Store.open(path)

    async def count(writer: int) -> None:
        async def read(db: ReadTransaction):
            return int(await db.key_values.get(f"writer {writer}") or 0)

        number = await store.read(read)
        while True:
            number += 1

            async def write(db: WriteTransaction) -> None:
                await db.key_values.set(f"writer {writer}", str(number))
                await db.key_values.set(f"twin {writer}", str(number))

            await store.write(write)
            acknowledge.send((writer, number))

    await asyncio.gather(*(count(writer) for writer in range(WRITERS)))


async def stored_by_crowd(path: Path) -> dict[int, int]:
    """Return the last stored number of each writer."""
    store = await Store.open(path)

    async def read(db: ReadTransaction):
        return {
            writer: [int(await db.key_values.get(f"{name} {writer}") or 0) for name in ("writer", "twin")]
            for writer in range(WRITERS)
        }

    found = await store.read(read)
    await store.close()
    assert all(number == twin for number, twin in found.values())
    return {writer: number for writer, (number, _) in found.items()}


kills = pytest.mark.skipif(
    "forkserver" not in multiprocessing.get_all_start_methods(), reason="this system has no kill -9"
)


@kills
async def test_nothing_acknowledged_is_lost(path: Path):
    await begin(path)
    chance = random.Random(20)
    for _ in range(KILLS):
        acknowledged = await asyncio.to_thread(kill_while_it_runs, play, path, chance)
        table = await check(path, acknowledged[-1])
    assert table.revision > KILLS


@kills
async def test_of_many_writers_at_once_nothing_acknowledged_is_lost(path: Path):
    await begin(path)
    chance = random.Random(21)
    for _ in range(KILLS):
        acknowledged = dict(await asyncio.to_thread(kill_while_it_runs, crowd, path, chance))
        stored = await stored_by_crowd(path)
        for writer, number in acknowledged.items():
            assert stored[writer] - number in (
                0,
                1,
            )  # the last one may have been committed and not acknowledged
