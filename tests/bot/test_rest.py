"""Every call to Discord comes to an end, and one that is broken off leaves the way open for the others."""

import asyncio
from types import SimpleNamespace

import aiohttp
import pytest
from discord.http import HTTPClient, Route

from bot import rest
from bot.rest import limit_calls

ROUTE = Route("GET", "/gateway")


def client(request) -> SimpleNamespace:
    """What the limit sees of discord.py's client."""
    http = SimpleNamespace(request=request, _global_over=asyncio.Event())
    http._global_over.set()
    limit_calls(http)  # type: ignore[arg-type] - it has all that is asked of it
    return http


async def test_a_call_has_its_answer_and_each_request_a_limit():
    async def answer(_route, **options) -> dict[str, object]:
        return options

    options = await client(answer).request(ROUTE, reason="why")
    assert options == {"reason": "why", "timeout": aiohttp.ClientTimeout(total=rest.ATTEMPT_S)}


async def test_a_call_that_hangs_is_given_up(monkeypatch):
    async def hang(_route, **_options) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(rest, "CALL_S", 0.01)
    with pytest.raises(TimeoutError):
        await client(hang).request(ROUTE)


async def test_a_pause_for_all_that_is_broken_off_ends_all_the_same(monkeypatch):
    async def pause(_route, **_options) -> None:
        http._global_over.clear()
        await asyncio.Event().wait()

    monkeypatch.setattr(rest, "CALL_S", 0.01)
    monkeypatch.setattr(rest, "LONGEST_PAUSE_S", 0.05)
    http = client(pause)
    with pytest.raises(TimeoutError):
        await http.request(ROUTE)
    assert not http._global_over.is_set()
    async with asyncio.timeout(10):
        await http._global_over.wait()


async def test_limits_are_looked_through_seldom_however_many_channels_are_new(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(rest, "monotonic", lambda: now[0])
    http = HTTPClient(asyncio.get_running_loop())
    looked = []
    monkeypatch.setattr(http, "_try_clear_expired_ratelimits", lambda: looked.append(now[0]))
    limit_calls(http)
    for number in range(50):
        http.get_ratelimit(f"channel {number}")
    now[0] += rest.FORGET_EVERY_S
    http.get_ratelimit("another")
    assert looked == [100.0, 100.0 + rest.FORGET_EVERY_S]
