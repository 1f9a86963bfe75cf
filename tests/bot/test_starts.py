"""Clocks at a start: they wait for the connection, and then get back the time since the bot was last reached."""

import pytest

from bot.app import TipluBot
from bot.cluster.shards import Shards
from bot.outages import Outages
from data.shards import Share, shard_of
from data.store import Store
from data.values import TableRow
from tests.bot.clocks import left, start
from tests.bot.conftest import SetClock

MINUTE_MS = 60_000


@pytest.mark.usefixtures("turn")
async def test_an_absence_is_credited_once_however_often_the_bot_is_killed_at_its_start(
    store: Store, clock: SetClock
):
    clock.forward(36_000_000)
    for _ in range(3):
        await start(store, clock)
        assert await left(store, clock) == 60


@pytest.mark.usefixtures("turn")
@pytest.mark.parametrize("count", [1, 2])
async def test_an_outage_in_which_one_process_after_another_gives_up_is_credited_as_one(
    bot: TipluBot, store: Store, clock: SetClock, table: TableRow, count: int
):
    """Each waits ten minutes in vain. Seasons are not postponed for less than half an hour."""
    told: list[int] = []

    async def note(since: int, until: int, _share: Share) -> None:
        told.append(until - since)

    outages = bot.services.outages
    outages.on_loss(note)
    for _ in range(24):
        await bot._take_shards()
        await outages.note_alive()  # as every few seconds
        clock.forward(10 * MINUTE_MS)
    bot.shard_count = count
    await bot.on_shard_connect(shard_of(table.guild_id, count))
    assert await left(store, clock) == 60
    assert told == [240 * MINUTE_MS]


@pytest.mark.usefixtures("turn")
@pytest.mark.parametrize("jump_s", [3_600, -3_600])
async def test_a_clock_that_is_set_while_a_process_waits_for_its_connection_leaves_everyone_their_time(
    bot: TipluBot, store: Store, clock: SetClock, jump_s: int
):
    clock.forward(10 * MINUTE_MS)
    await bot._take_shards()
    await bot.services.outages.note_alive()
    clock.forward(jump_s * 1_000)
    await bot.services.outages.clock_moved(jump_s * 1_000)
    assert not bot.services.outages.served.held
    await bot.on_shard_connect(0)
    assert bot.services.outages.served.is_all
    assert await left(store, clock) == 60
    await start(store, clock)
    assert await left(store, clock) == 60


@pytest.mark.usefixtures("turn")
@pytest.mark.parametrize("is_of_lost_shard", [True, False])
async def test_the_outage_of_one_shard_is_credited_after_a_restart(
    store: Store, clock: SetClock, table: TableRow, *, is_of_lost_shard: bool
):
    shards = Shards()
    shards.are(2)
    outages = Outages(store, clock, shards)
    outages.began(shard_of(table.guild_id, 2) if is_of_lost_shard else 1 - shard_of(table.guild_id, 2))
    for _ in range(10):
        clock.forward(3_000)
        await outages.note_alive()
    clock.forward(5_000)
    assert await left(store, clock) == 25
    for _ in range(2):
        await start(store, clock, 2)
        assert await left(store, clock) == (60 if is_of_lost_shard else 25)


@pytest.mark.usefixtures("turn")
@pytest.mark.parametrize("is_connected", [True, False])
async def test_after_a_start_clocks_wait_until_their_shard_is_connected(
    bot: TipluBot, store: Store, clock: SetClock, table: TableRow, *, is_connected: bool
):
    """One of two shards connects. A shard that was unreachable before may still be so after a restart."""
    shard, outages = shard_of(table.guild_id, 2), bot.services.outages
    await bot._take_shards()
    assert outages.served.held == set()
    bot.shard_count = 2
    clock.forward(40_000)
    connected = shard if is_connected else 1 - shard
    await bot.on_shard_ready(connected)
    assert outages.served.held == {connected}
    assert outages.away == {1 - connected}
    assert await left(store, clock) == (60 if is_connected else 20)
    clock.forward(30_000)
    await outages.note_alive()
    for _ in range(2):
        await start(store, clock, 2)
        assert await left(store, clock) == (30 if is_connected else 60)


@pytest.mark.usefixtures("turn")
async def test_a_shard_that_was_served_before_the_clock_was_set_back_takes_nobodys_time_at_a_start(
    store: Store, clock: SetClock
):
    """Shards connect one after another. What was noted of the first one lies in the future afterwards."""
    shards = Shards()
    shards.are(2)
    outages = Outages(store, clock, shards)
    outages.await_connections()
    for shard in (0, 1):
        await outages.ended(shard)
        await outages.note_alive()
    clock.forward(-3_600_000)
    await outages.clock_moved(-3_600_000)
    clock.forward(5_000)
    await outages.note_alive()
    await start(store, clock, 2)
    assert await left(store, clock) == 55


@pytest.mark.usefixtures("turn")
@pytest.mark.parametrize("is_of_lost_shard", [True, False])
async def test_a_clock_that_was_set_back_while_a_shard_was_away_takes_nobodys_time_at_a_start(
    store: Store, clock: SetClock, table: TableRow, *, is_of_lost_shard: bool
):
    """What was noted of both shards before lies in the future afterwards."""
    shard = shard_of(table.guild_id, 2)
    shards = Shards()
    shards.are(2)
    outages = Outages(store, clock, shards)
    await outages.note_alive()
    outages.began(shard if is_of_lost_shard else 1 - shard)
    clock.forward(2_000)
    await outages.note_alive()
    clock.forward(-3_600_000)
    await outages.clock_moved(-3_600_000)
    clock.forward(3_000)
    await outages.note_alive()
    for _ in range(2):
        await start(store, clock, 2)
        assert await left(store, clock) == (60 if is_of_lost_shard else 55)


@pytest.mark.usefixtures("turn")
async def test_no_message_is_sent_before_a_start_has_credited_the_clock_that_it_shows(
    store: Store, clock: SetClock
):
    clock.forward(10 * MINUTE_MS)
    outages, joined = Outages(store, clock), list[bool]()

    async def look(_since: int, _until: int, _share: Share) -> None:
        joined.append(bool(outages.joined.held))

    outages.on_loss(look)
    outages.await_connections()
    assert not outages.joined.held
    await outages.ended(0)
    assert joined == [False]
    assert outages.joined.is_all
    outages.began(0)
    assert outages.joined.is_all  # what is drawn from now on shows the credited clock
