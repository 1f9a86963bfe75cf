"""Copies of the file: consistent while others write, and restored only while no one does."""

from pathlib import Path

import pytest

from data.errors import StoreDamagedError, StoreForbidden, StoreLockedError
from data.sqlite.backups import back_up, restore
from data.store import Store
from data.transaction import WriteTransaction
from tests.data.conftest import open_table


async def tables(path: Path) -> int:
    store = await Store.open(path)
    try:
        return len(await store.read(lambda db: db.tables.all_open()))
    finally:
        await store.close()


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
    path.write_bytes(b"no database" * 1000)
    kept = restore(path, copy)
    assert await tables(path) == 1
    assert kept is not None
    assert kept.read_bytes().startswith(b"no database")
    assert sorted(kept.parent.glob("*.partial")) == []


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
    path.write_bytes(b"no database" * 1000)
    path.with_name(path.name + "-wal").write_bytes(log)
    second = restore(path, copy)
    third = restore(path, copy)
    assert first is not None
    assert second is not None
    assert third is not None
    assert second.read_bytes().startswith(b"no database")
    assert second.with_name(second.name + "-wal").read_bytes() == log
    assert [await tables(kept) for kept in (first, third)] == [2, 1]


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
