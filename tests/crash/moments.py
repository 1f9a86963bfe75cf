"""`python -m tests.crash.moments`: cut bots off between any two of their steps, ten thousand times.

    python -m tests.crash.moments [--number 7] [--kills 10000] [--tally FILE]

People, Discord and bots share one loop on a virtual clock, so the same number cuts at the same moments. A day has a
hundred ends, nearly all of them cuts. The counts of each day are added to the tally, so an interrupted run continues
where it was: about `--kills` cuts are what the tally is to reach. The exit status is 1 if a promise was broken.
"""

import asyncio
import os
import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, filterfalse, islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.clock import SystemClock
from playground.server import Playground
from tests.crash.endings import Ending, Scene, killed_while_sending, told_to_stop
from tests.crash.in_process import CopiedGames, CuttingLoop, InProcessBot, prepared
from tests.crash.storm import Storm
from tests.crash.tally import Day, Tally
from tests.long_run import options, status, timed_print
from tests.memory import MEMORY

TALLY = Path(__file__).with_name("moments.jsonl")
DATABASE = "sqlite, in one process"
ENDS_A_DAY = 100
LARGE_EVERY = 4
"""Every so many days have all tables; the others have one, where the same ends take a third of the time."""
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


def some_moments(scene: Scene) -> int:
    """Return a number of moments; each power of two is as likely."""
    return round(MOST_MOMENTS ** scene.chance.random())


async def cut_off(scene: Scene) -> set[int]:
    """Cut off between two steps."""
    bot = bot_of(scene)
    bot.cut_off_after(some_moments(scene))
    await scene.until(lambda: False)
    return {await bot.kill()}


async def cut_off_while_starting(scene: Scene) -> set[int]:
    """Cut off between two steps, and again while starting, once or twice."""
    codes = await cut_off(scene)
    for _ in range(scene.chance.randrange(1, 3)):
        await scene.stage.launch_bot()
        bot = bot_of(scene)
        bot.cut_off_after(some_moments(scene))
        await asyncio.wait({bot.life}, timeout=1)
        codes.add(await bot.kill())
    return codes


async def cut_off_while_stopping(scene: Scene) -> set[int]:
    """Tell to stop, and cut off between two steps before it has."""
    await scene.some_requests()
    bot = bot_of(scene)
    bot.cut_off_after(some_moments(scene))
    return {await bot.terminate()}


def bot_of(scene: Scene) -> InProcessBot:
    """Return the running bot."""
    assert isinstance(scene.process, InProcessBot)
    return scene.process


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


@dataclass
class Moments(Storm):
    """A day whose bots live in this process."""

    def new_clock(self) -> Any:
        return LoopClock(this_loop())

    async def launch_bot(self) -> None:
        assert isinstance(self.games, CopiedGames)
        self.process = InProcessBot(self.discord, self.games, **self.settings)
        self.process.life.add_done_callback(self._note_end)

    def _note_end(self, life: "asyncio.Future[int]") -> None:
        if not life.exception():
            self.codes[life.result()] += 1

    def jump(self, seconds: float) -> None:
        self.clock.forward(seconds)

    async def pass_by(self, seconds: float) -> None:
        await self.settled()
        self.clock.forward(seconds)
        await asyncio.sleep(0.1)
        await self.settled()


def this_loop() -> CuttingLoop:
    """Return the running loop."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, CuttingLoop)
    return loop


async def play(folder: Path, number: int, kills: int, *, small: bool) -> Day:
    """Play a day, and return its counts."""
    async with Playground() as discord:
        storm = Moments(discord, CopiedGames(folder), number, small=small)
        try:
            await storm.run(kills, ENDINGS)
        except Exception as error:  # noqa: BLE001 - a day that cannot go on is a finding
            storm.broken.append("".join(traceback.format_exception(error)))
            await storm.process.kill()
        return storm.counted(DATABASE, 0)


def play_day(number: int, kills: int = ENDS_A_DAY, *, small: bool | None = None) -> Day:
    """Play a day in a loop of its own. Unless told otherwise, every fourth day is a large one."""
    if small is None:
        small = number % LARGE_EVERY != 0
    began = time.process_time()
    where = MEMORY if MEMORY.is_dir() else None
    with (
        TemporaryDirectory(dir=where) as folder,
        prepared(f"{number}"),
        asyncio.Runner(loop_factory=CuttingLoop) as runner,
    ):
        day = runner.run(play(Path(folder), number, kills, small=small))
    day.seconds = round(time.process_time() - began, 1)
    return day


def play_days(numbers: Iterable[int], processes: int) -> Iterator[Day]:
    """Play these days, each in a process of its own, and yield their counts as they come."""
    with get_context("spawn").Pool(processes, maxtasksperchild=1) as pool:
        yield from pool.imap_unordered(play_day, numbers)


def main() -> int:
    """Play and report."""
    parser = options(__doc__, tally=TALLY)
    parser.add_argument(
        "--kills", type=int, default=10_000, help="how many bots the tally is to have cut off"
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="how many days to play at once")
    asked = parser.parse_args()
    tally, broken, tell = Tally(asked.tally), list[str](), timed_print()
    played = {day.number for day in tally.entries}
    numbers = filterfalse(played.__contains__, count(asked.number))
    left = asked.kills - tally.all(DATABASE).kills
    days = -(-left // ENDS_A_DAY)
    for day in play_days(islice(numbers, max(0, days)), asked.processes):
        tally.add(day)
        tell(f"Day {day.number}: {day.kills} cut off, {len(day.broken)} promises broken")
        broken += day.broken
    print("All days of the tally:", tally.all(DATABASE), sep="\n")
    return status(broken)


if __name__ == "__main__":
    sys.exit(main())
