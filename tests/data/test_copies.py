"""Automatic copies: which are kept, and that each can be opened."""

import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import StoreDamagedError, StoreFull
from data.sqlite import copies
from data.sqlite.copies import folder_of, found, kept, make, remove_old
from data.store import Store
from tests.data.conftest import open_table

NOW = datetime(2026, 11, 23, 2, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def test_of_many_months_seven_days_and_four_weeks_are_kept():
    every_six_hours = [NOW - timedelta(hours=6 * number) for number in range(1000)]
    left = kept(every_six_hours, NOW)
    assert sorted(NOW - time for time in left if NOW - time < DAY) == [
        timedelta(hours=6 * n) for n in range(4)
    ]
    assert {time.date() for time in left if (NOW.date() - time.date()).days < 7} == {
        (NOW - number * DAY).date() for number in range(7)
    }
    assert len({time.isocalendar()[:2] for time in left}) == 5  # parts of the first and the last week
    assert len(left) == 4 + 5 + 3
    assert max(NOW - time for time in left) < timedelta(weeks=4)


@given(st.lists(st.integers(0, 60 * 24), unique=True), st.integers(1, 48))
def test_what_was_removed_once_is_never_missed(hours: list[int], later: int):
    """So the result is the same whether copies are cleaned up every hour or rarely."""
    times = {NOW - timedelta(hours=number) for number in hours}
    then = NOW + timedelta(hours=later)
    assert kept(kept(times, NOW), then) == kept(times, then)


@pytest.fixture
async def file(path: Path) -> Path:
    """A closed file with one table."""
    store = await Store.open(path)
    await open_table(store)
    await store.close()
    return path


async def test_a_copy_is_its_owners_alone_and_opens_with_everything(file: Path):
    copy = make(folder_of(file), file, NOW)
    assert copy.path.name == "tiplu-20261123T020000Z.db"
    assert (copy.path.stat().st_mode & 0o777, copy.path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert found(folder_of(file), file) == [copy]
    store = await Store.open(copy.path)
    assert len(await store.read(lambda db: db.tables.all_open())) == 1
    await store.close()


async def test_old_ones_are_removed_with_those_made_for_other_reasons(file: Path):
    folder = folder_of(file)
    made = [make(folder, file, NOW - age * DAY) for age in (40, 10, 9, 0)]
    upgrade, stranger = file.with_name(f"{file.name}.before-0015"), folder / "tiplu-mine.db"
    for other in (upgrade, stranger):
        other.write_bytes(b"")
    remove_old(folder, file, NOW)
    assert found(folder, file) == [made[2], made[3]]
    assert upgrade.exists()
    remove_old(folder, file, datetime.now(UTC) + timedelta(days=29))
    assert not upgrade.exists()
    assert stranger.exists()


async def test_nothing_that_was_set_aside_outlives_the_copies(file: Path):
    """Each of these may name people who were forgotten since."""
    at = "20261123T020000.123456Z"
    kept, lost = f".replaced-{at}", (".lost-wal", f".lost-{at}-wal")
    endings = (".before-0022.partial", ".replaced", kept, f"{kept}-wal", f"{kept}-journal", f"{kept}.partial")
    aside = [file.with_name(file.name + ending) for ending in (*endings, ".restored.partial", *lost)]
    for other in aside:
        other.write_bytes(b"")
    in_use = [file, *(file.with_name(file.name + ending) for ending in ("-wal", ".lock", ".mark"))]
    for own in in_use:
        own.touch()
    remove_old(folder_of(file), file, datetime.now(UTC) + timedelta(days=27))
    assert [other.name for other in aside if not other.exists()] == []
    remove_old(folder_of(file), file, datetime.now(UTC) + timedelta(days=29))
    assert [other.name for other in aside if other.exists()] == []
    assert all(own.exists() for own in in_use)


async def test_a_damaged_file_leaves_no_copy_that_counts(file: Path):
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA writable_schema=ON")
        database.execute("UPDATE sqlite_master SET sql = 'CREATE TABLE seat (a)' WHERE name = 'seat'")
    database.close()
    with pytest.raises(StoreDamagedError):
        make(folder_of(file), file, NOW)
    assert list(folder_of(file).iterdir()) == []


async def test_what_a_copy_leaves_that_was_broken_off_is_removed(file: Path):
    left = make(folder_of(file), file, NOW).path.rename(folder_of(file) / "tiplu-20261123T020000Z.db.partial")
    os.utime(left, (0, 0))
    left.with_name(left.name + "-journal").touch()
    assert found(folder_of(file), file) == []
    remove_old(folder_of(file), file, datetime.now(UTC) + 2 * DAY)
    assert list(folder_of(file).iterdir()) == []


async def test_what_another_process_removes_at_the_same_time_is_no_fault(file: Path):
    """Processes that moved to a server's database may share the folder of the file's copies."""
    folder = folder_of(file)
    folder.mkdir()
    (folder / "tiplu-20261123T020000Z.db.partial").symlink_to(folder / "removed")
    remove_old(folder, file, NOW)


async def test_a_copy_never_fills_the_disk(file: Path, monkeypatch: pytest.MonkeyPatch):
    almost_full = SimpleNamespace(free=file.stat().st_size)
    monkeypatch.setattr(copies.shutil, "disk_usage", lambda _: almost_full)
    with pytest.raises(StoreFull, match="too little room"):
        make(folder_of(file), file, NOW)
    assert list(folder_of(file).iterdir()) == []
