"""Panels edited by tokens: no change is lost during an edit, or while Discord is busy."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace
from typing import Any

import pytest

from bot.delivery.discord_calls import RetryLaterError
from bot.delivery.live_panels import RESTS_AFTER_MS, RETRY_MS, LivePanels, Timetable
from bot.table.core.snapshot import Mode
from tests.bot.conftest import SetClock
from tests.waiting import until

KEY, MESSAGE = (1, 100), 5_000


class Tracker:
    """A tracker that makes edits one by one, as slowly as the test wants, and raises the queued `faults`."""

    def __init__(self) -> None:
        self.edits: list[int] = []
        self.gate = asyncio.Event()
        self.faults: list[Exception] = []
        self.at_the_end: list[Callable[[], None]] = []

    def token_ends_at(self, _message_id: int) -> int | None:
        return 10**15

    def forget(self, _message_id: int) -> None:
        pass

    def unsure_until(self, _message_id: int) -> int | None:
        return None

    @asynccontextmanager
    async def hold(self, _message_id: int) -> AsyncGenerator[bool, None]:
        yield False

    async def edit_by_token(self, _message_id: int, revision: int, *_: Any) -> bool:
        await self.gate.wait()
        if self.faults:
            raise self.faults.pop()
        self.edits.append(revision)
        if self.at_the_end:
            asyncio.get_running_loop().call_soon(self.at_the_end.pop())
        return True


class Tables:
    """One table of two seats; the first seat is to move."""

    def __init__(self, clock: SetClock) -> None:
        self.clock = clock
        self.row = SimpleNamespace(revision=1, status="playing", deal_no=1)

    async def get(self, _table_id: int) -> Any:
        seats = [SimpleNamespace(person_id=person) for person in (100, 101)]
        return SimpleNamespace(row=self.row, seats=seats, state=None)

    async def snapshot(self, _table_id: int) -> Any:
        row = SimpleNamespace(**vars(self.row))
        return SimpleNamespace(
            table=row, seat_of=lambda _: 0, holders=[None], language_of=lambda _: "en", private=(1,)
        )


@pytest.fixture
def tables(clock: SetClock, monkeypatch: pytest.MonkeyPatch) -> Tables:
    monkeypatch.setattr("bot.delivery.live_panels.asked_seats", lambda *_: [0])
    return Tables(clock)


@pytest.fixture
async def live(tables: Tables) -> AsyncGenerator[Any, None]:
    live: Any = LivePanels(tables, SimpleNamespace(tracker=Tracker()), watching_ms=4_000)  # type: ignore[arg-type]
    running = asyncio.create_task(live.run())
    live.keep(KEY, MESSAGE, 1, Mode.PLAY, is_ephemeral=True)
    yield live
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


async def test_a_change_during_an_edit_is_shown_by_the_next_one(live: Any, tables: Tables):
    await until(lambda: live._is_busy(KEY))
    tables.row.revision = 2
    live.changed(1)
    await until(lambda: live._left_alone)
    live._tracker.gate.set()
    await until(lambda: live._tracker.edits[-1:] == [2])


async def test_a_change_just_as_an_edit_ends_is_shown_by_the_next_one(
    live: Any, tables: Tables, clock: SetClock
):
    def change() -> None:
        """Do what the worker does if it wakes after the edit's last step, before its lane is free."""
        tables.row.revision = 2
        live._asked.note(KEY, clock.now())
        live._start()

    live._tracker.at_the_end.append(change)
    live._tracker.gate.set()
    await until(lambda: live._tracker.edits[-1:] == [2])


async def test_a_change_while_a_press_is_served_is_shown_afterwards(live: Any, tables: Tables):
    live._tracker.gate.set()
    await until(lambda: live._tracker.edits)
    with live.answering(KEY):
        tables.row.revision = 2
        live.changed(1)
        await until(lambda: live._left_alone)
        assert live._tracker.edits[-1] == 1
    await until(lambda: live._tracker.edits[-1] == 2)


async def test_an_edit_that_discord_is_too_busy_for_is_made_later(live: Any, clock: SetClock):
    live._tracker.faults.append(RetryLaterError("busy"))
    live._tracker.gate.set()
    await until(lambda: not live._tracker.faults)
    await until(lambda: not live._is_busy(KEY))
    assert live._tracker.edits == []
    clock.forward(RETRY_MS)
    live.wake()
    await until(lambda: live._tracker.edits == [1])


