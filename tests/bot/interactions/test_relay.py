"""Exactly one process answers a press in a direct message: its table's, or the one that received it."""

import asyncio
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.cluster.shards import Shards
from bot.interactions.relay import LATEST_MS, SILENT_S, WAIT_S, PressRelay
from data.errors import StoreUnavailableError
from data.shards import PassedPress
from tests.bot.cluster.test_shards import Locks

TABLES = {1: 9 << 22, 2: 10 << 22, 3: 8 << 22, 4: 10 << 22}
"""Tables by number, with their servers: of the shards 0, 1, 2 and 1."""


@dataclass
class Line:
    """The database that connects the processes of one loop."""

    rows: dict[int, PassedPress] = field(default_factory=dict[int, PassedPress])
    tell: list[Any] = field(default_factory=list[Any])
    passed: list[int] = field(default_factory=list[int])
    is_down: bool = False
    is_lost: bool = False
    """Whether the connection is lost after the statement was run."""

    def follow(self, tell: Any) -> None:
        self.tell.append(tell)

    async def pass_on(self, presses: Sequence[PassedPress]) -> None:
        await asyncio.sleep(0.001)
        self._check()
        for press in presses:
            self.passed.append(press.id)
            self.rows[press.id] = press
            for tell in self.tell:
                tell(press.shard, press.id)
        if self.is_lost:
            raise StoreUnavailableError("lost")

    async def take(self, ids: Collection[int]) -> list[PassedPress]:
        await asyncio.sleep(0.001)
        self._check()
        return [self.rows.pop(number) for number in sorted(ids) if number in self.rows]

    async def take_all(self, shards: Collection[int]) -> list[PassedPress]:
        return await self.take([press.id for press in self.rows.values() if press.shard in shards])

    def _check(self) -> None:
        if self.is_down:
            raise StoreUnavailableError("down")


class Store:
    """A store that knows the servers of the tables."""

    def __init__(self) -> None:
        self.asked = 0
        self.is_down = False

    async def read(self, _work: Any) -> dict[int, int]:
        await asyncio.sleep(0.001)
        self.asked += 1
        if self.is_down:
            raise StoreUnavailableError("down")
        return dict(TABLES)


class Process:
    """One process with some of three shards, and the presses that it has answered."""

    def __init__(self, line: Line, *shards: int) -> None:
        self.line = line
        self.locks = Locks()
        self.shards = Shards(3, self.locks)
        self.store = Store()
        self.answered: list[int] = []
        self.left: list[tuple[int, int]] = []
        self.is_replaying = False
        self._mine = shards
        self.relay = PressRelay(
            line,
            self.store,
            self.shards,
            {"draw", "pick-discard", "form-rules"}.__contains__,
            lambda: self.is_replaying,
            lambda payload: self.answered.append(int(payload["id"])),
            lambda table_id, message_id: self.left.append((table_id, message_id)),
        )
        self.tasks: list[asyncio.Task[None]] = []

    async def start(self) -> "Process":
        await self.shards.take_all(self._mine)
        self.tasks = [asyncio.create_task(work()) for work in (self.relay.pass_on, self.relay.take)]
        return self

    def press(self, number: int, table: int = 2, **other: Any) -> bool:
        """Deliver a press at a table to this process, and return whether it was passed on."""
        return self.relay.passes_on(press(number, table, **other))

    async def stop(self) -> None:
        """Close as the bot does."""
        self.tasks[0].cancel()
        await asyncio.wait(self.tasks[:1])
        await self.relay.keep_all()
        for shard in sorted(self.shards.held):
            await self.shards.give_back(shard)
        self.kill()
        await asyncio.wait(self.tasks)

    def kill(self) -> None:
        for task in self.tasks:
            task.cancel()


def press(number: int, table: int = 2, **other: Any) -> dict[str, Any]:
    data = {"custom_id": f"mr1:draw:{table}:5", "component_type": 2}
    return {"id": str(number), "type": 3, "data": data} | other


@pytest.fixture
def line() -> Line:
    return Line()


async def a_while(seconds: float = WAIT_S / 5) -> None:
    """Let this much time pass on the loop's clock, which skips the wait."""
    await asyncio.sleep(seconds)


