import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

import discord as library
import pytest

from bot.history.stats import _MODELS, MODEL
from bot.pictures import Pictures
from bot.workpool.drawing import Drawing
from data.store import Place
from playground.person import Person
from playground.server import Playground
from playground.shown import Shown
from render.words import spoken
from tests.e2e import dealt
from tests.e2e.dealt import dealing
from tests.e2e.players import NEXT, PATIENCE, START, open_table, play_by_buttons
from tests.e2e.running import MovableClock, Process, Running, Watch, ready, run_here
from tests.long_run import log_as_python_does
from tests.missing import OPENAPI
from tests.playground.openapi import judge_all
from tests.waiting import SLOW_DEADLINE

StartBot = Callable[..., Awaitable[Running]]
StartProcess = Callable[..., Awaitable[Process]]


class Discord(Playground):
    """A playground that counts the interactions which a test leaves unanswered on purpose."""

    forgiven = 0


@pytest.fixture(scope="package", autouse=True)
def _uncollected() -> Iterator[None]:
    """A bot in this process collects no garbage: that of all tests takes long, and what has been imported would not be set aside any more."""

    async def never() -> None:
        await asyncio.Event().wait()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.app.collect_garbage", never)
        yield


@pytest.fixture(scope="package", autouse=True)
def _not_drawn_ahead() -> Iterator[None]:
    """A bot in this process draws no sprites ahead: there is one thread, so it would take their time from the tests."""

    async def never(_: Pictures) -> None:
        await asyncio.Event().wait()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pictures, "draw_ahead", never)
        yield


@pytest.fixture(scope="package", autouse=True)
def _drawn_once() -> Iterator[None]:
    """All bots of this process share what they have drawn: many tests have the same deals, and so the same pictures."""
    run = Drawing.run

    async def look_up(drawing: Drawing, function: Callable[..., Any], *args: Any) -> Any:
        return await run(drawing, drawn, function, spoken(), *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Drawing, "run", look_up)
        yield


@lru_cache(maxsize=1_000)
def drawn(function: Callable[..., Any], _language: str, *args: Any) -> Any:
    """What a function draws in a language, which is the current one."""
    return function(*args)


@pytest.fixture
def watch() -> Iterator[Watch]:
    """The log of the bot in this process: no error may be in it that the test has not expected."""
    log_as_python_does()
    watch = Watch()
    watch.setFormatter(
        logging.Formatter("%(message)s %(table)s %(kind)s", defaults={"table": "", "kind": ""})
    )
    logging.getLogger().addHandler(watch)
    yield watch
    logging.getLogger().removeHandler(watch)
    assert watch.errors == []


@pytest.fixture
def size() -> dict[str, Any]:
    """How large the playground is: one guild and one shard, unless a module has it otherwise."""
    return {}


@pytest.fixture
async def discord(
    monkeypatch: pytest.MonkeyPatch, watch: Watch, size: dict[str, Any]
) -> AsyncIterator[Discord]:
    """A Discord on this machine. What it must not meet fails the test, and so does an unanswered interaction."""
    for holder, name in (
        (library.http.Route, "BASE"),
        (library.gateway.DiscordWebSocket, "DEFAULT_GATEWAY"),
        (library.Asset, "BASE"),
    ):
        monkeypatch.setattr(holder, name, getattr(holder, name))  # undone afterwards, whatever the bot sets
    for method in (Person.wait_for, Person.sees):
        monkeypatch.setattr(method, "__defaults__", (*method.__defaults__[:-1], PATIENCE))
    for name in ("PATIENCE_S", "ANSWER_TIMEOUT_S"):  # a busy machine changes no answer's kind
        monkeypatch.setattr(f"bot.interactions.reply.{name}", SLOW_DEADLINE / 2)
    monkeypatch.setattr("bot.interactions.receiver.LATEST_MS", SLOW_DEADLINE * 1000)
    async with Discord(deadline=SLOW_DEADLINE, **size) as playground:
        yield playground
        failed = [
            interaction
            for interaction in playground.world.interactions.values()
            if interaction.state == "failed"
        ]
        assert len(failed) == playground.forgiven
        assert playground.failures == []
        if OPENAPI:
            assert await judge_all(playground) == []


@pytest.fixture
def path(path: Path) -> Path:
    """Where the games of the test are kept: no bot has to look through them for what an earlier version did otherwise."""
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("INSERT INTO meta VALUES (?, ?)", (MODEL, _MODELS))
    return path


@pytest.fixture
def clock() -> MovableClock:
    """For a bot whose time a test moves."""
    return MovableClock()


@pytest.fixture
async def start_bot(discord: Discord, place: Place) -> AsyncIterator[StartBot]:
    """Starts the bot in this process, on `place` unless told otherwise."""
    started: list[Running] = []

    async def start(where: Place = place, **options: Any) -> Running:
        running = await run_here(discord, where, **options)
        started.append(running)
        return running

    yield start
    for running in started:
        if not running.task.done():
            await running.stop()


@pytest.fixture
async def start_process(discord: Discord, place: Place) -> AsyncIterator[StartProcess]:
    """Starts `python -m bot` and waits until it serves; at the end it must end well and without an error."""
    started: list[Process] = []

    async def start(where: Place = place, **options: Any) -> Process:
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
async def bot(start_bot: StartBot) -> Running:
    """The bot in this process."""
    return await start_bot()


@pytest.fixture(autouse=True)
def _same_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a test have the same deals whenever it runs, unless it asks for other ones.

    A test that is marked as `shuffled` has deals of their own seeds, which are the same too, and so is what people contribute.
    """
    if request.node.get_closest_marker("shuffled") is None:
        monkeypatch.setattr("bot.table.flow.seating.start", dealt.named("the same"))
        return
    silent = lambda _, order: [f"{seat}:auto:-" for seat in order]  # noqa: E731
    monkeypatch.setattr("bot.table.flow.seating.complete", silent)


@pytest.fixture
def arrange(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets the next deals have these hands at least, and this stock; see `tests.marriage.dealing.arranged`."""
    return lambda *hands, **cards: monkeypatch.setattr(
        "bot.table.flow.seating.start", dealing(*hands, **cards)
    )


@pytest.fixture
def dull(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the next deal of two seats have hands that nobody can show soon, in this process."""
    monkeypatch.setattr("bot.table.flow.seating.start", dealt.dull())


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the next deals of two seats end in the first turn of seat 0, which acts second in the first deal."""
    monkeypatch.setattr("bot.table.flow.seating.start", dealt.quick())


@pytest.fixture
async def finished(discord: Discord, bot: Running, quick: None) -> tuple[Person, Shown]:
    """A deal of Asha's against a computer, won in the first turn; the message with its sheet."""
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await asha.wait_for(lambda: asha.look(table).button(NEXT), PATIENCE)
    return asha, asha.look(table)
