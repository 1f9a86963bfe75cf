"""The schema itself identifies all columns that refer to a person."""

import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Column, Table
from sqlalchemy.dialects import sqlite

from data.privacy.traces import columns_of_people, columns_with
from data.schema import TABLES
from data.schema.core import person
from data.schema.leagues import league_player
from data.store import Store
from data.transaction import WriteTransaction
from tests.data.conftest import RAM, SITA, open_table

KNOWN = {
    "number",
    "message_id",
    "channel_id",
    "guild_id",
    "table_id",
    "thread_id",
    "mention_id",
    "mention_channel_id",
    "session_id",
}


def test_no_column_with_an_id_of_a_person_is_without_its_key():
    """A column named `..._id` refers to a person, or to something known not to be one."""
    of_people = {(table.name, column.name) for table, column in columns_of_people()}
    others = KNOWN | {
        "set_id",
        "puzzle_id",
        "sign_id",
        "dm_channel_id",
        "dm_message_id",
        "staff_role_id",
        "interaction_id",
    }
    unclear = {
        (table.name, column.name)
        for table in TABLES.sorted_tables
        for column in table.columns
        if column.name.endswith("_id") and column.name not in others
    }
    assert unclear - of_people == set()
    assert {("played_seat", "person_id"), ("rating_met", "other_id"), ("game_table", "host_id")} <= of_people


def test_no_table_uses_the_id_of_a_person_as_a_row_number():
    """SQLite may keep the row number of a deleted row as the boundary between two pages."""
    people = {("person", "id")} | {(table.name, column.name) for table, column in columns_of_people()}
    keyed = {
        table.name: table.dialect_options["sqlite"]["with_rowid"]
        for table in TABLES.sorted_tables
        if {(table.name, column.name) for column in table.primary_key} <= people
    }
    assert keyed.keys() >= {"person", "direct_channel", "career"}
    assert not any(keyed.values())


OF_TYPE = {"INTEGER": int, "REAL": float, "TEXT": str, "BLOB": lambda number: str(number).encode()}
NUMBERED = 4_000_000
"""The number of a player of leagues."""


def insert_rows(path: Path, columns: list[tuple[Table, Column]], value: int) -> None:
    """Insert a row for each column, which holds the value; what the other columns hold is found nowhere else."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        for number, (table, found) in enumerate(columns):
            others = count(value + 1_000 * (number + 1))
            row = {
                column.name: value
                if column is found
                else OF_TYPE[column.type.compile(sqlite.dialect())](next(others))
                for column in table.columns
            }
            names = ", ".join(f'"{name}"' for name in row)
            marks = ", ".join("?" * len(row))
            database.execute(f"INSERT INTO {table.name} ({names}) VALUES ({marks})", [*row.values()])
        database.commit()


@pytest.mark.file
async def test_an_export_has_every_row_that_refers_to_a_person_or_to_their_number(store: Store, path: Path):
    """Of every table, whole; a column that is added with a reference is covered at once."""
    players = columns_with(league_player.c.number)
    people = [(person, person.c.id), *columns_of_people()]
    insert_rows(path, [found for found in people if found[0] is not league_player], RAM)
    insert_rows(path, players, NUMBERED)
    with closing(sqlite3.connect(path)) as database:
        database.execute("INSERT INTO league_player (number, person_id) VALUES (?, ?)", (NUMBERED, RAM))
        database.commit()
    export = await store.read(lambda db: db.privacy.everything_of(RAM))
    for columns, value in ((people, RAM), (players, NUMBERED)):
        for table, column in columns:
            rows = [row for row in export.get(table.name, ()) if row[column.name] == value]
            assert rows, f"no {table.name} by its {column.name}"
            assert all(row.keys() == {*table.columns.keys()} for row in rows)


async def test_forgetting_one_person_touches_no_other(store: Store):
    await open_table(store)

    async def write(db: WriteTransaction) -> None:
        before = await db.privacy.everything_of(SITA)
        assert await db.privacy.forget(RAM, 5_000, "Player {number}")
        assert not await db.privacy.forget(RAM, 5_000, "Player {number}")
        assert await db.privacy.everything_of(RAM) == {}
        assert await db.privacy.everything_of(SITA) == before
        nobody = next(seat.person_id for seat in await db.tables.seats(1) if seat.seat == 0)
        assert nobody is not None
        assert nobody < 0
        table = await db.tables.get(1)
        assert table is not None
        assert table.host_id == nobody

    await store.write(write)


async def test_the_channel_of_direct_messages_is_forgotten_with_its_person(store: Store):
    await open_table(store)

    async def write(db: WriteTransaction) -> None:
        for channel_id in (7, 8):
            await db.people.set_direct_channel(RAM, channel_id)
        assert await db.people.direct_channel(RAM) == 8
        assert (await db.privacy.everything_of(RAM))["direct_channel"] == [
            {"person_id": RAM, "channel_id": 8}
        ]
        await db.people.set_direct_channel(SITA, 9)
        await db.people.set_direct_channel(SITA, None)
        assert await db.people.direct_channel(SITA) is None
        await db.privacy.forget(RAM, 5_000, "Player {number}")
        await db.people.set_direct_channel(RAM, 10)
        assert await db.people.direct_channel(RAM) is None

    await store.write(write)
