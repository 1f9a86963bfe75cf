"""The services of one table without Discord; the test moves the clock and the deadlines."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from bot.people import NamedPerson
from bot.services import wire
from bot.settings import Settings
from bot.table.core.table import ABANDONED, BETWEEN, COMPUTER, MENTION, PAUSED, TURN, VOTE, WINDOW
from bot.table.hosting import Actor
from data.preferences import Pace, Terms
from data.store import Store
from data.transaction import ReadTransaction
from data.values import DeadlineRow, SeatRow, TableRow
from marriage.invariants import check_waiting
from marriage.rules import PRESETS, Rules
from marriage.state import Phase, State
from tests.marriage.dealing import replay_checked

GUILD, CHANNEL = 1, 2
PEOPLE = (11, 12, 13)


@dataclass
class Hand:
    """A clock that does not move until the test moves it."""

    at: int = 1_000_000_000

    def now(self) -> int:
        return self.at

    def follow(self) -> int:
        return 0


@dataclass
class House:
    """One table and all that may happen to it."""

    store: Store
    clock: Hand = field(default_factory=Hand)
    ids: "count[int]" = field(default_factory=lambda: count(1_000))
    clocks: dict[tuple[int, int], set[int]] = field(default_factory=dict)
    """The times at which a question's time was seen to end, by deal number and version."""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The settings of the bot that differ from the defaults."""

    def __post_init__(self) -> None:
        settings = Settings(_env_file=None, discord_token="x", computer_pause_ms=1_000, **self.options)
        self.services = wire(settings, self.store, self.clock)
        self.tables, self.lobby, self.play = self.services.tables, self.services.lobby, self.services.play
        self.endings, self.presence = self.services.endings, self.services.presence
        self.leaving, self.changing = self.services.leaving, self.services.changing
        self.pauses, self.deadlines = self.services.pauses, self.services.deadlines

    async def seat_people(
        self, pace: Pace, people: int, computers: int, *, deals: int = 0, rules: Rules | None = None
    ) -> None:
        await self.lobby.open(GUILD, CHANNEL, NamedPerson(PEOPLE[0], "P0"), next(self.ids))
        for number in range(1, people):
            await self.lobby.join(1, NamedPerson(PEOPLE[number], f"P{number}"), next(self.ids))
        host, hosting = Actor(NamedPerson(PEOPLE[0], "P0")), self.services.hosting
        for _ in range(computers):
            await hosting.add_computer(1, host, next(self.ids))
        terms = Terms(rules=rules or PRESETS["pagat"], deals=deals, pace=pace)
        await hosting.set_terms(1, host, lambda _: terms, next(self.ids))
        await self.play.start(1, PEOPLE[0], next(self.ids))

    async def look(self) -> tuple[TableRow, tuple[SeatRow, ...], list[DeadlineRow]]:
        async def read(db: ReadTransaction) -> tuple[TableRow, tuple[SeatRow, ...], list[DeadlineRow]]:
            table = await db.tables.get(1)
            assert table is not None
            return table, await db.tables.seats(1), await db.deadlines.of_table(1)

        return await self.store.read(read)

    async def state(self) -> State:
        async def read(db: ReadTransaction) -> State:
            table = await db.tables.get(1)
            assert table is not None
            return replay_checked(await db.deals.events(1, table.deal_no))

        return await self.store.read(read)

    async def pass_time(self, milliseconds: int) -> None:
        """Let time pass, and run every deadline at its own time."""
        until = self.clock.at + milliseconds
        while True:
            _, _, rows = await self.look()
            if not rows or rows[0].due_at > until:
                break
            self.clock.at = max(self.clock.at, rows[0].due_at)
            await self.deadlines.act(rows[0])
        self.clock.at = until

    async def check(self) -> None:
        """Assert that a deal waits for someone, with a future deadline, and that no event has lost a card."""
        table, seats, rows = await self.look()
        kinds = {row.kind for row in rows}
        bench = await self.store.read(lambda db: db.benches.get(1))
        if table.status == "closed":
            assert (kinds, bench) == (set(), ())
            return
        assert all(row.due_at >= self.clock.at for row in rows)
        present = [seat for seat in seats if seat.present]
        if table.status == "between":
            assert (BETWEEN in kinds) != (PAUSED in kinds)
            assert (VOTE in kinds) == any(seat.ending for seat in seats)
            return
        state = await self.state()
        check_waiting(state)
        ends = self.clocks.setdefault((table.deal_no, state.version), set())
        if PAUSED in kinds:
            assert kinds <= {PAUSED, VOTE, ABANDONED, COMPUTER}  # people may still vote, or leave the table
            asked = [seat.seat for seat in seats if not state.seats[seat.seat].answered]
            waits = asked if state.phase is Phase.WINDOW else [state.turn]
            by_computers = present and not any(seats[seat].present for seat in waits)
            assert (COMPUTER in kinds) == bool(by_computers)
            ends.clear()
            return
        ends |= {row.due_at for row in rows if row.kind == TURN}
        assert len(ends) <= 2
        assert (ABANDONED in kinds) == (not present and not bench)
        assert (VOTE in kinds) == any(seat.ending for seat in seats)
        if state.phase is Phase.WINDOW:
            assert WINDOW in kinds
            assert not kinds & {TURN, MENTION}
        else:
            assert WINDOW not in kinds
            assert (TURN in kinds) == seats[state.turn].present
            assert (COMPUTER in kinds) == (not seats[state.turn].present)
            assert MENTION not in kinds or TURN in kinds
