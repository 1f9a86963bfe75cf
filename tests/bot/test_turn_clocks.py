"""The clocks of a table driven by hand: people who come, go and dawdle in every order, and a time that jumps."""

from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

import pytest

from bot.clocks import Clocks
from bot.deadlines import Deadlines
from bot.desk import (
    ABANDONED,
    BETWEEN,
    COMPUTER,
    LOBBY,
    PAUSED,
    READY,
    TURN,
    VOTE,
    WARN,
    WINDOW,
    Desk,
)
from bot.endings import Endings
from bot.errors import Sorry, Stale
from bot.hosting import Actor, Hosting
from bot.leaving import Leaving
from bot.lobby import Lobby
from bot.pace import turn_ms
from bot.pauses import Pauses
from bot.people import Person
from bot.play import Play
from bot.presence import Presence
from bot.settings import Settings
from data.preferences import Pace, TableOptions
from data.store import Store
from data.values import DeadlineRow, SeatRow, TableRow
from marriage.apply import replay
from marriage.check import check_waiting
from marriage.errors import IllegalAction
from marriage.players import RandomPlayer
from marriage.state import Phase

GUILD, CHANNEL = 1, 2
PEOPLE = (11, 12, 13)
MINUTE = 60_000


@dataclass
class Hand:
    """A clock that stands until it is moved."""

    at: int = 1_000_000_000

    def now(self) -> int:
        return self.at


@dataclass
class House:
    """The services of one table, without Discord: its deadlines are served when the test says so."""

    store: Store
    clock: Hand = field(default_factory=Hand)
    ids: "count[int]" = field(default_factory=lambda: count(1_000))

    def __post_init__(self) -> None:
        settings = Settings(_env_file=None, discord_token="x", computer_pause_ms=1_000)
        self.desk = Desk(self.store, self.clock)
        clocks = Clocks(settings)
        self.lobby = Lobby(self.store, self.desk, settings)
        self.play = Play(self.desk, settings)
        self.endings = Endings(self.desk, self.play)
        self.presence = Presence(self.store, self.desk, clocks, self.endings)
        self.leaving = Leaving(self.desk, self.lobby, clocks, self.endings)
        self.pauses = Pauses(self.store, self.desk, clocks, self.endings)
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

    async def seat_people(self, pace: Pace, people: int, computers: int) -> None:
        await self.lobby.open(GUILD, CHANNEL, Person(PEOPLE[0], "P0"), next(self.ids))
        for number in range(1, people):
            await self.lobby.join(1, Person(PEOPLE[number], f"P{number}"), next(self.ids))
        hosting = Hosting(self.desk, self.lobby)
        for _ in range(computers):
            await hosting.add_computer(1, Actor(Person(PEOPLE[0], "P0")), next(self.ids))
        async with self.store.write() as writer:
            table = await writer.table(1)
            assert table is not None
            await writer.change_table(table, options=TableOptions(pace=pace))
        await self.play.start(1, PEOPLE[0], next(self.ids))

    async def look(self) -> tuple[TableRow, tuple[SeatRow, ...], list[DeadlineRow]]:
        async with self.store.read() as reader:
            table = await reader.table(1)
            assert table is not None
            return table, await reader.seats(1), await reader.deadlines(1)

    async def state(self):
        async with self.store.read() as reader:
            table = await reader.table(1)
            assert table is not None
            return replay(await reader.events(1, table.deal_no))

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
        if table.status == "closed":
            assert kinds == set()
            return
        assert all(row.due_at >= self.clock.at for row in rows)
        present = [seat for seat in seats if seat.present]
        if table.status == "between":
            assert BETWEEN in kinds
            assert not any(seat.ending for seat in seats)
            return
        state = await self.state()
        check_waiting(state)
        if PAUSED in kinds:
            assert kinds == {PAUSED}
            return
        assert (ABANDONED in kinds) == (not present)
        assert (VOTE in kinds) == any(seat.ending for seat in seats)
        if state.phase is Phase.WINDOW:
            assert WINDOW in kinds
            assert not kinds & {TURN, WARN}
        else:
            assert WINDOW not in kinds
            assert (TURN in kinds) == seats[state.turn].present
            assert (COMPUTER in kinds) == (not seats[state.turn].present)
            assert WARN not in kinds or TURN in kinds


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    store = await Store.open(tmp_path / "house.sqlite3")
    yield House(store)
    await store.close()


