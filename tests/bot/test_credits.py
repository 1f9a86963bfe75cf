"""Time that no one could use is credited once: also if the store refuses, or the bot is killed in between."""

import asyncio
from typing import Any

import pytest

from bot import upkeep
from bot.app import TipluBot
from bot.cluster.shards import Shards
from bot.outages import Outages
from data.errors import StoreOutcomeUnknown, StoreUnavailableError
from data.shards import Share, shard_of
from data.store import Store
from data.values import TableRow
from tests.bot.clocks import connect, left, start
from tests.bot.cluster.test_shards import Locks
from tests.bot.conftest import SetClock
from tests.waiting import until

MINUTE_MS = 60_000


class Door:
    """Closes a store for writes, as a full disk does, and opens it again."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self._write = store.write
        self.is_closed = False
        self.forgets = False
        """Whether it stores what is written, but does not say so."""
        self.refused = 0
        monkeypatch.setattr(store, "write", self._try)

    async def _try(self, *args: Any, **others: Any) -> Any:
        if self.is_closed:
            self.refused += 1
            raise StoreUnavailableError("the disk of the test is full")
        answer = await self._write(*args, **others)
        if self.forgets:
            raise StoreOutcomeUnknown("the server of the test went away during the commit")
        return answer


@pytest.fixture
def door(store: Store, monkeypatch: pytest.MonkeyPatch) -> Door:
    return Door(store, monkeypatch)


@pytest.mark.usefixtures("turn")
@pytest.mark.parametrize("jump_s", [3_600, -3_600, 10])
async def test_a_jump_of_the_clock_is_credited_once_the_store_takes_it(
    bot: TipluBot, store: Store, clock: SetClock, door: Door, monkeypatch: pytest.MonkeyPatch, jump_s: int
):
    monkeypatch.setattr(upkeep, "HEARTBEAT_S", 0)
    monkeypatch.setattr(upkeep, "REST_S", 0)
    jumps, outages = [jump_s * 1_000], bot.services.outages

    def follow() -> int:
        jump = jumps.pop() if jumps else 0
        clock.forward(jump)
        return jump

    monkeypatch.setattr(clock, "follow", follow, raising=False)
    door.is_closed = True
    worker = bot.workers.start("heartbeat", lambda: upkeep.heartbeat(bot.services))
    await until(lambda: door.refused > 2)
    assert outages.served.held == set()  # no clock runs
    door.is_closed = False
    await until(lambda: outages.served.is_all)
    assert await left(store, clock) == 60
    worker.cancel()
    await asyncio.wait([worker])


@pytest.mark.usefixtures("turn")
async def test_clocks_wait_for_no_mark(
    bot: TipluBot, store: Store, clock: SetClock, door: Door, monkeypatch: pytest.MonkeyPatch
):
    """A disk without room for another file may still have room for moves in the log."""
    monkeypatch.setattr(upkeep, "HEARTBEAT_S", 0)
    monkeypatch.setattr(upkeep, "REST_S", 0)
    monkeypatch.setattr(clock, "follow", lambda: 0, raising=False)

    async def refuse() -> None:
        raise StoreUnavailableError("the disk of the test is full")

    monkeypatch.setattr(store, "mark", refuse)
    outages = bot.services.outages
    outages.began(0)
    clock.forward(600_000)
    door.is_closed = True
    with pytest.raises(StoreUnavailableError):
        await outages.ended(0)
    door.is_closed = False
    worker = bot.workers.start("heartbeat", lambda: upkeep.heartbeat(bot.services))
    async with asyncio.timeout(5):
        await until(lambda: outages.served.is_all)
    assert await left(store, clock) == 60
    worker.cancel()
    await asyncio.wait([worker])


@pytest.mark.usefixtures("turn")
async def test_two_jumps_that_the_store_refused_are_credited_together(
    store: Store, clock: SetClock, door: Door
):
    outages = Outages(store, clock)
    door.is_closed = True
    for jump_ms in (7_200_000, -3_600_000):
        clock.forward(jump_ms)
        with pytest.raises(StoreUnavailableError):
            await outages.clock_moved(jump_ms)
    door.is_closed = False
    await outages.settle()
    assert await left(store, clock) == 60
    await outages.settle()
    assert await left(store, clock) == 60


@pytest.mark.usefixtures("turn")
async def test_a_jump_during_an_outage_is_credited_once(store: Store, clock: SetClock):
    outages = Outages(store, clock)
    outages.began(0)
    clock.forward(20_000)
    clock.forward(3_600_000)
    await outages.clock_moved(3_600_000)
    await outages.ended(0)
    assert await left(store, clock) == 60


@pytest.mark.usefixtures("turn")
async def test_an_outage_is_credited_once_the_store_takes_it(
    bot: TipluBot, store: Store, clock: SetClock, door: Door
):
    outages, woken = bot.services.outages, list[bool]()
    await bot.on_shard_disconnect(0)
    clock.forward(600_000)
    door.is_closed = True
    await bot.on_shard_resumed(0)
    assert outages.concerns(0)  # no clock runs
    assert outages.away == set()  # but the connection is back
    outages.on_end(lambda: woken.append(True))
    clock.forward(60_000)
    door.is_closed = False
    await outages.settle()
    assert await left(store, clock) == 60
    assert outages.served.is_all
    assert woken


@pytest.mark.usefixtures("turn")
@pytest.mark.parametrize("jump_s", [None, 3_600, -3_600])
async def test_lost_time_is_credited_once_if_the_store_has_taken_it_without_saying_so(
    store: Store, clock: SetClock, door: Door, jump_s: int | None
):
    """The clock jumps, or the connection is lost."""
    outages = Outages(store, clock)
    door.forgets = True
    if jump_s is None:
        outages.began(0)
        clock.forward(600_000)
        credited = outages.ended(0)
    else:
        clock.forward(jump_s * 1_000)
        credited = outages.clock_moved(jump_s * 1_000)
    with pytest.raises(StoreOutcomeUnknown):
        await credited
    assert not outages.served.held  # no clock runs
    door.forgets = False
    clock.forward(5_000)
    await outages.settle()
    assert outages.served.is_all
    assert await left(store, clock) == 55


@pytest.mark.usefixtures("turn")
async def test_a_shard_whose_lock_is_back_waits_for_its_connection(bot: TipluBot):
    outages = bot.services.outages
    await bot.on_shard_disconnect(0)
    await bot._regained(0)
    assert not outages.served.held
    await bot.on_shard_resumed(0)
    outages._changed(Share(1, frozenset()), Share())  # as if the lock had been lost and taken again
    assert not outages.served.held
    await bot._regained(0)
    assert outages.served.is_all


@pytest.mark.usefixtures("turn")
async def test_workers_are_woken_by_a_connection_even_if_the_store_refuses(
    bot: TipluBot, door: Door, clock: SetClock, monkeypatch: pytest.MonkeyPatch
):
    woken: list[str] = []
    for name, worker in (
        ("scheduler", bot.services.scheduler),
        ("outbox", bot.delivery.outbox),
        ("amendments", bot.delivery.amendments),
    ):
        monkeypatch.setattr(worker, "wake", lambda name=name: woken.append(name))
    await bot.on_shard_disconnect(0)
    clock.forward(600_000)
    door.is_closed = True
    await bot.on_shard_resumed(0)
    assert woken == ["scheduler", "outbox", "amendments"]


@pytest.mark.usefixtures("turn")
async def test_a_shard_that_is_lost_again_before_its_credit_loses_no_time(
    store: Store, clock: SetClock, door: Door
):
    outages = Outages(store, clock)
    outages.began(0)
    clock.forward(100_000)
    door.is_closed = True
    with pytest.raises(StoreUnavailableError):
        await outages.ended(0)
    outages.began(0)
    assert outages.away == {0}
    door.is_closed = False
    await outages.settle()
    assert outages.concerns(0)
    clock.forward(100_000)
    await outages.ended(0)
    assert await left(store, clock) == 60


@pytest.mark.usefixtures("turn")
async def test_a_shard_that_is_lost_again_during_its_credit_loses_no_time(store: Store, clock: SetClock):
    outages, losses = Outages(store, clock), [0]

    async def lose(_since: int, _until: int, _share: Share) -> None:
        while losses:
            outages.began(losses.pop())

    outages.on_loss(lose)
    outages.began(0)
    clock.forward(100_000)
    await outages.ended(0)
    assert outages.concerns(0)
    clock.forward(100_000)
    await outages.ended(0)
    assert await left(store, clock) == 60


@pytest.mark.usefixtures("turn")
@pytest.mark.parametrize("jump_s", [0, 10, 3_600, -3_600])
async def test_an_outage_or_a_jump_is_credited_once_if_the_bot_is_killed_after_it(
    store: Store, clock: SetClock, jump_s: int
):
    outages = Outages(store, clock)
    if jump_s:
        clock.forward(jump_s * 1_000)
        await outages.clock_moved(jump_s * 1_000)
    else:
        outages.began(0)
        clock.forward(500_000)
        await outages.ended(0)
    clock.forward(10_000)
    await start(store, clock)
    assert await left(store, clock) == 50


@pytest.mark.usefixtures("turn")
async def test_a_process_of_several_is_killed_after_it_credited_a_shard(
    store: Store, clock: SetClock, table: TableRow
):
    shard = shard_of(table.guild_id, 2)
    await store.write(lambda db: db.key_values.served(Share(2, frozenset({shard})), clock.now()))
    clock.forward(500_000)
    for _ in range(2):
        shards = Shards(2, Locks())
        outages = Outages(store, clock, shards)
        await shards.take(shard)
        await connect(outages)
        assert await left(store, clock) == 60


@pytest.mark.usefixtures("turn")
async def test_what_an_outage_costs_seasons_is_told_before_it_is_credited_and_again_after_a_kill(
    store: Store, clock: SetClock
):
    told: list[tuple[int, int]] = []
    begun = clock.now()

    async def fail(since: int, until: int, _share: Share) -> None:
        told.append(((since - begun) // 1_000, (until - begun) // 1_000))
        raise StoreUnavailableError("killed")

    clock.forward(500_000)
    for _ in range(2):
        outages = Outages(store, clock)
        outages.on_loss(fail)
        with pytest.raises(StoreUnavailableError):
            await connect(outages)
        clock.forward(5_000)
    assert told == [(0, 500), (0, 505)]


@pytest.mark.usefixtures("turn")
@pytest.mark.parametrize("is_killed", [True, False])
async def test_messages_show_the_credited_time_once_the_store_takes_it(
    store: Store, clock: SetClock, *, is_killed: bool
):
    """If the bot is killed in between, the next one updates them."""
    outages = Outages(store, clock)
    refuses, shown = [True], list[int]()

    async def show(_share: Share) -> None:
        if refuses.pop():
            raise StoreUnavailableError("the disk of the test is full")
        shown.append(await left(store, clock))

    outages.on_credit(show)
    outages.began(0)
    clock.forward(500_000)
    with pytest.raises(StoreUnavailableError):
        await outages.ended(0)
    refuses.append(False)
    if is_killed:
        outages = Outages(store, clock)
        outages.on_credit(show)
        await connect(outages)
    await outages.settle()
    await outages.settle()
    assert shown == [60]


class Stopwatch:
    """A monotonic clock that goes with the clock of the test, except when that is set."""

    def __init__(self, clock: SetClock) -> None:
        self._clock = clock
        self._set_by = 0

    def __call__(self) -> float:
        return (self._clock.now() - self._set_by) / 1_000

    def set_clock(self, by_ms: int) -> None:
        """Set the clock of the machine."""
        self._clock.forward(by_ms)
        self._set_by += by_ms


@pytest.mark.usefixtures("turn")
@pytest.mark.parametrize("jump_s", [0, 3_600, -3_600])
async def test_a_process_that_stood_still_costs_no_one_a_turn(store: Store, clock: SetClock, jump_s: int):
    """Not even if the clock of the machine is set at the same time."""
    stopwatch = Stopwatch(clock)
    outages = Outages(store, clock, monotonic=stopwatch)
    await outages.note_alive()
    clock.forward(600_000)
    assert outages.served.held == set()  # no clock runs before the time is credited
    await outages.note_alive()
    if jump_s:
        stopwatch.set_clock(jump_s * 1_000)
        await outages.clock_moved(jump_s * 1_000)
    await outages.settle()
    assert outages.served.is_all
    assert await left(store, clock) == 60
    clock.forward(5_000)
    await outages.settle()
    await start(store, clock)
    assert await left(store, clock) == 55


@pytest.mark.usefixtures("turn")
async def test_a_connection_that_is_lost_while_the_process_stands_still_was_lost_since(
    store: Store, clock: SetClock
):
    outages = Outages(store, clock, monotonic=Stopwatch(clock))
    await outages.note_alive()
    clock.forward(600_000)
    outages.began(0)
    clock.forward(10_000)
    await outages.ended(0)
    assert outages.served.is_all
    assert await left(store, clock) == 60


@pytest.mark.usefixtures("turn")
async def test_a_store_that_takes_nothing_costs_no_one_a_turn(store: Store, clock: SetClock, door: Door):
    """No one can move meanwhile, although the connection to Discord is there."""
    outages = Outages(store, clock, monotonic=Stopwatch(clock))
    await outages.note_alive()
    door.is_closed = True
    for _ in range(3):
        clock.forward(20_000)
        with pytest.raises(StoreUnavailableError):
            await outages.settle()
        assert outages.served.held == set()
    door.is_closed = False
    await outages.settle()
    await outages.note_alive()
    assert outages.served.is_all
    assert await left(store, clock) == 60


@pytest.mark.usefixtures("turn")
async def test_a_store_that_takes_nothing_from_a_quick_restart_on_costs_no_one_a_turn(
    store: Store, clock: SetClock, door: Door
):
    """The time of the restart itself is too short to be credited, so nothing is written for it."""
    outages = Outages(store, clock, monotonic=Stopwatch(clock))
    outages.await_connections()
    clock.forward(5_000)
    door.is_closed = True
    await outages.ended(0)
    with pytest.raises(StoreUnavailableError):
        await outages.note_alive()
    for _ in range(3):
        clock.forward(20_000)
        assert outages.served.held == set()
        with pytest.raises(StoreUnavailableError):
            await outages.settle()
    door.is_closed = False
    await outages.settle()
    assert outages.served.is_all
    assert await left(store, clock) == 55


@pytest.mark.usefixtures("turn")
async def test_a_store_that_takes_nothing_for_a_while_and_then_all_costs_no_one_a_turn(
    store: Store, clock: SetClock, monkeypatch: pytest.MonkeyPatch
):
    """As a server that is restarted: what was to be noted waits for it."""
    outages = Outages(store, clock, monotonic=Stopwatch(clock))
    await outages.note_alive()
    with monkeypatch.context() as patch:
        write = store.write

        async def write_late(*args: Any, **others: Any) -> Any:
            clock.forward(20_000)
            return await write(*args, **others)

        patch.setattr(store, "write", write_late)
        await outages.note_alive()
    assert not outages.served.held
    await outages.settle()
    assert outages.served.is_all
    assert await left(store, clock) == 60


@pytest.mark.usefixtures("turn")
async def test_clocks_that_seemed_to_stand_still_while_a_note_was_answered_late_are_looked_at_again(
    store: Store, clock: SetClock, monkeypatch: pytest.MonkeyPatch
):
    outages, served = Outages(store, clock, monotonic=Stopwatch(clock)), list[bool]()
    await outages.note_alive()
    clock.forward(10_000)
    write = store.write

    async def answer_late(*args: Any, **others: Any) -> Any:
        answer = await write(*args, **others)
        clock.forward(10_000)
        assert not outages.served.held
        return answer

    monkeypatch.setattr(store, "write", answer_late)
    outages.on_end(lambda: served.append(outages.served.is_all))
    await outages.note_alive()
    assert served == [True]


@pytest.mark.usefixtures("turn")
async def test_a_shard_that_is_lost_while_a_jump_is_credited_in_doubt_waits_for_its_connection(
    store: Store, clock: SetClock, monkeypatch: pytest.MonkeyPatch
):
    outages = Outages(store, clock)
    write = store.write

    async def lose_the_answer(*args: Any, **others: Any) -> Any:
        await write(*args, **others)
        outages.began(0)
        raise StoreOutcomeUnknown("the server of the test went away during the commit")

    clock.forward(3_600_000)
    with monkeypatch.context() as patch:
        patch.setattr(store, "write", lose_the_answer)
        with pytest.raises(StoreOutcomeUnknown):
            await outages.clock_moved(3_600_000)
    await outages.settle()
    assert outages.away == {0}
    assert not outages.served.held
    clock.forward(600_000)
    await outages.ended(0)
    assert outages.served.is_all
    assert await left(store, clock) == 60
