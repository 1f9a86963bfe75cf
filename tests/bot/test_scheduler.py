"""The scheduler: due work runs once, past deadlines are cleared, and failed work waits without spinning."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from bot.clock import SystemClock
from bot.errors import StaleRevisionError
from bot.lanes import FIRST_WAIT_MS, backoff_ms
from bot.scheduler import AT_ONCE, Deadlines, Scheduler
from data.errors import RevisionConflictError, StoreDamagedError
from data.transaction import ReadTransaction, WriteTransaction
from data.values import DeadlineRow
from tests.waiting import until


class Table:
    """Records the deadlines that it was asked to act on, then fails or acts as the test sets."""

    def __init__(self) -> None:
        self.acted: list[tuple[int, int]] = []
        self.faults: list[Exception] = []
        self.then = None

    async def act(self, table_id: int, revision: int) -> None:
        self.acted.append((table_id, revision))
        if self.faults:
            raise self.faults.pop(0)
        if self.then is not None:
            await self.then()


@pytest.fixture
def game():
    return Table()


def scheduler_of(store, clock, **handlers):
    """Return a scheduler of deadlines with handlers by kind."""
    scheduler = Scheduler(clock)
    scheduler.add("table", Deadlines(store, clock, handlers))
    return scheduler


@pytest.fixture
async def scheduler(store, clock, game):
    scheduler = scheduler_of(store, clock, turn=game.act)
    task = asyncio.create_task(scheduler.run())
    yield scheduler
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()


async def remind(store, scheduler, table, revision, due_at):
    await store.write(lambda db: db.deadlines.set(DeadlineRow(table.id, "turn", revision, due_at)))
    scheduler.wake()


async def rows(store, table):
    async def read(db: ReadTransaction):
        return [(row.revision, row.due_at) for row in await db.deadlines.of_table(table.id)]

    return await store.read(read)


async def left(store, table, *wanted):
    """Wait until these deadlines of the table are left."""

    async def are_left() -> bool:
        return await rows(store, table) == list(wanted)

    await until(are_left)


async def test_what_is_due_happens_once_and_is_cleared(store, scheduler, table, clock, game):
    await remind(store, scheduler, table, 4, clock.now() + 1_000)
    clock.forward(999)
    scheduler.wake()
    await asyncio.sleep(0)
    assert game.acted == []
    clock.forward(1)
    scheduler.wake()
    await left(store, table)
    scheduler.wake()
    await remind(store, scheduler, table, 5, clock.now())
    await left(store, table)
    assert game.acted == [(table.id, 4), (table.id, 5)]


async def test_it_sleeps_until_the_next_one_by_itself(store, table, game):
    clock = SystemClock()
    scheduler = scheduler_of(store, clock, turn=game.act)
    task = asyncio.create_task(scheduler.run())
    await remind(store, scheduler, table, 1, clock.now() + 60)
    await left(store, table)
    assert game.acted == [(table.id, 1)]
    task.cancel()
    await asyncio.wait([task])


async def test_one_that_is_set_for_sooner_is_noticed(store, scheduler, table, clock, game):
    await remind(store, scheduler, table, 1, clock.now() + 60_000)
    await store.write(lambda db: db.deadlines.set(DeadlineRow(table.id, "turn", 2, clock.now())))
    scheduler.was_set(clock.now())
    await left(store, table)
    assert game.acted == [(table.id, 2)]


async def test_one_that_is_set_for_later_than_the_next_needs_no_look(
    store, scheduler, table, clock, monkeypatch
):
    next_at = clock.now() + 60_000
    await remind(store, scheduler, table, 1, next_at)
    woken: list[bool] = []
    monkeypatch.setattr(scheduler, "wake", lambda: woken.append(True))

    async def is_needless() -> bool:
        woken.clear()
        scheduler.was_set(next_at)
        return not woken

    await until(is_needless)
    scheduler.was_set(next_at - 1)
    assert woken


async def test_what_the_act_sets_anew_is_kept(store, scheduler, table, clock, game):
    async def again():
        await store.write(lambda db: db.deadlines.set(DeadlineRow(table.id, "turn", 8, clock.now() + 500)))

    game.then = again
    await remind(store, scheduler, table, 7, clock.now())
    await left(store, table, (8, clock.now() + 500))
    assert game.acted == [(table.id, 7)]


async def test_a_stale_one_is_cleared(store, scheduler, table, clock, game):
    game.faults = [StaleRevisionError()]
    await remind(store, scheduler, table, 2, clock.now())
    await left(store, table)
    assert game.acted == [(table.id, 2)]


async def test_a_failing_one_is_put_off_and_does_not_spin(store, scheduler, table, clock, game):
    game.faults = [RevisionConflictError("changed elsewhere"), KeyError("a fault of the test")]
    await remind(store, scheduler, table, 3, clock.now())
    await left(store, table, (3, clock.now() + FIRST_WAIT_MS))
    for _ in range(20):
        scheduler.wake()
        await asyncio.sleep(0)
    assert len(game.acted) == 1
    clock.forward(FIRST_WAIT_MS)
    scheduler.wake()
    await left(store, table, (3, clock.now() + backoff_ms(1)))
    clock.forward(backoff_ms(1))
    scheduler.wake()
    await left(store, table)
    assert len(game.acted) == 3


async def test_tables_that_hang_keep_no_other_from_its_time(store, table, clock, game):
    """There are more of them than are served at once, each with several things to do."""
    begun: list[int] = []

    async def hang(table_id: int, _revision: int) -> None:
        begun.append(table_id)
        await asyncio.Event().wait()

    scheduler = scheduler_of(store, clock, turn=game.act, hang=hang, later=hang)

    async def write(db: WriteTransaction) -> None:
        for number in range(AT_ONCE + 1):
            other = await db.tables.create(
                table.guild_id, 950 + number, table.host_id, table.rules, clock.now()
            )
            await db.deadlines.set(DeadlineRow(other.id, "hang", 1, clock.now() - 9))
            await db.deadlines.set(DeadlineRow(other.id, "later", 1, clock.now() - 8))
        await db.deadlines.set(DeadlineRow(table.id, "turn", 1, clock.now()))

    await store.write(write)
    task = asyncio.create_task(scheduler.run())
    await until(lambda: game.acted == [(table.id, 1)], timeout=30)
    assert len(begun) == AT_ONCE + 1
    task.cancel()
    await asyncio.wait([task])


async def test_one_that_fails_does_not_keep_others_from_their_time(store, table, clock, game):
    async def fail(_table_id: int, _revision: int) -> None:
        raise ZeroDivisionError("a fault of the test")

    scheduler = scheduler_of(store, clock, turn=game.act, bad=fail)

    async def write(db: WriteTransaction) -> None:
        await db.deadlines.set(DeadlineRow(table.id, "bad", 1, clock.now() - 5))
        await db.deadlines.set(DeadlineRow(table.id, "turn", 1, clock.now()))

    await store.write(write)
    task = asyncio.create_task(scheduler.run())
    await left(store, table, (1, clock.now() + FIRST_WAIT_MS))
    assert game.acted == [(table.id, 1)]
    task.cancel()
    await asyncio.wait([task])


async def test_a_kind_that_nobody_serves_is_put_off_too(store, scheduler, table, clock):
    await store.write(lambda db: db.deadlines.set(DeadlineRow(table.id, "unheard-of", 1, clock.now())))
    scheduler.wake()
    await left(store, table, (1, clock.now() + FIRST_WAIT_MS))


async def test_a_table_that_takes_its_time_keeps_no_other_from_its_own(store, table, clock, game):
    others_turn = asyncio.Event()

    async def think(_table_id: int, _revision: int) -> None:
        await others_turn.wait()

    async def play() -> None:
        others_turn.set()

    game.then = play
    scheduler = scheduler_of(store, clock, computer=think, turn=game.act)

    async def write(db: WriteTransaction):
        other = await db.tables.create(table.guild_id, 902, table.host_id, table.rules, clock.now())
        await db.deadlines.set(DeadlineRow(table.id, "computer", 1, clock.now() - 5))
        await db.deadlines.set(DeadlineRow(other.id, "turn", 1, clock.now()))
        return other

    other = await store.write(write)
    task = asyncio.create_task(scheduler.run())
    await left(store, table)
    await left(store, other)
    assert game.acted == [(other.id, 1)]
    task.cancel()
    await asyncio.wait([task])


# Repeated work


class JumpingClock(SystemClock):
    """The machine's clock, which a test sets back."""

    def __init__(self) -> None:
        super().__init__()
        self.behind_ms = 0

    def now(self) -> int:
        return super().now() - self.behind_ms


