"""All or nothing: errors, cancellation, a full disk; reading while writing; no secrets in any text."""

import asyncio
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event, insert, text
from sqlalchemy.exc import IntegrityError

from data.errors import RevisionConflictError, SequenceGapError, StoreForbidden, StoreUnavailableError
from data.preferences import GuildSettings
from data.schema.core import deal
from data.store import HAS_STORED, Store, aside
from data.transaction import ReadTransaction, WriteTransaction
from data.values import DeadlineRow, SeenRow, TableRow
from marriage.cards import Card
from marriage.events import Drew
from marriage.rules import preset
from tests.data.conftest import CHANNEL, GUILD, RAM, SEED, by, first_deal
from tests.held import held
from tests.statements import on_statement


async def guilds(store: Store) -> set[int]:
    return set((await store.read(lambda db: db.tables._execute(text("SELECT id FROM guild")))).scalars())


def watch_connections(store: Store) -> list[object]:
    """Return a list that grows each time the writer's connection is replaced."""
    opened: list[object] = []
    event.listen(store._database.writer.engine, "connect", lambda driver, _record: opened.append(driver))
    return opened


async def test_an_error_undoes_everything(store: Store):
    async def fail() -> None:
        async def write(db: WriteTransaction) -> None:
            await db.guilds.keep(1)
            raise ZeroDivisionError

        await store.write(write)

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await guilds(store) == set()


async def test_a_task_knows_whether_it_has_stored_anything(store: Store):
    async def fail(db: WriteTransaction) -> None:
        await db.guilds.keep(1)
        raise ZeroDivisionError

    HAS_STORED.set(False)
    await store.read(lambda db: db.guilds.settings(1))
    with pytest.raises(ZeroDivisionError):
        await store.write(fail)
    with aside():
        await store.write(lambda db: db.guilds.keep(2))
    await asyncio.create_task(store.write(lambda db: db.guilds.keep(3)))
    assert not HAS_STORED.get()
    await store.write(lambda db: db.guilds.keep(4))
    assert HAS_STORED.get()
    with aside():
        assert HAS_STORED.get()


async def test_a_function_is_one_transaction(store: Store):
    async def keep(db: WriteTransaction, number: int, *, fails: bool = False) -> str:
        await db.guilds.keep(number)
        if fails:
            raise ZeroDivisionError
        return f"kept {number}"

    outcomes = await asyncio.gather(
        store.write(keep, 1),
        store.write(keep, 2, fails=True),
        store.write(keep, 3),
        return_exceptions=True,
    )
    assert outcomes[0::2] == ["kept 1", "kept 3"]
    assert isinstance(outcomes[1], ZeroDivisionError)
    count = text("SELECT count(*) FROM guild")
    assert await store.read(lambda db: db.tables._scalar(count)) == 2


async def test_a_function_reads_a_long_deal(store: Store, playing: TableRow):
    """Nothing in it yields to other tasks, however long it takes."""
    events = by(0, [Drew(0, Card(3))] * 3_000)
    await store.write(lambda db: db.deals.append_events(playing.id, 1, 0, events, 1))
    assert len(await store.read(lambda db: db.deals.events(playing.id, 1))) == 3_000


async def test_readers_neither_wait_nor_see_half_a_transaction(store: Store):
    count = text("SELECT count(*) FROM guild")
    async with held(store.read) as early, held(store.read) as later:
        assert await early(lambda db: db.tables._scalar(count)) == 0
        async with held(store.write) as write:
            await write(lambda db: db.guilds.keep(1))
            assert await store.read(lambda db: db.tables._scalar(count)) == 0
        assert await later(lambda db: db.tables._scalar(count)) == 1  # first read after the commit
        assert await early(lambda db: db.tables._scalar(count)) == 0  # still its snapshot


async def test_writers_wait_for_each_other(store: Store, table: TableRow):
    async def count_up() -> None:
        async def write(db: WriteTransaction) -> None:
            current = await db.tables.get(table.id)
            assert current
            await db.tables.update(current, dealer=current.dealer + 1)

        await store.write(write)

    await asyncio.gather(*(count_up() for _ in range(40)))
    after = await store.read(lambda db: db.tables.get(table.id))
    assert after
    assert (after.dealer, after.revision) == (40, 40)


