"""A day on which the bot's process ends repeatedly, while everyone continues."""

import asyncio
import json
from collections import Counter
from collections.abc import Coroutine, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, ClassVar

from bot.history.stats import recompute
from data.store import Store
from playground.person import NotAnsweredError, Person
from tests.crash.companies import Company, too_few_moves
from tests.crash.endings import KILLED, Ending, Scene, endings_of, expected_errors
from tests.crash.files import Files
from tests.crash.forked import ForkedProcess
from tests.crash.others import Scorer, Solver, open_league
from tests.crash.screens import Screens
from tests.crash.tally import Day
from tests.crash.twice import Twice
from tests.evening.stage import Stage
from tests.games import ServedGames

DUE = """
    SELECT kind, name FROM outbox WHERE done_at IS NULL AND not_before <= :now
    UNION ALL SELECT kind, CAST(table_id AS TEXT) FROM deadline WHERE due_at <= :now
    UNION ALL SELECT 'season', CAST(id AS TEXT) FROM season WHERE due_at <= :now
"""
NEXT_TRY = """
    SELECT min(not_before) FROM outbox WHERE done_at IS NULL
"""
OPEN = "SELECT id, status FROM game_table WHERE status != 'closed'"
PLAYING = "SELECT id FROM game_table WHERE status = 'playing' AND channel_id != 0"
FINISHED = """
    SELECT table_id, deal_no, seat, net, winner FROM result
    WHERE table_id NOT IN (SELECT table_id FROM daily_try)
"""
PLAYED = """
    SELECT table_id, deal_no, seat, net, winner FROM played_seat JOIN played ON played.number = played_seat.number
"""
ANSWERED_TWICE = "'code': 40060"
LONGEST_LINE = 4000
AWAY_S = 60
"""How long the bot is away now and then: long enough for clocks to be credited."""
NIGHT_STEP_S = 60
MOST_NIGHT_STEPS = 60
DAY_S = 24 * 3600
MOST_DAYS = 12
ENOUGH_ENDS = 30
"""After so many ends, everybody must have played."""


