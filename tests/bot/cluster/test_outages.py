"""Clocks stop while the shard of a table's server is cut off in any process; no other clock stops."""

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest

from bot import upkeep
from bot.cluster.shards import Shards
from bot.delivery.publisher import Publisher
from bot.interactions.permissions import Obstacle
from bot.outages import Outages
from bot.pictures import Pictures
from bot.settings import Settings
from bot.table.core.change import TableTransaction
from bot.table.core.repository import TableRepository
from bot.ui.panel import AttachedFiles
from bot.workpool.pool import WorkPool
from data.errors import StoreUnavailableError
from data.shards import Share
from data.store import Store
from data.transaction import WriteTransaction
from data.values import DeadlineRow
from marriage.rules import PRESETS
from tests.bot.clocks import connect
from tests.bot.cluster.test_shards import Locks
from tests.bot.conftest import SetClock

RAM = 11
GUILDS = 8 << 22, 9 << 22
"""Servers of shard 0 and shard 1 of two."""


@pytest.fixture
async def tables(store: Store, clock: SetClock) -> list[int]:
    """Create a table in each of the two servers, with a player who has a minute left."""
    found: list[int] = []

    async def write(db: WriteTransaction) -> None:
        await db.people.keep(RAM, "राम", clock.now())
        for guild_id in GUILDS:
            await db.guilds.keep(guild_id)
            table = await db.tables.create(guild_id, 5, RAM, PRESETS["pagat"], clock.now())
            await db.deadlines.set(DeadlineRow(table.id, "turn", 0, clock.now() + 60_000))
            found.append(table.id)

    await store.write(write)
    return found


async def left(store: Store, clock: SetClock, table_id: int) -> int:
    """Return the time until the deadline of a table, in seconds."""
    (row,) = await store.read(lambda db: db.deadlines.of_table(table_id))
    return (row.due_at - clock.now()) // 1_000


async def test_one_shard_of_a_process_is_cut_off(store: Store, clock: SetClock, tables: list[int]):
    shards = Shards()
    shards.are(2)
    outages, told = Outages(store, clock, shards), []

    async def note(since: int, until: int, share: Share) -> None:
        told.append((until - since, share))

    outages.on_loss(note)
    outages.began(1)
    assert outages.served == Share(2, frozenset({0}))
    clock.forward(40_000)
    await outages.ended(1)
    assert outages.served.is_all
    assert [await left(store, clock, table) for table in tables] == [20, 60]
    assert told == [(40_000, Share(2, frozenset({1})))]


async def test_a_shard_that_is_taken_over_waits_for_its_credit(
    store: Store, clock: SetClock, tables: list[int]
):
    locks, others = Locks(), Locks()
    shards, other = Shards(2, locks), Shards(2, others)
    outages, elsewhere = Outages(store, clock, shards), Outages(store, clock, other)
    await shards.take_all({0})
    await connect(outages)
    await other.take_all({1})
    assert (elsewhere.served.held, elsewhere.joined.held) == (set(), set())
    await connect(elsewhere)
    assert (elsewhere.served.held, elsewhere.joined.held) == ({1}, set())
    elsewhere.told(1)
    assert (elsewhere.served.held, elsewhere.joined.held) == ({1}, {1})
    await outages.note_alive()
    await elsewhere.note_alive()
    others.become(frozenset())
    assert elsewhere.served.held == set()
    clock.forward(40_000)
    await outages.note_alive()
    await shards.take(1)
    outages.told(0)
    outages.began(0)
    assert (outages.served.held, outages.joined.held) == (set(), {0})
    await outages.ended(0)
    await outages.ended(1)
    outages.told(1)
    assert (outages.served.held, outages.joined.held) == ({0, 1}, {0, 1})
    assert [await left(store, clock, table) for table in tables] == [20, 60]
    await outages.ended(1)
    assert [await left(store, clock, table) for table in tables] == [20, 60]


async def test_a_shard_is_joined_once_its_servers_are_known(store: Store, clock: SetClock):
    """A resumed session does not list its servers; they stay known while only the locks are lost."""
    locks = Locks()
    outages = Outages(store, clock, shards := Shards(2, locks))
    await shards.take(1)
    await outages.ended(1)  # resumed
    assert (outages.served.held, outages.joined.held) == ({1}, set())
    outages.told(1)  # the new session that replaced it is ready
    await outages.ended(1)
    assert outages.joined.held == {1}
    locks.become(frozenset())
    assert outages.listed.held == set()
    await shards.take(1)
    assert (outages.listed.held, outages.joined.held) == ({1}, set())
    await outages.ended(1)  # its connection to Discord was never lost
    assert outages.joined.held == {1}
    await shards.give_back(1)
    outages.left(1)
    await shards.take(1)
    await outages.ended(1)
    assert (outages.listed.held, outages.joined.held) == (set(), set())


