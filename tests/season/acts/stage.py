"""A season whose clock passes between random acts, and the worker that acts on everything that is due."""

from collections import Counter
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import TypeVar

from bot.errors import RepeatedInteractionError, StaleRevisionError, UserError
from bot.league.calendar_acts import Postponing
from bot.league.free_seats import Offers
from bot.league.meetings import Meetings
from bot.league.ruling_events import InvalidPointsError
from bot.league.season import SeasonView
from bot.outages import Outages
from bot.people import NamedPerson
from data.season_rows import SeasonRow
from data.transaction import ReadTransaction
from data.values import DeadlineRow
from league.ids import GuildId
from league.results import Player
from league.season import Pod
from league.times import DAY, HOUR
from marriage.errors import IllegalActionError
from tests.bot.clocks import connect
from tests.bot.league.house import GUILD, LeagueHouse
from tests.season.acts.kinds import KINDS, Kind
from tests.season.acts.promises import Looking, unkept

T = TypeVar("T")
REFUSALS = (
    UserError,
    StaleRevisionError,
    RepeatedInteractionError,
    InvalidPointsError,
    IllegalActionError,
)
"""What people may be told instead of getting what they want."""
PEOPLE = tuple(range(11, 21))
SIGNED_UP = (4, 6, 8, 10)
"""How many sign up at once. The others may come later."""
MOST_AT_ONCE = 500
"""How often something may be due at one moment until the season is thought never to come to rest."""
LATER = 180 * DAY
"""How long nobody acts at the end."""


class NothingToDoError(Exception):
    """Raised when an act has no object now: nobody could press its button."""


class NoRestError(AssertionError):
    """Raised when something stays due, however often it is acted on."""


class BrokenPromiseError(AssertionError):
    """Raised when a season is not as it has to be."""


