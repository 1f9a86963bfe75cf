"""What limits a person is kept under a keyed digest, lasts as long as it should, and outlives being forgotten."""

import secrets
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from sqlalchemy import select

from data.privacy.limits import KEY_NOTE, digest
from data.privacy.rows import LimitRow
from data.schema.privacy import person_limit
from data.sqlite.opening import prepare
from data.store import Store
from marriage.rules import preset
from tests.data.conftest import CHANNEL, GUILD, RAM, SITA, open_table
from tests.data.former import former_file

HOUR = 3_600_000
EXPECTED = "e3f1fea5f422013c909c22cc9becef172182b79316fa2844d5e0576649a7df74"
"""HMAC-SHA-256 of "11" under 32 zero bytes, by `openssl dgst`."""


def test_the_digest_depends_on_the_key_and_tells_nothing_else():
    first, other = secrets.token_hex(32), secrets.token_hex(32)
    assert digest(first, RAM) == digest(first, RAM)
    assert len({digest(first, RAM), digest(other, RAM), digest(first, SITA)}) == 3
    assert digest("00" * 32, 11) == EXPECTED


async def test_every_file_has_a_key_of_its_own(tmp_path: Path, migrated_anew):
    keys: set[str] = set()
    for name in ("one", "other"):
        prepare(tmp_path / name)
        with closing(sqlite3.connect(tmp_path / name)) as file:
            [(key,)] = file.execute("SELECT value FROM meta WHERE key = 'limit_key'")
        keys.add(key)
    assert [len(bytes.fromhex(key)) for key in keys] == [32, 32]


async def test_a_limit_belongs_to_one_person_and_ends(store: Store):
    async with store.write() as db:
        await db.limits.add_limit(RAM, "table", 1, 5_000)
        await db.limits.add_limit(RAM, "table", 2, 6_000)
        await db.limits.add_limit(RAM, "daily", 1, 6_000)
    async with store.read() as db:
        assert await db.limits.limits(RAM, "table", 4_999) == [LimitRow(1, 5_000), LimitRow(2, 6_000)]
        assert await db.limits.limits(RAM, "table", 5_000) == [LimitRow(2, 6_000)]
        assert await db.limits.limits(SITA, "table", 0) == []
        assert await db.limits.is_limited(RAM, "daily", 1)
        assert not await db.limits.is_limited(RAM, "daily", 2)


async def test_forgetting_lifts_no_limit_and_leaves_only_the_digest(store: Store):
    table = await open_table(store)
    async with store.write() as db:
        await db.limits.add_limit(RAM, "table", table.id, HOUR)
        await db.guests.set_standing(table.id, RAM, "blocked")
        await db.privacy.forget(RAM, 5_000, "Player {number}")
        assert await db.limits.limits(RAM, "table", 5_000) == [LimitRow(table.id, HOUR)]
        assert await db.guests.standing(table.id, RAM) == "blocked"
        assert await db.guests.of_table(table.id) == {}
        key = await db.key_values.get(KEY_NOTE)
        rows = (await db.tables._execute(select(person_limit))).mappings().all()
    assert key is not None
    assert {row["digest"] for row in rows} == {digest(key, RAM)}
    assert not {str(RAM)} & {str(value) for row in rows for value in row.values()}


async def test_a_block_is_lifted_by_the_host_alone(store: Store):
    table = await open_table(store)
    async with store.write() as db:
        await db.guests.set_standing(table.id, SITA, "blocked")
        await db.guests.set_standing(table.id, SITA, "blocked")
        assert await db.guests.standing(table.id, SITA) == "blocked"
        await db.guests.set_standing(table.id, SITA, "invited")
        assert await db.guests.standing(table.id, SITA) == "invited"


async def test_limits_that_are_over_are_removed(store: Store):
    table = await open_table(store)
    async with store.write() as db:
        other = await db.tables.create(GUILD, CHANNEL, RAM, preset("kathmandu"), 1_000)
        await db.limits.add_limit(RAM, "table", table.id, 5_000)
        await db.limits.add_limit(RAM, "table", other.id, 5_001)
        await db.guests.set_standing(table.id, SITA, "blocked")
        await db.guests.set_standing(other.id, SITA, "blocked")
        await db.tables.update(replace(table, version=1), status="closed", closed_at=4_000)
        await db.forget_old(5_000)
        kept = (await db.tables._execute(select(person_limit.c.kind, person_limit.c.about))).all()
    assert sorted(map(tuple, kept)) == [("block", other.id), ("table", other.id)]


def test_an_older_file_keeps_the_limits_that_last(tmp_path: Path):
    """A file of the former program: tables, an attempt and blocks, of which some limit nobody any more."""
    path = tmp_path / "tiplu.db"
    former_file(path, "0002")
    now = int(time.time() * 1000)
    with closing(sqlite3.connect(path)) as file:
        for number, (created, closed) in enumerate([(now - 60_000, None), (now - 2 * HOUR, now - HOUR)], 1):
            status = "lobby" if closed is None else "closed"
            file.execute(
                "INSERT INTO game_table (id, guild_id, channel_id, host_id, status, revision, rules,"
                " rules_version, deal_no, dealer, created_at, closed_at, options, opened_by, challenge)"
                " VALUES (?, 1, 2, ?, ?, 0, '{}', 1, 0, 0, ?, ?, '{}', ?, 1)",
                (number, RAM, status, created, closed, RAM),
            )
            file.execute("INSERT INTO guest VALUES (?, ?, 'blocked')", (number, SITA))
            file.execute(
                "INSERT INTO board_set (id, guild_id, day, rules, seats, opened_at, closes_at)"
                " VALUES (?, 1, '2026-11-21', '{}', 4, 0, ?)",
                (number, created + HOUR),
            )
            file.execute("INSERT INTO daily_try VALUES (?, ?, ?, 'Sita', NULL, NULL)", (number, SITA, number))
        for table, rows in (
            ("guild", "(1, '{}')"),
            ("person", f"({RAM}, 'Ram', 1, 0, '{{}}'), ({SITA}, 'Sita', 1, 0, '{{}}')"),
        ):
            file.execute(f"INSERT INTO {table} VALUES {rows}")
        file.commit()
    prepare(path)
    with closing(sqlite3.connect(path)) as file:
        [(key,)] = file.execute("SELECT value FROM meta WHERE key = 'limit_key'")
        kept = file.execute("SELECT kind, digest, about, until FROM person_limit").fetchall()
    ram, sita, until = digest(key, RAM), digest(key, SITA), now - 60_000 + HOUR
    assert sorted(kept, key=lambda row: row[0]) == [
        ("block", sita, 1, None),
        ("challenge", ram, 1, until),
        ("daily", sita, 1, until),
        ("table", ram, 1, until),
    ]
