"""The real bot against a playground: in this process, open to inspection, or in one that can be killed."""

import asyncio
import json
import logging
import os
import re
import signal
import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from discord.app_commands import AppCommand

from bot.app import TipluBot
from bot.clock import Clock, SystemClock
from bot.rest import point_at_server
from bot.services import Services, wire
from bot.settings import Settings
from data.store import Place, Store
from playground import objects
from playground.model import RegisteredCommand
from playground.server import Playground
from playground.validation.commands import check_commands

ROOT = Path(__file__).parents[2]
QUICK = {
    "guild_ready_timeout_s": 0,
    "computer_pause_ms": 0,
    "table_edit_gap_ms": 0,
    "followed_edit_s": 0,
    "mid_turn_edit_s": 0,
    "watching_edit_ms": 0,
    "answer_edits_m": 0,
    "seen_hand_s": 0,
    "presses_per_person_s": 1_000,
    "card_emojis": False,
    "puzzle_stock": 0,
    "backup_every_h": 0,
    "tunnela_window_s": 0,
}
"""Longer than Discord's own 3 seconds; response times are measured on an idle machine."""
LONGEST_LINE = 1 << 24
"""The longest line of a log, in bytes: a traceback of many faults at once is one line."""
BAD_LEVELS = ("error", "critical")
COMMANDS: list[Any] = []
"""The commands, once a bot of this process has registered them; translating them takes half of a start."""


class MovableClock:
    """The machine's clock, plus an offset set by the test."""

    def __init__(self) -> None:
        self._system = SystemClock()
        self._ahead_ms = 0

    def now(self) -> int:
        return self._system.now() + self._ahead_ms

    def follow(self) -> int:
        return self._system.follow()

    def forward(self, seconds: float) -> None:
        self._ahead_ms += int(seconds * 1000)


class QuickTiplu(TipluBot):
    """The bot without discord.py's five seconds before it identifies again, and with a faster start."""

    registers = False
    """Whether it sends its commands to a Discord in its own process, which otherwise has them at once."""

    def __init__(self, services: Services, discord: Playground | None = None) -> None:
        super().__init__(services)
        if discord is not None and not self.registers:
            self.tree.sync = partial(self._sync, discord)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        return None

    async def _sync(self, discord: Playground) -> list[AppCommand]:
        """Give Discord the commands, which are translated and checked only once."""
        tree, world = self.tree, discord.world
        if not COMMANDS:
            translated = [
                await one.get_translated_payload(tree, tree.translator) for one in tree.get_commands()
            ]
            COMMANDS.extend(check_commands(translated))
        for old in [one.id for one in world.commands.values() if one.guild_id is None]:
            del world.commands[old]
        added = [RegisteredCommand(world.ids.new(), world.ids.new(), None, {**data}) for data in COMMANDS]
        world.commands |= {command.id: command for command in added}
        world.publish("commands_update", added)
        return [AppCommand(data=objects.command(world, command), state=self._connection) for command in added]

    async def _call_module_finalizers(self, lib: ModuleType, key: str) -> None:
        """Keep the modules of the features for later bots; discord.py would unload them with their bot."""


@dataclass
class Running:
    """A bot in this process."""

    bot: TipluBot
    store: Store
    task: asyncio.Task[None]

    def later(self, clock: MovableClock, seconds: float) -> None:
        """Let time pass for the bot and, as the bot must assume, for Discord."""
        clock.forward(seconds)
        self.bot.services.scheduler.wake()
        self.bot.delivery.outbox.wake()
        self.bot.delivery.live.wake()
        self.bot.delivery.private.wake()

    async def stop(self) -> None:
        """Close it as SIGTERM does; an exception that ended it fails the test."""
        await self.bot.close()
        try:
            await self.task
        finally:
            await self.store.close()


