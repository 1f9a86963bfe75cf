"""Every call to Discord ends, and a cancelled one does not block the others."""

import asyncio
from types import SimpleNamespace

import aiohttp
import pytest
from discord.http import HTTPClient, Route

from bot import rest
from bot.rest import Budget, Urgency, limit_calls

ROUTE = Route("GET", "/gateway")


def client(request) -> SimpleNamespace:
    """Return the parts of discord.py's client that the limit uses."""
    http = SimpleNamespace(request=request, _global_over=asyncio.Event())
    http._global_over.set()
    limit_calls(http)  # type: ignore[arg-type] - it has all that is asked of it
    return http


async def test_a_call_has_its_answer_and_each_request_a_limit():
    async def answer(_route, **options) -> dict[str, object]:
        return options

    options = await client(answer).request(ROUTE, reason="why")
    assert options == {"reason": "why", "timeout": aiohttp.ClientTimeout(total=15)}


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
    monkeypatch.setattr("bot.rest.time.monotonic", lambda: now[0])
    http = HTTPClient(asyncio.get_running_loop())
    looked = []
    monkeypatch.setattr(http, "_try_clear_expired_ratelimits", lambda: looked.append(now[0]))
    limit_calls(http)
    for number in range(50):
        http.get_ratelimit(f"channel {number}")
    now[0] += rest.FORGET_EVERY_S
    http.get_ratelimit("another")
    assert looked == [100.0, 100.0 + rest.FORGET_EVERY_S]


async def gone(budget: Budget, wanted: list[Urgency]) -> list[tuple[float, Urgency]]:
    """Return when each of these simultaneous requests may go, in the order in which they go."""
    loop, went = asyncio.get_running_loop(), []
    begun = loop.time()

    async def request(how_urgent: Urgency) -> None:
        await budget.take(how_urgent)
        went.append((loop.time() - begun, how_urgent))

    await asyncio.gather(*(request(how_urgent) for how_urgent in wanted))
    return went


async def test_no_second_has_more_requests_than_the_budget():
    went = await gone(Budget(), [Urgency.LATER] * 100)
    times = [at for at, _ in went]
    assert max(sum(at <= other < at + 1 for other in times) for at in times) <= 40
    assert times[-1] < 4, "and none waits longer than it has to"


@pytest.mark.parametrize(("how_urgent", "most"), [(Urgency.TURN, 3), (Urgency.LATER, 2)])
async def test_as_many_go_in_a_second_as_may_and_not_one_more(how_urgent: Urgency, most: int):
    went = await gone(Budget(most=3, most_unhurried=2), [how_urgent] * (2 * most))
    times = [at for at, _ in went]
    assert [at < 0.9 for at in times] == [True] * most + [False] * most


async def test_a_turn_waits_for_nothing_that_nobody_waits_for():
    budget = Budget()
    later = asyncio.create_task(gone(budget, [Urgency.LATER] * 100))
    await asyncio.sleep(0)
    [(at, _)] = await gone(budget, [Urgency.TURN])
    assert at < 0.01
    went = await gone(budget, [Urgency.LATER, Urgency.TABLE, *[Urgency.TURN] * 40])
    order = [how_urgent for _, how_urgent in went]
    assert order == sorted(order)
    assert len(await later) == 100


async def test_a_request_that_is_given_up_leaves_the_way_open():
    budget = Budget(most=1, most_unhurried=1)
    await budget.take(Urgency.TURN)
    waiting = [asyncio.create_task(budget.take(Urgency.TURN)) for _ in range(2)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    async with asyncio.timeout(1.5):
        await waiting[1]


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("/api/v10/channels/1/messages", True),
        ("/api/v10/interactions/1/token/callback", False),
        ("/api/v10/webhooks/1/token/messages/@original", False),
        ("/gateway", False),
    ],
)
async def test_answers_to_interactions_do_not_count(path: str, counts: bool):
    budget = Budget(most=1, most_unhurried=1)
    await budget.take(Urgency.TURN)
    trace = budget.counts(aiohttp.TraceConfig())
    loop = asyncio.get_running_loop()
    begun = loop.time()
    [begins] = trace.on_request_start
    url = SimpleNamespace(path=path)
    await begins(None, None, SimpleNamespace(url=url))  # type: ignore[arg-type] - it looks at no more
    assert (loop.time() - begun > 0.9) == counts
