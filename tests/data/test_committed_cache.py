"""Values in memory are never older than the file, whatever is read and changed at the same time."""

import asyncio
from collections.abc import Callable, Generator, Iterator, Sequence

import pytest

from data.caches import CommittedCache
from data.errors import StoreUnavailableError
from tests.gates import Gate

Steps = Generator[None, None, None]


class File:
    """Each row is the number of times that rows were asked for until then, which is told when the gate is open."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.asked: list[set[int]] = []
        self.gate = Gate()
        if is_open:
            self.gate.open()

    async def load(self, ids: set[int]) -> dict[int, str]:
        self.asked.append(ids)
        number = len(self.asked)
        await self.gate.passed()
        return {row_id: f"state {number}" for row_id in ids if row_id > 0}


async def test_what_was_read_before_a_change_is_not_kept():
    file, cache = File(is_open=False), CommittedCache[str](10)
    early = asyncio.create_task(cache.get_many([1, 2], file.load))
    await file.gate.reached()
    cache.drop([1])
    file.gate.open()
    assert await early == {1: "state 1", 2: "state 1"}
    assert await cache.get_many([1, 2], file.load) == {1: "state 2", 2: "state 1"}
    assert file.asked == [{1, 2}, {1}]


async def test_what_was_read_before_everything_was_dropped_is_not_kept():
    file, cache = File(is_open=False), CommittedCache[str](10)
    early = asyncio.create_task(cache.get_many([1], file.load))
    await file.gate.reached()
    cache.clear()
    file.gate.open()
    await early
    assert await cache.get_many([1], file.load) == {1: "state 2"}
    cache.clear()
    assert not len(cache)


@pytest.mark.parametrize("ids", [range(1, 6), [0, -1, -2, -3, 5]])
async def test_it_keeps_no_more_than_it_may(ids: Sequence[int]):
    file, cache = File(), CommittedCache[str](3)
    for row_id in ids:
        await cache.get_many([row_id], file.load)
    assert len(cache) == 3
    await cache.get_many(ids[2:], file.load)
    assert len(file.asked) == 5
    await cache.get_many(ids[:1], file.load)
    assert len(file.asked) == 6


def test_it_keeps_no_more_than_may_weigh_together():
    cache = CommittedCache[str](10, most_weight=5, weigh=len)
    for number, value in enumerate(["aa", "bb", "cc", "d"]):
        cache.claim([number]).keep(number, value)
    assert [cache.get(number) for number in range(4)] == [None, "bb", "cc", "d"]
    cache.claim([4]).keep(4, "more than all may weigh")
    assert [cache.get(number) for number in range(5)] == [None] * 4 + ["more than all may weigh"]
    cache.drop([4])
    cache.claim([5]).keep(5, "eeeee")
    cache.claim([6]).keep(6, "")
    assert len(cache) == 2


async def test_a_failed_read_leaves_nothing_behind():
    async def fail(_ids: set[int]) -> dict[int, str]:
        raise StoreUnavailableError("locked")

    cache = CommittedCache[str](3)
    with pytest.raises(StoreUnavailableError, match="locked"):
        await cache.get_many([1], fail)
    assert not len(cache)
    assert not cache._changes


def test_a_value_that_goes_while_it_changes_is_not_read_back_from_before():
    """It is dropped for want of room: what is known of its change stays."""
    cache = CommittedCache[str](1)
    cache.claim([1]).keep(1, "old")
    early = cache.claim([1])
    with cache.changing([1]):
        cache.claim([2]).keep(2, "other")
        early.keep(1, "old")
        assert cache.get(1) is None
    early.keep(1, "old")
    assert cache.get(1) is None
    assert cache.get(2) == "other"


# Every order of the steps of two changes and a look at the same value. Its value is the number of changes in the file.


class World:
    def __init__(self) -> None:
        self.cache = CommittedCache[int](1)
        self.file = 1
        self.cache.claim([7]).keep(7, self.file)


def keeps(world: World) -> Steps:
    """A move: it knows what it has made of the value."""
    claim = world.cache.claim([7])
    yield
    with world.cache.changing([7]):
        yield
        world.file += 1
        made = world.file
        yield
    claim.keep(7, made, own_changes=1)
    yield


def changes(world: World) -> Steps:
    """A ruling, or a cancelled move: the file has changed, and nothing is kept."""
    with world.cache.changing([7]):
        yield
        world.file += 1
        yield
    yield


def fails(world: World) -> Steps:
    """A change that the file does not take."""
    with world.cache.changing([7]):
        yield
    yield


def evicts(world: World) -> Steps:
    """Another value takes the only place."""
    world.cache.claim([8]).keep(8, 0)
    yield


def looks(world: World) -> Steps:
    claim = world.cache.claim([7])
    yield
    read = world.file
    yield
    claim.keep(7, read)
    yield


Actor = Callable[[World], Steps]


def orders(counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every order in which actors can make so many steps."""
    if not any(counts):
        yield ()
    for actor, count in enumerate(counts):
        if count:
            left = (*counts[:actor], count - 1, *counts[actor + 1 :])
            yield from ((actor, *order) for order in orders(left))


@pytest.mark.parametrize(
    "actors",
    [
        (keeps, keeps, looks),
        (keeps, changes, looks),
        (keeps, fails, looks),
        (changes, changes, looks),
        (fails, changes, looks),
        (keeps, changes, evicts, looks),
        (keeps, looks, looks),
    ],
    ids=lambda actors: "-".join(actor.__name__ for actor in actors),
)
def test_in_no_order_is_anything_older_than_the_file_in_memory(actors: tuple[Actor, ...]):
    counts = tuple(sum(1 for _ in actor(World())) for actor in actors)
    kept = 0
    for order in orders(counts):
        world = World()
        steps = [actor(world) for actor in actors]
        for actor in order:
            next(steps[actor])
            assert world.cache.get(7) in (None, world.file), order
        kept += world.cache.get(7) is not None
    assert kept
