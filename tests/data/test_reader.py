"""Queries to the file from a process without a store: in steps, on one snapshot, and unable to write."""

import asyncio
from collections.abc import Generator
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from data.errors import StoreError
from data.store import Store, asked
from data.transaction import ReadTransaction, WriteTransaction
from tests.data.conftest import GUILD, RAM

T = TypeVar("T")


def to_its_end(steps: Generator[None, None, T]) -> T:
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


async def name_of_ram(db: ReadTransaction) -> str:
    person = await db.people.get(RAM)
    return "" if person is None else person.names.general


@pytest.fixture
async def kept(store: Store) -> Store:
    async def write(db: WriteTransaction) -> None:
        await db.guilds.keep(GUILD)
        await db.people.keep(RAM, "Ram", 1_000)

    await store.write(write)
    return store


async def test_it_reads_what_was_committed(kept: Store):
    assert await asyncio.to_thread(to_its_end, asked(kept.place, name_of_ram)) == "Ram"


async def test_it_hands_over_and_is_given_up(kept: Store):
    ended: list[str] = []

    async def endless(_: ReadTransaction) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("given up")

    def begin_and_stop() -> None:
        steps = asked(kept.place, endless)
        next(steps)
        next(steps)
        steps.close()

    await asyncio.to_thread(begin_and_stop)
    assert ended == ["given up"]


async def test_it_cannot_write(kept: Store):
    async def write(db: ReadTransaction) -> None:
        await db.tables._execute(text("DELETE FROM person"))

    with pytest.raises((StoreError, DBAPIError)):
        await asyncio.to_thread(to_its_end, asked(kept.place, write))
    assert await kept.read(name_of_ram) == "Ram"


async def test_a_file_that_is_not_there_is_a_fault_with_a_name(tmp_path: Path):
    with pytest.raises(StoreError):
        await asyncio.to_thread(to_its_end, asked(tmp_path / "none" / "tiplu.db", name_of_ram))
