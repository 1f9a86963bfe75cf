"""A Discord with one bot on it, the bot in a process of its own, and everybody who presses: the real bot, or the bare one."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from bot.settings import Settings
from playground.server import Playground
from tests.e2e.running import QUICK, Process, ready
from tests.load.auditing import audit_moves, no_audit
from tests.load.bare import BUTTON
from tests.load.crowd import Crowd
from tests.load.gauge import VARIABLE
from tests.load.judging import anything
from tests.load.measuring import Audit, Probe, Step, measure, probe
from tests.load.panels import Choice, offers
from tests.load.presses import Aim, Press, Presses
from tests.load.tables import Tables
from tests.waiting import until

KEPT = 200
"""Requests that the playground keeps: they are not looked at."""
WARM_S = 3.0
USUAL = {name: Settings.model_fields[name].default for name in QUICK} | {"tunnela_window_s": 0}
"""The settings that everybody has, but that nobody waits for tunnelas."""
BARE_RATE, BARE_S = 60.0, 10.0
FILE = "tiplu.sqlite3"


@dataclass
class Stage:
    """Where presses are measured."""

    discord: Playground
    process: Process
    probe: Probe
    presses: Presses
    press: Callable[[float], Press]
    chance: Random
    audit: Audit = no_audit

    def now(self) -> float:
        """By the clock that presses are timed with."""
        return asyncio.get_running_loop().time()

    async def measure(self, rate: float, seconds: float) -> Step:
        """One step at this rate."""
        return await measure(self.presses, self.probe, self.press, rate, seconds, self.chance, self.audit)

    async def profile(self, rate: float, seconds: float) -> tuple[Step, dict]:
        """A step while the bot's process is sampled."""
        await self.probe.ask("sample")
        step = await self.measure(rate, seconds)
        return step, (await self.probe.ask("profile"))["profile"]


@asynccontextmanager
async def bare_bot(folder: Path, number: int) -> AsyncGenerator[Stage, None]:
    """The bot that only says "ok": what a press costs at the least."""
    async with Playground(keep=KEPT) as discord, _running(discord, folder, "tests.load.bare") as process:
        presses, chance = Presses(discord.services), Random(number)
        places = list(discord.world.channels.values())
        [message] = await until(lambda: [one for place in places for one in place.messages.values()], 60)
        people = [discord.world.welcome(f"player{number}") for number in range(50)]
        [offer] = offers(message).values()
        assert offer.custom_id == BUTTON
        aim = Aim("bare", anything, lambda _, answer: answer and message.channel.messages.pop(answer.id))

        def press(due: float) -> Press:
            return presses.press(aim, chance.choice(people), message, Choice(offer), due)

        async with probe(folder / "gauge") as asking:
            yield Stage(discord, process, asking, presses, press, chance)


@asynccontextmanager
async def real_bot(folder: Path, number: int, tables: int) -> AsyncGenerator[tuple[Stage, Crowd], None]:
    """The bot with so many tables in play."""
    async with Playground(keep=KEPT) as discord, _running(discord, folder, "tests.load.served") as process:
        await ready(discord, process.life)
        presses, chance = Presses(discord.services), Random(number)
        seated = Tables(discord, presses, tables)
        crowd = Crowd(presses, seated, chance)
        discord.interactions.deadline = 60.0  # many open at once; nobody minds
        await seated.open()
        await until(lambda: all(player.hand for player in seated.players), timeout=300)
        await until(lambda: any(player.asked for player in seated.players), timeout=300)
        discord.interactions.deadline = 3.0
        async with probe(folder / "gauge") as asking:
            audit = partial(audit_moves, folder / FILE)
            yield Stage(discord, process, asking, presses, crowd.press, chance, audit), crowd


@asynccontextmanager
async def _running(discord: Playground, folder: Path, module: str) -> AsyncGenerator[Process, None]:
    folder.mkdir(parents=True)
    options = USUAL | {VARIABLE: folder / "gauge", "log_level": "INFO"}
    process = await Process.start(discord, folder / FILE, module, **options)
    try:
        yield process
    except BaseException:
        print(*process.complaints[-20:], sep="\n")
        raise
    finally:
        if not process.life.done():
            await process.kill()