async def test_a_process_that_serves_alone_has_joined_all(store: Store, clock: SetClock):
    assert Outages(store, clock).joined.is_all


async def test_a_shard_that_is_given_back_has_no_outage(store: Store, clock: SetClock):
    shards = Shards(2, Locks())
    outages = Outages(store, clock, shards)
    await shards.take_all({0, 1})
    await connect(outages)
    outages.began(1)
    await shards.give_back(1)
    assert outages.served.held == {0}
    assert not outages.concerns(1)


@pytest.mark.parametrize(("guild_id", "what"), [(GUILDS[0], "server"), (GUILDS[1], "unknown")])
async def test_no_server_of_another_shard_is_called_gone(
    store: Store, clock: SetClock, guild_id: int, what: str
):
    shards = Shards(2, Locks())
    await shards.take(0)
    client: Any = SimpleNamespace(get_guild=lambda _: None)
    settings = Settings(_env_file=None, discord_token="x")
    tables = TableRepository(store, clock, shards)
    publisher = Publisher(client, store, tables, Pictures(WorkPool()), AttachedFiles(store), settings, shards)
    snapshot: Any = SimpleNamespace(is_paused=True, table=SimpleNamespace(guild_id=guild_id, place_id=5))
    assert publisher.why_paused(snapshot) == Obstacle(what)


async def test_a_shard_that_another_process_takes_while_it_is_credited_is_forgotten(
    store: Store, clock: SetClock, tables: list[int]
):
    locks = Locks()
    outages = Outages(store, clock, shards := Shards(2, locks))
    await shards.take_all({0, 1})
    await connect(outages)
    for shard in (0, 1):
        outages.began(shard)
    clock.forward(40_000)
    refusals = [StoreUnavailableError("the disk of the test is full")] * 2

    async def lose(_since: int, _until: int, _share: Share) -> None:
        if refusals:
            raise refusals.pop()
        locks.become(frozenset({0}))

    outages.on_loss(lose)
    for shard in (0, 1):
        with pytest.raises(StoreUnavailableError):
            await outages.ended(shard)
    await outages.settle()
    assert outages.served == Share(2, frozenset({0}))
    assert [await left(store, clock, table) for table in tables] == [60, 20]


async def test_a_shard_that_is_lost_while_the_clock_is_followed_loses_no_time(
    store: Store, clock: SetClock, tables: list[int]
):
    shards = Shards()
    shards.are(2)
    outages = Outages(store, clock, shards)
    losses = [1]

    async def lose(_since: int, _until: int, _share: Share) -> None:
        while losses:
            outages.began(losses.pop())

    outages.on_loss(lose)
    clock.forward(3_600_000)
    await outages.clock_moved(3_600_000)
    assert outages.served.held == {0}
    clock.forward(20_000)
    await outages.ended(1)
    assert [await left(store, clock, table) for table in tables] == [40, 60]