async def test_a_panel_that_nobody_presses_rests_until_its_player_has_to_move(
    live: Any, tables: Tables, clock: SetClock, monkeypatch: pytest.MonkeyPatch
):
    async def changes(revision: int, after_ms: int = 5_000) -> None:
        tables.row.revision = revision
        live.changed(1)
        await until(lambda: not live._changed)
        clock.forward(after_ms)
        live.wake()

    live._tracker.gate.set()
    await until(lambda: live._tracker.edits == [1])
    monkeypatch.setattr("bot.delivery.live_panels.asked_seats", lambda *_: [1])
    await changes(2)
    await until(lambda: live._tracker.edits[-1] == 2)
    assert live.follows(*KEY)
    clock.forward(RESTS_AFTER_MS)
    await changes(3)
    await until(lambda: live._tracker.edits[-1] == 3)  # the edit that says the panel rests
    assert not live.follows(*KEY)
    await changes(4)
    assert live._watching.next_at is None
    monkeypatch.setattr("bot.delivery.live_panels.asked_seats", lambda *_: [0])
    await changes(5, 0)
    await until(lambda: live._tracker.edits[-1] == 5)
    assert 4 not in live._tracker.edits
    assert live.follows(*KEY)


async def test_the_last_edits_before_the_bot_closes_take_a_bounded_time(
    live: Any, monkeypatch: pytest.MonkeyPatch
):
    await until(lambda: live._is_busy(KEY))  # and never ends
    monkeypatch.setattr("bot.delivery.live_panels.REOPENING_S", 0.01)
    await live.add_reopen_buttons()
    assert live._tracker.edits == []


async def test_what_fails_at_the_end_keeps_the_bot_from_nothing(live: Any):
    live._tracker.gate.set()
    await until(lambda: live._tracker.edits == [1])
    live.keep((1, 101), MESSAGE + 1, 1, Mode.PLAY, is_ephemeral=True)
    live._tracker.faults.append(RetryLaterError("busy"))
    await live.add_reopen_buttons()
    assert live._tracker.edits[-1:] == [1]
    assert len(live._panels) == 1


async def test_direct_messages_get_no_button(live: Any):
    live._tracker.gate.set()
    await until(lambda: live._tracker.edits == [1])
    live.keep(KEY, MESSAGE, 1, Mode.PLAY, is_ephemeral=False)
    await live.add_reopen_buttons()
    assert live._tracker.edits == [1]


@pytest.mark.parametrize("is_under_way", [True, False])
async def test_a_panel_that_another_process_answers_in_is_left_to_it(
    live: Any, tables: Tables, is_under_way: bool
):
    """This process makes neither later edits nor the last one, which adds the reopen button."""
    await until(lambda: live._is_busy(KEY))
    if is_under_way:
        live.leave(1, MESSAGE)
    live._tracker.gate.set()
    await until(lambda: not live._is_busy(KEY))
    live.leave(1, MESSAGE)
    edits = len(live._tracker.edits)
    tables.row.revision = 2
    live.changed(1)
    await live.add_reopen_buttons()
    assert len(live._tracker.edits) == edits
    assert not live.follows(*KEY)


async def test_another_message_than_the_panel_s_leaves_it_as_it_is(live: Any):
    live.leave(1, MESSAGE + 1)
    live.leave(2, MESSAGE)
    assert live.follows(*KEY)


def test_keys_come_out_by_the_earliest_time_that_was_noted_for_each():
    table: Timetable[tuple[int, int]] = Timetable()
    assert table.next_at is None
    for key, at in (((1, 1), 50), ((2, 2), 40), ((1, 1), 30), ((2, 2), 90), ((3, 3), 60)):
        table.note(key, at)
    assert table.next_at == 30
    table.drop((3, 3))
    assert table.take(29) is None
    assert [table.take(100) for _ in range(3)] == [(1, 1), (2, 2), None]
    table.note((1, 1), 70)
    assert table.take(100) == (1, 1)
    assert table.next_at is None
