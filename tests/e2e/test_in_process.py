"""The same scenario always makes the same requests, byte for byte and in the same order."""

import asyncio
import os
import random
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import discord as library
import pytest

from playground.in_process import WALL, InProcessLoop, StandstillError
from playground.server import Playground
from tests.e2e import dealt
from tests.e2e.players import HAND, NEXT, START, open_table, play_by_buttons, play_by_typing
from tests.e2e.running import run_here

pytestmark = pytest.mark.in_process

Scenario = Callable[[Playground], Awaitable[None]]


async def two_people_play(discord: Playground) -> None:
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asha.press(HAND, message=table)
    await asyncio.gather(play_by_buttons(asha), play_by_typing(bikram, table))
    await asha.press(NEXT, message=await asha.sees("won deal 1"))


async def one_plays_against_computers(discord: Playground) -> None:
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)


async def many_look_at_many_things(discord: Playground) -> None:
    people = [discord.person(name) for name in ("asha", "bikram", "chandra", "devi")]
    await asyncio.gather(
        *(
            person.slash(command)
            for person in people
            for command in ("help", "leaderboard", "history", "profile")
        )
    )


SCENARIOS = (two_people_play, one_plays_against_computers, many_look_at_many_things)


@pytest.fixture
def by_chance(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Reset all randomness: tokens, multipart boundaries, deals."""

    def begin() -> None:
        chance = random.Random(7)
        monkeypatch.setattr(os, "urandom", chance.randbytes)
        monkeypatch.setattr(random, "_urandom", chance.randbytes)
        monkeypatch.setattr("secrets.token_bytes", chance.randbytes)
        random.seed(7)

    return begin


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_makes_the_same_requests_each_time(
    scenario: Scenario, tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch, by_chance
):
    for holder, name in (
        (library.http.Route, "BASE"),
        (library.gateway.DiscordWebSocket, "DEFAULT_GATEWAY"),
        (library.Asset, "BASE"),
    ):
        monkeypatch.setattr(holder, name, getattr(holder, name))  # restored afterwards
    monkeypatch.setattr("bot.table.flow.seating.start", dealt.quick())

    def requests(number: int) -> list[bytes]:
        path = tmp_path / f"{number}.sqlite3"
        shutil.copy(migrated, path)
        by_chance()
        sent: list[bytes] = []
        upgraded: set[int] = set()

        def hear(connection: int, data: bytes) -> None:
            if connection not in upgraded:  # gateway frames have random masks
                sent.append(data)
            if b"Upgrade: websocket" in data:
                upgraded.add(connection)

        async def play() -> None:
            async with Playground() as discord:
                bot = await run_here(discord, path)
                await scenario(discord)
                await bot.stop()
                assert discord.failures == []

        with asyncio.Runner(loop_factory=InProcessLoop) as runner:
            loop = runner.get_loop()
            assert isinstance(loop, InProcessLoop)
            loop.on_request = hear
            runner.run(play())
        return sent

    first = requests(1)
    assert len(first) > 20
    assert requests(2) == first
    assert requests(3) == first


async def test_an_hour_of_silence_takes_no_time():
    loop = asyncio.get_running_loop()
    before = loop.time()
    await asyncio.sleep(3600)
    assert 3600 <= loop.time() - before < 3601


async def test_idle_connections_are_closed_by_the_same_clock():
    loop = asyncio.get_running_loop()
    assert isinstance(loop, InProcessLoop)
    connections: list[int] = []
    loop.on_request = lambda connection, _: connections.append(connection)
    async with (
        Playground() as discord,
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(keepalive_timeout=15)) as session,
    ):
        for idle_s in (0, 10, 20):
            await asyncio.sleep(idle_s)
            async with session.get(discord.api_url):
                pass
    first, second, third = connections
    assert first == second != third


def test_what_can_never_come_is_said_at_once_with_the_place_that_waits(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("playground.in_process.STANDSTILL_S", 0.01)

    async def waits_for_nothing() -> None:
        await asyncio.get_running_loop().create_future()

    with (
        asyncio.Runner(loop_factory=InProcessLoop) as runner,
        pytest.raises(StandstillError, match="waits_for_nothing"),
    ):
        runner.run(waits_for_nothing())


async def test_a_server_of_the_loop_is_reached_through_streams_and_nothing_else_is():
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.read())  # until the other side stops writing
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"hello")
    writer.write_eof()
    assert await reader.read() == b"hello"
    writer.close()
    server.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


async def test_a_connection_that_is_broken_off_ends_for_the_other_side_too():
    broken: list[Exception | None] = []

    class Listens(asyncio.Protocol):
        def connection_lost(self, exc: Exception | None) -> None:
            broken.append(exc)

    loop = asyncio.get_running_loop()
    server = await loop.create_server(Listens, "127.0.0.1", 0)
    transport, _ = await loop.create_connection(
        asyncio.Protocol, "127.0.0.1", server.sockets[0].getsockname()[1]
    )
    transport.abort()
    await asyncio.sleep(1)
    assert broken == [None]
    server.close()


def test_after_the_loop_the_module_time_tells_the_real_time_again():
    import time

    real = time.time
    with asyncio.Runner(loop_factory=InProcessLoop) as runner:
        runner.get_loop()
        assert WALL <= time.time() < WALL + 60
    assert time.time is real
