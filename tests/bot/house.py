"""The services of one table without Discord: its clock and its deadlines are moved by the test."""

from dataclasses import dataclass, field
from itertools import count

from bot.deadlines import Deadlines
from bot.history import stats
from bot.league import pod_tables
from bot.people import Person
from bot.settings import Settings
from bot.table.attendance import Attendance
from bot.table.clocks import Clocks
from bot.table.endings import Endings
from bot.table.hosting import Actor, Hosting
from bot.table.leaving import Leaving
from bot.table.lobby import Lobby
from bot.table.pauses import Pauses
from bot.table.play import Play
from bot.table.presence import Presence
from bot.table.repository import TableRepository
from bot.table.transaction import ABANDONED, BETWEEN, COMPUTER, LOBBY, PAUSED, READY, TURN, VOTE, WARN, WINDOW
from data.preferences import Pace
from data.store import Store
from data.values import DeadlineRow, SeatRow, TableRow
from marriage.apply import replay
from marriage.invariants import check_waiting
from marriage.rules import PRESETS, Rules
from marriage.state import Phase, State

GUILD, CHANNEL = 1, 2
PEOPLE = (11, 12, 13)


@dataclass
class Hand:
    """A clock that stands until it is moved."""

    at: int = 1_000_000_000

    def now(self) -> int:
        return self.at


@dataclass
class House:
    """One table and all that may happen to it."""

    store: Store
    clock: Hand = field(default_factory=Hand)
    ids: "count[int]" = field(default_factory=lambda: count(1_000))
    clocks: dict[tuple[int, int], set[int]] = field(default_factory=dict)
    """When the time for a question of a deal was seen to end, by the deal and its version then."""

    def __post_init__(self) -> None:
        settings = Settings(_env_file=None, discord_token="x", computer_pause_ms=1_000)
        self.tables = TableRepository(self.store, self.clock)
        stats.follow(self.tables.hooks)
        pod_tables.follow(self.tables.hooks)
        clocks = Clocks(settings)
        self.lobby = Lobby(self.store, self.tables, settings)
        self.play = Play(self.tables, settings)
        self.endings = Endings(self.tables, self.play)
        self.presence = Presence(self.store, self.tables, clocks, self.play, self.endings)
        self.leaving = Leaving(self.tables, self.lobby, clocks, self.endings)
        self.changing = Attendance(self.tables, self.play, clocks)
        self.pauses = Pauses(self.store, self.tables, clocks, self.endings)
        self.deadlines = Deadlines(
            self.store,
            self.clock,
            {
                LOBBY: self.lobby.expire,
                BETWEEN: self.lobby.expire,
                READY: self.play.all_ready,
                WINDOW: self.play.close_window,
                COMPUTER: self.play.computer_turn,
                WARN: self.presence.warn,
                TURN: self.presence.time_out,
                VOTE: self.endings.expire,
                ABANDONED: self.endings.abandoned,
                PAUSED: self.pauses.expire,
            },
        )

    async def seat_people(
        self, pace: Pace, people: int, computers: int, *, deals: int = 0, rules: Rules | None = None
    ) -> None:
        await self.lobby.open(GUILD, CHANNEL, Person(PEOPLE[0], "P0"), next(self.ids))
        for number in range(1, people):
            await self.lobby.join(1, Person(PEOPLE[number], f"P{number}"), next(self.ids))
        host, hosting = Actor(Person(PEOPLE[0], "P0")), Hosting(self.tables, self.lobby)
        for _ in range(computers):
            await hosting.add_computer(1, host, next(self.ids))
        await hosting.set_rules(1, host, rules or PRESETS["pagat"], deals, pace, next(self.ids))
        await self.play.start(1, PEOPLE[0], next(self.ids))

    async def look(self) -> tuple[TableRow, tuple[SeatRow, ...], list[DeadlineRow]]:
        async with self.store.read() as db:
            table = await db.tables.get(1)
            assert table is not None
            return table, await db.tables.seats(1), await db.deadlines.of_table(1)

    async def state(self) -> State:
        async with self.store.read() as db:
            table = await db.tables.get(1)
            assert table is not None
            return replay(await db.deals.events(1, table.deal_no))

    async def pass_time(self, milliseconds: int) -> None:
        """Let time pass, and everything happen that is due, each at its own time."""
        until = self.clock.at + milliseconds
        while True:
            _, _, rows = await self.look()
            if not rows or rows[0].due_at > until:
                break
            self.clock.at = max(self.clock.at, rows[0].due_at)
            await self.deadlines._act(rows[0])
        self.clock.at = until

    async def check(self) -> None:
        """A deal always waits for somebody, and by a deadline that is still to come."""
        table, seats, rows = await self.look()
        kinds = {row.kind for row in rows}
        async with self.store.read() as db:
            bench = await db.benches.get(1)
        if table.status == "closed":
            assert (kinds, bench) == (set(), ())
            return
        assert all(row.due_at >= self.clock.at for row in rows)
        present = [seat for seat in seats if seat.present]
        if table.status == "between":
            assert BETWEEN in kinds
            assert (VOTE in kinds) == any(seat.ending for seat in seats)
            return
        state = await self.state()
        check_waiting(state)
        ends = self.clocks.setdefault((table.deal_no, state.version), set())
        if PAUSED in kinds:
            assert kinds <= {PAUSED, VOTE, ABANDONED}  # people may still vote, or get up
            ends.clear()
            return
        ends |= {row.due_at for row in rows if row.kind == TURN}
        assert len(ends) <= 2
        assert (ABANDONED in kinds) == (not present and not bench)
        assert (VOTE in kinds) == any(seat.ending for seat in seats)
        if state.phase is Phase.WINDOW:
            assert WINDOW in kinds
            assert not kinds & {TURN, WARN}
        else:
            assert WINDOW not in kinds
            assert (TURN in kinds) == seats[state.turn].present
            assert (COMPUTER in kinds) == (not seats[state.turn].present)
            assert WARN not in kinds or TURN in kinds
