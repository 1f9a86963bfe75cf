"""Holding work at a chosen point, so that a test decides what happens in between."""

import asyncio
from typing import Any

import pytest

from data.errors import StoreBusyError

BUSY_READERS = StoreBusyError("the readers of the test are busy")


async def busy(*_: object, **__: object) -> None:
    """Stand in for an access to the store whose readers are busy; raises StoreBusyError."""
    raise BUSY_READERS


async def fail(*_: object, **__: object) -> None:
    """Stand in for work with a bug; raises KeyError."""
    raise KeyError("seat")


class Gate:
    """Holds work that arrives here until the gate is opened."""

    def __init__(self) -> None:
        self._reached = asyncio.Event()
        self._opened = asyncio.Event()

    async def reached(self) -> None:
        """Wait until work waits at the gate."""
        async with asyncio.timeout(10):
            await self._reached.wait()

    def open(self) -> None:
        """Let the waiting work continue."""
        self._opened.set()

    async def passed(self) -> None:
        """Wait at the gate."""
        self._reached.set()
        async with asyncio.timeout(20):
            await self._opened.wait()


def hold_before(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, *, call: int = 1) -> Gate:
    """Hold the given call, counted from 1, of the coroutine function `owner.name` before it does anything."""
    gate, work, calls = Gate(), getattr(owner, name), 0

    async def held(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            await gate.passed()
        return await work(*args, **kwargs)

    monkeypatch.setattr(owner, name, held)
    return gate


def hold_after(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, *, call: int = 1) -> Gate:
    """Hold the given call when its work is done or has failed, before its caller knows the outcome."""
    gate, work, calls = Gate(), getattr(owner, name), 0

    async def held(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        is_held = calls == call
        try:
            return await work(*args, **kwargs)
        finally:
            if is_held:
                await gate.passed()

    monkeypatch.setattr(owner, name, held)
    return gate