@dataclass
class Storm(Stage):
    """The tables and everything else of a day, through many ends of the process."""

    small: bool = False
    """Whether to play one table without a league."""
    companies: list[Company] = field(default_factory=list, init=False)
    solvers: list[Solver] = field(default_factory=list, init=False)
    broken: list[str] = field(default_factory=list, init=False)
    """The promises that were broken, and when."""
    ends: Counter[str] = field(default_factory=Counter, init=False)
    codes: Counter[int] = field(default_factory=Counter, init=False)
    """The exit codes of the processes."""
    excused: set[int] = field(default_factory=set, init=False)
    """The interactions that no process was there to answer, or none in time."""
    settings: ClassVar[dict[str, object]] = {"tables_per_person_h": 1000, "deals_per_table_h": 1000}
    kind = ForkedProcess
    module = "tests.crash.served"
    _expected: AbstractSet[str] = frozenset()
    """The errors allowed in the log of the current process."""
    due = DUE

    def __post_init__(self) -> None:
        super().__post_init__()
        self.files = Files(self.games)
        self.twice = Twice(self.discord, self.games.rows, self.clock, self.number)
        self.screens = Screens(self.discord.world, self.games, self.clock, self.discord.recorder.entries)

    @property
    def endings(self) -> Sequence[Ending]:
        """The ways in which the bot of this day can end."""
        return endings_of(self.games)

    async def run(self, kills: int, endings: Sequence[Ending] = ()) -> None:
        """Play the day with the named endings, or all of them; violations are in `broken`."""
        endings = endings or self.endings
        try:
            await self._begin()
            for number in range(1, kills + 1):
                await self._life(number, self.chance.choice(endings))
            await self._end()
        finally:
            if not self.process.life.done():
                await self.process.kill()

    async def _begin(self) -> None:
        await self.start_bot()
        self.scorer = Scorer(self._people("score", 1, "general")[0], self.games.rows, self.chance)
        self.companies.append(self._company("pair", 2))
        if not self.small:
            self.companies += [
                self._company("lone", 1, computers=2),
                self._company("three", 3, deals=2),
                self._company("thread", 2, thread=True, pace="fast"),
                self._company("mixed", 2, computers=1, types=True, pace="slow"),
                await self._league(),
            ]
            self.solvers += [Solver(person) for person in self._people("daily", 2, "general")]
        await self._calm()

    async def _league(self) -> Company:
        """Open a league with a round in progress, whose organiser also wants the board of the day."""
        company = self._company("league", 4, opens=False)
        await open_league(company.people[0], company.people)
        channel = self.discord.world.channel("general")
        await company.people[0].slash("setup daily", timezone="Asia/Kathmandu", post_in=channel)
        return company

    def _company(self, home: str, people: int, **kinds: Any) -> Company:
        world = self.discord.world
        world.add_channel(home)
        return Company(world, self.games.rows, home, self._people(home, people, home), self.chance, **kinds)

    def _people(self, name: str, count: int, home: str) -> list[Person]:
        people = [self.discord.person(f"{name}{place}") for place in range(count)]
        return [person.go(home) for person in people]

    async def launch_bot(self) -> None:
        await super().launch_bot()
        self.process.life.add_done_callback(self._note_code)

    def _note_code(self, life: "asyncio.Future[int]") -> None:
        if not life.cancelled() and not life.exception():
            self.codes[life.result()] += 1

    # One life ------------------------------------------------------------------------------------

    async def _life(self, number: int, ending: Ending) -> None:
        self.ends[ending.__doc__.split("\n")[0]] += 1
        before, known, self._expected = self.process, len(self.broken), expected_errors(ending)
        acting = [asyncio.create_task(deed) for deed in self._deeds()]
        if self.chance.random() < 1 / 3:
            self.jump(self.chance.uniform(10, 60))
        right = await ending(Scene(self, self.chance, asyncio.ensure_future(asyncio.wait(acting))))
        if right:
            await self._ended(ending, acting, right)
        for task in (await asyncio.wait(acting))[0]:
            if not task.cancelled():
                task.result()
        await self._come_back(dead=bool(right))
        self.look_into_the_log(before)
        await self._calm()
        for fault in self.broken[known:]:
            self.tell(f"{number} {ending.__name__}: BROKEN {fault}")
        self.tell(f"{number} {ending.__name__}")

    def _deeds(self) -> list[Coroutine[None, None, None]]:
        return [_until_unanswered(one.spend()) for one in (*self.companies, self.scorer, *self.solvers)]

    async def _ended(self, ending: Ending, acting: list[asyncio.Task], right: set[int]) -> None:
        """End the wait for answers, and check the file as it was left."""
        for task in acting:
            task.cancel()
        await asyncio.wait(acting)
        for interaction in self.discord.world.interactions.values():
            if interaction.state == "waiting":
                self.excused.add(interaction.id)
        code = await self.process.life
        if code not in right:
            self.broken.append(f"{ending.__name__}: the process ended with {code}: {self.process.lines[-3:]}")
        self.files.hear(self.discord.recorder.entries)
        self.broken += await self.files.broken()

    async def _come_back(self, *, dead: bool) -> None:
        if dead:
            if self.chance.random() < 1 / 4:
                self.clock.forward(AWAY_S)
            await self.launch_bot()
            await self.connected()
            await self._rest()
            self.broken += await self.twice.to_the_next()
        if self.chance.random() < 1 / 2:
            await asyncio.gather(*self._deeds())
        self.broken += [*await self._of_screens(), *await self.scorer.broken()]

    async def _of_screens(self) -> list[str]:
        """Return what is wrong with the messages twice in a row, because games may go on during a check."""
        await self._rest()
        before = {_subject(fault) for fault in await self.screens.broken()}
        if not before:
            return []
        await self._rest()
        return [fault for fault in await self.screens.broken() if _subject(fault) in before]

    async def _rest(self) -> None:
        """Wait until nothing is left to send, including retries."""
        await self.settled()
        while (moment := (await self.games.rows(NEXT_TRY))[0][0]) is not None:
            await self.pass_by(max(0, moment - self.clock.now()) / 1000 + 0.01)

    async def _calm(self) -> None:
        """Let some of the people sleep, the others play, and time pass."""
        for company in self.companies:
            company.asleep = {place for place in range(len(company.people)) if self.chance.random() < 1 / 5}
        await asyncio.gather(*self._deeds())
        await self.pass_by(self.chance.uniform(3, 40))
        await self._rest()

    def expects(self, line: str) -> bool:
        """Return True if an ending explains an error line, or an end cut the line off."""
        try:
            told = json.loads(line)
        except ValueError:
            return line.startswith("{")
        *_, what = told.get("exception", "").rsplit("\n", 1)
        is_of_server = isinstance(self.games, ServedGames) and what.startswith("data.errors.Store")
        return is_of_server or told["event"] in self._expected

    def counted(self, database: str, seconds: float) -> Day:
        """Return the counts of what could break, and of what did."""
        return Day(
            number=self.number,
            date=datetime.now(UTC).date().isoformat(),
            database=database,
            kills=self.codes[KILLED],
            ends=self.ends,
            deals=len(self.files.deals),
            events=self.files.checked,
            moves=sum(company.moves for company in self.companies),
            interactions=len(self.discord.world.interactions),
            unheard=len(self.excused),
            messages=self.screens.compared,
            seconds=round(seconds, 1),
            broken=self.broken,
        )

    # The end -------------------------------------------------------------------------------------

    async def _end(self) -> None:
        """Let everyone leave; each table must end, and the day must get its board."""
        for company in self.companies:
            await company.leave()
        for step, most in ((NIGHT_STEP_S, MOST_NIGHT_STEPS), (DAY_S, MOST_DAYS)):
            for _ in range(most):
                await self.pass_by(step)
                if not await self.games.rows(PLAYING if step == NIGHT_STEP_S else OPEN):
                    break
        await self._rest()
        await self.end_bot()
        self.files.hear(self.discord.recorder.entries)
        self.broken += await self.files.broken()
        self.broken += [
            f"table {table} is {status} in the end" for table, status in await self.games.rows(OPEN)
        ]
        self.broken += [*await self._recompute(), *self._on_the_wire(), *too_few_moves(self.companies)]
        self.broken += self._idle()
        self.broken += [f"in the log: {line[:LONGEST_LINE]}" for line in self.complaints]

    def _idle(self) -> list[str]:
        """Return who never played, because then nothing was tested of what they do."""
        if self.ends.total() < ENOUGH_ENDS:
            return []
        played = {company.home: company.moves for company in self.companies}
        if self.solvers:
            played["the deal of the day"] = sum(solver.moves for solver in self.solvers)
        return [f"nobody made a move at {home}" for home, moves in played.items() if not moves]

    def _on_the_wire(self) -> list[str]:
        interactions = self.discord.world.interactions.values()
        failed = {
            interaction.id for interaction in interactions if interaction.state == "failed"
        } - self.excused
        twice = [
            entry
            for entry in self.discord.recorder.entries
            if ANSWERED_TWICE in str(entry.response) and not self.twice.caused(entry)
        ]
        return [
            *self.discord.failures,
            *([f"{len(failed)} interactions were not answered"] if failed else []),
            *(f"an interaction was answered twice, by request {entry.n}: {entry.path}" for entry in twice),
        ]

    async def _recompute(self) -> list[str]:
        """Return a fault if ratings, boards or achievements do not match the recorded deals, or these the results."""
        finished, played = [set(await self.games.rows(question)) for question in (FINISHED, PLAYED)]
        wrong = [f"the record of a deal differs from its result: {row}" for row in sorted(finished ^ played)]
        store = await Store.open(self.games.place)
        try:
            done = await recompute(store)
        finally:
            await store.close()
        return wrong + ([f"{done.differing} values differ from the recorded deals"] if done.differing else [])


async def _until_unanswered(deed: Coroutine[None, None, None]) -> None:
    """Act until the bot does not answer; whether it should have is counted at the end of the day."""
    with suppress(NotAnsweredError):
        await deed


def _subject(fault: str) -> str:
    """Which message a fault is about: what it shows may be another thing by the next look."""
    return fault.partition(" shows ")[0]
