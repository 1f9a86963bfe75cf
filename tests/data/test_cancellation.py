"""Work that continues when the task that awaits it is cancelled."""

import asyncio

import pytest

from data.cancellation import to_the_end, undisturbed


@pytest.mark.parametrize("awaited", [to_the_end, undisturbed])
async def test_work_goes_on_to_its_end(awaited):
    begun, may_end, is_done = asyncio.Event(), asyncio.Event(), []

    async def work() -> None:
        begun.set()
        await may_end.wait()
        is_done.append(True)

    waiting = asyncio.create_task(awaited(work()))
    await begun.wait()
    waiting.cancel()
    may_end.set()
    await asyncio.wait([waiting])
    assert waiting.cancelled()
    assert is_done


@pytest.mark.parametrize(("awaited", "is_cancelled"), [(to_the_end, False), (undisturbed, True)])
async def test_of_work_that_fails_the_one_tells_that_and_the_other_ends(awaited, is_cancelled):
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        await may_end.wait()
        raise ConnectionError

    waiting = asyncio.create_task(awaited(work()))
    await begun.wait()
    waiting.cancel()
    may_end.set()
    await asyncio.wait([waiting])
    assert waiting.cancelled() == is_cancelled
    if not is_cancelled:
        assert isinstance(waiting.exception(), ConnectionError)


async def test_what_comes_of_it_is_passed_on():
    async def work(fails: bool) -> int:
        if fails:
            raise ConnectionError
        return 7

    assert await undisturbed(work(fails=False)) == 7
    with pytest.raises(ConnectionError):
        await undisturbed(work(fails=True))
