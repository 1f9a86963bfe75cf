"""Two processes serve one bot over the wire, each with its own shard, and share one database."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import URL

from bot.__main__ import Exit
from data.postgres.lines import PressLine
from data.values import DeadlineRow
from playground.model import Guild
from playground.person import Person
from playground.services import Sharding
from playground.shown import Shown
from tests.e2e.dullbot import DULL
from tests.e2e.players import (
    DRAW,
    START,
    button_in_dm,
    discards,
    open_table,
    panel_in_dm,
    press_in_dm,
    throw,
)
from tests.e2e.running import Process, Running, run_here
from tests.gates import hold_before
from tests.postgres import Server
from tests.waiting import SLOW_DEADLINE, until

pytestmark = pytest.mark.by_name

StartProcess = Callable[[int], Awaitable[Running]]


@pytest.fixture
def size() -> dict[str, Any]:
    return {"guilds": 6, "sharding": Sharding(shards=2)}


@pytest.fixture
def url(server: Server) -> URL:
    return server.fresh()


@pytest.fixture
async def start(discord, url: URL) -> AsyncIterator[StartProcess]:
    """Starts a process with one of the two shards; it is ready when the other one is too."""
    started: list[Running] = []

    async def begun(shard: int) -> Running:
        running = await run_here(discord, url, shard_count=2, shard_ids=frozenset({shard}))
        started.append(running)
        return running

    yield begun
    for running in started:
        if not running.task.done():
            await running.stop()


def guild_of(discord: Any, shard: int) -> Guild:
    return next(guild for guild in discord.world.guilds.values() if (guild.id >> 22) % 2 == shard)


async def sit_down(discord: Any, name: str, shard: int) -> tuple[Person, Shown]:
    """Seat a person against a computer in a server of this shard; return them and their table."""
    person = discord.person(name)
    person.go(discord.world.channel("marriage", guild_of(discord, shard)))
    table = await open_table(person, computers=1)
    await person.press(START, message=table)
    await person.wait_for(lambda: button_in_dm(person, DRAW))
    return person, table


async def turn(person: Person) -> None:
    """Draw and discard by direct message."""
    panel = (await press_in_dm(person, DRAW)).message
    await throw(person, panel, discards(panel)[0])


async def turn_and_answer(person: Person, table: Shown) -> None:
    """Draw and discard, and let the computer answer. Both are shown at the table."""
    before = person.look(table).text
    await turn(person)
    await person.wait_for(lambda: button_in_dm(person, DRAW), timeout=SLOW_DEADLINE)
    await person.wait_for(lambda: person.look(table).text != before, timeout=SLOW_DEADLINE)


async def test_people_play_at_tables_of_both_processes(discord, start: StartProcess, dull):
    zero, one = await asyncio.gather(start(0), start(1))
    asha, near = await sit_down(discord, "asha", 0)
    gita, far = await sit_down(discord, "gita", 1)
    for person, table in ((asha, near), (gita, far)) * 2:
        await turn_and_answer(person, table)
    for running in (zero, one):
        assert (await running.bot.services.tables.get(1)).row.guild_id == guild_of(discord, 0).id
        assert (await running.bot.services.tables.get(2)).row.guild_id == guild_of(discord, 1).id
    versions = [[await _version(running, table) for table in (1, 2)] for running in (zero, one)]
    assert versions[0] == versions[1]


async def test_each_process_answers_in_direct_messages_for_its_own_tables(discord, start: StartProcess, dull):
    zero, one = await asyncio.gather(start(0), start(1))
    asha, _ = await sit_down(discord, "asha", 0)
    gita, _ = await sit_down(discord, "gita", 1)
    answered = answered_by(zero), answered_by(one)
    for person in (asha, gita, gita):
        await turn(person)
        await person.wait_for(lambda person=person: button_in_dm(person, DRAW), timeout=SLOW_DEADLINE)
    assert [len(presses) for presses in answered] == [2, 4]
    await gita.slash("help", channel=gita.dm_channel)
    assert [len(presses) for presses in answered] == [3, 4]


async def test_a_process_that_takes_no_presses_costs_nobody_one(discord, start: StartProcess, dull):
    """One process behaves like one of an earlier version, or like one that hangs."""
    zero, one = await asyncio.gather(start(0), start(1))
    gita, table = await sit_down(discord, "gita", 1)
    assert isinstance(one.store.press_line, PressLine)
    one.store.press_line.follow(lambda _shard, _number: None)
    answered = answered_by(zero), answered_by(one)
    for _ in range(2):
        await turn_and_answer(gita, table)
    assert [len(presses) for presses in answered] == [4, 0]


async def test_a_stop_loses_no_press(discord, start: StartProcess, dull, monkeypatch):
    """This holds for presses already passed on, and for those still to come."""
    zero, one = await asyncio.gather(start(0), start(1))
    gita, _ = await sit_down(discord, "gita", 1)
    taking = hold_before(monkeypatch, PressLine, "take")
    drawing = asyncio.create_task(press_in_dm(gita, DRAW))
    await taking.reached()
    stopping = asyncio.create_task(one.stop())
    taking.open()
    await stopping
    panel = (await drawing).message
    await throw(gita, panel, discards(panel)[0])  # no process has the shard of her table
    await start(1)
    await gita.wait_for(lambda: button_in_dm(gita, DRAW), timeout=SLOW_DEADLINE)
    passing = hold_before(monkeypatch, PressLine, "pass_on")
    zero.bot._relay._silent.clear()
    drawing = asyncio.create_task(press_in_dm(gita, DRAW))
    await passing.reached()
    stopping = asyncio.create_task(zero.stop())
    passing.open()
    await stopping
    assert discards((await drawing).message)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_press_for_a_process_that_is_gone_or_stands_still_is_answered_once(
    discord, start: StartProcess, url: URL, dull, sent: signal.Signals
):
    process = await Process.start(discord, url, module=DULL, shard_count=2, shard_ids=1)
    zero = await start(0)
    gita, _ = await sit_down(discord, "gita", 1)
    answered = answered_by(zero)
    os.kill(process.pid, sent)
    try:
        panel = (await press_in_dm(gita, DRAW)).message
        assert len(answered) == 1
    finally:
        if sent is signal.SIGSTOP:
            os.kill(process.pid, signal.SIGCONT)
    answered.clear()
    await throw(gita, panel, discards(panel)[0])
    assert len(answered) == 1
    await process.terminate()
    assert not [line for line in process.lines if "answer.refused" in line or "interaction.failed" in line]


def answered_by(running: Running) -> list[int]:
    """Return a list of the interactions that a process answers from now on."""
    found: list[int] = []
    receiver: Any = running.bot._receiver
    start = receiver._start

    def started(answer: Any, interaction_id: object) -> None:
        found.append(int(str(interaction_id)))
        start(answer, interaction_id)

    receiver._start = started
    return found


async def _version(running: Running, table_id: int) -> int:
    return (await running.bot.services.tables.get(table_id)).row.version


async def test_what_a_stopped_process_had_to_do_waits_for_the_next(discord, start: StartProcess, dull):
    zero, one = await asyncio.gather(start(0), start(1))
    gita, table = await sit_down(discord, "gita", 1)
    await turn_and_answer(gita, table)
    await one.stop()
    before = gita.look(table).text
    await turn(gita)
    asha, near = await sit_down(discord, "asha", 0)
    await turn_and_answer(asha, near)  # the other process does what is its own
    assert [row.kind for row in await _deadlines(zero)] == ["computer"]
    assert not button_in_dm(gita, DRAW)
    assert gita.look(table).text == before
    await start(1)
    await gita.wait_for(lambda: button_in_dm(gita, DRAW), timeout=SLOW_DEADLINE)
    await gita.wait_for(lambda: gita.look(table).text != before, timeout=SLOW_DEADLINE)
    await turn_and_answer(gita, table)


async def _deadlines(running: Running) -> list[DeadlineRow]:
    return await running.store.read(lambda db: db.deadlines.of_table(1))


async def test_a_second_process_with_a_shard_is_told_so(discord, start: StartProcess, url: URL):
    await asyncio.gather(start(0), start(1))
    process = await Process.start(discord, url, shard_count=2, shard_ids=1, log_format="text")
    assert await process.life == Exit.LOCKED
    await process.terminate()
    assert any("another process serves shard 1" in line for line in process.lines)


async def test_settings_of_a_person_are_known_to_both(discord, start: StartProcess, dull):
    zero, one = await asyncio.gather(start(0), start(1))
    gita, _ = await sit_down(discord, "gita", 1)
    for running in (zero, one):
        assert await running.store.directory.person(gita.id) is not None
    await zero.store.write(lambda db: db.people.keep(gita.id, "Gita the Second", 1))

    async def is_known() -> bool:
        person = await one.store.directory.person(gita.id)
        return person is not None and person.names.general == "Gita the Second"

    await until(is_known)
    assert panel_in_dm(gita) is not None
