"""Copies of the file: consistent while others write, and restored only while no one does."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from errno import ENOSPC
from itertools import count
from pathlib import Path

import pytest

from data.errors import (
    RestoreInterrupted,
    StoreDamagedError,
    StoreForbidden,
    StoreLockedError,
    StoreLost,
    StoreUnavailableError,
)
from data.sqlite.backups import back_up, restore
from data.sqlite.integrity import mark_file
from data.store import Store
from data.transaction import WriteTransaction
from tests.data.conftest import open_table
from tests.games import copy_files


async def tables(path: Path) -> int:
    store = await Store.open(path)
    try:
        return len(await store.read(lambda db: db.tables.all_open()))
    finally:
        await store.close()


@pytest.fixture
async def left(path: Path, tmp_path: Path) -> Path:
    """What a killed bot has left: a file whose one table is only in its log."""
    left = tmp_path / "left" / path.name
    left.parent.mkdir()
    store = await Store.open(path)
    await open_table(store)
    copy_files(path, left)
    await store.close()
    return left


@pytest.fixture
async def empty(tmp_path: Path) -> Path:
    """A copy without tables."""
    assert await tables(tmp_path / "new") == 0
    back_up(tmp_path / "new", tmp_path / "empty")
    return tmp_path / "empty"


def wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


async def test_a_copy_of_a_file_in_use_comes_back(path: Path, tmp_path: Path):
    store, copy = await Store.open(path), tmp_path / "copy"
    await open_table(store)

    async def work(db: WriteTransaction) -> None:
        back_up(path, copy)
        await db.key_values.alive(1)

    await store.write(work)
    assert copy.stat().st_mode & 0o777 == 0o600

    async def write(db: WriteTransaction) -> None:
        await db.tables.update((await db.tables.all_open())[0], status="closed", closed_at=1)

    await store.write(write)
    with pytest.raises(StoreLockedError):
        restore(path, copy)
    await store.close()
    path.with_name(path.name + "-wal").write_bytes(b"a log that belongs to the file which is replaced")

    assert await tables(path) == 0
    path.with_name(path.name + "-wal").write_bytes(b"and another")
    kept = restore(path, copy)
    assert await tables(path) == 1
    assert kept is not None
    assert await tables(kept) == 0
    elsewhere = tmp_path / "new" / "place"
    assert restore(elsewhere, copy) is None
    assert await tables(elsewhere) == 1


async def test_a_copy_is_put_where_a_link_leads(path: Path, tmp_path: Path):
    store, copy, link = await Store.open(path), tmp_path / "copy", tmp_path / "link"
    link.symlink_to(path)
    back_up(link, copy)
    await open_table(store)
    with pytest.raises(StoreLockedError):
        restore(link, copy)
    await store.close()
    kept = restore(link, copy)
    assert kept is not None
    assert kept.name.startswith(path.name + ".replaced-")
    assert kept.parent == path.parent
    assert link.is_symlink()
    assert await tables(path) == await tables(link) == 0


async def test_a_damaged_copy_is_refused_and_a_damaged_file_is_replaced(path: Path, tmp_path: Path):
    store, copy = await Store.open(path), tmp_path / "copy"
    await open_table(store)
    back_up(path, copy)
    await store.close()
    whole, half = copy.read_bytes(), tmp_path / "half"
    half.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreDamagedError):
        restore(path, half)
    assert await tables(path) == 1
    spoil(path)
    kept = restore(path, copy)
    assert await tables(path) == 1
    assert kept is not None
    assert kept.read_bytes().startswith(b"no database")
    assert sorted(kept.parent.glob("*.partial")) == []


AN_INDEX_WITHOUT_AN_ENTRY = (
    "DROP INDEX ix_seat_person",
    "CREATE INDEX ix_seat_person ON seat (person_id) WHERE seat > 0",
    "PRAGMA writable_schema=ON",
    "UPDATE sqlite_master SET sql = replace(sql, ' WHERE seat > 0', '') WHERE name = 'ix_seat_person'",
)
A_SEAT_OF_NOBODY = ("UPDATE seat SET person_id = 404 WHERE seat = 0",)


@pytest.mark.parametrize("damage", [AN_INDEX_WITHOUT_AN_ENTRY, A_SEAT_OF_NOBODY], ids=["index", "reference"])
async def test_a_copy_that_can_be_read_but_whose_structure_is_damaged_is_refused(
    path: Path, tmp_path: Path, damage: tuple[str, ...]
):
    store, copy = await Store.open(path), tmp_path / "copy"
    await open_table(store)
    back_up(path, copy)
    await store.close()
    with closing(sqlite3.connect(copy, isolation_level=None)) as database:
        for statement in damage:
            database.execute(statement)
    before = contents(path.parent)
    with pytest.raises(StoreDamagedError, match="is corrupt"):
        restore(path, copy)
    assert contents(path.parent) == before


async def test_each_replaced_file_is_kept(path: Path, tmp_path: Path):
    """A second restore, because the first was of the wrong copy, keeps what the first one has replaced."""
    copy, wrong = tmp_path / "copy", tmp_path / "wrong"
    assert await tables(path) == 0
    back_up(path, wrong)
    store = await Store.open(path)
    await open_table(store)
    back_up(path, copy)
    await open_table(store)
    log = path.with_name(path.name + "-wal").read_bytes()
    await store.close()
    first = restore(path, wrong)
    spoil(path)
    path.with_name(path.name + "-wal").write_bytes(log)
    second = restore(path, copy)
    third = restore(path, copy)
    assert first is not None
    assert second is not None
    assert third is not None
    assert second.read_bytes().startswith(b"no database")
    assert second.with_name(second.name + "-wal").read_bytes() == log
    assert [await tables(kept) for kept in (first, third)] == [2, 1]


@pytest.mark.parametrize("is_emptied", [True, False])
async def test_the_log_of_a_file_that_is_gone_is_kept_apart_from_the_restored_one(
    left: Path, empty: Path, *, is_emptied: bool
):
    log = wal(left).read_bytes()
    left.unlink()
    if is_emptied:
        left.touch()
        with pytest.raises(StoreLost):  # SQLite would delete the log
            back_up(left, left.with_name("copy"))
    kept = restore(left, empty)
    assert await tables(left) == 0
    assert kept is not None
    assert kept.name.endswith("-wal")
    assert kept.read_bytes() == log


def leave_journal(path: Path) -> None:
    """Leave what a power cut leaves while SQLite works with a journal: half of a transaction, and how to undo it."""
    copy = path.with_name("copied")
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for statement in ("PRAGMA journal_mode=DELETE", "PRAGMA cache_size=1", "BEGIN", "DELETE FROM seat"):
            database.execute(statement)
        database.executemany("INSERT INTO meta VALUES (?, 'changed')", ((f"{n}",) for n in range(5000)))
        copy_files(path, copy, ("", "-journal"))
        database.execute("ROLLBACK")
    copy.replace(path)
    copy.with_name("copied-journal").replace(path.with_name(path.name + "-journal"))


async def test_an_unfinished_journal_is_kept_with_its_file(left: Path, empty: Path):
    leave_journal(left)
    kept = restore(left, empty)
    assert await tables(left) == 0
    assert kept is not None
    assert await tables(kept) == 1  # it is undone


class Killed(BaseException):
    """Nothing more happens."""


def kill_at(patch: pytest.MonkeyPatch, moment: int) -> None:
    """Kill this process, so to say, before it renames or removes another file than these first ones."""
    moments = iter(range(moment))
    for name in ("replace", "unlink"):
        act = getattr(Path, name)

        def acted(self: Path, *arguments, act=act, **named):
            if next(moments, None) is None:
                raise Killed
            return act(self, *arguments, **named)

        patch.setattr(Path, name, acted)


def spoil(path: Path) -> None:
    path.write_bytes(b"no database" * 1000)


@pytest.mark.parametrize("hurt", [lambda _: None, spoil, Path.unlink], ids=["whole", "damaged", "gone"])
@pytest.mark.parametrize("is_marked", [True, False])
async def test_a_restore_that_is_killed_loses_nothing_unnoticed(
    left: Path, empty: Path, hurt: Callable[[Path], None], *, is_marked: bool
):
    """At every moment a start finds the old file whole, or is refused; then the restore can be repeated."""
    log = wal(left).read_bytes()
    hurt(left)
    if not is_marked:
        mark_file(left).unlink()
    for moment in count():
        path = left.parent / str(moment) / left.name
        path.parent.mkdir()
        copy_files(left, path)
        try:
            with pytest.MonkeyPatch.context() as patch:
                kill_at(patch, moment)
                restore(path, empty)
        except Killed:
            with suppress(StoreDamagedError, StoreLost):
                try:
                    assert await tables(path) == 1
                except RestoreInterrupted:
                    with pytest.raises(RestoreInterrupted):  # the whole files are beside it
                        await Store.open(path, accept_loss=True)
            restore(path, empty)
            is_over = False
        else:
            is_over = True
        assert await tables(path) == 0
        kept = sorted(path.parent.glob("*.replaced-*Z*"))
        if hurt in (spoil, Path.unlink):
            assert log in [file.read_bytes() for file in kept]
        else:
            assert 1 in [await tables(file) for file in kept if file.name.endswith("Z")]
        if is_over:
            return


@pytest.mark.parametrize("full", [".replaced-", ".mark.partial"])
async def test_a_restore_without_room_changes_nothing_and_leaves_nothing(
    left: Path, empty: Path, monkeypatch: pytest.MonkeyPatch, full: str
):
    """There is room for the copy, but not for what comes after it."""
    before, create = {file.name for file in left.parent.iterdir()}, os.open

    def create_if_there_is_room(path: Path, *how: int) -> int:
        if full in Path(path).name:
            raise OSError(ENOSPC, "No space left on device")
        return create(path, *how)

    with monkeypatch.context() as patch:
        patch.setattr("os.open", create_if_there_is_room)
        with pytest.raises(OSError, match="No space left"):
            restore(left, empty)
    after = {file.name for file in left.parent.iterdir()}
    assert after - {f"{left.name}.lock", f"{left.name}-shm"} == before
    assert await tables(left) == 1
    assert restore(left, empty) is not None
    assert await tables(left) == 0


@pytest.mark.parametrize("is_there", [True, False])
async def test_a_copy_gets_no_log_of_what_was_in_its_place(
    left: Path, path: Path, empty: Path, *, is_there: bool
):
    """A bot was tried with the copy, and killed."""
    leave_journal(path)
    for tried in (left, path):
        if not is_there:
            tried.unlink()
        back_up(empty, tried)
        assert await tables(tried) == 0


async def test_a_copy_never_replaces_the_database_and_a_failed_one_leaves_nothing(path: Path, tmp_path: Path):
    store, link, twin = await Store.open(path), tmp_path / "link", tmp_path / "twin"
    link.symlink_to(path)
    twin.hardlink_to(path)
    before = path.stat().st_ino
    for itself in (path, link, twin, path.parent / ".." / path.parent.name / path.name):
        with pytest.raises(StoreForbidden, match="replace the database itself"):
            back_up(path, itself)
    with pytest.raises(StoreForbidden, match="is a folder"):
        back_up(path, tmp_path)
    with pytest.raises(StoreForbidden, match="there is no"):
        back_up(tmp_path / "nothing", tmp_path / "copy")
    assert path.stat().st_ino == before
    assert not list(tmp_path.rglob("*.partial"))
    await store.close()


@pytest.fixture
async def large(path: Path) -> Path:
    """A file that is copied in several parts."""
    assert await tables(path) == 0
    with sqlite3.connect(path) as database:
        rows = ((f"{number}", "x" * 1000) for number in range(10_000))
        database.executemany("INSERT INTO meta VALUES (?, ?)", rows)
    database.close()
    return path


async def test_a_copy_that_is_given_up_leaves_nothing(large: Path, tmp_path: Path):
    """Neither copying a large file nor checking it keeps a bot from stopping."""
    copy = tmp_path / "copy"
    copy.touch()
    given_up = 0
    for moment in count():
        looks = iter(range(moment))
        try:
            back_up(large, copy, lambda looks=looks: next(looks, None) is None)
        except StoreUnavailableError:
            given_up += 1
            assert copy.stat().st_size == 0
            assert list(tmp_path.glob("copy?*")) == []
        else:
            break
    parts = copy.stat().st_size // (4096 * 1000) + 1
    assert given_up > parts > 2
    assert await tables(copy) == 0


async def test_those_who_write_meanwhile_do_not_keep_a_copy_from_its_end(large: Path, tmp_path: Path):
    looks = 0
    with closing(sqlite3.connect(large, isolation_level=None)) as database:

        def write() -> bool:
            nonlocal looks
            looks += 1
            database.execute("INSERT INTO meta VALUES (?, 'written meanwhile')", (f"look {looks}",))
            return looks > 1000

        back_up(large, tmp_path / "copy", write)
    with closing(sqlite3.connect(tmp_path / "copy")) as copy:
        assert copy.execute("SELECT count(*) FROM meta WHERE key LIKE 'look %'").fetchone() == (0,)
