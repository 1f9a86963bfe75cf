"""A table's stored state, for tests that nothing of it changed."""

import re
from dataclasses import dataclass, replace

from bot.table.core.table import COMPUTER
from data.transaction import ReadTransaction
from data.values import DeadlineRow, ResultRow, SeatRow, TableRow
from marriage.events import Event
from playground.person import Person
from playground.shown import Shown
from tests.e2e.players import press_tool
from tests.e2e.running import Running
from tests.waiting import until

FAIR = "Fair shuffle"
"""The button that shows all about a shuffle."""
SEAL = re.compile(r"Seal: `([0-9a-f]{64})`")


async def published(bot: Running) -> None:
    """Wait until nothing is left to publish."""

    async def nothing_waits() -> bool:
        return await bot.store.read(lambda db: db.outbox.next_at()) is None

    await until(nothing_waits, timeout=20)


async def turned_away(person: Person) -> None:
    """Wait until a direct message to a person who accepts none is refused."""
    wire, path = person.services.recorder, f"/channels/{person.dm_channel.id}/messages"

    def refused() -> bool:
        return any((request.response or {}).get("code") == 50007 for request in wire.requests("POST", path))

    await until(refused, timeout=20)


async def shuffles(person: Person, message: Shown) -> str:
    """Return what a table's button shows about its shuffles, in a panel that only this person sees."""
    return (await press_tool(person, message, FAIR)).message.text


@dataclass(frozen=True)
class Facts:
    """Everything stored about a table except message ids, which follow once Discord sends them."""

    table: TableRow
    seats: tuple[SeatRow, ...]
    events: list[Event]
    results: list[ResultRow]
    deadlines: list[DeadlineRow]


async def facts(bot: Running, table_id: int = 1) -> Facts:
    """Return the table as stored now."""

    async def read(db: ReadTransaction) -> Facts:
        table = await db.tables.get(table_id)
        assert table is not None
        return Facts(
            replace(table, message_id=None, mention_id=None, mention_channel_id=None, version=0),
            tuple(
                replace(seat, dm_channel_id=None, dm_message_id=None)
                for seat in await db.tables.seats(table_id)
            ),
            await db.deals.events(table_id, table.deal_no),
            await db.deals.results(table_id),
            await db.deadlines.of_table(table_id),
        )

    return await bot.store.read(read)


async def at_rest(bot: Running, table_id: int = 1) -> Facts:
    """Return the stored table once no computer is about to move."""

    async def resting() -> Facts | None:
        found = await facts(bot, table_id)
        return None if any(row.kind == COMPUTER for row in found.deadlines) else found

    return await until(resting, timeout=20)
