"""A large file is used at once where it may be trusted, and looked through beside the work; every other one before."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.errors import StoreDamagedError
from data.sqlite import engines, integrity, opening
from data.sqlite.integrity import note_file
from data.store import Store
from data.transaction import ReadTransaction
from tests.data.conftest import open_table
from tests.waiting import SLOW_DEADLINE, until


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file counts as large."""
    monkeypatch.setattr(integrity, "LARGE_BYTES", 1)


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """The files that were looked through before they were opened."""
    made: list[Path] = []
    look_through = opening.look_through

    def noted(path: Path, database: sqlite3.Connection) -> None:
        made.append(path)
        look_through(path, database)

    monkeypatch.setattr(opening, "look_through", noted)
    return made


@pytest.fixture
async def closed(path: Path, migrated: Path) -> Path:
    """A file with a table in it that was looked through and closed well."""
    path.parent.mkdir()
    shutil.copy(migrated, path)
    store = await Store.open(path)
    await open_table(store)
    await store.close()
    return path


async def test_a_file_that_was_closed_well_is_looked_through_beside_the_work(
    closed: Path, looked: list[Path]
):
    store = await Store.open(closed)
    assert looked == []
    assert not note_file(closed).exists()
    await store.look_through()
    await store.close()
    assert note_file(closed).exists()
    store = await Store.open(closed)  # once more, though nobody looked through it this time
    await store.close()
    assert not note_file(closed).exists()
    await (await Store.open(closed)).close()
    assert looked == [closed]


async def test_after_a_crash_it_is_looked_through_first(closed: Path, looked: list[Path], tmp_path: Path):
    store = await Store.open(closed)
    await open_table(store)
    left = shutil.copytree(closed.parent, tmp_path / "left")
    await store.close()
    assert looked == []
    await (await Store.open(left / closed.name)).close()
    assert looked == [left / closed.name]


async def test_one_that_was_touched_or_replaced_is_looked_through_first(closed: Path, looked: list[Path]):
    os.utime(closed)
    store = await Store.open(closed)
    await store.close()
    assert looked == [closed]
    moved = closed.with_name("copy")
    shutil.copy2(closed, moved)
    moved.replace(closed)
    await (await Store.open(closed)).close()
    assert looked == [closed, closed]


async def test_what_a_disk_has_changed_meanwhile_is_found_and_refused_from_then_on(closed: Path):
    with sqlite3.connect(closed) as database:  # pages that no question at the start reads
        database.execute("CREATE TABLE beside (content BLOB) STRICT")
        database.execute("INSERT INTO beside VALUES (randomblob(200000))")
    database.close()
    await (await Store.open(closed)).close()
    with closed.open("r+b") as file:
        before = closed.stat()
        file.seek(before.st_size - 100_000 // 4096 * 4096)
        file.write(b"\xa5" * 8192)
    os.utime(closed, ns=(before.st_atime_ns, before.st_mtime_ns))
    store = await Store.open(closed)
    with pytest.raises(StoreDamagedError):
        await store.look_through()
    await store.close()
    content = closed.read_bytes()
    with pytest.raises(StoreDamagedError):
        await Store.open(closed)
    assert closed.read_bytes() == content


async def test_a_fault_met_at_work_is_remembered(closed: Path):
    store = await Store.open(closed)
    await store.look_through()

    async def fail(_db: ReadTransaction) -> None:
        raise StoreDamagedError("a page is not what it should be")

    with pytest.raises(StoreDamagedError):
        await store.read(fail)
    await store.close()
    assert not note_file(closed).exists()


async def test_a_look_ends_with_the_bot_and_keeps_nobody_waiting(
    closed: Path, monkeypatch: pytest.MonkeyPatch
):
    begun: list[sqlite3.Connection] = []

    def long(_path: Path, database: sqlite3.Connection) -> None:
        begun.append(database)
        database.execute(
            "WITH RECURSIVE n(i) AS (SELECT count(*) FROM game_table UNION ALL SELECT i + 1 FROM n)"
            " SELECT count(*) FROM n"
        ).fetchone()

    monkeypatch.setattr(integrity, "look_through", long)
    monkeypatch.setattr(engines, "_WRITER", (*engines._WRITER, "PRAGMA busy_timeout=60000"))
    store = await Store.open(closed)
    look = asyncio.create_task(store.look_through())
    await until(lambda: begun)
    await open_table(store)
    async with asyncio.timeout(SLOW_DEADLINE):  # less than the patience with readers otherwise
        await store.empty_log()
    look.cancel()
    await asyncio.gather(look, return_exceptions=True)
    await store.close()
    assert not note_file(closed).exists()
