"""Whole or not at all: errors, cancellation, a full disk; reading while writing; nothing secret in any text."""

import asyncio
import random
from collections.abc import Iterator

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import IntegrityError

from data.errors import SequenceGap, StoreUnavailable
from data.schema import deal
from data.store import Store
from data.values import SeenRow, TableRow
from marriage.cards import Card
from marriage.events import Drew
from marriage.rules import preset
from tests.data.conftest import CHANNEL, GUILD, RAM, SEED, first_deal

SLOW = text(
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 300000) SELECT max(x) FROM c"
)


async def guilds(store: Store) -> set[int]:
    async with store.read() as reader:
        return set((await reader._execute(text("SELECT id FROM guild"))).scalars())


async def test_an_error_undoes_everything(store: Store):
    async def fail() -> None:
        async with store.write() as writer:
            await writer.keep_guild(1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await guilds(store) == set()


async def test_readers_neither_wait_nor_see_half_a_transaction(store: Store):
    async with store.read() as early, store.write() as writer:
        count = text("SELECT count(*) FROM guild")
        assert await early._scalar(count) == 0
        await writer.keep_guild(1)
        async with store.read() as beside:
            assert await beside._scalar(count) == 0
        async with store.read() as later:  # opened before the commit, asked first after it
            await writer._connection.commit()
            assert await later._scalar(count) == 1
        assert await early._scalar(count) == 0  # still its snapshot


async def test_writers_wait_for_each_other(store: Store, table: TableRow):
    async def count_up() -> None:
        async with store.write() as writer:
            current = await writer.table(table.id)
            assert current
            await writer.change_table(current, dealer=current.dealer + 1)

    await asyncio.gather(*(count_up() for _ in range(40)))
    async with store.read() as reader:
        after = await reader.table(table.id)
    assert after
    assert (after.dealer, after.revision) == (40, 40)


async def test_failed_commit_leaves_a_store_that_works(store: Store):
    async def fail() -> None:
        async with store.write() as writer:
            await writer._execute(text("PRAGMA defer_foreign_keys=ON"))  # so that the commit itself fails
            await writer.create_table(GUILD, CHANNEL, RAM, preset("pagat"), 1)

    with pytest.raises(IntegrityError):
        await fail()
    async with store.write() as writer:
        await writer.keep_guild(2)
        assert await writer._scalar(text("PRAGMA synchronous")) == 2
        assert await writer.open_tables() == []
    assert await guilds(store) == {2}


async def test_full_disk_undoes_the_transaction_and_passes(store: Store):
    async def fill() -> None:
        async with store.write() as writer:
            await writer.keep_guild(1)
            await writer.set_note("long", "x" * 100_000)

    async with store.write() as writer:
        pages = await writer._scalar(text("PRAGMA page_count"))
        await writer._execute(text(f"PRAGMA max_page_count={pages}"))
    with pytest.raises(StoreUnavailable, match="full"):
        await fill()
    assert await guilds(store) == set()
    async with store.write() as writer:
        await writer._execute(text("PRAGMA max_page_count=1000000"))
    await fill()
    assert await guilds(store) == {1}


async def test_cancelled_statement_is_awaited_then_undone(store: Store):
    started = asyncio.Event()

    async def move() -> None:
        async with store.write() as writer:
            await writer.keep_guild(1)
            started.set()
            await writer._execute(SLOW)

    task = asyncio.create_task(move())
    await started.wait()
    task.cancel()
    async with store.write() as writer:  # gets the same connection, free of locks
        await writer.keep_guild(2)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await guilds(store) == {2}


async def test_cancelled_commit_is_a_commit(store: Store, monkeypatch: pytest.MonkeyPatch):
    committing = asyncio.Event()
    commit = type(await _connection(store)).commit

    async def slow_commit(connection):
        committing.set()
        await connection.execute(SLOW)
        await commit(connection)

    monkeypatch.setattr("sqlalchemy.ext.asyncio.AsyncConnection.commit", slow_commit)

    async def move() -> None:
        async with store.write() as writer:
            await writer.keep_guild(1)

    task = asyncio.create_task(move())
    await committing.wait()
    task.cancel()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await guilds(store) == {1}


async def _connection(store: Store):
    async with store.read() as reader:
        return reader._connection


async def test_cancellation_at_any_moment_leaves_whole_transactions(store: Store):
    chance = random.Random(7)

    async def pair(number: int) -> None:
        async with store.write() as writer:
            await writer.keep_guild(number)
            await writer.keep_guild(-number)

    async def look() -> None:
        async with store.read() as reader:
            await reader._execute(text("SELECT * FROM guild"))

    tasks = [asyncio.create_task(pair(number)) for number in range(1, 61)]
    tasks += [asyncio.create_task(look()) for _ in range(20)]
    for task in chance.sample(tasks, 50):
        for _ in range(chance.randrange(40)):
            await asyncio.sleep(0)
        task.cancel()
    done = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(outcome) for outcome in done} == {type(None), asyncio.CancelledError}
    stored = await guilds(store)
    assert stored == {-number for number in stored}
    assert {number for number, outcome in enumerate(done[:60], 1) if outcome is None} <= stored
    await pair(100)
    assert {100, -100} <= await guilds(store)


def chain(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__cause__ or error.__context__


async def test_no_secret_in_any_text(store: Store, playing: TableRow):
    drew = [Drew(0, Card.parse("9D"))]
    refused = [
        lambda writer: writer.append_events(playing.id, 2, 0, drew, 0, 1),
        lambda writer: writer.append_events(playing.id, 1, 1, drew, 0, 1),
        lambda writer: writer.append_events(playing.id, 1, 0, drew, 1_300_000_000_000_000_001, 1),
        lambda writer: writer.start_deal(first_deal(playing)),
        lambda writer: writer._execute(insert(deal), [{"table_id": 9, "deal_no": 9, "seed": SEED}]),
    ]
    texts = [repr(first_deal(playing)), repr(SeenRow(1, 1, 1, "You drew 9D", 1))]
    for attempt in refused:
        with pytest.raises((SequenceGap, IntegrityError)) as caught:
            async with store.write() as writer:
                await attempt(writer)
        texts += [text for error in chain(caught.value) for text in (str(error), repr(error))]
    assert not [text for text in texts for secret in ("9D", SEED.hex(), repr(SEED)[2:-1]) if secret in text]
