"""Values in memory are never older than the file, whatever is read and changed at the same time.

Of people and servers there is no statement for what is known, and never anything but what was committed last.
"""

import asyncio
from collections.abc import Callable, Generator, Iterator, Sequence

import pytest
from sqlalchemy import text

from data.caches import CommittedCache, Directory
from data.errors import StoreUnavailableError
from data.preferences import GuildSettings, PersonSettings
from data.store import Store
from data.transaction import WriteTransaction
from marriage.rules import preset
from tests.data.conftest import CHANNEL, GUILD, RAM, SITA
from tests.gates import Gate, hold_after, hold_before
from tests.held import held
from tests.statements import on_statement, statements

Steps = Generator[None, None, None]


class File:
    """A file whose rows contain the number of loads so far; a load returns once the gate is open."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.asked: list[set[int]] = []
        self.gate = Gate()
        if is_open:
            self.gate.open()

    async def load(self, ids: set[int]) -> dict[int, str]:
        self.asked.append(ids)
        number = len(self.asked)
        await self.gate.passed()
        return {row_id: f"state {number}" for row_id in ids if row_id > 0}


async def test_what_was_read_before_a_change_is_not_kept():
    file, cache = File(is_open=False), CommittedCache[str](10)
    early = asyncio.create_task(cache.get_many([1, 2], file.load))
    await file.gate.reached()
    cache.drop([1])
    file.gate.open()
    assert await early == {1: "state 1", 2: "state 1"}
    assert await cache.get_many([1, 2], file.load) == {1: "state 2", 2: "state 1"}
    assert file.asked == [{1, 2}, {1}]


async def test_what_was_read_before_everything_was_dropped_is_not_kept():
    file, cache = File(is_open=False), CommittedCache[str](10)
    early = asyncio.create_task(cache.get_many([1], file.load))
    await file.gate.reached()
    cache.clear()
    file.gate.open()
    await early
    assert await cache.get_many([1], file.load) == {1: "state 2"}
    cache.clear()
    assert not len(cache)


@pytest.mark.parametrize("ids", [range(1, 6), [0, -1, -2, -3, 5]])
async def test_it_keeps_no_more_than_it_may(ids: Sequence[int]):
    file, cache = File(), CommittedCache[str](3)
    for row_id in ids:
        await cache.get_many([row_id], file.load)
    assert len(cache) == 3
    await cache.get_many(ids[2:], file.load)
    assert len(file.asked) == 5
    await cache.get_many(ids[:1], file.load)
    assert len(file.asked) == 6


def test_it_keeps_no_more_than_may_weigh_together():
    cache = CommittedCache[str](10, most_weight=5, weigh=len)
    for number, value in enumerate(["aa", "bb", "cc", "d"]):
        cache.claim([number]).keep(number, value)
    assert [cache.get(number) for number in range(4)] == [None, "bb", "cc", "d"]
    cache.claim([4]).keep(4, "more than all may weigh")
    assert [cache.get(number) for number in range(5)] == [None] * 4 + ["more than all may weigh"]
    cache.drop([4])
    cache.claim([5]).keep(5, "eeeee")
    cache.claim([6]).keep(6, "")
    assert len(cache) == 2


async def test_what_is_not_wanted_is_read_each_time():
    file, cache = File(), CommittedCache[str](3, is_wanted=lambda value: value != "state 2")
    for number in (1, 2, 3):
        assert await cache.get_many([number], file.load) == {number: f"state {number}"}
    assert await cache.get_many([1, 2, 3], file.load) == {1: "state 1", 2: "state 4", 3: "state 3"}
    assert len(cache) == 3


async def test_a_failed_read_leaves_nothing_behind():
    async def fail(_ids: set[int]) -> dict[int, str]:
        raise StoreUnavailableError("locked")

    cache = CommittedCache[str](3)
    with pytest.raises(StoreUnavailableError, match="locked"):
        await cache.get_many([1], fail)
    assert not len(cache)
    assert not cache._changes


def test_a_value_that_goes_while_it_changes_is_not_read_back_from_before():
    """The value is evicted for lack of room, but its pending change stays known."""
    cache = CommittedCache[str](1)
    cache.claim([1]).keep(1, "old")
    early = cache.claim([1])
    with cache.changing([1]):
        cache.claim([2]).keep(2, "other")
        early.keep(1, "old")
        assert cache.get(1) is None
    early.keep(1, "old")
    assert cache.get(1) is None
    assert cache.get(2) == "other"


# Every order of the steps of two changes and a look at the same value. Its value is the number of changes in the file.


class World:
    def __init__(self) -> None:
        self.cache = CommittedCache[int](1)
        self.file = 1
        self.cache.claim([7]).keep(7, self.file)


def keeps(world: World) -> Steps:
    """A move, which knows the new value."""
    claim = world.cache.claim([7])
    yield
    with world.cache.changing([7]):
        yield
        world.file += 1
        made = world.file
        yield
    claim.keep(7, made, own_changes=1)
    yield


def changes(world: World) -> Steps:
    """A ruling, or a cancelled move: the file has changed, and nothing is kept."""
    with world.cache.changing([7]):
        yield
        world.file += 1
        yield
    yield


def fails(world: World) -> Steps:
    """A change that the file rejects."""
    with world.cache.changing([7]):
        yield
    yield


def evicts(world: World) -> Steps:
    """Fill the only place with another value."""
    world.cache.claim([8]).keep(8, 0)
    yield


def looks(world: World) -> Steps:
    claim = world.cache.claim([7])
    yield
    read = world.file
    yield
    claim.keep(7, read)
    yield


Actor = Callable[[World], Steps]


def orders(counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Return every order in which actors can make their numbers of steps."""
    if not any(counts):
        yield ()
    for actor, count in enumerate(counts):
        if count:
            left = (*counts[:actor], count - 1, *counts[actor + 1 :])
            yield from ((actor, *order) for order in orders(left))


