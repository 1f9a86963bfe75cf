"""Bots share the games while people play.

The bots and the server are stopped and started, and every promise is checked.
"""

import asyncio
import json
import signal
import time
import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

from bot.clock import SystemClock
from bot.table.lobby import ANSWERED_BY_MS
from playground.cluster.fleet import Fleet, FleetMember
from playground.person import NotAnsweredError
from playground.server import Playground
from tests.crash.companies import Company, too_few_moves
from tests.crash.files import Files
from tests.crash.screens import Screens
from tests.crash.storm import DUE, NEXT_TRY
from tests.e2e.running import BAD_LEVELS, environment
from tests.games import ServedGames
from tests.takeover import evidence
from tests.takeover.deeds import DEEDS, LONGEST_OUTAGE_S, LOSES_NOTHING, Deed, rolling_restart
from tests.takeover.tally import Entry, Tally
from tests.takeover.watching import Watching
from tests.waiting import SLOW_DEADLINE, until

MOST_GAP_S = 30.0
PATIENCE_S = 90.0
UNSERVED_DEADLINE_S = ANSWERED_BY_MS / 1000
"""How long a press waits for an answer while a shard may have no process.

Later answers are not awaited. A table that is opened meanwhile relies on none, because Discord accepts none
after three seconds.
"""
LULL_S = 2.0
"""How long people continue to play after everything is shared out again, in seconds."""
ENDED_WELL = (0, -signal.SIGTERM)
"""The exit codes of stopped processes. The second has not begun to handle signals yet."""
SERVER_AWAY = ("data.errors.Store", "ConnectionError: unexpected connection_lost() call")
"""The beginnings of errors that an unavailable server explains.

The second is what the driver leaves of a connection that was abandoned while it was being made.
"""
PAUSE_S, TABLES = 0.5, 16
"""The longest pause of people, at this number of tables.

With more tables they pause longer, so that the total of presses stays the same.
"""
LONGEST_LINE = 600
LOG_KEPT = 20_000
"""The number of log lines kept as evidence."""


