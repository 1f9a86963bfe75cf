"""What monitoring shows while people play."""

import asyncio
import json
import re
from functools import partial

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.monitoring import server
from playground.server import Playground
from tests.e2e.players import START
from tests.waiting import SLOW_DEADLINE, until


async def asked(bot, path: str) -> tuple[int, str]:
    port = await until(lambda: bot.bot.monitoring.port)
    address = f"http://127.0.0.1:{port}{path}"
    async with aiohttp.request("GET", address) as answer:
        return answer.status, await answer.text()


async def samples(bot) -> dict[str, dict[tuple[str, ...], float]]:
    """Return every metric value by its name and the values of its labels."""
    status, text = await asked(bot, "/metrics")
    assert status == 200
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sample.labels.values())] = sample.value
    return found


async def test_presses_are_counted_and_nobody_is_named(discord: Playground, start_bot):
    bot = await start_bot(monitoring_port=0)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    before = await samples(bot)
    table = (await asha.slash("marriage play")).message
    await bikram.press("Join")
    await asha.press(START, message=table)
    for person in (asha, bikram):
        await person.press("My hand", message=table)
    await bot.bot.in_flight.finished(SLOW_DEADLINE)  # a press is counted once it is fully handled
    after = await samples(bot)

    def grown(name: str, *labels: str) -> float:
        return after[name][labels] - before.get(name, {}).get(labels, 0)

    assert grown("tiplu_interactions_total", "command", "done") == 1
    assert grown("tiplu_interactions_total", "press", "done") == 4
    assert grown("tiplu_acknowledgement_seconds_count") == 5
    assert grown("tiplu_rest_calls_total", "POST /interactions/{id}/{token}/callback", "200") == 5
    assert grown("tiplu_pictures_drawn_total", "table") >= 1
    assert grown("tiplu_store_seconds_count", "write") >= 4
    assert after["tiplu_open_tables"][()] == 1
    assert after["tiplu_gateway_up"][("0",)] == 1
    assert after["tiplu_info"]


FORMS = {
    "kind": r"[a-z]+( [a-z]+)*",
    "outcome": r"[a-z]+( [a-z]+)*",
    "route": r"[A-Z]+ (/(@?[a-z-]+|oauth2|\{(id|token|name)\}))+",
    "status": r"\d{3}|[A-Z][A-Za-z]+",
    "shard": r"\d{1,4}",
    "le": r"\d+(\.\d+)?|\+Inf",
    "version": r"\d+\.\d+\.\d+",
}
"""The forms of label values, so that no name, id, token or card can be in one."""


async def test_no_label_can_hold_a_name_an_id_or_a_card(discord: Playground, start_bot, quick):
    bot = await start_bot(monitoring_port=0)
    asha = discord.person("asha")
    asha.user.name = "kings"
    await asha.slash("marriage play", computers=1)
    await asha.slash("profile")
    await asha.slash("privacy")
    _, text = await asked(bot, "/metrics")
    rows = [
        sample
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if family.name.startswith("tiplu")
    ]
    assert {name for row in rows for name in row.labels} == FORMS.keys()
    odd = {
        (name, value)
        for row in rows
        for name, value in row.labels.items()
        if not re.fullmatch(FORMS[name], value)
    }
    assert odd == set()
    kinds = {row.labels["kind"] for row in rows if "kind" in row.labels}
    assert kinds <= {"press", "command", "form", "suggestion", "other", "test", "read", "write", *PICTURES}


PICTURES = {
    "table",
    "seat",
    "hand",
    "result",
    "sheet",
    "lesson",
    "open hands",
    "leaderboard",
    "standings",
    "profile",
    "animation",
    "analysis",
}


async def test_it_is_ready_while_all_are_connected_and_the_store_answers(
    discord: Playground, start_bot, watch, monkeypatch: pytest.MonkeyPatch
):
    bot = await start_bot(monitoring_port=0)

    async def state() -> tuple[int, dict[str, bool]]:
        status, text = await asked(bot, "/health/ready")
        return status, json.loads(text)

    well = {"gateway": True, "store": True, "outbox": True}
    await until(lambda: bot.bot.is_ready())
    assert await state() == (200, well)
    outages = bot.bot.services.outages
    outages.began(0)
    assert await state() == (503, well | {"gateway": False})
    await outages.ended(0)
    with monkeypatch.context() as patched:
        patched.setattr(server, "STUCK_S", -1.0)
        assert await state() == (503, well | {"outbox": False})
    with monkeypatch.context() as patched:
        patched.setattr(server, "STORE_PATIENCE_S", 0.0)
        assert await state() == (503, well | {"store": False, "outbox": False})
    assert await asked(bot, "/health/live") == (200, '{"live": true}')
    assert await state() == (200, well)


async def test_a_port_that_is_taken_is_told_and_tried_again(
    discord: Playground, start_bot, watch, monkeypatch
):
    monkeypatch.setattr(server, "AGAIN_S", 0.0)
    other = await asyncio.get_running_loop().create_server(asyncio.Protocol, "127.0.0.1", 0)
    port = other.sockets[0].getsockname()[1]
    bot = await start_bot(monitoring_port=port)
    await until(lambda: watch.errors)
    other.close()
    await until(partial(listens, port))
    assert (await asked(bot, "/health/live"))[0] == 200
    watch.expect("monitoring.cannot_listen")


async def listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionRefusedError:
        return False
    writer.close()
    return True