async def test_the_process_with_the_shard_answers(line: Line):
    zero, one, two = [await Process(line, shard).start() for shard in range(3)]
    assert zero.press(10, 1)  # its server is not known yet
    assert zero.press(11, 2)
    assert zero.press(12, 3)
    await a_while()
    assert (zero.answered, one.answered, two.answered) == ([10], [11], [12])
    assert not zero.press(13, 1)
    assert zero.store.asked == 1
    await a_while(1)
    assert line.rows == {}
    assert zero.answered == [10]


@pytest.mark.parametrize(
    "payload",
    [
        press(1, guild_id="5"),
        press(1, type=2),
        press(1, type=True),
        press(1, type=None),
        press(1, type={}),
        press(1, data=None),
        press(1, data=[]),
        press(1, data={"custom_id": 5}),
        press(1, data={"custom_id": "mr1:desk:2:5"}),
        press(1, data={"custom_id": "mr1:draw:2"}),
        press(1, data={"custom_id": "mr1:form-rules:2:5"}),
        press(1, type=5),
    ],
)
async def test_what_is_about_no_table_or_comes_from_a_server_stays(line: Line, payload: dict[str, Any]):
    zero = await Process(line, 0).start()
    assert not zero.relay.passes_on(payload)


async def test_selects_and_forms_are_passed_on_as_well(line: Line):
    zero, one = await Process(line, 0).start(), await Process(line, 1).start()
    assert zero.press(1, data={"custom_id": "mr1:pick-discard:2:5"})
    assert zero.press(2, type=5, data={"custom_id": "mr1:form-rules:2:5"})
    await a_while()
    assert one.answered == [1, 2]


async def test_the_message_is_left_to_the_process_that_answers(line: Line):
    zero, one = await Process(line, 0).start(), await Process(line, 1).start()
    zero.press(1, message={"id": "77"})
    zero.press(2, 1, message={"id": "78"})
    for odd in ({}, {"id": 5}, {"id": "x"}, [], None):
        zero.press(3, message=odd)
    await a_while()
    assert zero.left == [(2, 77)]
    assert one.left == []


async def test_one_process_alone_passes_nothing_on(line: Line):
    alone = await Process(line, 0, 1, 2).start()
    assert not alone.press(1)


async def test_what_discord_replays_stays(line: Line):
    """Only the process that was disconnected knows how late the press is."""
    zero = await Process(line, 0).start()
    zero.is_replaying = True
    assert not zero.press(1)


async def test_a_press_that_nobody_takes_comes_back_and_the_next_ones_stay_for_a_while(line: Line):
    """For example, the other process has just died, or is of a version that accepts none."""
    zero = await Process(line, 0).start()
    loop = asyncio.get_running_loop()
    began = loop.time()
    zero.press(1)
    await a_while(0.9 * WAIT_S)
    assert zero.answered == []
    await a_while(0.2 * WAIT_S)
    assert zero.answered == [1]
    assert loop.time() - began < 1.5 * WAIT_S
    zero.press(2)
    await a_while(0.01)
    assert zero.answered == [1, 2]
    assert line.passed == [1]
    one = await Process(line, 1).start()
    await a_while(SILENT_S)
    zero.press(3)
    await a_while()
    assert one.answered == [3]


async def test_one_of_both_answers_when_the_other_process_is_slow(line: Line):
    zero, one = await Process(line, 0).start(), Process(line, 1)
    await one.shards.take_all([1])
    zero.press(1)
    await a_while(2 * WAIT_S)
    await one.start()  # it resumes after a standstill
    await a_while()
    assert (zero.answered, one.answered) == ([1], [])


async def test_the_order_at_one_table_is_kept_when_presses_come_back(line: Line):
    zero = await Process(line, 0).start()
    for number in (1, 2, 3):
        zero.press(number)
        await a_while()
    assert line.passed == [1, 2, 3]
    await a_while(WAIT_S)
    zero.press(4)
    await a_while()
    assert zero.answered == [1, 2, 3, 4]


async def test_the_order_at_one_table_is_kept_where_all_is_well(line: Line):
    zero, one = await Process(line, 0).start(), await Process(line, 1).start()
    for number in range(50):
        zero.press(number, 2 + 2 * (number % 2))
        if number % 3 == 0:
            await a_while(0.0005)
    await a_while()
    assert one.answered == [*range(50)]
    assert zero.answered == []


async def test_a_process_that_stops_takes_back_what_it_has_passed_on(line: Line):
    zero = await Process(line, 0).start()
    zero.press(1)
    await a_while()
    zero.press(2)
    await zero.stop()
    assert zero.answered == [1, 2]
    assert line.rows == {}
    assert not zero.press(3)


