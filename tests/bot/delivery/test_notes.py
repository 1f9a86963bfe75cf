"""Noting what was published: together where several wait, and again where it failed."""

import asyncio

import pytest

from bot.delivery.outbox import Notes
from data.errors import StoreUnavailableError
from data.outbox_keys import HandKey


@pytest.fixture
async def rows(store):
    async with store.writing() as db:
        for number in range(4):
            await db.outbox.put(HandKey(1, number), 1, 0)
        return await db.outbox.due(0, 10)


async def is_empty(store) -> bool:
    async with store.reading() as db:
        return await db.outbox.next_at() is None


async def test_rows_that_are_published_meanwhile_share_a_note(store, clock, rows, monkeypatch):
    written: list[int] = []
    write = store.writing

    def counted():
        written.append(1)
        return write()

    monkeypatch.setattr(store, "writing", counted)
    notes = Notes(store, clock)
    assert await asyncio.gather(*(notes.add(row, 1) for row in rows)) == [True] * 4
    assert len(written) <= 2
    assert await is_empty(store)


async def test_a_note_that_fails_is_written_by_the_next_row(store, clock, rows, monkeypatch):
    """The first row is noted by itself; the note of the three others fails once."""
    write, faults = store.writing, [None, StoreUnavailableError("full")]

    def refused_once():
        if faults and (fault := faults.pop(0)) is not None:
            raise fault
        return write()

    monkeypatch.setattr(store, "writing", refused_once)
    notes = Notes(store, clock)
    first, second, *others = await asyncio.gather(
        *(notes.add(row, 1) for row in rows), return_exceptions=True
    )
    assert isinstance(second, StoreUnavailableError)
    assert [first, *others] == [True] * 3
    assert await is_empty(store)


async def test_a_later_revision_goes_on_waiting(store, clock, rows):
    async with store.writing() as db:
        await db.outbox.put(rows[1].key, 2, 0)
    notes = Notes(store, clock)
    await asyncio.gather(*(notes.add(row, 1) for row in rows))
    async with store.reading() as db:
        assert [row.key for row in await db.outbox.due(clock.now(), 10)] == [rows[1].key]
