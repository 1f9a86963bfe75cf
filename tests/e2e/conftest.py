import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord as library
import pytest
import structlog

from marriage.events import Event
from marriage.rules import Rules
from marriage.shuffle import DealSeed
from playground.person import Person
from playground.server import Playground
from tests.e2e.players import PATIENCE
from tests.e2e.running import SLOW_DEADLINE, Process, Running, Watch, ready, run_here
from tests.marriage.dealing import arranged
from tests.playground.openapi import VARIABLE, judge

StartBot = Callable[..., Awaitable[Running]]
StartProcess = Callable[..., Awaitable[Process]]


class Discord(Playground):
    """A playground that counts the interactions which a test leaves unanswered on purpose."""

    forgiven = 0


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
async def discord(monkeypatch: pytest.MonkeyPatch, watch: Watch) -> AsyncIterator[Discord]:
    """A Discord on this machine. What it must not meet fails the test, and so does an unanswered interaction."""
    for holder, name in (
        (library.http.Route, "BASE"),
        (library.gateway.DiscordWebSocket, "DEFAULT_GATEWAY"),
        (library.Asset, "BASE"),
    ):
        monkeypatch.setattr(holder, name, getattr(holder, name))  # undone afterwards, whatever the bot sets
    for method in (Person.wait_for, Person.sees):
        monkeypatch.setattr(method, "__defaults__", (*method.__defaults__[:-1], PATIENCE))
    async with Discord(deadline=SLOW_DEADLINE) as playground:
        yield playground
        failed = [one for one in playground.world.interactions.values() if one.state == "failed"]
        assert len(failed) == playground.forgiven
        assert playground.failures == []
        if VARIABLE in os.environ:
            assert judge(playground.recorder) == []


@pytest.fixture
async def start_bot(discord: Discord, path: Path) -> AsyncIterator[StartBot]:
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


@pytest.fixture
async def start_process(discord: Discord, path: Path) -> AsyncIterator[StartProcess]:
    """Starts `python -m bot` and waits until it serves; at the end it must end well and without an error."""
    started: list[Process] = []

    async def start(where: Path = path, **options: Any) -> Process:
        process = await Process.start(discord, where, **options)
        started.append(process)
        await ready(discord, process.life)
        return process

    yield start
    for process in started:
        if not process.life.done():
            assert await process.terminate() == 0
        assert process.complaints == []


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the games of the test are kept."""
    return tmp_path / "var" / "tiplu.sqlite3"


@pytest.fixture
async def bot(start_bot: StartBot) -> Running:
    """The bot in this process."""
    return await start_bot()


@pytest.fixture
def arrange(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets the next deals have these hands at least, and this stock; see `tests.marriage.dealing.arranged`."""

    def arrange(*hands: str, up: str = "KD", stock: str = "", number: int = 0) -> None:
        def start(rules: Rules, players: int, dealer: int, key: DealSeed, **stakes: Any) -> list[Event]:
            assert players == len(hands)
            dealt = arranged(*hands, up=up, stock=stock, dealer=dealer, rules=rules, number=number)
            return [replace(dealt, **stakes)]

        monkeypatch.setattr("bot.play.start", start)

    return arrange


@pytest.fixture
def dull(arrange: Callable[..., None]) -> None:
    """Lets the next deal of two seats have hands that nobody can show soon: no run, no tunnela, no pair."""
    faces = [f"{rank}{suit}" for suit in "SHDC" for rank in ("2", "4", "6", "8", "10", "Q")]
    arrange(" ".join(faces[:21]), " ".join(faces[3:]), up="KD", stock=" ".join(faces[:3] + faces[21:]))


@pytest.fixture
def quick(arrange: Callable[..., None]) -> None:
    """Lets the next deals of two seats end in the first turn of seat 0, which acts second in the first deal."""
    faces = [f"{rank}{suit}" for suit in "SHDC" for rank in ("2", "4", "6", "8", "10", "Q")]
    winner = "AS 2S 3S 5S 6S 7S 9S 10S JS AH 2H 3H 5H 6H 7H 9H 10H JH AD 2D 3D"
    arrange(winner, " ".join(faces[3:]), up="KD", stock="QC QD QH QS 10C 10D")
