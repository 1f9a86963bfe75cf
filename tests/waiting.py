"""Waiting for a condition that no event reports: it is checked repeatedly until it holds."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import TypeVar, cast

T = TypeVar("T")

SLOW_DEADLINE = 25.0
"""The limit in seconds for brief waits: a machine that pauses for a while must not fail a test."""


async def until(condition: Callable[[], T | Awaitable[T]], timeout: float = SLOW_DEADLINE) -> T:  # noqa: ASYNC109 - a plain wait
    """Wait until a condition is true, and return its value.

    Raises TimeoutError if it does not become true.
    """
    async with asyncio.timeout(timeout):
        while True:
            value = condition()
            if inspect.isawaitable(value):
                value = await value
            if value:
                return cast("T", value)
            await asyncio.sleep(0.005)
