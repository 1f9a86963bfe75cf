"""A long loop yields to other tasks, and loses nothing by it."""

import asyncio
import time

import pytest

from bot.cooperative import MOST_S, cooperatively


def busy(seconds: float) -> None:
    """Keep the processor busy for this long."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


async def test_others_have_their_turn_between_two_long_items():
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    seen: list[int] = []
    async for number in cooperatively(range(5)):
        busy(MOST_S)
        seen.append(number)
    task.cancel()
    assert seen == list(range(5))
    assert turns >= 4


async def test_what_making_an_item_raises_is_raised():
    with pytest.raises(ZeroDivisionError):
        [item async for item in cooperatively(1 // number for number in (1, 0))]
