"""People and servers in memory: no statement for what is known, and never anything but what was committed last."""

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import text

from data.directory import Directory
from data.errors import StoreUnavailableError
from data.preferences import GuildSettings, PersonSettings
from data.row_cache import RowCache
from data.store import Store
from marriage.rules import preset
from tests.data.conftest import CHANNEL, GUILD, RAM, SITA
from tests.statements import on_statement, statements

HINDI = PersonSettings(language="hi")


@pytest.fixture
async def people(store: Store) -> Directory:
    """Ram and Sita are stored; neither they nor their server are in memory."""
    async with store.write() as db:
        await db.guilds.keep(GUILD)
        await db.people.keep(RAM, "Ram", 1_000)
        await db.people.keep(SITA, "Sita", 1_000)
    return store.directory


async def stored_revision(store: Store, table: str, row_id: int) -> int:
    async with store.read() as db:
        return await db.tables._scalar(text(f"SELECT revision FROM {table} WHERE id = {row_id}"))


async def test_what_is_known_costs_no_statement(store: Store, people: Directory):
    await people.people([RAM, SITA, 99])
    await people.guild_settings(GUILD)
    made = statements(store)
    found = await people.people([SITA, RAM])
    assert {row.name for row in found.values()} == {"Ram", "Sita"}
    assert await people.person(99) is None
    assert await people.person_settings(99) == PersonSettings()
    assert await people.guild_settings(GUILD) == GuildSettings()
    assert await people.guild_settings(None) == GuildSettings()
    assert made == []


async def test_only_the_unknown_are_read(store: Store, people: Directory):
    await people.person(RAM)
    made = statements(store)
    assert set(await people.people([RAM, SITA])) == {RAM, SITA}
    assert sum("FROM person" in statement for statement in made) == 1


async def test_a_change_is_seen_as_soon_as_it_is_committed(store: Store, people: Directory):
    assert await people.person(99) is None
    before = await people.person(RAM)
    await people.guild_settings(GUILD)
    async with store.write() as db:
        await db.people.set_settings(RAM, HINDI)
        await db.people.keep(99, "Gita", 2_000)
        await db.guilds.set_settings(GUILD, GuildSettings(language="ne"))
        assert await people.person(RAM) == before
    after = await people.person(RAM)
    assert before is not None
    assert after is not None
    assert after.settings == HINDI
    assert after.revision == before.revision + 1 == await stored_revision(store, "person", RAM)
    assert (await people.people([99]))[99].name == "Gita"
    assert (await people.guild_settings(GUILD)).language == "ne"
    assert await stored_revision(store, "guild", GUILD) == 1


async def test_what_is_undone_was_never_there(store: Store, people: Directory):
    async def fail() -> None:
        async with store.write() as db:
            await db.people.set_settings(RAM, HINDI)
            await db.people.set_dms(SITA, open_=False)
            await people.people([RAM, SITA])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    found = await people.people([RAM, SITA])
    assert found[RAM].settings == PersonSettings()
    assert found[SITA].dms_open


async def test_after_a_failed_commit_the_file_is_asked(store: Store, people: Directory):
    await people.person(RAM)

    async def fail() -> None:
        async with store.write() as db:
            await db.tables._execute(text("PRAGMA defer_foreign_keys=ON"))  # so that the commit itself fails
            await db.people.set_settings(RAM, HINDI)
            await db.tables.create(GUILD, CHANNEL, 404, preset("pagat"), 1)

    with pytest.raises(Exception, match="FOREIGN KEY"):
        await fail()
    made = statements(store)
    assert (await people.person_settings(RAM)).language is None
    assert sum("FROM person" in statement for statement in made) == 1


async def test_a_commit_whose_task_is_cancelled_is_seen(store: Store, people: Directory):
    await people.person(RAM)

    async def change() -> None:
        async with store.write() as db:
            await db.people.set_settings(RAM, HINDI)

    task = asyncio.create_task(change())
    on_statement(store, lambda said: task.cancel() if said == "COMMIT" else None)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await people.person_settings(RAM) == HINDI


async def test_somebody_who_was_forgotten_is_not_known_any_more(store: Store, people: Directory):
    before = await people.person(RAM)
    async with store.write() as db:
        await db.privacy.forget(RAM, 5_000, "Player {number}")
    assert await people.person(RAM) is None
    async with store.write() as db:
        await db.people.keep(RAM, "Ram", 6_000)
    again = await people.person(RAM)
    assert before is not None
    assert again is not None
    assert again.revision > before.revision


class File:
    """What a cache reads from: each row is the number of times that rows were asked for, until then it hangs."""

    def __init__(self) -> None:
        self.asked: list[set[int]] = []
        self.was_asked = asyncio.Event()
        self.goes_on = asyncio.Event()
        self.goes_on.set()

    async def load(self, ids: set[int]) -> dict[int, str]:
        self.asked.append(ids)
        self.was_asked.set()
        number = len(self.asked)
        await self.goes_on.wait()
        return {row_id: f"state {number}" for row_id in ids if row_id > 0}


async def test_what_was_read_before_a_change_is_not_kept():
    file = File()
    cache = RowCache(file.load, 10)
    file.goes_on.clear()
    early = asyncio.create_task(cache.get_many([1, 2]))
    await file.was_asked.wait()
    cache.drop([1])
    file.goes_on.set()
    assert await early == {1: "state 1", 2: "state 1"}
    assert await cache.get_many([1, 2]) == {1: "state 2", 2: "state 1"}
    assert file.asked == [{1, 2}, {1}]


@pytest.mark.parametrize("ids", [range(1, 6), [0, -1, -2, -3, 5]])
async def test_it_keeps_no_more_than_it_may(ids: Sequence[int]):
    file = File()
    cache = RowCache(file.load, 3)
    for row_id in ids:
        await cache.get_many([row_id])
    assert len(cache._rows) == 3
    await cache.get_many(ids[2:])
    assert len(file.asked) == 5
    await cache.get_many(ids[:1])
    assert len(file.asked) == 6
    assert not cache._reading


async def test_a_failed_read_leaves_nothing_behind():
    async def fail(_ids: set[int]) -> dict[int, str]:
        raise StoreUnavailableError("locked")

    cache = RowCache(fail, 3)
    with pytest.raises(StoreUnavailableError, match="locked"):
        await cache.get_many([1])
    assert not cache._rows
    assert not cache._reading
