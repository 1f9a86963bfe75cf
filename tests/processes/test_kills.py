"""Processes that are killed at the worst moment, or that end by themselves; `make processes` runs them."""

import asyncio
import json
import os
import signal
import sys

import pytest

from bot.__main__ import Exit
from bot.delivery.card_emojis import Done
from marriage.cards import CARDS
from tests.e2e.dullbot import DULL
from tests.e2e.impatientbot import IMPATIENT
from tests.e2e.players import (
    COMPUTER,
    DRAW,
    START,
    act,
    next_panel,
    open_table,
    press_in_dm,
    press_tool,
)
from tests.e2e.running import ROOT, Process, environment, ready
from tests.e2e.test_card_emojis import all_names, names
from tests.e2e.test_nearness import goes_down, live, talk
from tests.e2e.test_openings import BY_TOKEN, CALLBACK, of_tables
from tests.waiting import SLOW_DEADLINE, until

pytestmark = pytest.mark.by_name
GATEWAY = r"^/(gateway/?|resume/)?$"


async def test_a_gateway_that_does_not_come_back_ends_the_process(discord, start_process, path):
    process = await Process.start(discord, path, module=IMPATIENT)
    await ready(discord, process.life)
    discord.faults.fail(GATEWAY, method="GET", status=503, times=10_000)
    discord.gateway.drop()
    assert await process.life == 69
    assert "gateway.given_up" in [json.loads(line)["event"] for line in process.lines]
    discord.faults.clear()
    await start_process()


@pytest.mark.parametrize("method", ["POST", "PATCH"])
async def test_a_bot_that_is_killed_while_it_posts_anew_leaves_one_live_message(
    discord, start_process, method
):
    """It is killed while the new message is being sent, or before the old one is closed."""
    first = await start_process(module=DULL)
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await asha.wait_for(lambda: "**Asha** draws next" in asha.look(table).text)
    place = table.message.channel.id
    unsent = discord.faults.hold(rf"/channels/{place}/messages/{table.id}$", method="PATCH")
    await press_in_dm(asha, DRAW)
    await unsent.reached()
    await first.kill()
    discord.faults.clear()
    talk(asha)
    path = rf"/channels/{place}/messages" + ("$" if method == "POST" else rf"/{table.id}$")
    held = discord.faults.hold(path, method=method)
    second = await start_process(module=DULL)  # it updates open tables, and finds this one out of reach
    await held.reached()
    await second.kill()
    discord.faults.clear()
    await start_process(module=DULL)
    new = await goes_down(asha, table)
    await asha.wait_for(lambda: "**Asha** has drawn" in asha.look(new).text)
    await act(asha, await next_panel(asha))
    await asha.wait_for(lambda: "Asha discarded" in asha.look(new).text)
    assert [message.id for message in live(asha)] == [new.id]


async def test_an_answer_that_arrives_just_before_a_kill_is_the_tables_message(discord, start_process):
    asha = discord.person("asha")
    process = await start_process()

    def kill(entry):
        if CALLBACK.search(entry.path):
            os.kill(process.pid, signal.SIGKILL)

    discord.recorder.listeners.append(kill)
    table = (await asha.slash("marriage play")).message
    discord.recorder.listeners.remove(kill)
    await process.life
    assert process.complaints == []
    await start_process()
    await until(lambda: discord.recorder.requests("PATCH", BY_TOKEN), SLOW_DEADLINE)
    before = asha.look(table).text
    await press_tool(asha, table, COMPUTER)
    await asha.wait_for(lambda: asha.look(table).text != before)
    assert [message.id for message in of_tables(asha)] == [table.id]


async def test_the_command_uploads_and_says_what_it_did(discord, path):
    for told in (Done(0, len(CARDS), 0), Done(len(CARDS), 0, 0)):
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "emojis"),
            cwd=ROOT,
            env=environment(discord, path),
            stdout=asyncio.subprocess.PIPE,
        )
        said, _ = await child.communicate()
        assert child.returncode == Exit.OK
        assert said.decode().startswith(f"{told.found} emojis were there, {told.uploaded} were uploaded")
    assert names(discord) == all_names()