async def test_the_next_holder_answers_what_waits_for_a_shard_that_was_given_back(line: Line):
    zero, one = await Process(line, 0).start(), await Process(line, 1).start()
    await one.stop()
    zero.press(1)
    await a_while()
    two = await Process(line, 2, 1).start()
    await a_while()
    assert (zero.answered, one.answered, two.answered) == ([], [], [1])


async def test_a_press_comes_before_a_later_one_when_its_shard_comes_here(line: Line):
    zero = await Process(line, 0).start()
    zero.press(1)
    await a_while()
    zero.tasks[1].cancel()  # it no longer takes presses by itself
    await zero.shards.take_all([1])
    assert zero.press(2)
    await a_while()
    assert zero.answered == [1, 2]
    assert not zero.press(3)


async def test_what_the_database_does_not_take_is_answered_here(line: Line):
    zero, one = await Process(line, 0).start(), await Process(line, 1).start()
    line.is_down = True
    zero.press(1)
    await a_while()
    zero.press(2)
    await a_while()
    assert (zero.answered, one.answered) == ([1, 2], [])


async def test_a_database_that_hangs_keeps_nobody_waiting(line: Line, monkeypatch: pytest.MonkeyPatch):
    zero = await Process(line, 0).start()

    async def hang(_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(line, "pass_on", hang)
    monkeypatch.setattr(line, "take", hang)
    zero.press(1)
    await a_while(2.1 * WAIT_S)
    assert zero.answered == [1]


class FarLine(Line):
    """The same database for a process whose every connection takes too long to open."""

    def __init__(self, line: Line) -> None:
        super().__init__(line.rows, line.tell, line.passed)

    async def pass_on(self, presses: Sequence[PassedPress]) -> None:
        await a_while(1.2 * WAIT_S)
        await super().pass_on(presses)

    async def take(self, ids: Collection[int]) -> list[PassedPress]:
        await a_while(1.2 * WAIT_S)
        return await super().take(ids)


@pytest.mark.parametrize("is_sender", [True, False])
async def test_a_connection_that_opens_slowly_neither_loses_nor_doubles_a_press(line: Line, is_sender: bool):
    far = FarLine(line)
    zero = await Process(far if is_sender else line, 0).start()
    one = await Process(line if is_sender else far, 1).start()
    for number in (1, 2):
        zero.press(number)
        await a_while(SILENT_S + 4 * WAIT_S)
    assert (zero.answered, one.answered) == ([1, 2], [])
    assert line.rows == {}


async def test_a_table_that_cannot_be_looked_up_is_served_here(line: Line):
    zero = await Process(line, 0).start()
    zero.store.is_down = True
    zero.press(1)
    zero.press(2, 99)
    await a_while()
    assert zero.answered == [1, 2]
    zero.store.is_down = False
    zero.press(3, 99)
    await a_while()
    assert zero.answered == [1, 2, 3]


async def test_a_press_whose_fate_is_unknown_is_answered(line: Line):
    """The press was passed on, but the connection was lost: it is taken back if possible, and never lost."""
    zero = await Process(line, 0).start()
    line.is_lost = True
    zero.press(1)
    await a_while()
    assert zero.answered == [1]
    assert line.rows == {}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no JSON",
        "[]",
        "null",
        "[" * 100_000,
        json.dumps(press(7, guild_id="5")),
        json.dumps(press(7, type=2)),
        json.dumps(press(7, data={"custom_id": "mr1:desk:2:5"})),
    ],
)
async def test_what_no_process_would_pass_on_is_not_taken_for_a_press(line: Line, content: str):
    one = await Process(line, 1).start()
    await line.pass_on([PassedPress(7, 1, content)])
    await a_while()
    assert one.answered == []
    assert line.rows == {}


async def test_what_was_left_behind_long_ago_is_not_answered(line: Line):
    one = await Process(line, 1).start()
    await line.pass_on([PassedPress(7, 1, json.dumps(press(7)), LATEST_MS + 1)])
    await a_while()
    assert one.answered == []


async def test_numbers_of_no_presses_cost_one_statement(line: Line):
    one = await Process(line, 1).start()
    for number in range(100_000):
        line.tell[0](1, number)
    line.tell[0](0, 5)
    assert len(one.relay._told) == 1_000
    await a_while()
    assert one.answered == []
