"""The one wakeup: what is due happens, once; what is past is cleared; what fails is put off and does not spin."""

import asyncio

import pytest

from bot.clock import SystemClock
from bot.deadlines import AT_ONCE, Deadlines
from bot.errors import StaleRevisionError
from bot.lanes import FIRST_WAIT_MS, backoff_ms
from data.errors import RevisionConflictError
from data.values import DeadlineRow
from tests.waiting import until


class Table:
    """Notes which deadlines it was asked to act on, and does what it is told."""

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


@pytest.fixture
async def deadlines(store, clock, game):
    deadlines = Deadlines(store, clock, {"turn": game.act})
    task = asyncio.create_task(deadlines.run())
    yield deadlines
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()


async def remind(store, deadlines, table, revision, due_at):
    async with store.writing() as db:
        await db.deadlines.set(DeadlineRow(table.id, "turn", revision, due_at))
    deadlines.wake()


async def rows(store, table):
    async with store.reading() as db:
        return [(row.revision, row.due_at) for row in await db.deadlines.of_table(table.id)]


async def left(store, table, *wanted):
    """Wait until these deadlines of the table are left."""

    async def are_left() -> bool:
        return await rows(store, table) == list(wanted)

    await until(are_left)


async def test_what_is_due_happens_once_and_is_cleared(store, deadlines, table, clock, game):
    await remind(store, deadlines, table, 4, clock.now() + 1_000)
    clock.forward(999)
    deadlines.wake()
    await asyncio.sleep(0)
    assert game.acted == []
    clock.forward(1)
    deadlines.wake()
    await left(store, table)
    deadlines.wake()
    await remind(store, deadlines, table, 5, clock.now())
    await left(store, table)
    assert game.acted == [(table.id, 4), (table.id, 5)]


async def test_it_sleeps_until_the_next_one_by_itself(store, table, game):
    clock = SystemClock()
    deadlines = Deadlines(store, clock, {"turn": game.act})
    task = asyncio.create_task(deadlines.run())
    await remind(store, deadlines, table, 1, clock.now() + 60)
    await left(store, table)
    assert game.acted == [(table.id, 1)]
    task.cancel()
    await asyncio.wait([task])


async def test_one_that_is_set_for_sooner_is_noticed(store, deadlines, table, clock, game):
    await remind(store, deadlines, table, 1, clock.now() + 60_000)
    async with store.writing() as db:
        await db.deadlines.set(DeadlineRow(table.id, "turn", 2, clock.now()))
    deadlines.was_set(clock.now())
    await left(store, table)
    assert game.acted == [(table.id, 2)]


async def test_one_that_is_set_for_later_than_the_next_needs_no_look(
    store, deadlines, table, clock, monkeypatch
):
    next_at = clock.now() + 60_000
    await remind(store, deadlines, table, 1, next_at)
    woken: list[bool] = []
    monkeypatch.setattr(deadlines, "wake", lambda: woken.append(True))

    async def is_needless() -> bool:
        woken.clear()
        deadlines.was_set(next_at)
        return not woken

    await until(is_needless)
    deadlines.was_set(next_at - 1)
    assert woken


async def test_what_the_act_sets_anew_is_kept(store, deadlines, table, clock, game):
    async def again():
        async with store.writing() as db:
            await db.deadlines.set(DeadlineRow(table.id, "turn", 8, clock.now() + 500))

    game.then = again
    await remind(store, deadlines, table, 7, clock.now())
    await left(store, table, (8, clock.now() + 500))
    assert game.acted == [(table.id, 7)]


async def test_a_stale_one_is_cleared(store, deadlines, table, clock, game):
    game.faults = [StaleRevisionError()]
    await remind(store, deadlines, table, 2, clock.now())
    await left(store, table)
    assert game.acted == [(table.id, 2)]


async def test_a_failing_one_is_put_off_and_does_not_spin(store, deadlines, table, clock, game):
    game.faults = [RevisionConflictError("changed elsewhere"), KeyError("a fault of the test")]
    await remind(store, deadlines, table, 3, clock.now())
    await left(store, table, (3, clock.now() + FIRST_WAIT_MS))
    for _ in range(20):
        deadlines.wake()
        await asyncio.sleep(0)
    assert len(game.acted) == 1
    clock.forward(FIRST_WAIT_MS)
    deadlines.wake()
    await left(store, table, (3, clock.now() + backoff_ms(1)))
    clock.forward(backoff_ms(1))
    deadlines.wake()
    await left(store, table)
    assert len(game.acted) == 3


async def test_tables_that_hang_keep_no_other_from_its_time(store, table, clock, game):
    """More of them than are served at once, each with more than one thing to do."""
    begun: list[int] = []

    async def hang(table_id: int, _revision: int) -> None:
        begun.append(table_id)
        await asyncio.Event().wait()

    deadlines = Deadlines(store, clock, {"turn": game.act, "hang": hang, "later": hang})
    async with store.writing() as db:
        for number in range(AT_ONCE + 1):
            other = await db.tables.create(
                table.guild_id, 950 + number, table.host_id, table.rules, clock.now()
            )
            await db.deadlines.set(DeadlineRow(other.id, "hang", 1, clock.now() - 9))
            await db.deadlines.set(DeadlineRow(other.id, "later", 1, clock.now() - 8))
        await db.deadlines.set(DeadlineRow(table.id, "turn", 1, clock.now()))
    task = asyncio.create_task(deadlines.run())
    await until(lambda: game.acted == [(table.id, 1)], timeout=30)
    assert len(begun) == AT_ONCE + 1
    task.cancel()
    await asyncio.wait([task])


async def test_one_that_fails_does_not_keep_others_from_their_time(store, table, clock, game):
    async def fail(_table_id: int, _revision: int) -> None:
        raise ZeroDivisionError("a fault of the test")

    deadlines = Deadlines(store, clock, {"turn": game.act, "bad": fail})
    async with store.writing() as db:
        await db.deadlines.set(DeadlineRow(table.id, "bad", 1, clock.now() - 5))
        await db.deadlines.set(DeadlineRow(table.id, "turn", 1, clock.now()))
    task = asyncio.create_task(deadlines.run())
    await left(store, table, (1, clock.now() + FIRST_WAIT_MS))
    assert game.acted == [(table.id, 1)]
    task.cancel()
    await asyncio.wait([task])


async def test_a_kind_that_nobody_serves_is_put_off_too(store, deadlines, table, clock):
    async with store.writing() as db:
        await db.deadlines.set(DeadlineRow(table.id, "unheard-of", 1, clock.now()))
    deadlines.wake()
    await left(store, table, (1, clock.now() + FIRST_WAIT_MS))


async def test_a_table_that_takes_its_time_keeps_no_other_from_its_own(store, table, clock, game):
    others_turn = asyncio.Event()

    async def think(_table_id: int, _revision: int) -> None:
        await others_turn.wait()

    async def play() -> None:
        others_turn.set()

    game.then = play
    deadlines = Deadlines(store, clock, {"computer": think, "turn": game.act})
    async with store.writing() as db:
        other = await db.tables.create(table.guild_id, 902, table.host_id, table.rules, clock.now())
        await db.deadlines.set(DeadlineRow(table.id, "computer", 1, clock.now() - 5))
        await db.deadlines.set(DeadlineRow(other.id, "turn", 1, clock.now()))
    task = asyncio.create_task(deadlines.run())
    await left(store, table)
    await left(store, other)
    assert game.acted == [(other.id, 1)]
    task.cancel()
    await asyncio.wait([task])
