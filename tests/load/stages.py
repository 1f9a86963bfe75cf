"""A Discord with bots, each in its own process, and everyone who presses; the real bot, or the bare one."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bot.settings import Settings
from data.store import Place
from playground.server import Playground
from playground.services import Sharding
from tests.e2e.running import QUICK, Process, ready
from tests.games import Games, ServedGames, games_of
from tests.load.auditing import audit_moves, no_audit
from tests.load.bare import FULL, OK
from tests.load.crowd import Crowd
from tests.load.gauge import VARIABLE
from tests.load.judging import anything
from tests.load.measuring import Audit, Step, measure
from tests.load.panels import Choice, offers
from tests.load.presses import Aim, Press, Presses
from tests.load.probing import Probes, probes
from tests.load.spent import spent_below, spent_by
from tests.load.tables import Tables
from tests.postgres import AS_INSTALLED
from tests.waiting import until

KEPT = 200
"""The number of requests that the playground keeps, since they are not inspected."""
WARM_S = 10.0
"""How long a bot is pressed before it is measured, so that its sprites and pictures are drawn."""
USUAL = {name: Settings.model_fields[name].default for name in QUICK} | {"tunnela_window_s": 0}
"""The default settings, but without waiting for tunnelas."""
BARE_RATE, BARE_S = 60.0, 10.0
TABLES_A_PRESS = 2
"""Tables for each press per second, so that someone can always move."""
FEWEST_TABLES = 60
SHARDS, GUILDS = 8, 40
"""The numbers of shards and Discord servers if a database server keeps the games, which bots may share."""
TOGETHER = Sharding(shards=SHARDS, max_concurrency=SHARDS)
SHARED_OUT_S = 120


@dataclass(frozen=True)
class Setup:
    """What is measured: where the games are kept, by how many bots, and how people play there."""

    number: int = 7
    """The seed of the random choices."""
    tables: int = 60
    database: str = "sqlite"
    bots: int = 1
    at_table: int = 0
    """The percentage of people who play from a hand opened at the table; the others use direct messages."""
    masters: bool = False
    """Whether every table has computers of the highest level."""


@dataclass
class Stage:
    """A Discord with bots and people to measure."""

    discord: Playground
    processes: Sequence[Process]
    asking: Probes
    presses: Presses
    press: Callable[[float], Press]
    chance: Random
    audit: Audit = no_audit

    def now(self) -> float:
        """The time of the clock by which presses are timed."""
        return asyncio.get_running_loop().time()

    async def measure(self, rate: float, seconds: float) -> Step:
        """Measure one step at this rate."""
        return await measure(self.presses, self.asking, self.press, rate, seconds, self.chance, self.audit)

    async def profile(self, rate: float, seconds: float) -> tuple[Step, dict[str, Any]]:
        """Measure one step while the bots' processes are sampled."""
        await self.asking.ask("sample")
        step = await self.measure(rate, seconds)
        return step, await self.asking.profile()


class Floors(NamedTuple):
    """The cost of a press for a bare bot."""

    ok: Step
    """The step whose answers say "ok"."""
    full: Step
    """The step whose answers send what a hand takes."""


async def measure_floors(folder: Path, number: int, seconds: float = BARE_S) -> Floors:
    """Measure the bare bot in both variants, one after the other."""
    steps: list[Step] = []
    async with bare_bot(folder, number) as stages:
        for stage in stages:
            await stage.measure(BARE_RATE, min(WARM_S, seconds))
            steps.append(await stage.measure(BARE_RATE, seconds))
    return Floors(*steps)


@asynccontextmanager
async def bare_bot(folder: Path, number: int) -> AsyncGenerator[list[Stage], None]:
    """Start the bare bot, and yield a stage for each of its buttons."""
    module, place = "tests.load.bare", folder / "nothing"
    async with Playground(keep=KEPT) as discord, _running(discord, place, module, [folder]) as processes:
        presses, chance = Presses(discord.services), Random(number)
        places = list(discord.world.channels.values())
        [message] = await until(lambda: [one for place in places for one in place.messages.values()], 60)
        people = [discord.world.welcome(f"player{number}") for number in range(50)]
        found = {offer.custom_id: Choice(offer) for offer in offers(message).values()}
        aim = Aim("bare", anything)

        def press(choice: Choice, due: float) -> Press:
            return presses.press(aim, chance.choice(people), message, choice, due)

        async with probes([folder / "gauge"]) as asking:
            yield [
                Stage(discord, processes, asking, presses, partial(press, found[name]), chance)
                for name in (OK, FULL)
            ]


@asynccontextmanager
async def real_bot(folder: Path, setup: Setup) -> AsyncGenerator[tuple[Stage, Crowd], None]:
    """Start the bot with `setup.tables` tables in play, in as many processes as set up."""
    is_shared = setup.database == "postgres"
    world: dict[str, Any] = {"guilds": GUILDS, "sharding": TOGETHER} if is_shared else {}
    options = {"shard_count": SHARDS} if is_shared else {}
    folders = [folder / f"bot{number}" for number in range(1, setup.bots + 1)]
    async with (
        games_of(setup.database, AS_INSTALLED) as games,
        Playground(keep=KEPT, **world) as discord,
        _running(discord, games.place, "tests.load.served", folders, **options) as processes,
    ):
        for process in processes:
            await ready(discord, process.life)
        async with probes([folder / "gauge" for folder in folders], partial(_database_s, games)) as asking:
            await until(partial(_are_shared_out, asking), SHARED_OUT_S)
            presses, chance = Presses(discord.services), Random(setup.number)
            seated = Tables(discord, presses, setup.tables, setup.at_table, masters=setup.masters)
            crowd = Crowd(presses, seated, chance)
            discord.interactions.deadline = 60.0  # many are open at once, which does not matter
            await seated.open()
            await until(lambda: all(player.played for player in seated.players), timeout=300)
            await until(lambda: any(player.asked for player in seated.players), timeout=300)
            discord.interactions.deadline = 3.0
            audit = partial(audit_moves, games.rows)
            yield Stage(discord, processes, asking, presses, crowd.press, chance, audit), crowd


async def _are_shared_out(asking: Probes) -> bool:
    """Return whether every process has its share of the shards."""
    parts = [len(one["shards"]) for one in await asking.ask("figures")]
    return len(parts) == 1 or (sum(parts) == SHARDS and max(parts) - min(parts) <= 1)


def _database_s(games: Games) -> float:
    """Return the processor time of the server that keeps the games; with a file, it is part of the bot's."""
    if not isinstance(games, ServedGames):
        return 0.0
    process = games.server.process
    return spent_by(process).cpu_s + spent_below(process).cpu_s


@asynccontextmanager
async def _running(
    discord: Playground, place: Place, module: str, folders: Sequence[Path], **options: Any
) -> AsyncGenerator[Sequence[Process], None]:
    """Start a process for each folder, which holds its gauge."""
    processes: list[Process] = []
    try:
        for folder in folders:
            folder.mkdir(parents=True)
            own = {VARIABLE: folder / "gauge", "log_level": "INFO"}
            processes.append(await Process.start(discord, place, module, **(USUAL | own | options)))
        yield processes
    except BaseException:
        print(*(line for process in processes for line in process.complaints[-20:]), sep="\n")
        raise
    finally:
        for process in processes:
            if not process.life.done():
                await process.kill()