class Work:
    """Work that records when it runs, in seconds since the first time."""

    def __init__(self, rests: list[float], faults: int = 0) -> None:
        self.rests = rests
        """How long it rests after each run."""
        self.faults = faults
        """How often it fails at first."""
        self.done: list[float] = []

    async def do(self) -> float:
        self.done.append(asyncio.get_running_loop().time())
        if len(self.done) <= self.faults:
            raise ZeroDivisionError("a fault of the test")
        return self.rests.pop(0)

    async def times(self, count: int) -> list[float]:
        """Wait until it was done this often; returns when."""
        await until(lambda: len(self.done) == count, timeout=200)
        return [time - self.done[0] for time in self.done]


@asynccontextmanager
async def running(scheduler):
    task = asyncio.create_task(scheduler.run())
    yield
    task.cancel()
    await asyncio.wait([task])


async def test_repeated_work_rests_as_long_as_it_says():
    work, scheduler = Work([60, 5, 60]), Scheduler(SystemClock())
    before = asyncio.get_running_loop().time()
    scheduler.repeat("work", work.do, first_after_s=2)
    async with running(scheduler):
        assert await work.times(3) == pytest.approx([0, 60, 65], abs=0.5)
    assert work.done[0] - before == pytest.approx(2, abs=0.5)


async def test_repeated_work_that_fails_is_retried_like_everything_else():
    work, scheduler = Work([60], faults=3), Scheduler(SystemClock())
    scheduler.repeat("work", work.do)
    async with running(scheduler):
        assert await work.times(4) == pytest.approx([0, 1, 3, 7], abs=0.5)


async def test_a_clock_that_was_set_back_delays_repeated_work_no_further():
    clock = JumpingClock()
    work, scheduler = Work([60, 60]), Scheduler(clock)
    scheduler.repeat("work", work.do)
    async with running(scheduler):
        await work.times(1)
        clock.behind_ms = 3_600_000
        scheduler.wake()
        assert await work.times(2) == pytest.approx([0, 60], abs=0.5)


async def test_a_damaged_store_ends_the_scheduler(clock):
    async def work() -> float:
        raise StoreDamagedError("a fault of the test")

    scheduler = Scheduler(clock)
    scheduler.repeat("work", work)
    with pytest.raises(StoreDamagedError):
        await scheduler.run()
