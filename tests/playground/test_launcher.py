"""`python -m playground`: it says where it is, watches over the bot, and ends cleanly."""

import asyncio
import signal
import sys

import aiohttp

from playground.__main__ import serve_with_bot
from playground.server import Playground

PATIENT_BOT = "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(0)); print('up', flush=True); signal.pause()"


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
    assert "exit code 3" in capfd.readouterr().err


async def test_the_bot_is_ended_with_the_playground():
    async with Playground() as server:
        stopped = asyncio.Event()
        serving = asyncio.create_task(serve_with_bot(server, stopped, (sys.executable, "-c", PATIENT_BOT)))
        stopped.set()
        assert await serving == 0
