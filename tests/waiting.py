"""Waiting for a condition of which no event tells: it is asked again and again until it holds."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import TypeVar, cast

T = TypeVar("T")

SLOW_DEADLINE = 25.0
"""Seconds for what takes a moment: a machine that stands still for a while fails no test."""


async def until(condition: Callable[[], T | Awaitable[T]], timeout: float = SLOW_DEADLINE) -> T:  # noqa: ASYNC109 - a plain wait
    """Wait until a condition is true, and return its value; TimeoutError when it does not come true."""
    async with asyncio.timeout(timeout):
        while True:
            value = condition()
            if inspect.isawaitable(value):
                value = await value
            if value:
                return cast("T", value)
            await asyncio.sleep(0.005)
