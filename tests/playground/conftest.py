from collections.abc import AsyncIterator

import aiohttp
import pytest

from playground.person import Person
from playground.server import Playground
from tests.missing import OPENAPI
from tests.playground.api import Api
from tests.playground.client import point_at
from tests.playground.openapi import judge_all
from tests.waiting import SLOW_DEADLINE


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Playground]:
    """A playground that discord.py in this process uses, with patient people; its failures fail the test."""
    for method in (Person.wait_for, Person.sees):
        monkeypatch.setattr(method, "__defaults__", (*method.__defaults__[:-1], SLOW_DEADLINE))
    async with Playground(deadline=SLOW_DEADLINE) as playground:
        point_at(playground, monkeypatch)
        yield playground
        assert playground.failures == []
        if OPENAPI:
            assert await judge_all(playground) == []


@pytest.fixture
async def api(server: Playground) -> AsyncIterator[Api]:
    """A client of the REST API."""
    async with aiohttp.ClientSession() as http:
        yield Api(server, http)
