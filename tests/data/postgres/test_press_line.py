"""Passed presses are taken once, and an eavesdropper sees only their numbers."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import URL

from data.postgres.lines import PRESS_CHANNEL, PressLine
from data.shards import PassedPress
from data.store import Store
from tests.postgres import Server
from tests.waiting import until

pytestmark = pytest.mark.real

PRESSES = [PassedPress(1 << 60 | number, number % 2, f'{{"secret": {number}}}') for number in range(10)]


@pytest.fixture
def url(server: Server) -> URL:
    return server.fresh()


@pytest.fixture
async def stores(url: URL) -> AsyncIterator[tuple[Store, Store]]:
    """Two processes on one database."""
    one, other = [await Store.open(url, is_shared=True) for _ in range(2)]
    yield one, other
    await one.close()
    await other.close()


def line(store: Store) -> PressLine:
    assert isinstance(store.press_line, PressLine)
    return store.press_line


def untimed(presses: list[PassedPress]) -> list[PassedPress]:
    return [PassedPress(press.id, press.shard, press.content) for press in presses]


async def test_the_other_process_is_told_and_takes_them_in_order(stores: tuple[Store, Store]):
    one, other = map(line, stores)
    told: list[tuple[int, int]] = []
    other.follow(lambda *note: told.append(note))
    await one.pass_on(PRESSES)
    await until(lambda: len(told) == len(PRESSES))
    assert sorted(told) == sorted((press.shard, press.id) for press in PRESSES)
    found = await other.take([number for _, number in reversed(told)])
    assert untimed(found) == PRESSES
    assert all(0 <= press.age_ms < 60_000 for press in found)
    assert await one.take([press.id for press in PRESSES]) == []


async def test_each_is_taken_by_one_of_those_who_try_at_once(stores: tuple[Store, Store]):
    one, other = map(line, stores)
    await one.pass_on(PRESSES)
    ids = [press.id for press in PRESSES]
    taking = [process.take([number]) for number in ids for process in (one, other)]
    taken = [press for presses in await asyncio.gather(*taking) for press in presses]
    assert sorted(untimed(taken)) == PRESSES


async def test_the_next_holder_of_a_shard_takes_what_waits_for_it(stores: tuple[Store, Store]):
    one, other = map(line, stores)
    await one.pass_on(PRESSES)
    assert untimed(await other.take_all({1, 5})) == PRESSES[1::2]
    assert untimed(await one.take_all({0, 1})) == PRESSES[::2]


async def test_a_press_that_is_passed_on_twice_is_there_once(stores: tuple[Store, Store]):
    one, other = map(line, stores)
    await one.pass_on(PRESSES[:1])
    await one.pass_on(PRESSES[:1])
    assert untimed(await other.take([PRESSES[0].id])) == PRESSES[:1]
    assert await other.take_all({0}) == []


async def test_what_nobody_takes_is_forgotten_after_a_minute(
    stores: tuple[Store, Store], server: Server, url: URL
):
    one, other = map(line, stores)
    await one.pass_on(PRESSES[:2])
    older = f"UPDATE passed_press SET at = at - interval '1 minute' WHERE id = {PRESSES[0].id}"
    server.run(older, url.database or "")
    await one.forget_old()
    assert untimed(await other.take_all({0, 1})) == PRESSES[1:2]


async def test_what_other_clients_say_on_the_channel_is_read_or_ignored(
    stores: tuple[Store, Store], server: Server, url: URL
):
    told: list[tuple[int, int]] = []
    line(stores[0]).follow(lambda *note: told.append(note))
    for said in ("", "x", "1", "1 x", "-1 5", "1 5 6", "१ ५", f"1 {2**63}", "1 9" + "0" * 30, "x" * 7_999):
        server.run(f"NOTIFY {PRESS_CHANNEL}, '{said}'", url.database or "")
    server.run(f"NOTIFY {PRESS_CHANNEL}, '1 5'", url.database or "")
    await until(lambda: told)
    assert told == [(1, 5)]
    assert await line(stores[0]).take([5]) == []


async def test_who_may_only_connect_learns_nothing_of_a_press(
    stores: tuple[Store, Store], server: Server, url: URL
):
    """Anyone who can connect may listen, so notifications contain no card and no token."""
    import asyncpg

    server.run("DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN", url.database or "")
    address = url.set(drivername="postgresql", username="stranger").render_as_string(hide_password=False)
    stranger = await asyncpg.connect(address)
    heard: list[object] = []
    try:
        await stranger.add_listener(PRESS_CHANNEL, lambda *said: heard.append(said[-1]))
        await line(stores[0]).pass_on(PRESSES[:1])
        await until(lambda: heard)
        assert heard == [f"0 {PRESSES[0].id}"]
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await stranger.fetch("SELECT * FROM passed_press")
    finally:
        await stranger.close()
    assert untimed(await line(stores[1]).take_all({0})) == PRESSES[:1]