class Takeover:
    """One run. The number seeds the random choices; the timing depends on the machine."""

    def __init__(
        self, discord: Playground, games: ServedGames, number: int, tally: Tally, evidence_in: Path
    ) -> None:
        """Broken promises are noted in the tally, and everything known about them is kept in a folder."""
        self.discord = discord
        self.games = games
        self.number = number
        self.chance = Random(number)
        self.tally = tally
        self.log: deque[str] = deque(maxlen=LOG_KEPT)
        self.complaints: list[str] = []
        self.restarts = 0
        """How often the database server was restarted."""
        shards = discord.services.sharding.shards
        told = environment(
            discord, games.place, shard_count=shards, tables_per_person_h=1000, deals_per_table_h=1000
        )
        self.fleet = Fleet(told, self._hear)
        self.files = Files(games)
        self.clock = SystemClock()
        self.screens = Screens(discord.world, games, self.clock)
        self.watching = Watching(discord, self.fleet, self.files)
        self.companies: list[Company] = []
        self._evidence_in = evidence_in
        self._may_play = asyncio.Event()
        self._resting: set[int] = set()
        self._told: set[str] = set()
        """Faults found before: a wrong message stays wrong until someone presses something."""

    def _hear(self, number: int, line: str) -> None:
        self.log.append(f"{number} {line}")
        self.watching.read(line)
        if complains(line):
            self.complaints.append(f"in the log of bot {number}: {line[:LONGEST_LINE]}")

    # The run ---------------------------------------------------------------------------------------

    async def run(self, bots: int, tables: int, seconds: float) -> None:
        """Play for some time; the results are in the tally."""
        async with asyncio.TaskGroup() as group:
            background = [group.create_task(self.watching.run())]
            try:
                await self._start(bots)
                self._seat(tables)
                self._may_play.set()
                background += [group.create_task(self._play(company)) for company in self.companies]
                until_s = time.monotonic() + seconds
                await self._life(rolling_restart)
                while time.monotonic() < until_s:
                    await self._life(self.chance.choice(DEEDS))
            finally:
                for task in background:
                    task.cancel()
                await self.fleet.close()

    async def _start(self, bots: int) -> None:
        for _ in range(bots):
            await self.fleet.add()
        await self.shared_out()

    def _seat(self, tables: int) -> None:
        """Seat companies of two on all servers in turn, every third with a computer as well."""
        guilds = list(self.discord.world.guilds.values())
        for place in range(tables):
            home = self.discord.world.add_channel(f"table-{place}", guild=guilds[place % len(guilds)])
            people = [self.discord.person(f"p{place}x{seat}").go(home) for seat in range(2)]
            self.companies.append(
                Company(
                    self.discord.world, self.games.rows, home, people, self.chance, computers=place % 3 == 2
                )
            )

    async def _play(self, company: Company) -> None:
        while True:
            if not self._may_play.is_set():
                self._resting.add(id(company))
                await self._may_play.wait()
                self._resting.discard(id(company))
            await asyncio.sleep(self.chance.random() * PAUSE_S * max(1, len(self.companies) / TABLES))
            with suppress(NotAnsweredError):  # it is counted
                await company.spend()

    async def _life(self, deed: Deed) -> None:
        """Do one of the things to the processes, and check what must hold afterwards."""
        begun = time.monotonic()
        what = (deed.__doc__ or "").split("\n")[0]
        entry = Entry(
            what, len(self.tally.entries) + 1, self.number, len(self.fleet.members), len(self.companies)
        )
        loses_nothing = deed in LOSES_NOTHING
        self.discord.interactions.deadline = SLOW_DEADLINE if loses_nothing else UNSERVED_DEADLINE_S
        with self._counting(entry):
            with _coming_to_an_end(entry):
                await deed(self)
                entry.shared_s = await self.shared_out()
                self.discord.interactions.deadline = SLOW_DEADLINE
                await asyncio.sleep(LULL_S)
                entry.longest_gap_s = self.watching.longest_gap_s
                await self._rest()
            with _coming_to_an_end(entry):
                entry.broken += await self._broken()
        if entry.longest_gap_s > MOST_GAP_S:
            entry.broken.append(f"a server had no process for {entry.longest_gap_s:.0f} s")
        if loses_nothing and entry.unanswered:
            entry.broken.append(f"{entry.unanswered} presses were not answered")
        entry.seconds = time.monotonic() - begun
        await self._note(entry)
        self._may_play.set()

    @contextmanager
    def _counting(self, entry: Entry) -> Iterator[None]:
        """Count what happens during the block."""
        deeds, restarts = self.fleet.deeds.copy(), self.restarts
        moves, compared = self._moves(), self.screens.compared
        unanswered, dropped = self.watching.unanswered(), len(self.watching.dropped)
        self.watching.reset()
        yield
        done = self.fleet.deeds - deeds
        entry.killed, entry.stopped, entry.started = done["killed"], done["stopped"], done["started"]
        entry.restarts = self.restarts - restarts
        entry.unanswered = self.watching.unanswered() - unanswered
        entry.dropped = len(self.watching.dropped) - dropped
        entry.moves, entry.messages = self._moves() - moves, self.screens.compared - compared
        entry.presses, entry.late = self.watching.presses, self.watching.late

    async def _broken(self) -> list[str]:
        """Return faults found for the first time. No one plays, and no message is pending."""
        ended = [
            f"process {member.number} ended with {member.code}: {list(member.lines)[-1:]}"
            for member in self.fleet.members
            if member.state == "ended"
        ]
        shown = await self.screens.broken()
        if shown:  # perhaps a message was sent during the check, such as whose turn it is
            await self._rest()
            shown = await self.screens.broken()
        found = [
            *ended,
            *await self.files.broken(),
            *shown,
            *self.discord.failures,
            *self.complaints,
            *too_few_moves(self.companies),
        ]
        self.discord.failures.clear()
        self.complaints.clear()
        new = [fault for fault in found if fault not in self._told]
        self._told.update(new)
        return new

    async def _note(self, entry: Entry) -> None:
        self.tally.add(entry)
        ends = f"{entry.killed} killed, {entry.stopped} stopped, {entry.started} started, {entry.restarts} restarts"
        print(
            f"{entry.number:>4}  {entry.seconds:5.1f} s  {ends}  {entry.what}",
            *(f"      BROKEN {fault}" for fault in entry.broken),
            sep="\n",
            flush=True,
        )
        if entry.broken:
            folder = self._evidence_in / f"{self.number}-{entry.number}"
            await evidence.keep(folder, entry.broken, self.log, self.discord, self.games)

    def _moves(self) -> int:
        return sum(company.moves for company in self.companies)

    async def shared_out(self) -> float:
        """Wait until all shards are served and every process has its share.

        Return the seconds that it took.
        """
        begun = time.monotonic()
        shards = self.discord.services.sharding.shards

        def is_so() -> bool:
            parts = [len(member.shards) for member in self.fleet.members if member.runs]
            return sum(parts) == shards and max(parts) - min(parts) <= 1 and self.discord.gateway.is_complete

        await until(is_so, timeout=PATIENCE_S)
        return time.monotonic() - begun

    async def served(self) -> None:
        """Wait until all shards are served, by any of the processes."""
        await until(lambda: self.discord.gateway.is_complete, timeout=PATIENCE_S)

    async def _rest(self) -> None:
        """Wait until no one presses any more and no message is pending."""
        self._may_play.clear()
        await until(lambda: len(self._resting) == len(self.companies), timeout=PATIENCE_S)

        async def is_quiet() -> bool:
            due = await self.games.rows(DUE, now=self.clock.now())
            return not due and (await self.games.rows(NEXT_TRY))[0][0] is None

        await until(is_quiet, timeout=PATIENCE_S)

    # What deeds see and do -------------------------------------------------------------------------

    def some(self) -> list[FleetMember]:
        """Return some running processes, up to half of them. One that serves shards is spared."""
        running = [member for member in self.fleet.members if member.runs]
        serving = [member for member in running if member.state == "serving"]
        spared = self.chance.choice(serving or running)
        others = [member for member in running if member is not spared]
        return self.chance.sample(others, self.chance.randint(1, len(running) // 2))

    async def stop(self, member: FleetMember) -> None:
        """Stop a process, and wait for its end."""
        await self.fleet.stop(member)
        code = member.process.returncode if member.process else None
        if code not in ENDED_WELL:
            self.complaints.append(f"process {member.number} was stopped and ended with {code}")

    def within(self, seconds: float) -> float:
        """Return a random time up to that."""
        return self.chance.random() * seconds

    async def a_moment(self) -> None:
        """Wait for some requests."""
        entries = self.discord.recorder.entries
        enough = entries[-1].n + self.chance.randrange(1, 60)
        await until(lambda: entries[-1].n >= enough, timeout=PATIENCE_S)

    async def restart_server(self, mode: str) -> None:
        """Stop the database server in this mode, and start it again a while later."""
        await self.games.restart(mode, self.within(LONGEST_OUTAGE_S))
        self.restarts += 1


@contextmanager
def _coming_to_an_end(entry: Entry) -> Iterator[None]:
    """Count a timeout as a broken promise."""
    try:
        yield
    except TimeoutError:
        entry.broken.append(f"no end within {PATIENCE_S:.0f} s: {traceback.format_exc(limit=-4)}")


def complains(line: str) -> bool:
    """Return whether a log line has an error that is not explained by an unavailable server."""
    try:
        told = json.loads(line)
    except ValueError:
        return not line.startswith("{")  # it was cut off
    *_, error = told.get("exception", "").rsplit("\n", 1)
    return told["level"] in BAD_LEVELS and not error.startswith(SERVER_AWAY)