@pytest.mark.parametrize(
    "actors",
    [
        (keeps, keeps, looks),
        (keeps, changes, looks),
        (keeps, fails, looks),
        (changes, changes, looks),
        (fails, changes, looks),
        (keeps, changes, evicts, looks),
        (keeps, looks, looks),
    ],
    ids=lambda actors: "-".join(actor.__name__ for actor in actors),
)
def test_in_no_order_is_anything_older_than_the_file_in_memory(actors: tuple[Actor, ...]):
    counts = tuple(sum(1 for _ in actor(World())) for actor in actors)
    kept = 0
    for order in orders(counts):
        world = World()
        steps = [actor(world) for actor in actors]
        for actor in order:
            next(steps[actor])
            assert world.cache.get(7) in (None, world.file), order
        kept += world.cache.get(7) is not None
    assert kept


HINDI = PersonSettings(language="hi")


@pytest.fixture
async def people(store: Store) -> Directory:
    """Ram and Sita are stored; neither they nor their server are in memory."""

    async def write(db: WriteTransaction) -> None:
        await db.guilds.keep(GUILD)
        await db.people.keep(RAM, "Ram", 1_000)
        await db.people.keep(SITA, "Sita", 1_000)

    await store.write(write)
    return store.directory


async def stored_revision(store: Store, table: str, row_id: int) -> int:
    return await store.read(
        lambda db: db.tables._scalar(text(f"SELECT revision FROM {table} WHERE id = {row_id}"))
    )


@pytest.mark.file
async def test_what_is_known_costs_no_statement(store: Store, people: Directory):
    await people.people([RAM, SITA, 99])
    await people.guild_settings(GUILD)
    made = statements(store)
    found = await people.people([SITA, RAM])
    assert {row.names.general for row in found.values()} == {"Ram", "Sita"}
    assert await people.person(99) is None
    assert await people.person_settings(99) == PersonSettings()
    assert await people.guild_settings(GUILD) == GuildSettings()
    assert await people.guild_settings(None) == GuildSettings()
    assert made == []


@pytest.mark.file
async def test_only_the_unknown_are_read(store: Store, people: Directory):
    await people.person(RAM)
    made = statements(store)
    assert set(await people.people([RAM, SITA])) == {RAM, SITA}
    assert sum("FROM person" in statement for statement in made) == 1


async def test_a_change_is_seen_as_soon_as_it_is_committed(store: Store, people: Directory):
    assert await people.person(99) is None
    before = await people.person(RAM)
    await people.guild_settings(GUILD)

    async with held(store.write) as ask:
        await ask(lambda db: db.people.set_settings(RAM, HINDI))
        await ask(lambda db: db.people.keep(99, "Gita", 2_000))
        await ask(lambda db: db.guilds.set_settings(GUILD, GuildSettings(language="ne")))
        assert await people.person(RAM) == before
    after = await people.person(RAM)
    assert before is not None
    assert after is not None
    assert after.settings == HINDI
    assert after.revision == before.revision + 1 == await stored_revision(store, "person", RAM)
    assert (await people.people([99]))[99].names.general == "Gita"
    assert (await people.guild_settings(GUILD)).language == "ne"
    assert await stored_revision(store, "guild", GUILD) == 1


async def test_what_is_undone_was_never_there(store: Store, people: Directory):
    async def fail(db: WriteTransaction) -> None:
        await db.people.set_settings(RAM, HINDI)
        await db.people.set_dms(SITA, open_=False)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.write(fail)
    found = await people.people([RAM, SITA])
    assert found[RAM].settings == PersonSettings()
    assert found[SITA].dms_open


