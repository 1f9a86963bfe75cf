import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import discord as library
import pytest

from bot.history.stats import _MODELS, MODEL
from data.store import Place
from playground.person import Person
from playground.server import Playground
from playground.shown import Shown
from tests.e2e import dealt
from tests.e2e.dealt import dealing
from tests.e2e.players import NEXT, PATIENCE, START, open_table, play_by_buttons
from tests.e2e.running import MovableClock, Process, Running, Watch, ready, run_here
from tests.in_process import make_bots_light
from tests.long_run import log_as_python_does
from tests.missing import OPENAPI
from tests.playground.openapi import judge_all
from tests.waiting import SLOW_DEADLINE

StartBot = Callable[..., Awaitable[Running]]
StartProcess = Callable[..., Awaitable[Process]]


class Discord(Playground):
    """A playground that counts the interactions that a test intentionally leaves unanswered."""

    forgiven = 0


@pytest.fixture(scope="package", autouse=True)
def _light() -> Iterator[None]:
    """Make the bots of this process light."""
    with pytest.MonkeyPatch.context() as patch:
        make_bots_light(patch)
        yield


@pytest.fixture
def watch() -> Iterator[Watch]:
    """The log of the bot in this process; an unexpected error in it fails the test."""
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
    """The size of the playground: one guild and one shard, unless a module overrides it."""
    return {}


@pytest.fixture
async def discord(
    monkeypatch: pytest.MonkeyPatch, watch: Watch, size: dict[str, Any]
) -> AsyncIterator[Discord]:
    """A Discord on this machine. A forbidden request or an unanswered interaction fails the test."""
    for holder, name in (
        (library.http.Route, "BASE"),
        (library.gateway.DiscordWebSocket, "DEFAULT_GATEWAY"),
        (library.Asset, "BASE"),
    ):
        monkeypatch.setattr(holder, name, getattr(holder, name))  # restores whatever the bot sets
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
    """The location of the test's games, marked so that no bot checks them for older versions' differences."""
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("INSERT INTO meta VALUES (?, ?)", (MODEL, _MODELS))
    return path


@pytest.fixture
def clock() -> MovableClock:
    """The clock of a bot whose time a test moves."""
    return MovableClock()


@pytest.fixture
async def start_bot(discord: Discord, place: Place) -> AsyncIterator[StartBot]:
    """A function that starts the bot in this process, on `place` by default."""
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
    """A function that starts `python -m bot` and waits until it serves; it must end without an error."""
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
    """Give a test the same deals in every run, unless it asks for others.

    A test marked `shuffled` gets deals from their own seeds, which are also the same in every run, as are the
    people's contributions.
    """
    if request.node.get_closest_marker("shuffled") is None:
        monkeypatch.setattr("bot.table.flow.seating.start", dealt.named("the same"))
        return
    silent = lambda _, order: [f"{seat}:auto:-" for seat in order]  # noqa: E731
    monkeypatch.setattr("bot.table.flow.seating.complete", silent)


@pytest.fixture
def arrange(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A function that gives the next deals at least these hands, and this stock.

    See `tests.marriage.dealing.arranged`.
    """
    return lambda *hands, **cards: monkeypatch.setattr(
        "bot.table.flow.seating.start", dealing(*hands, **cards)
    )


@pytest.fixture
def dull(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the next two seats hands that no one can show soon, in this process."""
    monkeypatch.setattr("bot.table.flow.seating.start", dealt.dull())


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the next deals of two seats end in the first turn of seat 0, which acts second in the first deal."""
    monkeypatch.setattr("bot.table.flow.seating.start", dealt.quick())


@pytest.fixture
async def finished(discord: Discord, bot: Running, quick: None) -> tuple[Person, Shown]:
    """A deal of Asha against a computer, won in the first turn, and the message with its sheet."""
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await asha.wait_for(lambda: asha.look(table).button(NEXT), PATIENCE)
    return asha, asha.look(table)
