"""The cost of publishing: how many statements the outbox makes for each message."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import Engine, event

from bot.delivery.outbox import AT_ONCE, Handlers, Outbox
from data.outbox_keys import HandKey, OutboxKey
from data.transaction import WriteTransaction
from tests.waiting import until

MESSAGES = 60


@pytest.fixture
def statements():
    """Every statement that goes to the database, as text."""
    made: list[str] = []

    def note(_connection, _cursor, statement, *_) -> None:
        made.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield made
    event.remove(Engine, "before_cursor_execute", note)


@asynccontextmanager
async def serving(store, clock) -> AsyncIterator[tuple[Outbox, list[OutboxKey]]]:
    """An outbox at rest, and what it has published."""
    seen: list[OutboxKey] = []

    async def publish(row) -> int:
        await asyncio.sleep(0)
        seen.append(row.key)
        return row.revision

    outbox = Outbox(store, clock, Handlers().on(HandKey, publish), gap_ms=1_000)
    task = asyncio.create_task(outbox.run())
    yield outbox, seen
    task.cancel()
    await asyncio.wait([task])


async def put(store, outbox: Outbox, *numbers: int) -> None:
    async def write(db: WriteTransaction) -> None:
        for number in numbers:
            await db.outbox.put(HandKey(1, number), 1, 0)

    await store.write(write)
    outbox.wake()


def of_the_outbox(statements: list[str]) -> list[str]:
    """Return the outbox's statements, without those of this test.

    Only the outbox asks how long a message rests, and only the outbox updates rows.
    """
    return [one for one in statements if one.startswith("UPDATE") or "coalesce" in one]


async def at_rest(store) -> None:
    async def nothing_waits() -> bool:
        return await store.read(lambda db: db.outbox.next_at()) is None

    await until(nothing_waits)


async def test_a_message_by_itself_costs_one_look_and_one_note(store, clock, statements):
    async with serving(store, clock) as (outbox, seen):
        for number in range(MESSAGES):
            await put(store, outbox, number)
            await at_rest(store)
        assert len(seen) == MESSAGES
    assert len(of_the_outbox(statements)) <= 2 * MESSAGES + 2


async def test_many_messages_share_their_looks_and_each_is_noted_once(store, clock, statements):
    async with serving(store, clock) as (outbox, seen):
        statements.clear()
        await put(store, outbox, *range(AT_ONCE))
        await until(lambda: len(seen) == AT_ONCE)
        await at_rest(store)
    made = of_the_outbox(statements)
    assert len([statement for statement in made if statement.startswith("UPDATE")]) == AT_ONCE
    assert len(made) <= AT_ONCE * 3 // 2