class Standstill:
    """Lets a process stand still before its next transaction, while something else happens."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self._write = store.write
        self._meanwhile: list[Callable[[], Awaitable[None]]] = []
        monkeypatch.setattr(store, "write", self._write_late)

    def during(self, act: Callable[[], Awaitable[None]]) -> None:
        self._meanwhile.append(act)

    async def _write_late(self, *args: Any, **others: Any) -> Any:
        if self._meanwhile:
            await self._meanwhile.pop()()
        return await self._write(*args, **others)


@pytest.fixture
def standstill(store: Store, monkeypatch: pytest.MonkeyPatch) -> Standstill:
    return Standstill(store, monkeypatch)


@pytest.mark.parametrize("jump_s", [None, 3_600, -3_600])
async def test_a_process_that_stands_still_does_not_credit_what_the_next_holder_has_credited(
    store: Store, clock: SetClock, tables: list[int], standstill: Standstill, jump_s: int | None
):
    """The connection of shard 1 is lost, or the clock jumps."""
    locks = Locks()
    outages = Outages(store, clock, shards := Shards(2, locks))
    elsewhere = Outages(store, clock, other := Shards(2, Locks()))
    await shards.take_all({0, 1})
    await connect(outages)
    await outages.note_alive()

    async def take_over() -> None:
        clock.forward(20_000)
        await other.take(1)
        await elsewhere.ended(1)

    standstill.during(take_over)
    if jump_s is None:
        outages.began(1)
        clock.forward(40_000)
        credited = outages.ended(1)
    else:
        clock.forward(jump_s * 1_000)
        credited = outages.clock_moved(jump_s * 1_000)
    with pytest.raises(StoreUnavailableError, match="another process"):
        await credited
    assert await left(store, clock, tables[1]) == 60
    locks.become(frozenset({0}))  # now it learns that it has lost the shard
    await outages.settle()
    assert outages.served.held == {0}
    await elsewhere.settle()
    assert [await left(store, clock, table) for table in tables] == [0 if jump_s is None else 60, 60]


async def test_the_next_holder_does_not_credit_what_a_process_that_stood_still_has_credited(
    store: Store, clock: SetClock, tables: list[int], standstill: Standstill
):
    outages = Outages(store, clock, shards := Shards(2, Locks()))
    elsewhere = Outages(store, clock, other := Shards(2, Locks()))
    await shards.take(1)
    await connect(outages)
    await outages.note_alive()
    outages.began(1)
    clock.forward(40_000)
    await other.take(1)
    standstill.during(lambda: outages.ended(1))
    with pytest.raises(StoreUnavailableError, match="another process"):
        await elsewhere.ended(1)
    assert await left(store, clock, tables[1]) == 60
    clock.forward(5_000)
    await elsewhere.settle()
    assert elsewhere.served.held == {1}
    assert await left(store, clock, tables[1]) == 55


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_what_another_process_sets_while_a_shard_is_away_gets_back_only_the_time_since(
    store: Store, clock: SetClock, tables: list[int], *, is_restarted: bool
):
    """The process with shard 0 answers presses by direct message for a process that cannot."""
    locks, others = Locks(), Locks()
    outages = Outages(store, clock, shards := Shards(2, locks))
    elsewhere = Outages(store, clock, other := Shards(2, others))
    await shards.take(0)
    await other.take(1)
    await connect(outages)
    await connect(elsewhere)
    await elsewhere.note_alive()
    elsewhere.began(1)
    clock.forward(600_000)

    async def move(tx: TableTransaction) -> None:
        tx.remind("turn", 90_000)

    await TableRepository(store, clock, shards).change(tables[1], move)
    assert await left(store, clock, tables[1]) == 90
    clock.forward(600_000)
    if is_restarted:
        elsewhere.await_connections()
    await elsewhere.ended(1)
    assert await left(store, clock, tables[1]) == 90


async def test_a_process_that_stood_still_notes_no_shard_that_it_has_lost(
    store: Store, clock: SetClock, tables: list[int], monkeypatch: pytest.MonkeyPatch
):
    """Otherwise the next holder would credit only the time since that note."""
    locks = Locks()
    outages = Outages(store, clock, shards := Shards(2, locks))
    await shards.take(1)
    await connect(outages)
    await outages.note_alive()
    clock.forward(40_000)

    async def lose() -> None:
        locks.become(frozenset())

    monkeypatch.setattr(store, "mark", lose)
    monkeypatch.setattr(clock, "follow", lambda: 0, raising=False)
    monkeypatch.setattr(upkeep, "HEARTBEAT_S", 0)
    beaten = asyncio.Event()

    async def save() -> None:
        beaten.set()

    services: Any = SimpleNamespace(
        store=store,
        clock=clock,
        outages=outages,
        attached=SimpleNamespace(save=save),
        settings=SimpleNamespace(shard_ids=None),
        shards=shards,
    )
    beating = asyncio.create_task(upkeep.heartbeat(services))
    await beaten.wait()
    beating.cancel()
    await asyncio.wait([beating])
    elsewhere = Outages(store, clock, other := Shards(2, Locks()))
    await other.take(1)
    await elsewhere.ended(1)
    assert await left(store, clock, tables[1]) == 60


async def test_a_shard_that_is_taken_again_waits_for_its_connection_to_discord_too(
    store: Store, clock: SetClock, tables: list[int]
):
    """A network that fails ends both connections, and that of the database may come back first."""
    locks = Locks()
    outages = Outages(store, clock, shards := Shards(2, locks))
    await shards.take_all({0, 1})
    await connect(outages)
    await outages.note_alive()
    outages.began(1)
    clock.forward(20_000)
    locks.become(frozenset())
    settings = SimpleNamespace(shard_ids={0, 1})
    services: Any = SimpleNamespace(settings=settings, shards=shards, outages=outages)
    await upkeep.take_named(services)
    assert outages.served.held == {0}
    clock.forward(20_000)
    await outages.ended(1)
    assert outages.served.held == {0, 1}
    assert [await left(store, clock, table) for table in tables] == [40, 60]


@pytest.mark.parametrize("count", [1, 2, 4])
async def test_a_clock_that_was_ahead_under_another_number_of_shards_takes_nobodys_time_at_any_start(
    store: Store, clock: SetClock, tables: list[int], count: int
):
    async def serve(count: int) -> None:
        shards = Shards(count, Locks())
        outages = Outages(store, clock, shards)
        await shards.take_all(set(range(count)))
        await connect(outages)
        await outages.note_alive()

    await serve(count)
    clock.forward(-10_000_000)
    for table_id in tables:
        await store.write(
            lambda db, id_=table_id: db.deadlines.set(DeadlineRow(id_, "turn", 0, clock.now() + 10_060_000))
        )
    await serve(3)
    assert [await left(store, clock, table_id) for table_id in tables] == [60, 60]
    clock.forward(5_000)
    await serve(3)
    assert [await left(store, clock, table_id) for table_id in tables] == [55, 55]
