"""Days whose bots live in this process and are cut off between two of their steps."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.clock import SystemClock
from tests.crash.endings import KILLED, STOPPED, Ending, Scene, killed_while_sending, told_to_stop
from tests.crash.in_process import CopiedGames, CuttingLoop, InProcessBot, prepared, this_loop
from tests.crash.storm import Storm
from tests.memory import fastest

MOST_MOMENTS = 5_000
"""The most moments until a bot is cut off. A start has some hundreds; what the people then do has thousands."""


class LoopClock:
    """The clock of the loop, which moves for bots, people and Discord alike."""

    def __init__(self, loop: CuttingLoop) -> None:
        self._loop = loop
        self._system = SystemClock()

    def now(self) -> int:
        return self._system.now()

    def follow(self) -> int:
        return self._system.follow()

    def forward(self, seconds: float) -> None:
        """Let everything that is due by then be due at once."""
        self._loop.clock.forward(seconds)


def cut_off_later(scene: Scene) -> InProcessBot:
    """Let the running bot be cut off after some moments, and return it. Each power of two is as likely."""
    bot = scene.process
    assert isinstance(bot, InProcessBot)
    bot.cut_off_after(round(MOST_MOMENTS ** scene.chance.random()))
    return bot


async def cut_off(scene: Scene) -> set[int]:
    """Cut off between two steps."""
    bot = cut_off_later(scene)
    await scene.until(lambda: False)
    await bot.kill()
    return {KILLED}


async def cut_off_while_starting(scene: Scene) -> set[int]:
    """Cut off between two steps, and again while starting, once or twice."""
    await cut_off(scene)
    for _ in range(scene.chance.randrange(1, 3)):
        await scene.stage.launch_bot()
        bot = cut_off_later(scene)
        await asyncio.wait({bot.life}, timeout=1)
        await bot.kill()
    return {KILLED}


async def cut_off_while_stopping(scene: Scene) -> set[int]:
    """Tell to stop, and cut off between two steps before it has."""
    await scene.some_requests()
    await cut_off_later(scene).terminate()
    return {KILLED, STOPPED}


ENDINGS: tuple[Ending, ...] = (
    cut_off,
    cut_off,
    cut_off,
    cut_off,
    killed_while_sending,
    cut_off_while_starting,
    cut_off_while_stopping,
    told_to_stop,
)


class InProcess(Storm):
    """A day whose bots live in this process."""

    endings = ENDINGS

    def new_clock(self) -> Any:
        return LoopClock(this_loop())

    async def launch_bot(self) -> None:
        assert isinstance(self.games, CopiedGames)
        self.process = InProcessBot(self.discord, self.games, **self.settings)
        self.process.life.add_done_callback(self._note_code)

    def jump(self, seconds: float) -> None:
        self.clock.forward(seconds)
        if isinstance(self.process, InProcessBot):
            self.process.go_on()

    async def pass_by(self, seconds: float) -> None:
        await self.settled()
        self.jump(seconds)
        await asyncio.sleep(0.1)
        await self.settled()


@contextmanager
def in_one_process(number: int) -> Generator[tuple[asyncio.Runner, Path], None, None]:
    """Yield a runner for a day with this number, and a folder for its games."""
    with (
        TemporaryDirectory(dir=fastest()) as folder,
        prepared(f"{number}"),
        asyncio.Runner(loop_factory=CuttingLoop) as runner,
    ):
        yield runner, Path(folder)