async def act(house: House, random: Random, revision: int) -> None:
    """One thing that somebody may do, or try to."""
    person = random.choice(PEOPLE)
    what = random.choices(
        ("move", "look", "leave", "ask", "refuse", "agree", "pause", "next", "wait"),
        (30, 6, 1, 2, 3, 2, 1, 6, 8),
    )[0]
    match what:
        case "move":
            await house.presence.back(1, person)
            await house.play.move(1, person, RandomPlayer(random).choose, None, next(house.ids))
        case "look":
            await house.presence.back(1, person)
        case "leave":
            await house.leaving.leave(1, person, next(house.ids))
        case "ask":
            await house.endings.ask(1, person, next(house.ids))
        case "agree":
            await house.endings.agree(1, person, revision, next(house.ids))
        case "refuse":
            await house.endings.refuse(1, person, revision, next(house.ids))
        case "pause":
            await house.pauses.lost(1)
        case "next":
            await house.play.next_deal(1, person, next(house.ids))
        case _:
            await house.pass_time(random.choice((500, 10_000, 20_000, 50_000, 100_000)))


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_people_do_a_table_waits_for_somebody_and_ends(house: House, seed: int):
    random = Random(seed)
    pace = random.choice((Pace.FAST, Pace.NORMAL, Pace.SLOW))
    await house.seat_people(pace, people=random.choice((2, 3)), computers=random.choice((0, 1)))
    await house.check()
    for _ in range(60):
        table, _, _ = await house.look()
        with suppress(Sorry, IllegalAction, Stale, IndexError):  # refused: nothing has changed
            await act(house, random, table.revision)
        await house.check()
    # Everybody goes away for good: the table ends by itself.
    await house.pass_time(8 * 24 * 60 * MINUTE)
    table, _, rows = await house.look()
    assert (table.status, rows) == ("closed", [])


@pytest.mark.parametrize("pace", list(Pace))
async def test_nobody_is_away_before_his_time_and_everybody_is_after_it(house: House, pace: Pace):
    await house.seat_people(pace, people=2, computers=0)
    await house.pass_time(24 * 60 * MINUTE if pace is Pace.DAILY else 5 * MINUTE)  # the window
    for _ in range(3):
        state = await house.state()
        if state.phase is Phase.WINDOW:
            break
        _, seats, rows = await house.look()
        if not seats[state.turn].present:
            break
        [turn] = [row for row in rows if row.kind == TURN]
        left = turn.due_at - house.clock.at
        assert 0 < left <= turn_ms(pace)
        await house.pass_time(left - 1)
        assert not (await house.look())[1][state.turn].away
        await house.pass_time(1)
        assert (await house.look())[1][state.turn].away


async def test_a_deadline_that_was_credited_does_not_fire_at_its_old_time(house: House):
    await house.seat_people(Pace.FAST, people=2, computers=0)
    await house.pass_time(30_001)
    _, _, rows = await house.look()
    [turn] = [row for row in rows if row.kind == TURN]
    house.clock.at = turn.due_at
    async with house.store.write() as writer:
        await writer.credit_deadlines(60_000, house.clock.at + 30_000)
    before = await house.look()
    with pytest.raises(Stale):
        await house.presence.time_out(1, turn.revision)
    await house.deadlines._act(turn)
    assert await house.look() == before
    await house.check()


@pytest.mark.parametrize("status", ["lobby", "window", "turn", "between", "paused"])
async def test_leaving_works_in_every_status_and_sets_free(house: House, status: str):
    await house.lobby.open(GUILD, CHANNEL, Person(11, "A"), next(house.ids))
    await house.lobby.join(1, Person(12, "B"), next(house.ids))
    if status != "lobby":
        await house.play.start(1, 11, next(house.ids))
    if status in {"turn", "between", "paused"}:
        await house.pass_time(100_000)
    if status == "between":
        await house.endings.ask(1, 11, next(house.ids))
        await house.endings.ask(1, 12, next(house.ids))
    if status == "paused":
        await house.pauses.lost(1)
    await house.leaving.leave(1, 11, next(house.ids))
    async with house.store.read() as reader:
        assert await reader.open_table_of_person(11) is None
    await house.lobby.open(GUILD, CHANNEL + 1, Person(11, "A"), next(house.ids))
    with pytest.raises(Sorry):
        await house.leaving.leave(1, 11, next(house.ids))
    await house.leaving.leave(1, 12, next(house.ids))
    assert (await house.look())[0].status == "closed"
    await house.check()
