"""The results of an evening, from the store, the wire and the log: what must hold, and the figures."""

import json
import math
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from bot.settings import Settings
from bot.table.core.table import turn_ms, window_ms
from data.preferences import Pace
from data.transaction import ReadTransaction
from data.values import TableRow
from marriage.apply import replay
from marriage.invariants import check
from marriage.state import Phase
from playground.server import Playground
from tests.e2e.costs import MOVES, kinds, paid
from tests.games import Rows, Seen

WINDOW_MS = Settings.model_fields["tunnela_window_s"].default * 1000
SPARE_MS = 15_000
"""How much a wait may exceed the clock: a step of the script, and the computer's own move."""


@dataclass(frozen=True)
class Standstill:
    """A time when no clock ran: the bot was away, or could not show its tables."""

    start: int
    end: int
    homes: frozenset[int] | None = None
    """The channels whose tables stood still; None for all."""

    def within(self, start: int, end: int, home: int) -> int:
        """Return how much of that time the tables of this channel stood still."""
        if self.homes is not None and home not in self.homes:
            return 0
        return max(0, min(end, self.end) - max(start, self.start))


@dataclass
class Report:
    """The complete report on an evening."""

    tables: Counter[str] = field(default_factory=Counter)
    """The number of tables by the way in which they ended."""
    deals: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    by_hand: int = 0
    paid: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    interactions: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    longest: dict[Pace, int] = field(default_factory=dict)
    """The longest wait for one move at tables of each pace, in milliseconds."""
    too_long: list[str] = field(default_factory=list)
    unsound: list[str] = field(default_factory=list)
    minutes: float = 0.0
    """The duration of the evening by its own clock."""

    @property
    def paid_a_move(self) -> float:
        """The number of calls per move that count against the bot."""
        return self.paid / self.moves if self.moves else math.inf

    def __str__(self) -> str:
        waits = ", ".join(f"{pace} {ms / 1000:.0f} s" for pace, ms in sorted(self.longest.items()))
        return "\n".join(
            (
                f"tables          {self.tables.total()}: {_counts(self.tables)}",
                f"deals           {self.deals.total()}: {_counts(self.deals)}",
                f"moves           {self.moves}, of which {self.by_hand} by people",
                f"interactions    {self.interactions}",
                f"other calls     {self.paid}, {self.paid_a_move:.2f} a move: {_counts(self.kinds)}",
                f"refusals        {_counts(self.statuses)}",
                f"longest waits   {waits}",
                f"its own clock   {self.minutes:.0f} minutes",
                *(f"TOO LONG        {request}" for request in self.too_long),
                *(f"UNSOUND         {request}" for request in self.unsound),
            )
        )


def _counts(counter: Counter[str] | Counter[int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counter.most_common()) or "none"


async def report(
    discord: Playground, left: Seen, standstills: list[Standstill], returns: list[tuple[int, int]]
) -> Report:
    """Report on everything that the bot left when it ended."""
    made = Report()

    numbers = [number for (number,) in await left.rows("SELECT id FROM game_table ORDER BY id")]

    async def read(db: ReadTransaction) -> None:
        for number in numbers:
            table = await db.tables.get(number)
            assert table is not None
            await _look_at(made, db, table)

    await left.store.read(read)
    async for wait in _waits(left.rows):
        _judge(made, wait, standstills, returns)
    calls = paid(discord)
    made.paid, made.kinds = len(calls), kinds(calls)
    made.interactions = len(discord.world.interactions)
    made.statuses = Counter(entry.status for entry in discord.recorder.entries if entry.status >= 400)
    return made


async def _look_at(made: Report, db: ReadTransaction, table: TableRow) -> None:
    match = await db.matches.latest(table.id)
    made.tables[f"{table.status} ({table.ended or (match.ended if match else 'never dealt')})"] += 1
    if table.status != "closed":
        made.unsound.append(f"table {table.id} is still {table.status}")
    if match is not None and not match.is_over:
        made.unsound.append(f"the match of table {table.id} is not over")
    results = await db.deals.results(table.id)
    for number in range(1, table.deal_no + 1):
        events = await db.deals.events(table.id, number)
        state = replay(events)
        check(state)
        if state.phase is not Phase.OVER or state.sheet is None:
            made.unsound.append(f"deal {number} of table {table.id} is in phase {state.phase}")
            continue
        made.deals[state.sheet.ending.value] += 1
        if sum(row.net for row in results if row.deal_no == number) != 0:
            made.unsound.append(f"the results of deal {number} of table {table.id} do not add up to nothing")
        made.moves += sum(event.event in MOVES for event in events)


@dataclass(frozen=True)
class Wait:
    """The time between two events of one deal: how long the others waited for the second one."""

    table: int
    home: int
    pace: Pace
    event: str
    start: int
    end: int

    @property
    def most(self) -> int:
        """The longest allowed wait, in milliseconds."""
        if self.event in {"exposed", "declined"}:
            return window_ms(self.pace, WINDOW_MS)
        return turn_ms(self.pace)


async def _waits(rows: Rows) -> AsyncIterator[Wait]:
    query = """
        SELECT event.table_id, channel_id, options, type, event.deal_no, at
        FROM event JOIN game_table ON game_table.id = event.table_id
        ORDER BY event.table_id, event.deal_no, seq
    """
    before: dict[tuple[int, int], int] = {}
    for table, home, options, kind, deal, at in await rows(query):
        since = before.setdefault((table, deal), at)
        yield Wait(table, home, Pace(json.loads(options).get("pace", "none")), kind, since, at)
        before[table, deal] = at


def _judge(made: Report, wait: Wait, standstills: list[Standstill], returns: list[tuple[int, int]]) -> None:
    stood = sum(standstill.within(wait.start, wait.end, wait.home) for standstill in standstills)
    lasted = wait.end - wait.start - stood
    made.longest[wait.pace] = max(made.longest.get(wait.pace, 0), lasted)
    anew = any(table == wait.table and wait.start <= at <= wait.end for table, at in returns)
    # Players get their full time again when asked after a standstill, or when they come back to the turn they missed.
    allowed = wait.most * (1 + bool(stood) + anew)
    if lasted > allowed + SPARE_MS:
        made.too_long.append(
            f"table {wait.table} ({wait.pace}) waited {lasted / 1000:.0f} s before {wait.event!r}"
            f" at {wait.end}, beside {stood / 1000:.0f} s when no clock ran"
        )
