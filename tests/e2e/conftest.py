import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import discord as library
import pytest
import structlog

from playground.server import Playground
from tests.e2e.running import Process, Running, Watch, run_here
from tests.playground.openapi import VARIABLE, judge

StartBot = Callable[..., Awaitable[Running]]
StartProcess = Callable[..., Awaitable[Process]]


@pytest.fixture
def watch() -> Iterator[Watch]:
    """The log of the bot in this process: no error may be in it that the test has not expected."""
    structlog.configure(
        processors=[structlog.stdlib.render_to_log_kwargs],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    watch = Watch()
    watch.setFormatter(
        logging.Formatter("%(message)s %(table)s %(kind)s", defaults={"table": "", "kind": ""})
    )
    logging.getLogger().addHandler(watch)
    yield watch
    logging.getLogger().removeHandler(watch)
    structlog.reset_defaults()
    assert watch.errors == []


@pytest.fixture
async def discord(monkeypatch: pytest.MonkeyPatch, watch: Watch) -> AsyncIterator[Playground]:
    """A Discord on this machine. What it must not meet fails the test, and so does an unanswered interaction."""
    for holder, name in (
        (library.http.Route, "BASE"),
        (library.gateway.DiscordWebSocket, "DEFAULT_GATEWAY"),
        (library.Asset, "BASE"),
    ):
        monkeypatch.setattr(holder, name, getattr(holder, name))  # undone afterwards, whatever the bot sets
    async with Playground() as playground:
        yield playground
        assert playground.failures == []
        if VARIABLE in os.environ:
            assert judge(playground.recorder) == []


@pytest.fixture
async def start_bot(discord: Playground, path: Path) -> AsyncIterator[StartBot]:
    """Starts the bot in this process, on `path` unless told otherwise."""
    started: list[Running] = []

    async def start(where: Path = path, **options: Any) -> Running:
        running = await run_here(discord, where, **options)
        started.append(running)
        return running

    yield start
    for running in started:
        if not running.task.done():
            await running.stop()
    assert [one for one in discord.world.interactions.values() if one.state == "failed"] == []


@pytest.fixture
async def start_process(discord: Playground, path: Path) -> AsyncIterator[StartProcess]:
    """Starts `python -m bot`; what still runs at the end is terminated, and must end well and without an error."""
    started: list[Process] = []

    async def start(where: Path = path, **options: Any) -> Process:
        process = await Process.start(discord, where, **options)
        started.append(process)
        return process

    yield start
    for process in started:
        if not process.life.done():
            assert await process.terminate() == 0
        assert process.complaints == []
    assert [one for one in discord.world.interactions.values() if one.state == "failed"] == []


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the games of the test are kept."""
    return tmp_path / "var" / "tiplu.sqlite3"


@pytest.fixture
async def bot(start_bot: StartBot) -> Running:
    """The bot in this process."""
    return await start_bot()
