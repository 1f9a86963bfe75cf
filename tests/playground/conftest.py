import os
from collections.abc import AsyncIterator

import aiohttp
import pytest

from playground.server import Playground
from tests.playground.api import Api
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


@pytest.fixture
async def api(server: Playground) -> AsyncIterator[Api]:
    """The REST API by hand."""
    async with aiohttp.ClientSession() as http:
        yield Api(server, http)