async def run_here(discord: Playground, place: Place, clock: Clock | None = None, **options: Any) -> Running:
    """Start the bot in this process and wait until it serves `/marriage`, and its clocks run if it serves alone."""
    settings = Settings(
        _env_file=None,
        discord_token=discord.token,
        discord_api_url=discord.api_url,
        **kept_at(place),
        **(QUICK | options),
    )
    await point_at_server(settings)
    store = await Store.open(place, is_shared=settings.is_shared)
    bot = QuickTiplu(wire(settings, store, clock or SystemClock()), discord)

    async def serve() -> None:
        async with bot:
            await bot.start(discord.token)

    clocks_run = asyncio.Event()
    bot.services.outages.on_end(clocks_run.set)
    running = Running(bot, store, asyncio.create_task(serve(), name="bot"))
    try:
        await ready(discord, running.task)
        if not settings.is_shared:
            waiting = asyncio.create_task(clocks_run.wait())
            await asyncio.wait({waiting, running.task}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
    except BaseException:
        await store.close()
        raise
    return running


async def ready(discord: Playground, life: "asyncio.Future[Any]") -> None:
    """Wait until the bot is connected with its commands; raises whatever ended its life instead."""
    connected = asyncio.create_task(discord.bot_ready("marriage", timeout=120))
    done, _ = await asyncio.wait({connected, life}, return_when=asyncio.FIRST_COMPLETED)
    if connected in done:
        await connected
        return
    connected.cancel()
    raise RuntimeError(f"the bot ended: {life.exception() or life.result()!r}")


def kept_at(place: Place) -> dict[str, Any]:
    """Return the setting for the location of the games."""
    if isinstance(place, Path):
        return {"database_path": place}
    return {"database_url": place.render_as_string(hide_password=False)}


def environment(discord: Playground, place: Place, **options: Any) -> dict[str, str]:
    """Return the environment variables with the settings for a process of the bot."""
    given = {"discord_token": discord.token, "discord_api_url": discord.api_url}
    given |= kept_at(place) | {"log_format": "json"} | QUICK | options
    return os.environ | {name.upper(): str(value) for name, value in given.items()}


class Process:
    """`python -m bot` as a child of this process, its log kept line by line."""

    def __init__(self, child: asyncio.subprocess.Process) -> None:
        self._child = child
        self.lines: list[str] = []
        self.excused: tuple[str, ...] = ()
        """Texts of errors that this process may report."""
        self._reading = asyncio.create_task(self._read(), name="log of the bot")
        self.life = asyncio.create_task(child.wait(), name="life of the bot")

    @classmethod
    async def start(cls, discord: Playground, place: Place, module: str = "bot", **options: Any) -> "Process":
        """Start the process, with another module if given, without waiting until it is ready."""
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", module),
            cwd=ROOT,
            env=environment(discord, place, **options),
            stderr=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
        )
        return cls(child)

    async def _read(self) -> None:
        assert self._child.stderr is not None
        async for line in self._child.stderr:
            self.lines.append(line.decode().rstrip("\n"))

    async def terminate(self) -> int:
        """Send SIGTERM, and return the exit code."""
        return await self._end(signal.SIGTERM)

    async def kill(self) -> int:
        """Send SIGKILL, which no program can handle."""
        return await self._end(signal.SIGKILL)

    async def _end(self, signum: signal.Signals) -> int:
        if self._child.returncode is None:
            self._child.send_signal(signum)
        async with asyncio.timeout(20):
            code = await self.life
            await self._reading
        return code

    @property
    def pid(self) -> int:
        """The process id, for signals."""
        return self._child.pid

    @property
    def complaints(self) -> list[str]:
        """The lines of the log that report an unexcused error, or are not valid log lines."""
        reported = [line for line in self.lines if _complains(line)]
        return [line for line in reported if not any(words in line for words in self.excused)]


def _complains(line: str) -> bool:
    try:
        return json.loads(line)["level"] in BAD_LEVELS
    except (ValueError, KeyError):
        return True


@dataclass
class Watch(logging.Handler):
    """Listens to everything that this process logs; errors that no test expects fail it."""

    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(logging.WARNING)

    __hash__ = object.__hash__

    def emit(self, record: logging.LogRecord) -> None:
        kept = self.errors if record.levelno >= logging.ERROR else self.warnings
        kept.append(f"{record.name}: {self.format(record)}")

    def expect(self, pattern: str) -> list[str]:
        """Return the errors that match the pattern, and count them as seen; there must be at least one."""
        found = [error for error in self.errors if re.search(pattern, error)]
        assert found, f"no error like {pattern!r} in {self.errors}"
        self.errors = [error for error in self.errors if error not in found]
        return found
