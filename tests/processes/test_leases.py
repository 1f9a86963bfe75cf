"""Several processes on one PostgreSQL server: each has its share of shards and continues what others left."""

import asyncio
import os
import signal

import pytest
from discord.gateway import DiscordWebSocket

from bot.__main__ import Exit
from bot.cluster.connections import Connections
from data.repositories.key_values import KeyValueRepository
from playground.services import Sharding
from tests.e2e.dullbot import DULL
from tests.e2e.hastybot import HASTY
from tests.e2e.players import DRAW, START, button_in_dm, discards, open_table, press_in_dm, throw
from tests.gates import hold_before
from tests.postgres import SERVING
from tests.waiting import until

pytestmark = pytest.mark.by_name

SHARDS = 4
BEGUN = SHARDS + SHARDS // 2
"""The sessions begun until two processes share the shards: the second one replaces those that it is given."""
TAKEOVER_S = 120.0
"""How long a busy machine may take for everything that follows the end of a process, in seconds."""


@pytest.fixture
def size():
    return {"guilds": 12, "sharding": Sharding(shards=SHARDS, max_concurrency=SHARDS)}


@pytest.fixture
def place(server):
    return server.fresh()


def held(*running):
    return [sorted(one.bot.services.shards.held) for one in running]


def connected(discord):
    """Return the shards with a connection, each once per connection."""
    sessions = discord.gateway.sessions.values()
    return sorted(session.shard.number for session in sessions if session.connection is not None)


async def shared_out(discord, *running):
    """Wait until every process has its share, and each shard one session that has received its servers."""
    part = SHARDS // len(running)
    guilds = sorted(discord.world.guilds)

    def is_shared_out():
        known = sorted(guild.id for one in running for guild in one.bot.guilds)
        once = connected(discord) == [*range(SHARDS)] and len(discord.gateway.sessions) == SHARDS
        return once and known == guilds and all(len(shards) == part for shards in held(*running))

    await until(is_shared_out, TAKEOVER_S)


async def everybody_is_answered(discord):
    asha = discord.person("asha")
    for guild in discord.world.guilds.values():
        await asha.slash("marriage rules", channel=discord.world.channel("marriage", guild))
    await asha.slash("help", channel=asha.dm_channel)


async def started(start_process, place, module=HASTY):
    """Start a process, and wait until it has its share of the shards."""
    process = await start_process(place, module=module, shard_count=SHARDS)
    await until(lambda: any("bot.ready" in line for line in process.lines), TAKEOVER_S)
    return process


async def test_two_processes_share_the_shards_and_one_alone_has_them_all(discord, start_bot, place):
    first = await start_bot(place, shard_count=SHARDS)
    assert held(first) == [[0, 1, 2, 3]]
    second = await start_bot(place, shard_count=SHARDS)
    await shared_out(discord, first, second)
    await everybody_is_answered(discord)
    await second.stop()
    await shared_out(discord, first)
    await everybody_is_answered(discord)


async def test_a_session_goes_from_one_process_to_the_other(discord, start_bot, place):
    """No press made in between is lost."""
    first = await start_bot(place, shard_count=SHARDS)
    second = await start_bot(place, shard_count=SHARDS)
    await shared_out(discord, first, second)
    resumed, identified = discord.gateway.resumed, discord.gateway.identified
    asha = discord.person("asha")
    pressing = [
        asyncio.create_task(asha.slash("marriage rules", channel=discord.world.channel("marriage", guild)))
        for guild in discord.world.guilds.values()
        for _ in range(3)
    ]
    await second.stop()
    await shared_out(discord, first)
    await asyncio.gather(*pressing)
    assert discord.gateway.resumed == resumed + SHARDS / 2
    assert discord.gateway.identified == identified + SHARDS / 2, "each was replaced by a new one"
    await everybody_is_answered(discord)


def pressing_everywhere(discord):
    asha = discord.person("asha")
    return [
        asyncio.create_task(asha.slash("marriage rules", channel=discord.world.channel("marriage", guild)))
        for guild in discord.world.guilds.values()
    ]


async def test_a_session_that_is_being_given_away_is_not_lost_by_a_stop(
    discord, start_bot, place, monkeypatch
):
    first = await start_bot(place, shard_count=SHARDS)
    gate = hold_before(monkeypatch, KeyValueRepository, "hand_over")
    starting = asyncio.create_task(start_bot(place, shard_count=SHARDS))
    await gate.reached()
    pressing = pressing_everywhere(discord)
    sharing_out = first.bot.workers._tasks["shards"]
    stopping = asyncio.create_task(first.stop())
    await until(sharing_out.cancelling)
    gate.open()
    await asyncio.gather(stopping, starting, *pressing)
    await shared_out(discord, starting.result())
    assert discord.gateway.resumed == SHARDS


async def test_a_session_that_nobody_has_gone_on_with_yet_is_left_once_more(
    discord, start_bot, place, monkeypatch
):
    first = await start_bot(place, shard_count=SHARDS)
    second = await start_bot(place, shard_count=SHARDS)
    await shared_out(discord, first, second)
    resumed = discord.gateway.resumed
    gate = hold_before(monkeypatch, Connections, "_connect")
    await second.stop()
    await gate.reached()
    pressing = pressing_everywhere(discord)
    await until(lambda: discord.gateway.resumed == resumed + SHARDS / 2 - 1, TAKEOVER_S)
    await first.stop()
    third = await start_bot(place, shard_count=SHARDS)
    await asyncio.gather(*pressing)
    await shared_out(discord, third)
    assert discord.gateway.resumed == resumed + SHARDS / 2 - 1 + SHARDS