class RandomSeason:
    """One season, its people, and what may be asked about it while they act."""

    def __init__(self, house: LeagueHouse, number: int) -> None:
        self.house, self.random = house, Random(number)
        self.kind: Kind = KINDS[number % len(KINDS)]
        self.numbers = self.kind.drawn(self.random)
        self.meetings, self.offers = Meetings(house.leagues), Offers(house.leagues)
        self.id = 0
        self.waiting: set[int] = set()
        """The pods of which a result or a ruling was taken back, or whose table the staff have closed: they may wait for the staff."""
        self.put_in: dict[tuple[int, Player], int] = {}
        """When the staff have put a player into a pod, by pod and player."""
        self.counts: Counter[str] = Counter()
        """What was played."""
        self.ordinary: list[int] = []
        """The tables that were opened outside the league."""
        self.log: list[list[str]] = []
        """What was done so far, each with what was chosen for it."""

    async def open(self) -> None:
        """Open the season, and let some people sign up."""
        self.id = await self.house.open(self.kind.format, **self.numbers)
        await self.house.join(self.id, *PEOPLE[: self.random.choice(SIGNED_UP)])

    async def view(self) -> SeasonView:
        """Return the season as it is now."""
        return await self.house.view(self.id)

    def note(self, detail: object) -> None:
        """Note what was chosen for the act in progress, for the message about a fault."""
        self.log[-1].append(str(detail))

    def choose(self, options: Sequence[T]) -> T:
        """Choose one of these and note it; raises NothingToDoError if there is none."""
        if not options:
            raise NothingToDoError
        chosen = self.random.choice(options)
        self.note(chosen)
        return chosen

    def chance(self, share: float) -> bool:
        """Return True in this share of all cases."""
        return self.random.random() < share

    def some(self, people: Iterable[int], share: float = 0.8) -> list[int]:
        """Return each of these with this chance."""
        return [person for person in people if self.chance(share)]

    def next_id(self) -> int:
        """Return the id of a new interaction."""
        return next(self.house.ids)

    def person(self) -> NamedPerson:
        """Choose a person, who may not be in the season."""
        number = self.choose(PEOPLE)
        return NamedPerson(number, f"P{number}")

    async def try_to(self, act: Awaitable[object]) -> None:
        """Do something that may be refused."""
        try:
            await act
        except REFUSALS as refusal:
            self.note(repr(refusal))

    # The worker

    async def look(self) -> None:
        """Let the worker act on everything that is due, and check what has to be true then.

        Raises BrokenPromiseError, NoRestError, and every other error of the worker.
        """
        with nothing_refused():
            await self.act_on_what_is_due()
        if await self.is_without_server():
            return
        if faults := await unkept(self.house, self.id):
            raise BrokenPromiseError("; ".join(faults))

    async def act_on_what_is_due(self) -> None:
        """Let the worker act on everything that is due; raises NoRestError, and every error of the worker."""
        for _ in range(MOST_AT_ONCE):
            row, deadlines = await self._due()
            if row.due_at is not None and row.due_at <= self.house.clock.at:
                await self._catch_up()
            elif deadlines and deadlines[0].due_at <= self.house.clock.at:
                await self.house.deadlines.act(deadlines[0])
            else:
                return
        raise NoRestError(f"something is always due at {self.house.clock.at}: {await self._due()}")

    async def pass_time(self, milliseconds: int) -> None:
        """Let time pass, and the worker act on each thing at its own time."""
        until = self.house.clock.at + milliseconds
        while True:
            row, deadlines = await self._due()
            ahead = [row.due_at, deadlines[0].due_at if deadlines else None]
            due = [at for at in ahead if at is not None and at <= until]
            if not due:
                break
            self.house.clock.at = max(self.house.clock.at, min(due))
            await self.look()
        self.house.clock.at = until

    async def go_away(self, hours: float) -> None:
        """Take the bot offline for some hours, then let it catch up."""
        clock = self.house.clock
        await self.house.store.write(lambda db: db.key_values.alive(clock.at))
        clock.at += int(hours * HOUR)
        outages = Outages(self.house.store, clock)
        outages.on_loss(Postponing(self.house.leagues).put_off)
        with nothing_refused():
            await connect(outages)
        await self.look()

    async def finish(self) -> None:
        """Resume the season if it is paused, and let months pass in which nobody acts."""
        seen = await self.view()
        if seen.season.open and seen.season.paused_at is not None:
            await self.house.resume(self.id, "the end")
        await self.pass_time(LATER)
        seen = await self.view()
        if seen.row.closed_at is None and not self.waits_for_staff(seen):
            raise BrokenPromiseError(f"never ends: {left_open(seen)}")

    def waits_for_staff(self, seen: SeasonView) -> bool:
        """Return whether the season may stay open until the staff act.

        It was reopened after its end, or its unfinished matches have no open table because of an act of the staff (docs/leagues.md).
        """
        unfinished = {pod.id for pod in seen.season.pods.values() if not pod.over}
        open_tables = {pod for pod, table in seen.tables.items() if table.status != "closed"}
        waits = bool(unfinished) and unfinished <= self.waiting and not unfinished & open_tables
        return seen.season.reopened or waits

    async def is_without_server(self) -> bool:
        """Return whether the server is without the bot now: until it is back, nothing can be shown or closed."""
        settings = await self.house.store.read(lambda db: db.guilds.settings(GuildId(GUILD)))
        return settings.lost_at is not None

    async def _due(self) -> tuple[SeasonRow, list[DeadlineRow]]:
        async def read(db: ReadTransaction) -> tuple[SeasonRow, list[DeadlineRow]]:
            row = await db.seasons.get(self.id)
            assert row is not None
            return row, await db.deadlines.soonest(1)

        return await self.house.store.read(read)

    async def _catch_up(self) -> None:
        looking = await Looking.at(self.house, self.id, self.put_in)
        await self.house.rounds.catch_up(self.id)
        if faults := looking.wronged((await self.view()).season):
            raise BrokenPromiseError("; ".join(faults))


@contextmanager
def nothing_refused() -> Iterator[None]:
    """Count a refusal as a fault: what happens by itself was asked for by nobody."""
    try:
        yield
    except REFUSALS as refusal:
        raise BrokenPromiseError(f"refused to nobody: {refusal!r}") from refusal


def left_open(seen: SeasonView) -> str:
    """Describe a season that does not end."""

    def described(pod: Pod) -> str:
        return f"pod {pod.id} of round {pod.round}, table {pod.table}, due {pod.due}, result {pod.result}"

    pods = [described(pod) for pod in seen.season.pods.values() if not pod.over]
    rounds = f"{seen.season.drawn} of {seen.season.settings.rounds} rounds drawn"
    return "; ".join([rounds, f"due at {seen.row.due_at}", *pods])
