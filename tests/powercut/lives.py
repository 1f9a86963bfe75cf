"""The bot plays, its power is cut, and it continues from what the disk has kept.

Each of its lives is cut in many places.
"""

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from playground.person import NotAnsweredError, Person
from playground.server import Playground
from tests.crash.companies import Company
from tests.e2e.running import Process, ready
from tests.evening.stage import READY
from tests.games import FileOfGames
from tests.powercut.leagues import Undecided, open_leagues
from tests.powercut.recording import Recording
from tests.powercut.tally import Entry, Tally
from tests.takeover.run import complains
from tests.waiting import until

COMPANIES = (("lone", 1, {"computers": 2}), ("pair", 2, {}), ("three", 3, {"deals": 2}))
LONGEST_LINE = 600
PATIENCE_S = 120
"""How long people play at most, in seconds."""
LOOK_S = 0.01
"""How long people pause before they look again, in seconds."""
COPIED = '"backup.made"'


@dataclass(frozen=True)
class Size:
    """The amount of work in one life."""

    companies: int = len(COMPANIES)
    leagues: bool = True
    moves: tuple[int, int] = (10, 40)
    """The fewest and the most moves by people before the process ends."""
    cuts: int | None = None
    """The number of places to cut; None for all of them."""
    control: int = 20
    """The number of cuts without the barriers of the log."""


SHORT = Size(companies=1, leagues=False, moves=(6, 10), cuts=40, control=12)


class Lives:
    """One life after another, on one disk.

    The number seeds the random choices; the timing depends on the machine.
    """

    def __init__(
        self, discord: Playground, folder: Path, number: int, tally: Tally, size: Size | None = None
    ) -> None:
        self.discord = discord
        self.tally = tally
        self.size = size or Size()
        self.tell: Callable[[str], object] = lambda _: None
        self.recording = Recording(folder / "played", self.size.cuts, self.size.control)
        self.games = FileOfGames(self.recording.database)
        self.companies: list[Company] = []
        self.undecided: Undecided | None = None
        self._number = number

    async def run(self, cuts: int) -> None:
        """Run lives until this many cuts are made; the results are in the tally."""
        made_before = self.tally.sum("cuts")
        self._seat()
        while self.tally.sum("cuts") < made_before + cuts:
            chance = Random(f"{self._number} {len(self.tally.entries)}")
            entry = Entry(chance.choice(("killed", "killed", "told to stop")), len(self.tally.entries) + 1)
            await self.recording.life(entry, lambda: self._live(entry, chance), chance)
            self.tally.add(entry)
            self.tell(str(entry))

    def _seat(self) -> None:
        for home, count, kinds in COMPANIES[: self.size.companies]:
            self._company(home, self._people(home, count), **kinds)

    def _people(self, home: str, count: int) -> list[Person]:
        self.discord.world.add_channel(home)
        return [self.discord.person(f"{home}{place}").go(home) for place in range(count)]

    def _company(self, home: str, people: list[Person], **kinds: object) -> None:
        chance = Random(f"{self._number} {home}")
        self.companies.append(Company(self.discord.world, self.games.rows, home, people, chance, **kinds))

    async def _open_leagues(self) -> None:
        """Open the leagues in the first life. Whatever is reported of them must survive every cut."""
        players, others = self._people("league", 4), self._people("cup", 3)
        await open_leagues(players, others, self.games.rows)
        self._company("league", players, opens=False)
        self.undecided = Undecided(others, Random(f"{self._number} cup"))

    async def _live(self, entry: Entry, chance: Random) -> None:
        """Start the bot, let people play, and end it during play, once it has made a copy."""
        process = await Process.start(
            self.discord,
            self.games.place,
            "tests.powercut.served",
            tables_per_person_h=1000,
            deals_per_table_h=1000,
            backup_every_h=24,
            backup_path=self.recording.disk,
            **self.recording.variables,
        )
        try:
            await ready(self.discord, process.life)
            await until(lambda: any(READY in line for line in process.lines), timeout=60)
            if self.size.leagues and self.undecided is None:
                await self._open_leagues()
            before = self._moves()
            enough = before + chance.randint(*self.size.moves)
            async with self._playing():
                await until(
                    lambda: (self._moves() >= enough and _copied(process)) or process.life.done(),
                    timeout=PATIENCE_S,
                )
                code = await (process.kill() if entry.what == "killed" else process.terminate())
            entry.moves = self._moves() - before
        finally:
            if not process.life.done():
                await process.kill()
        if code != (-9 if entry.what == "killed" else 0):
            entry.broken.append(f"the process ended with {code}: {process.lines[-3:]}")
        entry.broken += [f"in the log: {line[:LONGEST_LINE]}" for line in process.lines if complains(line)]
        entry.broken += self.discord.failures
        self.discord.failures.clear()

    @asynccontextmanager
    async def _playing(self):
        acting = [*self.companies, *([self.undecided] if self.undecided else [])]
        playing = [asyncio.create_task(self._play(company)) for company in acting]
        try:
            yield
        finally:
            for task in playing:
                task.cancel()
            for outcome in await asyncio.gather(*playing, return_exceptions=True):
                if not isinstance(outcome, asyncio.CancelledError):
                    raise outcome

    async def _play(self, company: Company | Undecided) -> None:
        while True:
            with suppress(NotAnsweredError):  # the bot has just ended
                await company.spend()
            await asyncio.sleep(LOOK_S)

    def _moves(self) -> int:
        presses = self.undecided.presses if self.undecided else 0
        return sum(company.moves for company in self.companies) + presses


def _copied(process: Process) -> bool:
    return any(COPIED in line for line in process.lines)
