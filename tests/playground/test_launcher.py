"""`python -m playground`: it prints its address, runs the bot, and stops cleanly."""

import asyncio
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import discord
import pytest

from playground import starting
from playground.__main__ import announce, serve_with_bot
from playground.server import Playground
from playground.starting import listen
from tests.playground.client import QuickBot, point_at, running
from tests.waiting import SLOW_DEADLINE, until

pytestmark = pytest.mark.real

SETTINGS = "import os; print(*(os.environ[name] for name in ('DATABASE_PATH', 'DISCORD_GATEWAY_URL')))"
PATIENT_BOT = "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(0)); print('up', flush=True); signal.pause()"


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which another program listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def echoing() -> QuickBot:
    """A bot with one command."""
    bot = QuickBot()

    @bot.tree.command(description="Says hello")
    async def hello(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Hello!")

    return bot


async def test_a_taken_port_is_passed_over_and_the_next_one_serves(
    taken: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(starting, "FIRST_PORT", taken)
    server = Playground(deadline=SLOW_DEADLINE)
    await listen(server, None)
    try:
        assert server.port != taken
        point_at(server, monkeypatch)
        async with running(echoing(), server) as bot:
            await bot.tree.sync()
            answer = await server.person("asha").slash("hello")
            assert answer.message.text == "Hello!"
    finally:
        await server.close()


async def test_a_port_that_was_asked_for_and_is_taken_is_said_so(taken: int):
    command = (sys.executable, "-m", "playground", "--port", str(taken))
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    _, said = await process.communicate()
    assert process.returncode == 1
    assert b"address already in use" in said
    assert b"Traceback" not in said


async def test_the_address_is_told_only_when_the_bot_is_connected_with_its_commands(
    server: Playground, capsys: pytest.CaptureFixture[str]
):
    announced = asyncio.create_task(announce(server))
    async with running(echoing(), server) as bot:
        assert server.gateway.connected
        assert capsys.readouterr().out == ""
        await bot.tree.sync()
        await announced
        assert f"{server.url}/?user=asha" in capsys.readouterr().out


async def test_once_the_address_is_told_the_bot_answers(
    path: Path, taken: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(starting, "FIRST_PORT", taken)
    server, stopped = Playground(deadline=SLOW_DEADLINE), asyncio.Event()
    await listen(server, None)
    serving = asyncio.create_task(serve_with_bot(server, stopped, database=path))
    try:
        await until(lambda: serving.done() or server.url in capfd.readouterr().out, SLOW_DEADLINE)
        answer = await server.person("asha").slash("marriage play")
        assert answer.message.button("Join")
    finally:
        stopped.set()
        assert await serving == 0
        await server.close()


async def test_the_bot_keeps_its_games_apart_and_calls_nobody_else(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("DATABASE_PATH", "var/tiplu.sqlite3")
    monkeypatch.setenv("DISCORD_GATEWAY_URL", "wss://gateway.example")
    async with Playground() as server:
        await serve_with_bot(server, asyncio.Event(), (sys.executable, "-c", SETTINGS))
        assert f"var/playground.sqlite3 {server.gateway_url}\n" in capfd.readouterr().out


async def test_alone_it_prints_what_a_bot_needs_and_ends_on_sigterm():
    command = (sys.executable, "-m", "playground", "--no-bot", "--port", "0")
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    lines = [(await process.stdout.readline()).decode().strip() for _ in range(3)]
    api = lines[1].removeprefix("DISCORD_API_URL=")
    token = lines[2].removeprefix("DISCORD_TOKEN=")
    headers = {"Authorization": f"Bot {token}"}
    async with aiohttp.request("GET", f"{api}/users/@me", headers=headers) as got:
        assert got.status == 200
    process.send_signal(signal.SIGTERM)
    assert await asyncio.wait_for(process.wait(), 10) == 0


async def test_a_bot_that_ends_by_itself_ends_the_playground(capfd):
    async with Playground() as server:
        command = (sys.executable, "-c", "raise SystemExit(3)")
        assert await serve_with_bot(server, asyncio.Event(), command) == 1
    said = capfd.readouterr().err
    assert "exit code 3" in said
    assert "Its games are in var/playground.sqlite3" in said


async def test_the_bot_is_ended_with_the_playground():
    async with Playground() as server:
        stopped = asyncio.Event()
        serving = asyncio.create_task(serve_with_bot(server, stopped, (sys.executable, "-c", PATIENT_BOT)))
        stopped.set()
        assert await serving == 0
