"""What must hold for the stored games, whatever became of the process that wrote them."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from data.transaction import ReadTransaction
from data.values import TableRow
from marriage.apply import replay
from marriage.events import Event
from marriage.invariants import check
from marriage.state import Phase
from playground.recorder import RecordedRequest
from tests.games import Games, Seen

OF_A_TABLE = re.compile(
    r"mr1:(?:hand|ledger|join|leave|computer|start|ready|draw|decline|expose|take|show|dublees|cut|finish|discard"
    r"|pick-expose|next|close|refresh|agree|refuse|rematch):(\d+):(\d+)"
)
HANGING = """
    SELECT id, status FROM game_table WHERE status != 'closed'
    AND NOT EXISTS (SELECT 1 FROM deadline WHERE table_id = game_table.id)
    AND NOT (status = 'lobby' AND EXISTS (SELECT 1 FROM pod_table WHERE table_id = game_table.id))
"""
"""Open tables without a deadline, except lobbies of leagues, which wait for their season."""


@dataclass
class Files:
    """What is known about the games, and what was found wrong."""

    games: Games
    said: Counter[int] = field(default_factory=Counter)
    """The latest revision sent to Discord, by table."""
    heard: int = 0
    """The number of the last recorded request that was read."""
    deals: dict[tuple[int, int], list[Event]] = field(default_factory=dict)
    over: set[int] = field(default_factory=set)
    """Closed tables, which never change again."""
    season: list[tuple] = field(default_factory=list)
    checked: int = 0
    """The number of events that were replayed and checked."""

    def hear(self, entries: Iterable[RecordedRequest]) -> None:
        """Note what was sent to Discord; it must have been committed before."""
        for entry in entries:
            if entry.n > self.heard and entry.status:
                self.heard = entry.n
                self.note(entry)

    def note(self, entry: RecordedRequest) -> None:
        """Note what one request sent to Discord, if it arrived."""
        if not entry.cut:
            for table, revision in OF_A_TABLE.findall(json.dumps(entry.request)):
                self.said[int(table)] = max(self.said[int(table)], int(revision))

    async def broken(self) -> list[str]:
        """Return what is wrong with the games, while the bot is not running."""
        async with self.games.left() as left:
            found = [*left.unsound, *await self._of_rows(left)]
            return found + await left.store.read(self._of_tables)

    async def _of_tables(self, db: ReadTransaction) -> list[str]:
        found: list[str] = []
        for number in await self._numbers(db):
            table = await db.tables.get(number)
            found += [f"table {number} is missing"] if table is None else await self._of_table(db, table)
        return found

    async def _of_rows(self, left: Seen) -> list[str]:
        found = [
            f"table {table} is {status} and waits for nothing" for table, status in await left.rows(HANGING)
        ]
        season = await left.rows("SELECT id, body FROM season_event ORDER BY id")
        if season[: len(self.season)] != self.season:
            found.append("events of the season are missing")
        self.season = season
        return found

    async def _numbers(self, db: ReadTransaction) -> list[int]:
        known = {table for table, _ in self.deals} | set(self.said)
        known |= {table.id for table in await db.tables.all_open()}
        return sorted(known - self.over)

    async def _of_table(self, db: ReadTransaction, table: TableRow) -> list[str]:
        found = []
        if table.revision < self.said[table.id]:
            found.append(f"table {table.id} is at {table.revision}, and was at {self.said[table.id]}")
        for number in range(1, table.deal_no + 1):
            events = await db.deals.events(table.id, number)
            before = self.deals.get((table.id, number), [])
            if events[: len(before)] != before:
                found.append(f"events of deal {number} of table {table.id} have changed")
            if len(events) > len(before):
                self.deals[table.id, number] = events
                found += await self._of_deal(db, table, number, events)
        if table.status == "closed":
            self.over.add(table.id)
        return found

    async def _of_deal(
        self, db: ReadTransaction, table: TableRow, number: int, events: list[Event]
    ) -> list[str]:
        state = replay(events)
        check(state)
        self.checked += len(events)
        results = [row for row in await db.deals.results(table.id) if row.deal_no == number]
        is_over = state.phase is Phase.OVER
        if bool(results) != is_over or sum(row.net for row in results):
            return [
                f"deal {number} of table {table.id} is in phase {state.phase} and has {len(results)} results"
            ]
        if not is_over and (table.status, table.deal_no) != ("playing", number):
            return [f"deal {number} of table {table.id} is not over, and the table is {table.status}"]
        return []
