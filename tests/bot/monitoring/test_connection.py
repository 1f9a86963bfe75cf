"""When Discord's gateway is given up."""

import asyncio

import pytest

from bot.monitoring import supervisor


async def test_only_a_standstill_in_one_piece_is_given_up(monkeypatch: pytest.MonkeyPatch):
    now, looks = 0.0, []
    waits = [False] * 100 + [True] + [False] * 200

    async def later(seconds: float) -> None:
        nonlocal now
        now += seconds

    def is_reached() -> bool:
        looks.append(now)
        return waits[len(looks) - 1]

    monkeypatch.setattr(supervisor.time, "monotonic", lambda: now)
    monkeypatch.setattr(asyncio, "sleep", later)
    await supervisor.until_given_up(is_reached)
    back = looks[100]
    assert back < supervisor.PATIENCE_S
    assert looks[-1] == back + supervisor.PATIENCE_S
