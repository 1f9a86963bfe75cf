"""A copy between a file and a server, in either direction, transfers everything or nothing."""

import asyncio
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import URL

from data import transfer as copying
from data.errors import StoreLockedError
from data.postgres import engines
from data.schema import TABLES
from data.store import Place, Store
from data.transaction import ReadTransaction, WriteTransaction
from data.transfer import PlaceUnusable, TransferRefused, transfer
from tests.data.conftest import RAM, first_deal, open_table
from tests.postgres import Server


async def filled(place: Place) -> None:
    """Create a database with a table in its first deal, and with an outbox whose last row is deleted."""
    store = await Store.open(place)
    table = await open_table(store)

    async def write(db: WriteTransaction) -> None:
        await db.deals.start(first_deal(table))
        await db.tables.update(table, status="playing", deal_no=1)
        await db.key_values.set("note", "राम")

    await store.write(write)
    await store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file to copy, which does not exist yet."""
    return tmp_path / "var" / "tiplu.sqlite3"


@pytest.fixture
def url(server: Server) -> URL:
    return server.fresh()


@pytest.fixture(params=["to the server", "to the file"])
def places(request: pytest.FixtureRequest, path: Path, url: URL) -> tuple[Place, Place]:
    return (path, url) if request.param == "to the server" else (url, path)


async def test_everything_arrives_and_goes_on(places: tuple[Place, Place]):
    source, target = places
    await filled(source)
    copied = await transfer(source, target)
    assert {name: copied[name].rows for name in ("game_table", "seat", "deal", "person")} == {
        "game_table": 1,
        "seat": 3,
        "deal": 1,
        "person": 2,
    }
    store = await Store.open(target)

    async def read(db: ReadTransaction):
        table = await db.tables.get(1)
        assert table is not None
        assert (table.status, len(await db.tables.seats(1))) == ("playing", 3)
        assert await db.deals.get(1, 1) == first_deal(table)
        assert await db.key_values.get("note") == "राम"
        return await db.limits.digest_of(RAM)

    arrived = await store.read(read)
    assert (await open_table(store)).id == 2
    await store.close()
    store = await Store.open(source)
    assert await store.read(lambda db: db.limits.digest_of(RAM)) == arrived
    await store.close()


async def test_there_and_back_is_the_same(path: Path, url: URL, tmp_path: Path):
    await filled(path)
    assert await transfer(path, url) == await transfer(url, tmp_path / "back.sqlite3")


async def test_a_target_that_is_not_empty_is_left_alone(places: tuple[Place, Place]):
    for place in places:
        await filled(place)
    with pytest.raises(TransferRefused, match="not empty"):
        await transfer(*places)


async def test_what_would_arrive_otherwise_does_not_arrive(
    places: tuple[Place, Place], monkeypatch: pytest.MonkeyPatch
):
    source, target = places
    await filled(source)
    contents = copying._contents
    with monkeypatch.context() as spoilt:
        numbers = iter(range(1000))

        async def other(rows):
            return copying.Contents(next(numbers), (await contents(rows)).digest)

        spoilt.setattr(copying, "_contents", other)
        with pytest.raises(TransferRefused, match="has not arrived as it was"):
            await transfer(source, target)
    assert (await transfer(source, target))["game_table"].rows == 1


async def test_the_server_may_stand_idle_while_what_has_arrived_is_compared(
    path: Path, url: URL, monkeypatch: pytest.MonkeyPatch
):
    """With many rows that takes longer than a server lets a snapshot stand idle."""
    await filled(url)
    monkeypatch.setitem(engines._SETTINGS, "idle_in_transaction_session_timeout", "1s")
    contents, copied = copying._contents, count(1)

    async def slow(rows):
        if next(copied) == len(TABLES.sorted_tables) + 1:
            await asyncio.sleep(1.5)
        return await contents(rows)

    monkeypatch.setattr(copying, "_contents", slow)
    assert (await transfer(url, path))["game_table"].rows == 1
    store = await Store.open(path)
    assert (await open_table(store)).id == 2
    await store.close()


async def test_a_bot_that_runs_keeps_its_games(places: tuple[Place, Place]):
    source, target = places
    store = await Store.open(source)
    with pytest.raises(PlaceUnusable) as refused:
        await transfer(source, target)
    assert isinstance(refused.value.why, StoreLockedError)
    assert refused.value.place == source
    await store.close()


async def test_a_place_is_not_copied_onto_itself(path: Path, url: URL):
    link = path.parent.parent / "link"
    link.symlink_to(path)
    for source, target in ((path, path), (path, link), (url, url)):
        with pytest.raises(TransferRefused, match="the same"):
            await transfer(source, target)


async def test_a_file_that_is_not_there(path: Path, url: URL):
    path.unlink(missing_ok=True)
    with pytest.raises(TransferRefused, match="there is no"):
        await transfer(path, url)
    assert not path.exists()
