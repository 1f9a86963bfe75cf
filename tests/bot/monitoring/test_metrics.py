"""Which calls are counted, and under which labels."""

import asyncio

import pytest
from prometheus_client import REGISTRY

from bot import metrics
from bot.metrics import ACKNOWLEDGED, arrived, counted, route_of


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/api/v10/users/@me", "/users/@me"),
        ("/api/v10/oauth2/applications/@me", "/oauth2/applications/@me"),
        (
            "/api/v10/channels/1300000000000000001/messages/1300000000000000002",
            "/channels/{id}/messages/{id}",
        ),
        (
            "/api/v10/webhooks/1300000000000000001/aW50ZXJhY3Rpb24/messages/@original",
            "/webhooks/{id}/{token}/messages/@original",
        ),
        ("/api/v10/webhooks/1300000000000000001/lowercase", "/webhooks/{id}/{token}"),
        ("/api/v10/interactions/13/secret/callback", "/interactions/{id}/{token}/callback"),
        (
            "/api/v10/channels/13/messages/14/reactions/हात/@me",
            "/channels/{id}/messages/{id}/reactions/{name}/@me",
        ),
        ("/api/v10/guilds/13/members/Asha Rai", "/guilds/{id}/members/{name}"),
        (
            "/api/v10/applications/13/guilds/14/scheduled-events",
            "/applications/{id}/guilds/{id}/scheduled-events",
        ),
    ],
)
def test_a_route_holds_nothing_that_differs_from_call_to_call(path: str, route: str):
    assert route_of(path) == route


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0


def test_an_interaction_is_counted_once_by_how_it_ended():
    before = {
        end: value("tiplu_interactions_total", kind="test", outcome=end)
        for end in ("done", "stale", "broken off")
    }
    with counted("test"):
        pass
    with counted("test") as outcome:
        outcome.name = "stale"
    with pytest.raises(asyncio.CancelledError), counted("test"):
        raise asyncio.CancelledError
    for end, count in before.items():
        assert value("tiplu_interactions_total", kind="test", outcome=end) == count + 1


async def test_only_the_answer_that_discord_takes_ends_the_wait():
    def waits() -> float:
        return value(f"{ACKNOWLEDGED._name}_count")

    callback, before = "/api/v10/interactions/13/token/callback", waits()
    metrics._count("POST", callback, 200)  # no interaction has arrived in this task
    arrived()
    metrics._count("POST", callback, 404)
    metrics._count("POST", callback, "TimeoutError")
    metrics._count("PATCH", "/api/v10/channels/13/messages/14", 200)
    metrics._count("GET", "/somewhere/else", 200)
    assert waits() == before
    metrics._count("POST", callback, 204)
    assert waits() == before + 1