@pytest.mark.file
async def test_failed_commit_leaves_a_store_that_works(store: Store):
    async def fail() -> None:
        async def write(db: WriteTransaction) -> None:
            await db.tables._execute(text("PRAGMA defer_foreign_keys=ON"))  # so that the commit itself fails
            await db.tables.create(GUILD, CHANNEL, RAM, preset("pagat"), 1)

        await store.write(write)

    with pytest.raises(sqlite3.IntegrityError):
        await fail()

    async def write(db: WriteTransaction) -> None:
        await db.guilds.keep(2)
        assert await db.tables.all_open() == []

    await store.write(write)
    assert await guilds(store) == {2}


@pytest.mark.file
async def test_full_disk_undoes_the_transaction_and_passes(store: Store):
    async def fill() -> None:
        async def write(db: WriteTransaction) -> None:
            await db.guilds.keep(1)
            await db.key_values.set("long", "x" * 100_000)

        await store.write(write)

    async def write(db: WriteTransaction) -> None:
        pages = await db.tables._scalar(text("PRAGMA page_count"))
        await db.tables._execute(text(f"PRAGMA max_page_count={pages}"))

    await store.write(write)
    with pytest.raises(StoreUnavailableError, match="full"):
        await fill()
    assert await guilds(store) == set()
    await store.write(lambda db: db.tables._execute(text("PRAGMA max_page_count=1000000")))
    await fill()
    assert await guilds(store) == {1}


@pytest.mark.file
async def test_a_file_that_becomes_read_only_is_told_and_passes(store: Store):
    async def keep(number: int) -> None:
        await store.write(lambda db: db.guilds.keep(number))

    await keep(1)
    await store._database.writer.run(lambda driver: driver.execute("PRAGMA query_only=ON"))
    with pytest.raises(StoreForbidden, match="readonly"):
        await keep(2)
    assert await guilds(store) == {1}
    await store._database.writer.run(lambda driver: driver.execute("PRAGMA query_only=OFF"))
    await keep(3)
    assert await guilds(store) == {1, 3}


@pytest.mark.file
async def test_database_locked_by_a_stranger_is_told_and_passes(store: Store, path: Path):
    await store.write(lambda db: db.tables._execute(text("PRAGMA busy_timeout=20")))
    with closing(sqlite3.connect(path, isolation_level=None)) as stranger:
        stranger.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError, match="locked"):
            await store.write(lambda db: db.guilds.keep(1))
        stranger.execute("ROLLBACK")
        await store.write(lambda db: db.guilds.keep(2))
    assert await guilds(store) == {2}


@pytest.mark.file
@pytest.mark.parametrize(
    ("moment", "kept"),
    [("BEGIN", {1}), ("INSERT", {1}), ("UPDATE", {1}), ("COMMIT", {1}), ("ROLLBACK", set())],
)
async def test_cancelled_in_the_midst_of_a_statement_it_is_done_to_its_end(
    store: Store, moment: str, kept: set[int]
):
    opened = watch_connections(store)

    async def move() -> None:
        async def write(db: WriteTransaction) -> None:
            await db.guilds.keep(1)
            await db.guilds.set_settings(1, GuildSettings())
            if moment == "ROLLBACK":
                raise ZeroDivisionError

        await store.write(write)

    task = asyncio.create_task(move())
    on_statement(store, lambda statement: task.cancel() if statement.startswith(moment) else None)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await guilds(store) == kept
    await store.write(lambda db: db.guilds.keep(2))
    assert await guilds(store) == kept | {2}
    assert opened == []


@pytest.mark.file
async def test_cancellation_of_anybody_at_any_moment_leaves_whole_transactions(store: Store):
    opened = watch_connections(store)
    chance = random.Random(7)

    async def pair(number: int) -> None:
        async def write(db: WriteTransaction) -> None:
            await db.guilds.keep(number)
            await db.guilds.keep(-number)

        await store.write(write)

    movers = [asyncio.create_task(pair(number)) for number in range(1, 61)]
    lookers = [asyncio.create_task(guilds(store)) for _ in range(30)]

    def cancel_somebody(_statement: str) -> None:
        if chance.random() < 0.5:
            chance.choice(movers + lookers).cancel()

    on_statement(store, cancel_somebody)
    done = await asyncio.gather(*movers, *lookers, return_exceptions=True)
    assert {type(outcome) for outcome in done} == {type(None), set, asyncio.CancelledError}
    for outcome in done:
        if isinstance(outcome, set):
            assert outcome == {-number for number in outcome}
    stored = await guilds(store)
    assert {number for number, outcome in enumerate(done[:60], 1) if outcome is None} <= stored
    await pair(100)
    assert {100, -100} <= await guilds(store)
    assert opened == []