async def test_a_session_that_is_being_replaced_is_ended_by_a_stop_as_well(
    discord, start_bot, place, monkeypatch
):
    first = await start_bot(place, shard_count=SHARDS)
    second = await start_bot(place, shard_count=SHARDS)
    await shared_out(discord, first, second)
    # The second process closes the connections of its part, and then the first one replaces what it was given.
    gate = hold_before(monkeypatch, DiscordWebSocket, "close", call=SHARDS // 2 + 1)
    await second.stop()
    await gate.reached()
    stopping = asyncio.create_task(first.stop())
    await until(lambda: len(first.bot.services.shards.held) <= 1)
    gate.open()
    await stopping
    third = await start_bot(place, shard_count=SHARDS)
    await shared_out(discord, third)


async def test_a_session_that_discord_refuses_is_begun_anew(discord, start_bot, place):
    first = await start_bot(place, shard_count=SHARDS)
    second = await start_bot(place, shard_count=SHARDS)
    await shared_out(discord, first, second)
    for session in tuple(discord.gateway.sessions.values()):
        if session.shard.number in second.bot.services.shards.held:
            del discord.gateway.sessions[session.id]
    identified = discord.gateway.identified
    await second.stop()
    await shared_out(discord, first)
    assert discord.gateway.identified == identified + SHARDS / 2
    await everybody_is_answered(discord)


async def two_processes(discord, start_process, place):
    """Start two processes with their shares of the shards.

    The second has replaced the sessions that it was given.
    """
    processes = [await started(start_process, place) for _ in range(2)]
    await until(
        lambda: discord.gateway.identified == BEGUN and connected(discord) == [*range(SHARDS)], TAKEOVER_S
    )
    return processes


async def test_what_a_killed_process_had_is_taken_over(discord, start_process, place):
    processes = await two_processes(discord, start_process, place)
    await everybody_is_answered(discord)
    await processes[0].kill()
    # The loss of its connections shows later: what counts is that others have been begun in their place.
    await until(
        lambda: discord.gateway.identified == BEGUN + SHARDS / 2 and connected(discord) == [*range(SHARDS)],
        TAKEOVER_S,
    )
    await everybody_is_answered(discord)
    await started(start_process, place)
    await everybody_is_answered(discord)


async def test_a_process_ends_once_a_newer_program_has_changed_the_database(
    discord, start_process, place, server
):
    """Its connection was lost meanwhile, so nothing but its own check keeps it from serving with the newer program."""
    process = await started(start_process, place)
    process.excused = ("StoreTooNewError",)
    version = server.sql("SELECT version_num FROM alembic_version", place.database)[0][0]
    server.run("UPDATE alembic_version SET version_num = '9999'", place.database)
    try:
        serving = SERVING.format(place.database)
        server.run(f"SELECT pg_terminate_backend(pid) FROM ({serving}) AS serving", place.database)
        async with asyncio.timeout(TAKEOVER_S):
            assert await process.life == Exit.FAULT
        await until(lambda: not connected(discord))
    finally:
        server.run(f"UPDATE alembic_version SET version_num = '{version}'", place.database)


def stand_still(process):
    """Suspend a process until SIGCONT.

    It may be waiting for the server, which drops its connection meanwhile.
    """
    process.excused = ("StoreUnreachable",)
    os.kill(process.pid, signal.SIGSTOP)


async def test_what_a_process_had_that_stands_still_is_taken_over(discord, start_process, place):
    """The server releases its locks, and it takes part again when it continues."""
    processes = await two_processes(discord, start_process, place)
    stand_still(processes[0])
    try:
        # Its own connections still exist, next to those of the process that has taken over its shards, so
        # each is a second one.
        await until(lambda: len(connected(discord)) == SHARDS + SHARDS / 2, TAKEOVER_S)
        await everybody_is_answered(discord)
    finally:
        os.kill(processes[0].pid, signal.SIGCONT)
    await until(lambda: connected(discord) == [*range(SHARDS)], TAKEOVER_S)
    await everybody_is_answered(discord)


async def test_an_edit_of_a_process_that_stood_still_does_not_last(discord, start_process, place):
    """The edit arrives when the process that has taken over the shard has shown a newer state."""
    first = await started(start_process, place, DULL)
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await asha.wait_for(lambda: button_in_dm(asha, DRAW), timeout=TAKEOVER_S)
    # The next edit of the table must be that of the draw.
    await asha.wait_for(lambda: "**Asha** draws next" in asha.look(table).text, timeout=TAKEOVER_S)
    hold = discord.faults.hold(f"/messages/{table.id}$", method="PATCH")
    panel = (await press_in_dm(asha, DRAW)).message
    await hold.reached()
    discord.faults.holds.remove(hold)  # it holds no other requests
    stand_still(first)
    try:
        await started(start_process, place, DULL)
        # The connections of the first process still exist next to those of the second.
        await until(lambda: len(connected(discord)) == 2 * SHARDS, TAKEOVER_S)
        await throw(asha, panel, discards(panel)[0])
        await asha.wait_for(lambda: button_in_dm(asha, DRAW), timeout=TAKEOVER_S)
        await asha.wait_for(lambda: "**Asha** draws next" in asha.look(table).text, timeout=TAKEOVER_S)
        newest = asha.look(table).text
        hold.release()
        await asha.wait_for(lambda: "**Asha** has drawn" in asha.look(table).text)
    finally:
        os.kill(first.pid, signal.SIGCONT)
    await asha.wait_for(lambda: asha.look(table).text == newest, timeout=TAKEOVER_S)
