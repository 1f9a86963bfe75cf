"""Background work that keeps the process in good order."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator

import pytest

from bot import upkeep
from tests.waiting import SLOW_DEADLINE, until


class Knot:
    """An object that refers to itself: only a collection frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
async def collecting(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> AsyncIterator[None]:
    """Collect garbage continuously, with a full collection every third time, or after so many seconds."""
    monkeypatch.setattr(upkeep, "COLLECT_S", 0.01)
    monkeypatch.setattr(upkeep, "WHOLE_COLLECTION_S", getattr(request, "param", 0.03))
    usual = gc.get_threshold()
    gc.unfreeze()
    worker = asyncio.create_task(upkeep.collect_garbage())
    await until(gc.get_freeze_count)
    yield
    worker.cancel()
    await asyncio.wait([worker])
    assert (gc.get_threshold(), gc.get_freeze_count()) == (usual, 0)
    gc.freeze()


async def test_garbage_is_collected_again_and_again(collecting: None):
    for _ in range(2):
        found = weakref.ref(Knot())
        await until(lambda found=found: found() is None, SLOW_DEADLINE)


async def test_what_was_set_aside_before_it_became_garbage_is_found_in_the_end(collecting: None):
    kept = Knot()
    found = weakref.ref(kept)
    await until(lambda: not any(each is found() for each in gc.get_objects()), SLOW_DEADLINE)
    del kept
    await until(lambda: found() is None, SLOW_DEADLINE)


@pytest.mark.parametrize("collecting", [3_600], indirect=True)
async def test_if_objects_become_many_garbage_is_found_before_the_time_is_over(collecting: None):
    kept = Knot()
    found = weakref.ref(kept)
    await until(lambda: not any(each is found() for each in gc.get_objects()), SLOW_DEADLINE)
    before = gc.get_freeze_count()
    del kept
    heap = [[number] for number in range(before)]
    await until(lambda: found() is None, SLOW_DEADLINE)
    assert gc.get_freeze_count() >= len(heap)