@pytest.mark.file
async def test_what_is_written_later_is_seen_by_the_next_question(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        changed = await db.tables.update(table, dealer=1)
        await db.tables.update(changed, dealer=2)
        await db.deadlines.set(DeadlineRow(table.id, "turn", 1, 5))
        await db.deadlines.clear(table.id, "turn")
        found = await db.tables.get(table.id)
        assert found
        assert (found.dealer, found.revision) == (2, 2)
        assert await db.deadlines.of_table(table.id) == []

    await store.write(write)


@pytest.mark.file
async def test_what_could_not_be_written_later_undoes_everything(store: Store, table: TableRow):
    async def fail(*, look: bool) -> None:
        async def write(db: WriteTransaction) -> None:
            await db.guilds.keep(1)
            await db.tables.update(replace(table, version=7), dealer=1)
            await db.deadlines.set(
                DeadlineRow(77, "turn", 1, 5)
            )  # would be an error as well, but a later one
            if look:
                await db.tables.get(table.id)

        await store.write(write)

    for look in (False, True):
        with pytest.raises(RevisionConflictError):
            await fail(look=look)
    assert await guilds(store) == {GUILD}
    await store.write(lambda db: db.guilds.keep(2))
    assert await guilds(store) == {GUILD, 2}


async def test_what_cannot_be_written_undoes_everything_before_it(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        await db.guilds.keep(1)
        await db.deadlines.set(DeadlineRow(77, "turn", 1, 5))
        await db.tables.get(table.id)

    with pytest.raises(IntegrityError):
        await store.write(write)
    assert await guilds(store) == {GUILD}
    assert await store.read(lambda db: db.deadlines.soonest(2)) == []


@pytest.mark.file
async def test_a_file_locked_by_a_stranger_refuses_what_is_written_later(
    store: Store, table: TableRow, path: Path
):
    await store.write(lambda db: db.tables._execute(text("PRAGMA busy_timeout=20")))

    async def put_off() -> None:
        await store.write(lambda db: db.deadlines.set(DeadlineRow(table.id, "turn", 1, 5)))

    with closing(sqlite3.connect(path, isolation_level=None)) as stranger:
        stranger.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError, match="locked"):
            await put_off()
        assert await store.read(lambda db: db.deadlines.soonest(2)) == []
        stranger.execute("ROLLBACK")
    await put_off()
    assert await store.read(lambda db: db.deadlines.soonest(2)) == [DeadlineRow(table.id, "turn", 1, 5)]


@pytest.mark.file
@pytest.mark.parametrize("moment", ["BEGIN", "UPDATE", "INSERT", "COMMIT"])
async def test_cancelled_in_a_commit_that_writes_it_is_kept_whole(store: Store, table: TableRow, moment: str):
    opened = watch_connections(store)

    async def move() -> None:
        async def write(db: WriteTransaction) -> None:
            await db.tables.update(table, dealer=1)
            await db.deadlines.set(DeadlineRow(table.id, "turn", 1, 5))

        await store.write(write)

    task = asyncio.create_task(move())
    on_statement(store, lambda statement: task.cancel() if statement.startswith(moment) else None)
    with pytest.raises(asyncio.CancelledError):
        await task

    async def read(db: ReadTransaction) -> None:
        found = await db.tables.get(table.id)
        assert found
        assert found.dealer == 1
        assert await db.deadlines.soonest(2) == [DeadlineRow(table.id, "turn", 1, 5)]

    await store.read(read)
    assert opened == []


def chain(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__cause__ or error.__context__


async def test_no_secret_in_any_text(store: Store, playing: TableRow):
    drew, somebody = [Drew(0, Card.parse("9D"))], 1_300_000_000_000_000_001
    refused = [
        lambda db: db.deals.append_events(playing.id, 2, 0, by(0, drew), 1),
        lambda db: db.deals.append_events(playing.id, 1, 1, by(0, drew), 1),
        lambda db: db.deals.append_events(playing.id, 1, 0, by(somebody, drew), 1),
        lambda db: db.deals.start(first_deal(playing)),
        lambda db: db.tables._execute(
            insert(deal), [{"table_id": 9, "deal_no": 9, "seed": SEED, "ended": "9D"}]
        ),
    ]
    texts = [repr(first_deal(playing)), repr(SeenRow(1, 1, 1, "You drew 9D", 1))]
    for attempt in refused:
        with pytest.raises((SequenceGapError, IntegrityError)) as caught:
            await store.write(attempt)
        texts += [text for error in chain(caught.value) for text in (str(error), repr(error))]
    secrets = "9D", f"{somebody}", SEED.hex(), repr(SEED)[2:-1]
    assert not [text for text in texts for secret in secrets if secret in text]
