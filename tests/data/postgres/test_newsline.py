"""A value that another process changes is read again; a process that hears no news caches nothing."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import URL, event
from sqlalchemy.ext.asyncio import AsyncConnection

from data.outbox_keys import ShowAnewKey
from data.postgres.claim import Claim
from data.session import News
from data.store import Store
from data.transaction import WriteTransaction
from league.ids import TableId
from tests.postgres import Server
from tests.waiting import until

pytestmark = pytest.mark.real

RAM = 11


@pytest.fixture
async def stores(server: Server) -> AsyncIterator[tuple[Store, Store]]:
    """Two processes on one database that contains Ram."""
    url = server.fresh()
    one, other = [await Store.open(url, is_shared=True) for _ in range(2)]
    heard: list[News] = []
    other.on_news(heard.append)
    await name(one, "राम")
    await until(lambda: heard)
    yield one, other
    await one.close()
    await other.close()


async def name(store: Store, called: str) -> None:
    await store.write(lambda db: db.people.keep(RAM, called, 1_000))


async def undone(store: Store) -> None:
    async def write(db: WriteTransaction) -> None:
        await db.people.keep(RAM, "Ram", 1_000)
        raise ZeroDivisionError

    await store.write(write)


async def called(store: Store) -> str:
    """Return Ram's name as a process knows it."""
    person = await store.directory.person(RAM)
    assert person is not None
    return person.names.general


async def cut(server: Server, store: Store) -> None:
    """End the listening connections, once those of former tests are gone."""
    assert isinstance(store.place, URL)
    database = store.place.database or ""
    listening = "FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
    await until(lambda: server.sql(f"SELECT count(*) {listening}", database)[0][0] == 2)
    server.run(f"SELECT pg_terminate_backend(pid) {listening}", database)


async def test_what_only_writes_tells_of_it_on_the_way_on_which_it_begins(stores: tuple[Store, Store]):
    one, other = stores
    heard: list[News] = []
    other.on_news(heard.append)
    made: list[str] = []
    writers = one._database.writers.sync_engine
    event.listen(writers, "before_cursor_execute", lambda _conn, _cursor, said, *_: made.append(said))
    await one.write(lambda db: db.outbox.put(ShowAnewKey(TableId(7)), 1, 2_000))
    assert ["pg_notify" in said for said in made] == [True, False]
    await until(lambda: any(news.is_work for news in heard))


async def test_what_another_process_changes_is_read_anew(stores: tuple[Store, Store]):
    one, other = stores
    assert [await called(store) for store in stores] == ["राम", "राम"]
    await name(one, "Ram")
    assert await called(one) == "Ram"
    await until(lambda: _is_called(other, "Ram"))
    await name(other, "राम")
    await until(lambda: _is_called(one, "राम"))


async def _is_called(store: Store, wanted: str) -> bool:
    return await called(store) == wanted


async def test_a_process_does_not_hear_itself(stores: tuple[Store, Store]):
    heard: list[tuple[str, News]] = []
    for which, store in zip(("one", "other"), stores, strict=True):
        store.on_news(lambda news, which=which: heard.append((which, news)))
    await name(stores[0], "Ram")
    await until(lambda: heard)
    await name(stores[1], "राम")
    await until(lambda: len(heard) == 2)
    assert [which for which, _ in heard] == ["other", "one"]
    assert [news.changes.people for _, news in heard] == [{RAM}, {RAM}]
    assert not any(news.is_work for _, news in heard)


async def test_news_that_no_process_of_the_bot_would_tell_is_ignored(
    stores: tuple[Store, Store], server: Server, caplog: pytest.LogCaptureFixture
):
    one, other = stores
    heard: list[News] = []
    other.on_news(heard.append)
    forged = (
        *("", "hello", "null", "7", "{}", "[1]", '["x", true, 7]', '["x", 1, null]', "[7, true, null]"),
        *('["x", true, [[1], [2]]]', '["x", true, [[true], [], []]]', '["x", true, [["1"], [], []]]'),
        *('["x", true, [[[1]], [], []]]', "[" * 7_000, "9" * 7_000),
    )
    assert isinstance(other.place, URL)
    for said in forged:
        server.run(f"NOTIFY tiplu, '{said}'", other.place.database or "")
    await name(one, "Ram")
    await until(lambda: heard)
    assert [news.changes.people for news in heard] == [{RAM}]
    assert not caplog.records


async def test_news_of_everything_that_another_client_forges_only_empties_caches(
    stores: tuple[Store, Store], server: Server
):
    """Processes have no secret in common, and everyone hears what they say. So such news is believed."""
    _, other = stores
    heard: list[News] = []
    other.on_news(heard.append)
    assert await called(other) == "राम"
    assert isinstance(other.place, URL)
    server.run("""NOTIFY tiplu, '["x", true, null]'""", other.place.database or "")
    await until(lambda: heard)
    assert len(other.directory.people_kept) == 0
    assert await called(other) == "राम"
    assert len(other.directory.people_kept) == 1


async def test_a_connection_that_is_lost_just_after_it_listens_is_noticed(
    stores: tuple[Store, Store], server: Server, monkeypatch: pytest.MonkeyPatch
):
    store, watch = stores[0], Claim._watch
    newsline = store._newsline
    assert newsline is not None

    async def watch_and_lose(claim: Claim, connection: AsyncConnection) -> None:
        await watch(claim, connection)
        driver = (await connection.get_raw_connection()).driver_connection
        server.run(f"SELECT pg_terminate_backend({driver.get_server_pid()})")
        await until(driver.is_closed)

    await cut(server, store)
    await until(lambda: not newsline.is_heard)
    with monkeypatch.context() as patched:
        patched.setattr(Claim, "_watch", watch_and_lose)
        await store.mark()
    await until(lambda: not newsline.is_heard)
    await store.mark()
    assert newsline.is_heard


async def test_a_transaction_that_is_undone_tells_nothing(stores: tuple[Store, Store]):
    one, other = stores
    heard: list[News] = []
    other.on_news(heard.append)
    with pytest.raises(ZeroDivisionError):
        await undone(one)
    await one.write(lambda db: db.guilds.keep(5))
    await until(lambda: heard)
    assert [(news.changes.people, news.changes.guilds) for news in heard] == [(set(), {5})]


async def test_too_much_to_tell_is_told_as_everything(stores: tuple[Store, Store]):
    one, other = stores
    heard: list[News] = []
    other.on_news(heard.append)

    async def write(db: WriteTransaction) -> None:
        for number in range(2_000):
            await db.guilds.keep(10_000 + number)

    await one.write(write)
    await until(lambda: heard)
    assert heard[0].changes.is_of_everything


async def test_nothing_is_kept_while_the_others_are_not_heard(stores: tuple[Store, Store], server: Server):
    one, other = stores
    assert [await called(store) for store in stores] == ["राम", "राम"]
    await cut(server, one)
    assert other._newsline is not None
    await until(lambda: not other._newsline.is_heard)
    await name(one, "Ram")
    assert await called(other) == "Ram"
    await name(one, "Sri Ram")
    assert await called(other) == "Sri Ram"
    assert len(other.directory.people_kept) == 0
    for store in stores:
        await store.mark()
    assert await called(other) == "Sri Ram"
    assert len(other.directory.people_kept) == 1
    await name(one, "राम")
    await until(lambda: _is_called(other, "राम"))
