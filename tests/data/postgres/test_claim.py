"""No shard is served twice, and only one process serves a whole database."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest
from sqlalchemy import URL, text

from data.errors import StoreLockedError, StoreTooNewError
from data.postgres.claim import _COUNT, Claim
from data.shards import Division
from data.store import Store
from tests.postgres import Server
from tests.waiting import until

Open = Callable[[], Awaitable[Store]]


@pytest.fixture
def url(server: Server) -> URL:
    return server.fresh()


@pytest.fixture
async def shared(url: URL) -> AsyncIterator[Open]:
    """Open the database as one of several processes."""
    async with AsyncExitStack() as stack:

        async def opened() -> Store:
            store = await Store.open(url, is_shared=True)
            stack.push_async_callback(store.close)
            return store

        yield opened


def locks_of(store: Store) -> Claim:
    assert store.shard_locks is not None
    return store.shard_locks


async def test_several_processes_share_a_database_and_no_shard_is_held_twice(shared: Open):
    one, other = locks_of(await shared()), locks_of(await shared())
    assert await one.take(0, 4)
    assert await one.take(0, 4)
    assert await other.take(1, 4)
    assert not await other.take(0, 4)
    assert (one.held, other.held) == ({0}, {1})
    await one.give_back(0)
    await one.give_back(3)
    assert await other.take(0, 4)
    assert not await one.take(0, 4)


async def test_the_others_are_told_when_a_shard_is_given_back(shared: Open):
    one, other = locks_of(await shared()), locks_of(await shared())
    told: list[bool] = []
    other.on_free(lambda: told.append(True))
    assert await one.take(0, 2)
    assert await other.take(1, 2)
    assert not told
    await one.give_back(0)
    await until(lambda: told)
    assert await other.take(0, 2)


async def test_a_process_with_the_whole_database_and_those_with_shards_exclude_each_other(
    shared: Open, url: URL
):
    store = await shared()
    with pytest.raises(StoreLockedError, match="another process serves"):
        await Store.open(url)
    await store.close()
    alone = await Store.open(url)
    with pytest.raises(StoreLockedError, match="another process serves"):
        await shared()
    await alone.close()
    await shared()


async def test_all_processes_go_by_one_number_of_shards(shared: Open):
    one, other = locks_of(await shared()), locks_of(await shared())
    assert await one.take(0, 2)
    with pytest.raises(StoreLockedError, match="goes by 2 shards, this one by 3"):
        await other.take(1, 3)


async def test_a_process_with_another_number_of_shards_ends_no_other(shared: Open):
    one, without_shards, other = [locks_of(await shared()) for _ in range(3)]
    assert await one.take(0, 2)
    with pytest.raises(StoreLockedError):
        await other.division(3)
    for healthy in (one, without_shards):
        assert (await healthy.division(2)).taken == {0}


async def test_of_two_processes_that_announce_different_numbers_at_once_one_goes_on(shared: Open):
    one, other = locks_of(await shared()), locks_of(await shared())
    assert await one.take(0, 2)
    await (await other._connected()).execute(_COUNT, {"count": 3})  # it has not seen the first one
    with pytest.raises(StoreLockedError):
        await other.take(0, 3)
    assert await one.take(1, 2)


async def test_shards_are_lost_with_the_connection_and_told_at_once(shared: Open, server: Server, url: URL):
    store, following = await shared(), await shared()
    locks, others = locks_of(store), locks_of(following)
    told: list[frozenset[int]] = []
    locks.on_change(told.append)
    assert await locks.take(0, 2)
    assert await locks.take(1, 2)
    server.run(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1953067123",
        url.database or "",
    )
    await until(lambda: locks.held == frozenset())
    assert told == [{0}, {0, 1}, set()]
    assert await others.take(1, 2)
    await store.mark()
    assert await locks.take(0, 2)
    assert not await locks.take(1, 2)
    assert (locks.held, others.held) == ({0}, {1})


async def test_no_shard_is_lost_where_somebody_who_asks_is_cancelled(shared: Open):
    """For example if a process is stopped while it reads which process has which shards."""
    locks = locks_of(await shared())
    assert await locks.take(0, 2)
    for moment in range(40):
        for ask in (
            lambda: locks.division(2),
            lambda: locks.take(1, 2),
            lambda: locks.take_turn(0),
            locks.time,
        ):
            asking = asyncio.ensure_future(ask())
            for _ in range(moment):
                await asyncio.sleep(0)
            asking.cancel()
            await asyncio.wait([asking])
        assert 0 in locks.held
    assert await locks.division(2) == Division(1, frozenset({0, 1}), 2)


async def test_a_process_that_ends_leaves_its_shards(shared: Open):
    store, following = await shared(), await shared()
    assert await locks_of(store).take(0, 1)
    await store.close()
    assert await locks_of(following).take(0, 1)


async def test_it_is_known_how_many_share_the_shards_out_and_what_they_have(shared: Open):
    one, other = locks_of(await shared()), locks_of(await shared())
    assert await one.division(4) == Division(1, frozenset(), 0)
    await one.take(3, 4)
    await one.take(1, 4)
    assert await one.division(4) == Division(1, frozenset({1, 3}), 2)
    assert await other.division(4) == Division(2, frozenset({1, 3}), 0)
    await one.withdraw()
    assert await other.division(4) == Division(1, frozenset({1, 3}), 0)


async def test_a_turn_is_taken_by_one_process_in_each_bucket(shared: Open):
    one, other = locks_of(await shared()), locks_of(await shared())
    assert await one.take_turn(0)
    assert not await other.take_turn(0)
    assert await other.take_turn(1)
    await one.end_turn(0)
    assert await other.take_turn(0)


async def test_the_server_ends_the_connection_of_a_process_that_stands_still(shared: Open):
    """Here the process stands still for 50 ms."""
    one, other = locks_of(await shared()), locks_of(await shared())
    assert await one.take(0, 2)
    assert isinstance(one, Claim)
    assert one._connection is not None
    shown = await one._connection.scalar(text("SHOW idle_session_timeout"))
    assert shown == "15s"
    await one._connection.execute(text("SET idle_session_timeout = '50ms'"))
    await until(lambda: not one.held)
    assert await other.take(0, 2)


async def test_all_processes_have_the_server_s_clock_in_common(shared: Open, server: Server):
    one, other = locks_of(await shared()), locks_of(await shared())
    before, between, after = await one.time(), await other.time(), await one.time()
    assert before <= between <= after


async def test_a_process_that_was_cut_off_while_the_tables_were_changed_comes_back_to_none(server: Server):
    url = server.create()
    store = await Store.open(url, is_shared=True)
    locks = locks_of(store)
    assert await locks.take(0, 2)
    server.run(
        "UPDATE alembic_version SET version_num = '9999';"
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{url.database}'"
        " AND pid <> pg_backend_pid()",
        url.database or "",
    )
    await until(lambda: not locks.held)
    with pytest.raises(StoreTooNewError, match="9999"):
        await store.mark()
    with pytest.raises(StoreTooNewError, match="9999"):
        await locks.take(0, 2)
    await store.close()
    server.drop(url)
