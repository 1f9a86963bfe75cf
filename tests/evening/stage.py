"""Where many tables are played over the wire: a Discord, the bot as a process of its own, and time that is moved."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

from playground.server import Playground
from tests.e2e.running import Process, ready
from tests.evening.time import VARIABLE, MovedSnowflakes, SharedClock
from tests.games import Games
from tests.waiting import until

READY = "bot.ready"
"""Said in the log when open tables were brought up to date."""


def _nobody(words: str) -> None:
    """Is told how far it is."""


@dataclass
class Stage:
    """What an evening and a day of crashes have in common. Chance comes from the number."""

    discord: Playground
    games: Games
    number: int
    complaints: list[str] = field(default_factory=list, init=False)
    """What processes that have ended wrote into their logs as errors."""
    tell: Callable[[str], object] = field(default_factory=lambda: _nobody, init=False)
    """Whom to tell how far it is."""
    kind: ClassVar[type[Process]] = Process
    """How the bot is started."""
    module: ClassVar[str] = "tests.evening.served"
    settings: ClassVar[dict[str, object]] = {}
    due: ClassVar[str]
    """A query for what the bot has to do at `:now`."""

    def __post_init__(self) -> None:
        self.clock_path = self.games.folder / "clock"
        self.clock = SharedClock(self.clock_path)
        self.discord.world.ids = MovedSnowflakes(self.clock)
        self.chance = Random(self.number)

    async def launch_bot(self) -> None:
        """Start the process; it is not ready yet."""
        moved = {VARIABLE: self.clock_path}
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
        """Let the process end well."""
        assert await self.process.terminate() == 0
        self.look_into_the_log(self.process)

    def look_into_the_log(self, process: Process) -> None:
        """Note what a process has written as errors, if nobody expects them."""
        self.complaints += [
            line for line in process.complaints if line not in self.complaints and not self.expects(line)
        ]

    def expects(self, _line: str) -> bool:
        """Whether such an error may be in the log."""
        return False

    async def settled(self) -> None:
        """Wait until the bot has nothing to do that is due. A table's message may rest between two edits."""
        while due := await self.due_now():
            try:
                await until(lambda due=due: self._is_other_than(due), timeout=60)
            except TimeoutError:
                raise AssertionError(
                    f"the bot does not come to rest: {due}; {self.process.lines[-5:]}"
                ) from None

    async def due_now(self) -> list[tuple]:
        """What the bot has to do now, and has not done yet."""
        return await self.games.rows(self.due, now=self.clock.now())

    async def _is_other_than(self, due: list[tuple]) -> bool:
        return await self.due_now() != due

    async def pass_by(self, seconds: float) -> None:
        """Let time pass, and wait until the bot has done what came due."""
        await self.settled()
        await self.clock.pass_by(seconds, self.process.pid)
        await self.settled()

    def unanswered(self) -> int:
        """How many interactions were not answered so far."""
        return sum(interaction.state == "failed" for interaction in self.discord.world.interactions.values())
