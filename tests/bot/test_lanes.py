"""Lanes: one subject waits only for itself, however long it takes and however often it fails."""

import asyncio

import pytest

from bot.lanes import FIRST_WAIT_MS, LONGEST_WAIT_MS, Failures, Lanes, backoff_ms
from tests.waiting import until


class Works:
    """Pieces of work that end when the test releases them."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self._released: dict[str, asyncio.Event] = {}

    def work(self, name: str, *, more: bool = True):
        released = self._released.setdefault(name, asyncio.Event())

        async def run() -> bool:
            self.begun.append(name)
            try:
                await released.wait()
            finally:
                self.ended.append(name)
            return more

        return run

    def release(self, name: str) -> None:
        self._released[name].set()


@pytest.fixture
def works():
    return Works()


async def test_a_lane_works_on_one_item_at_a_time_and_others_go_on(works):
    woken = asyncio.Event()
    async with Lanes(8, woken.set) as lanes:
        lanes.offer("a", 1, works.work("a1"))
        lanes.offer("a", 2, works.work("a2"))
        lanes.offer("b", 3, works.work("b3"))
        await until(lambda: works.begun == ["a1", "b3"])
        assert sorted(lanes.taken) == [1, 2, 3]
        works.release("b3")
        await until(lambda: lanes.taken == [1, 2])
        woken.clear()
        works.release("a1")
        await woken.wait()
        assert lanes.taken == []
        lanes.offer("a", 2, works.work("a2"))
        await until(lambda: works.begun[-1] == "a2")


@pytest.mark.parametrize("more", [True, False])
async def test_only_work_that_leaves_something_wakes_the_worker(works, more: bool):
    woken = asyncio.Event()
    async with Lanes(8, woken.set) as lanes:
        lanes.offer("a", 1, works.work("a1", more=more))
        await until(lambda: works.begun == ["a1"])
        works.release("a1")
        await until(lambda: lanes.taken == [])
        assert woken.is_set() == more


async def test_work_that_makes_room_wakes_the_worker(works):
    woken = asyncio.Event()
    async with Lanes(1, woken.set) as lanes:
        lanes.offer("a", 1, works.work("a1", more=False))
        await until(lambda: works.begun == ["a1"])
        works.release("a1")
        await until(lambda: lanes.taken == [])
        assert woken.is_set()


async def test_slow_work_gives_its_place_back(works, monkeypatch):
    monkeypatch.setattr("bot.lanes.SLOW_S", 0.01)
    woken = asyncio.Event()
    async with Lanes(2, woken.set) as lanes:
        for name in ("hangs", "hangs too", "waits"):
            lanes.offer(name, name, works.work(name))
        assert sorted(lanes.taken) == ["hangs", "hangs too"]
        assert lanes.room == 0
        await woken.wait()
        await until(lambda: lanes.room == 2)
        lanes.offer("waits", "waits", works.work("waits"))
        await until(lambda: works.begun == ["hangs", "hangs too", "waits"])
        assert works.ended == []


async def test_there_is_a_ceiling_even_for_slow_work(works, monkeypatch):
    monkeypatch.setattr("bot.lanes.SLOW_S", 0)
    monkeypatch.setattr("bot.lanes.MOST", 3)
    async with Lanes(2, lambda: None) as lanes:
        for name in range(9):
            await until(lambda: lanes.room or len(lanes.taken) == 3)
            lanes.offer(name, name, works.work(str(name)))
        assert lanes.taken == [0, 1, 2]


async def test_a_fault_is_passed_on_once_and_ends_no_other_work(works):
    async def fail() -> None:
        raise ZeroDivisionError("a fault of the test")

    woken = asyncio.Event()
    async with Lanes(8, woken.set) as lanes:
        lanes.offer("good", 1, works.work("good"))
        lanes.offer("bad", 2, fail)
        await until(lambda: lanes.taken == [1])
        with pytest.raises(ZeroDivisionError):
            lanes.check()
        lanes.check()
        assert works.ended == []


async def test_leaving_ends_all_work_and_waits_for_it(works):
    async with Lanes(8, lambda: None) as lanes:
        for name in ("a", "b"):
            lanes.offer(name, name, works.work(name))
        await until(lambda: len(works.begun) == 2)
    assert sorted(works.ended) == ["a", "b"]


def test_patience_grows_and_has_an_end():
    assert [backoff_ms(failures) for failures in range(4)] == [FIRST_WAIT_MS << n for n in range(4)]
    assert backoff_ms(10**9) == LONGEST_WAIT_MS
    assert backoff_ms(10**9, 5 * LONGEST_WAIT_MS) == 5 * LONGEST_WAIT_MS


def test_failures_are_counted_until_a_success():
    failures = Failures()
    assert [failures.failed("a") for _ in range(3)] == [0, 1, 2]
    assert failures.failed("b") == 0
    failures.succeeded("a")
    assert failures.failed("a") == 0


def test_failures_of_only_so_many_subjects_are_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.lanes.MOST_FAILING", 2)
    failures = Failures()
    assert [failures.failed(subject) for subject in "aabac"] == [0, 1, 0, 2, 0]
    assert failures.failed("a") == 3
    assert failures.failed("b") == 0
