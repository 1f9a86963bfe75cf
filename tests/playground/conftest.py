import os
from collections.abc import AsyncIterator

import pytest

from playground.server import Playground
from tests.playground.client import point_at
from tests.playground.openapi import VARIABLE, judge


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Playground]:
    """A playground that discord.py of this process talks to; what it must not meet fails the test."""
    async with Playground() as playground:
        point_at(playground, monkeypatch)
        yield playground
        assert playground.failures == []
        if VARIABLE in os.environ:
            assert judge(playground.recorder) == []
