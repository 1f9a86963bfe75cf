import asyncio

import pytest

from bot.interactions.reply import InFlightCounter


async def test_closing_waits_for_what_is_under_way():
    work = InFlightCounter()
    await work.finished(1)
    released = asyncio.Event()

    async def answer():
        with work.under_way(), work.under_way():
            await released.wait()

    answering = [asyncio.create_task(answer()) for _ in range(3)]
    await asyncio.sleep(0)
    closing = asyncio.create_task(work.finished(5))
    await asyncio.sleep(0)
    assert not closing.done()
    released.set()
    await closing
    assert all(task.done() for task in answering)


async def test_closing_waits_no_longer_than_it_was_told():
    work = InFlightCounter()
    with work.under_way():
        await work.finished(0.01)


async def test_work_that_fails_is_done_too():
    work = InFlightCounter()
    with pytest.raises(ValueError, match="no"), work.under_way():
        raise ValueError("no")
    await work.finished(0.01)
    assert work._open == 0
