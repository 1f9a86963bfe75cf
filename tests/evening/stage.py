"""A stage for many tables over the wire: a Discord, the bot in a process of its own, and a movable clock."""

import os
import signal
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from playground.server import Playground
from tests.e2e.running import Process, ready
from tests.evening.time import VARIABLE, MovedSnowflakes, SharedClock
from tests.games import Games
from tests.waiting import until

READY = "bot.ready"
"""The log entry that says that open tables were brought up to date."""


def _nobody(words: str) -> None:
    """Ignore a progress message."""


@dataclass
class Stage:
    """What an evening and a day of crashes have in common. The number seeds the random choices."""

    discord: Playground
    games: Games
    number: int
    complaints: list[str] = field(default_factory=list, init=False)
    """The errors that ended processes wrote to their logs."""
    tell: Callable[[str], object] = field(default_factory=lambda: _nobody, init=False)
    """The function that receives progress messages."""
    kind: ClassVar[type[Process]] = Process
    """The class that starts the bot."""
    module: ClassVar[str] = "tests.evening.served"
    settings: ClassVar[dict[str, object]] = {}
    due: ClassVar[str]
    """A query for the work that is due at `:now`."""

    def __post_init__(self) -> None:
        self.clock = self.new_clock()
        self.discord.world.ids = MovedSnowflakes(self.clock)
        self.chance = Random(self.number)

    def new_clock(self) -> Any:
        """Return a clock that can be moved."""
        return SharedClock(self._clock_path)

    @property
    def _clock_path(self) -> Path:
        return self.games.folder / "clock"

    async def launch_bot(self) -> None:
        """Start the process, but do not wait until it is ready."""
        moved = {VARIABLE: self._clock_path}
        self.process = await self.kind.start(
            self.discord, self.games.place, self.module, **self.settings, **moved
        )

    async def start_bot(self) -> None:
        """Start the process and wait until it has nothing to do."""
        await self.launch_bot()
        await self.connected()
        await self.settled()

    async def connected(self) -> None:
        """Wait until the bot serves, and has looked at every open table."""
        await ready(self.discord, self.process.life)
        await until(lambda: any(READY in line for line in self.process.lines), timeout=60)

    async def end_bot(self) -> None:
        """Terminate the process and check that it exits cleanly."""
        assert await self.process.terminate() == 0
        self.look_into_the_log(self.process)

    def look_into_the_log(self, process: Process) -> None:
        """Note the errors that a process has logged and that are not expected."""
        self.complaints += [
            line for line in process.complaints if line not in self.complaints and not self.expects(line)
        ]

    def expects(self, _line: str) -> bool:
        """Return whether this error may be in the log."""
        return False

    async def settled(self) -> None:
        """Wait until the bot has no work that is due. It may pause between two edits of a table's message."""
        async with aclosing(self.games.commits()) as commits:
            seen = await anext(commits)
            while due := await self.due_now():

                async def is_other(due: list[tuple] = due) -> bool:
                    nonlocal seen
                    before, seen = (
                        seen,
                        await anext(commits),
                    )  # done work is written, and this is quickly asked
                    return seen != before and await self.due_now() != due

                try:
                    await until(is_other, timeout=60)
                except TimeoutError:
                    raise AssertionError(
                        f"the bot does not come to rest: {due}; {self.process.lines[-5:]}"
                    ) from None

    async def due_now(self) -> list[tuple]:
        """Return the work that is due and not done yet."""
        return await self.games.rows(self.due, now=self.clock.now())

    def jump(self, seconds: float) -> None:
        """Move the clock while people act, and let the bot check it."""
        self.clock.forward(seconds)
        os.kill(self.process.pid, signal.SIGUSR1)

    async def pass_by(self, seconds: float) -> None:
        """Let time pass, and wait until the bot has done what came due."""
        await self.settled()
        await self.clock.pass_by(seconds, self.process.pid)
        await self.settled()

    def unanswered(self) -> int:
        """Return the number of interactions that have not been answered so far."""
        return sum(interaction.state == "failed" for interaction in self.discord.world.interactions.values())