@pytest.mark.file
async def test_after_a_failed_commit_the_file_is_asked(store: Store, people: Directory):
    await people.person(RAM)

    async def fail() -> None:
        async def write(db: WriteTransaction) -> None:
            await db.tables._execute(text("PRAGMA defer_foreign_keys=ON"))  # so that the commit itself fails
            await db.people.set_settings(RAM, HINDI)
            await db.tables.create(GUILD, CHANNEL, 404, preset("pagat"), 1)

        await store.write(write)

    with pytest.raises(Exception, match=r"(?i)foreign key"):
        await fail()
    made = statements(store)
    assert (await people.person_settings(RAM)).language is None
    assert sum("FROM person" in statement for statement in made) == 1


@pytest.mark.file
async def test_a_commit_whose_task_is_cancelled_is_seen(store: Store, people: Directory):
    await people.person(RAM)

    async def change() -> None:
        await store.write(lambda db: db.people.set_settings(RAM, HINDI))

    task = asyncio.create_task(change())
    on_statement(store, lambda said: task.cancel() if said == "COMMIT" else None)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await people.person_settings(RAM) == HINDI


async def test_somebody_who_was_forgotten_is_not_known_any_more(store: Store, people: Directory):
    before = await people.person(RAM)
    await store.write(lambda db: db.privacy.forget(RAM, 5_000, "Player {number}"))
    assert await people.person(RAM) is None
    await store.write(lambda db: db.people.keep(RAM, "Ram", 6_000))
    again = await people.person(RAM)
    assert before is not None
    assert again is not None
    assert again.revision > before.revision


# What others see between a commit to the file and the moment its writer knows of it.


async def hindi_and_nepali(store: Store) -> None:
    async def write(db: WriteTransaction) -> None:
        await db.people.set_settings(RAM, HINDI)
        await db.guilds.set_settings(GUILD, GuildSettings(language="ne"))

    await store.write(write)


async def languages(store: Store) -> tuple[str | None, str | None]:
    """Return the languages of Ram and of the server, as the directory has them."""
    people, guild = store.directory, await store.directory.guild_settings(GUILD)
    return (await people.person_settings(RAM)).language, guild.language


NEW = ("hi", "ne")


@pytest.mark.file
async def test_a_commit_is_seen_before_its_writer_knows_of_it(
    store: Store, people: Directory, monkeypatch: pytest.MonkeyPatch
):
    old = await languages(store)
    before = hold_before(monkeypatch, store._database.writer, "commit")
    after = hold_after(monkeypatch, store._database.writer, "commit")
    writer = asyncio.create_task(hindi_and_nepali(store))
    await before.reached()
    assert await languages(store) == old
    before.open()
    await after.reached()
    assert await languages(store) == NEW
    after.open()
    await writer
    assert await languages(store) == NEW


@pytest.mark.file
async def test_a_commit_whose_task_is_cancelled_is_seen_before_and_after(
    store: Store, people: Directory, monkeypatch: pytest.MonkeyPatch
):
    await languages(store)
    after = hold_after(monkeypatch, store._database.writer, "commit")
    writer = asyncio.create_task(hindi_and_nepali(store))
    await after.reached()
    assert await languages(store) == NEW
    writer.cancel()
    after.open()
    with pytest.raises(asyncio.CancelledError):
        await writer
    assert await languages(store) == NEW
    made = statements(store)
    assert await languages(store) == NEW
    assert made == []


async def test_what_was_being_read_before_a_commit_is_not_kept_after_it(
    store: Store, people: Directory, monkeypatch: pytest.MonkeyPatch
):
    old = (None, "en")
    read_people = hold_after(monkeypatch, people, "_load_people")
    read_guilds = hold_after(monkeypatch, people, "_load_guilds")
    person = asyncio.create_task(people.person_settings(RAM))
    guild = asyncio.create_task(people.guild_settings(GUILD))
    await read_people.reached()
    await read_guilds.reached()
    await hindi_and_nepali(store)
    read_people.open()
    read_guilds.open()
    assert ((await person).language, (await guild).language) == old
    assert await languages(store) == NEW


def test_the_switch_of_tunnelas_of_before_is_read_as_the_choice_of_today():
    assert PersonSettings.model_validate({"expose_tunnelas": True}).tunnelas == "always"
    assert PersonSettings.model_validate({"expose_tunnelas": False}).tunnelas == "ask"
    assert PersonSettings.model_validate({"expose_tunnelas": True, "tunnelas": "never"}).tunnelas == "never"
