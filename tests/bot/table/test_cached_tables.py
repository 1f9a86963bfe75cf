"""A table in memory is never older than the stored one, even during a change."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.table.core.change import TableTransaction
from bot.table.core.table import Table
from data.preferences import Pace
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from tests.bot.house import CHANNEL, GUILD, PEOPLE, House
from tests.gates import hold_after, hold_before
from tests.statements import statements

OTHER = 2
"""Another table than the one that is changed."""


@pytest.fixture
async def house(path: Path) -> AsyncIterator[House]:
    """A table of two players, loaded in memory."""
    store = await Store.open(path)
    house = House(store)
    await house.seat_people(Pace.NORMAL, people=2, computers=0)

    rules = (await house.tables.get(1)).row.rules
    other = await store.write(lambda db: db.tables.create(GUILD, CHANNEL, PEOPLE[0], rules, 1))
    assert other.id == OTHER
    await house.tables.get(1)
    yield house
    await store.close()


async def change_dealer(house: House) -> None:
    """Make a change that knows the resulting table."""

    async def command(tx: TableTransaction) -> None:
        tx.update(dealer=1 - tx.table.dealer)

    await house.tables.change(1, command)


async def invite(house: House) -> None:
    """Change the table outside its own transactions."""
    await house.store.write(lambda db: db.guests.set_standing(1, PEOPLE[1], "invited"))


async def agrees(house: House) -> Table:
    """Return the table as read now, asserting that it is no older than the stored one."""
    table = await house.tables.get(1)

    async def read(db: ReadTransaction):
        stored = await db.tables.get(1)
        guests = await db.guests.of_table(1)
        return stored, guests

    stored, guests = await house.store.read(read)
    assert (table.row, table.guests) == (stored, guests)
    return table


async def is_kept(house: House) -> bool:
    """Return True if a look at the table costs no statement."""
    made = statements(house.store)
    await house.tables.get(1)
    return made == []


async def test_a_commit_is_seen_before_its_writer_knows_of_it(house: House, monkeypatch: pytest.MonkeyPatch):
    old = await agrees(house)
    before = hold_before(monkeypatch, house.store._database.writer, "commit")
    after = hold_after(monkeypatch, house.store._database.writer, "commit")
    changer = asyncio.create_task(change_dealer(house))
    await before.reached()
    assert (await agrees(house)).row.version == old.row.version
    before.open()
    await after.reached()
    assert (await agrees(house)).row.version == old.row.version + 1
    after.open()
    await changer
    assert await is_kept(house)
    assert (await agrees(house)).row.version == old.row.version + 1


async def test_a_cancelled_move_is_seen_before_and_after(house: House, monkeypatch: pytest.MonkeyPatch):
    old = await agrees(house)
    after = hold_after(monkeypatch, house.store._database.writer, "commit")
    changer = asyncio.create_task(change_dealer(house))
    await after.reached()
    assert (await agrees(house)).row.version == old.row.version + 1
    changer.cancel()
    with pytest.raises(asyncio.CancelledError):
        await changer
    assert (await agrees(house)).row.version == old.row.version + 1
    assert await is_kept(house)


async def test_a_failed_commit_leaves_the_table_as_it_was(house: House, monkeypatch: pytest.MonkeyPatch):
    old = await agrees(house)

    async def fail() -> None:
        async def command(tx: TableTransaction) -> None:
            db = await tx.database()
            await db.tables._execute(text("PRAGMA defer_foreign_keys=ON"))  # so that the commit itself fails
            await db.tables.create(GUILD, CHANNEL, 404, tx.table.rules, 1)

        await house.tables.change(1, command)

    after = hold_after(monkeypatch, house.store._database.writer, "commit")
    changer = asyncio.create_task(fail())
    await after.reached()
    assert (await agrees(house)).row.version == old.row.version
    after.open()
    with pytest.raises(Exception, match="FOREIGN KEY"):
        await changer
    assert (await agrees(house)).row.version == old.row.version
    assert await is_kept(house)


async def test_a_table_that_goes_for_want_of_room_is_not_read_back_from_before_its_change(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    house.tables._cache._most = 1
    house.tables.forget([1])
    loaded = hold_after(monkeypatch, house.store, "read")
    early = asyncio.create_task(house.tables.get(1))
    await loaded.reached()
    after = hold_after(monkeypatch, house.store._database.writer, "commit")
    changer = asyncio.create_task(change_dealer(house))
    await after.reached()
    await house.tables.get(OTHER)
    loaded.open()
    version = (await early).row.version
    assert (await agrees(house)).row.version == version + 1
    after.open()
    await changer
    assert (await agrees(house)).row.version == version + 1
    assert await is_kept(house)


async def test_what_was_being_read_before_a_commit_is_not_kept_after_it(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    house.tables.forget([1])
    loaded = hold_after(monkeypatch, house.store, "read")
    early = asyncio.create_task(house.tables.get(1))
    await loaded.reached()
    await invite(house)
    loaded.open()
    assert not (await early).guests
    assert (await agrees(house)).guests


async def test_a_closed_table_leaves_the_memory(house: House):
    assert await is_kept(house)

    async def command(tx: TableTransaction) -> None:
        tx.update(status="closed", closed_at=house.clock.now())

    await house.tables.change(1, command)
    assert (await agrees(house)).row.status == "closed"
    assert not await is_kept(house)


async def test_a_snapshot_is_made_once_until_something_shown_in_it_changes(house: House):
    first = await house.tables.snapshot(1)
    assert await house.tables.snapshot(1) is first

    async def write(db: WriteTransaction) -> None:
        large = first.holders[0].settings.model_copy(update={"large": True})
        await db.people.set_settings(PEOPLE[0], large)

    await house.store.write(write)
    second = await house.tables.snapshot(1)
    assert second.holders[0].settings.large
    await change_dealer(house)
    assert (await house.tables.snapshot(1)).table.dealer == 1 - second.table.dealer


async def test_who_has_read_of_a_newer_revision_is_shown_no_older_one(house: House):
    """For example, another process has changed the table, and the request was read before that news."""
    old = await agrees(house)

    async def command(tx: TableTransaction) -> None:
        tx.update(dealer=1 - tx.table.dealer)

    await house.tables.change(1, command)
    new = await agrees(house)
    assert new.row.revision == old.row.revision + 1
    house.tables._cache.claim([1]).keep(1, old)
    assert (await house.tables.snapshot(1)).table.revision == old.row.revision
    assert (await house.tables.snapshot(1, new.row.revision)).table.revision == new.row.revision
    assert (await house.tables.get(1)).row == new.row
    assert await is_kept(house)
