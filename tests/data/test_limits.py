"""A person's limits are kept under a keyed digest, last long enough, and outlive being forgotten."""

import secrets
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from sqlalchemy import select

from data.privacy.limits import KEY_NOTE, LimitRow, digest
from data.schema.core import person_limit
from data.sqlite.opening import prepare
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from marriage.rules import preset
from tests.data.conftest import CHANNEL, GUILD, RAM, SITA, open_table

HOUR = 3_600_000
EXPECTED = "e3f1fea5f422013c909c22cc9becef172182b79316fa2844d5e0576649a7df74"
"""HMAC-SHA-256 of "11" with a key of 32 zero bytes, computed with `openssl dgst`."""


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
    async def write(db: WriteTransaction) -> None:
        await db.limits.add_limit(RAM, "table", 1, 5_000)
        await db.limits.add_limit(RAM, "table", 2, 6_000)
        await db.limits.add_limit(RAM, "daily", 1, 6_000)

    await store.write(write)

    async def read(db: ReadTransaction) -> None:
        assert await db.limits.limits(RAM, "table", 4_999) == [LimitRow(1, 5_000), LimitRow(2, 6_000)]
        assert await db.limits.limits(RAM, "table", 5_000) == [LimitRow(2, 6_000)]
        assert await db.limits.limits(SITA, "table", 0) == []
        assert await db.limits.is_limited(RAM, "daily", 1)
        assert not await db.limits.is_limited(RAM, "daily", 2)

    await store.read(read)


async def test_forgetting_lifts_no_limit_and_leaves_only_the_digest(store: Store):
    table = await open_table(store)

    async def write(db: WriteTransaction):
        await db.limits.add_limit(RAM, "table", table.id, HOUR)
        await db.guests.set_standing(table.id, RAM, "blocked")
        await db.privacy.forget(RAM, 5_000, "Player {number}")
        assert await db.limits.limits(RAM, "table", 5_000) == [LimitRow(table.id, HOUR)]
        assert await db.guests.standing(table.id, RAM) == "blocked"
        assert await db.guests.of_table(table.id) == {}
        key = await db.key_values.get(KEY_NOTE)
        rows = (await db.tables._execute(select(person_limit))).mappings().all()
        return key, rows

    key, rows = await store.write(write)
    assert key is not None
    assert {row["digest"] for row in rows} == {digest(key, RAM)}
    assert not {str(RAM)} & {str(value) for row in rows for value in row.values()}


async def test_a_block_is_lifted_by_the_host_alone(store: Store):
    table = await open_table(store)

    async def write(db: WriteTransaction) -> None:
        await db.guests.set_standing(table.id, SITA, "blocked")
        await db.guests.set_standing(table.id, SITA, "blocked")
        assert await db.guests.standing(table.id, SITA) == "blocked"
        await db.guests.set_standing(table.id, SITA, "invited")
        assert await db.guests.standing(table.id, SITA) == "invited"

    await store.write(write)


async def test_limits_that_are_over_are_removed(store: Store):
    table = await open_table(store)

    async def write(db: WriteTransaction):
        other = await db.tables.create(GUILD, CHANNEL, RAM, preset("kathmandu"), 1_000)
        await db.limits.add_limit(RAM, "table", table.id, 5_000)
        await db.limits.add_limit(RAM, "table", other.id, 5_001)
        await db.guests.set_standing(table.id, SITA, "blocked")
        await db.guests.set_standing(other.id, SITA, "blocked")
        await db.limits.add_limit(SITA, "invite", table.id)
        await db.limits.add_limit(SITA, "invite", other.id)
        assert await db.limits.count("invite", table.id) == 1
        await db.tables.update(replace(table, version=1), status="closed", closed_at=4_000)
        await db.forget_old(5_000)
        kept = (await db.tables._execute(select(person_limit.c.kind, person_limit.c.about))).all()
        return other, kept

    other, kept = await store.write(write)
    assert sorted(map(tuple, kept)) == [("block", other.id), ("invite", other.id), ("table", other.id)]
