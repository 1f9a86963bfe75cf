"""`python -m tests.endurance`: play thirty tables for eight hours; the bot's memory must not grow.

    python -m tests.endurance [--number 7] [--hours 8] [--tables 30]

The hours are those of the bot's clock. There are no faults. The clock is moved forward between moves, so the
run takes less than those hours. The memory of the second quarter is compared with that of the last, because
caches fill in the first. The exit status is 1 if the memory of the bot, or that of the bot and its child processes together,
grew by more than 5 %, if a message waited for more than a minute, or if a promise of a day of crashes was broken.
"""

import asyncio
import gc
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.chaos.chaos import Chaos
from tests.e2e.running import Process
from tests.games import games_of
from tests.load.spent import spent_below, spent_by
from tests.long_run import options, patient_discord, status, timed_print

MOST_GROWTH = 0.05
MOST_WAIT_S = 60
FEWEST_SAMPLES = 8
LOOK_S = 0.5
HOUR_MS = 3_600_000
DEALS = "SELECT count(*) FROM deal"
WAITING = "SELECT min(queued_at) FROM outbox WHERE done_at IS NULL AND not_before <= :now"
"""Since when the oldest due message has been asked for. Every retry moves `not_before`."""


@dataclass(frozen=True)
class Sample:
    """A measurement of the bot at one moment."""

    at_ms: int
    """The time on the bot's clock."""
    memory_kb: int
    """The memory of the bot's own process."""
    file_bytes: int
    """The size of the database and its log; 0 with a server."""
    deals: int
    children_kb: int = 0
    """The memory of its child processes, which end after a minute without work."""


@dataclass(frozen=True)
class Measured:
    """The result of many samples."""

    growth: float
    """The growth of memory from the second quarter to the last, as a fraction: that of the bot, or with its children if that is more."""
    bytes_a_deal: float | None
    """The growth of the file per deal between these quarters; None without deals."""
    memory_kb: int
    """The memory of the bot in the last quarter."""
    most_children_kb: int
    """The most memory of the child processes together."""


def measure(samples: Sequence[Sample]) -> Measured:
    """Compare the second quarter of the samples with the last; raises ValueError if there are too few."""
    if len(samples) < FEWEST_SAMPLES:
        raise ValueError(f"{len(samples)} samples are too few to tell whether memory grows")
    quarter = len(samples) // 4
    early, late = samples[quarter : 2 * quarter], samples[-quarter:]
    before, after = ([median(kind) for kind in _memories(part)] for part in (early, late))
    deals = late[-1].deals - early[0].deals
    grown = late[-1].file_bytes - early[0].file_bytes
    children = max(sample.children_kb for sample in samples)
    growth = max(now / then - 1 for then, now in zip(before, after, strict=True))
    return Measured(growth, grown / deals if deals else None, round(after[0]), children)


def _memories(samples: Sequence[Sample]) -> tuple[list[int], list[int]]:
    """Return the memory of the bot at each moment, and that of it and its children together."""
    alone = [sample.memory_kb for sample in samples]
    return alone, [sample.memory_kb + sample.children_kb for sample in samples]


@dataclass
class Endurance(Chaos):
    """The same people as in chaos, without faults."""

    samples: list[Sample] = field(default_factory=list, init=False)
    longest_wait_s: float = 0.0
    """The longest time for which a message waited although it was due."""
    kind = Process

    async def last(self, hours: float) -> None:
        """Play for so many hours of the bot's clock; violations are in `broken`."""
        try:
            await self._begin()
            until = self.clock.now() + hours * HOUR_MS
            while self.clock.now() < until:
                watching = asyncio.create_task(self._watch())
                await asyncio.gather(*self._deeds())
                watching.cancel()
                await asyncio.wait([watching])
                if not watching.cancelled():
                    watching.result()
                await self._calm()
                gc.freeze()  # millions of recorded requests; to scan them would stop this Discord for seconds
                self.samples.append(await self._sample())
                self.tell(self.samples[-1])
            self.broken += await self._of_screens()
            await self._end()
        finally:
            if not self.process.life.done():
                await self.process.kill()
        self.broken += self._of_measures()

    async def _watch(self) -> None:
        """Record how long messages wait. The clock is not moved meanwhile."""
        while True:
            now = self.clock.now()
            ((oldest,),) = await self.games.rows(WAITING, now=now)
            if oldest is not None:
                self.longest_wait_s = max(self.longest_wait_s, (now - oldest) / 1000)
            await asyncio.sleep(LOOK_S)

    async def _sample(self) -> Sample:
        ((deals,),) = await self.games.rows(DEALS)
        own, below = resident_kb(self.process.pid)
        return Sample(self.clock.now(), own, self._file_bytes(), deals, below)

    def _file_bytes(self) -> int:
        place = self.games.place
        if not isinstance(place, Path):
            return 0
        files = [place.with_name(place.name + end) for end in ("", "-wal")]
        return sum(file.stat().st_size for file in files if file.exists())

    def _of_measures(self) -> list[str]:
        growth = measure(self.samples).growth
        return [
            *([f"memory grew by {growth:.1%}"] if growth > MOST_GROWTH else []),
            *(
                [f"a message waited for {self.longest_wait_s:.0f} s"]
                if self.longest_wait_s > MOST_WAIT_S
                else []
            ),
        ]


def resident_kb(pid: int) -> tuple[int, int]:
    """Return the resident memory of a process, and that of its children; raises OSError outside Linux."""
    return round(spent_by(pid).rss_mb * 1000), round(spent_below(pid).rss_mb * 1000)


async def play(database: str, number: int, hours: float, tables: int) -> Endurance:
    """Play the run, and report progress."""
    async with games_of(database) as games, patient_discord() as discord:
        endurance = Endurance(discord, games, number, tables=tables)
        endurance.tell = timed_print()
        await endurance.last(hours)
        return endurance


def main() -> int:
    """Play and report."""
    parser = options(__doc__, database=True)
    parser.add_argument("--hours", type=float, default=8, help="how long to play, on the bot's clock")
    parser.add_argument("--tables", type=int, default=30, help="how many tables, at least five")
    asked = parser.parse_args()
    begun = time.monotonic()
    endurance = asyncio.run(play(asked.database, asked.number, asked.hours, asked.tables))
    measured = measure(endurance.samples)
    print(endurance.counted(asked.database, time.monotonic() - begun))
    print(
        f"{asked.hours:g} hours at {asked.tables} tables in {time.monotonic() - begun:.0f} s: {measured}, "
        f"longest wait of a message {endurance.longest_wait_s:.0f} s, {len(endurance.broken)} promises broken"
    )
    return status(endurance.broken)


if __name__ == "__main__":
    sys.exit(main())
