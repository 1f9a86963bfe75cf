"""What the store holds of a table, so that tests can say that nothing of it changed."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from data.values import DeadlineRow, ResultRow, SeatRow, TableRow
from marriage.events import Event
from tests.e2e.running import Running

T = TypeVar("T")


async def until(condition: Callable[[], T], timeout: float = 10) -> T:  # noqa: ASYNC109 - said in the message
    """Wait until something is true that no news of the playground tells of; its value."""
    async with asyncio.timeout(timeout):
        while not (value := condition()):  # noqa: ASYNC110 - of this no event tells
            await asyncio.sleep(0.01)
        return value


async def published(bot: Running) -> None:
    """Wait until nothing waits to be published any more."""
    async with asyncio.timeout(20):
        while True:
            async with bot.store.read() as reader:
                if await reader.next_outbox_at() is None:
                    return
            await asyncio.sleep(0.01)


@dataclass(frozen=True)
class Facts:
    """Everything that a table is, but for the ids of messages, which follow when Discord tells them."""

    table: TableRow
    seats: tuple[SeatRow, ...]
    events: list[Event]
    results: list[ResultRow]
    deadlines: list[DeadlineRow]


async def facts(bot: Running, table_id: int = 1) -> Facts:
    """The table as it is stored now."""
    async with bot.store.read() as reader:
        table = await reader.table(table_id)
        assert table is not None
        return Facts(
            replace(table, message_id=None),
            tuple(
                replace(seat, dm_channel_id=None, dm_message_id=None) for seat in await reader.seats(table_id)
            ),
            await reader.events(table_id, table.deal_no),
            await reader.results(table_id),
            await reader.deadlines(table_id),
        )
