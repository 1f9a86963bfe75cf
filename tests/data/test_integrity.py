"""A large file is used at once where it may be trusted, and looked through beside the work; every other one before.

A loss is noticed before anybody plays on, and no crash is taken for one.
"""

import asyncio
import json
import multiprocessing
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from sqlalchemy import text

from data.errors import Holdings, StoreDamagedError, StoreLost, StoreUnavailableError
from data.sqlite import engines, integrity, opening
from data.sqlite.backups import back_up, restore
from data.sqlite.integrity import mark_file, note_file
from data.sqlite.opening import look
from data.store import Store
from data.transaction import ReadTransaction
from marriage.cards import Card
from marriage.events import Drew
from tests.data.conftest import GUILD, by, first_deal, open_table
from tests.waiting import SLOW_DEADLINE, until


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat every file as large."""
    monkeypatch.setattr(integrity, "LARGE_BYTES", 1)


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """The files that were checked before opening."""
    made: list[Path] = []
    look_through = opening.look_through

    def noted(path: Path, database: sqlite3.Connection) -> None:
        made.append(path)
        look_through(path, database)

    monkeypatch.setattr(opening, "look_through", noted)
    return made


@pytest.fixture
async def closed(path: Path, migrated: Path) -> Path:
    """A file with a table that was checked and closed properly."""
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
    store = await Store.open(closed)  # again, though no one checked it this time
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
    with sqlite3.connect(closed) as database:  # pages that no startup query reads
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
    async with asyncio.timeout(SLOW_DEADLINE):  # less than the usual patience with readers
        await store.empty_log()
    look.cancel()
    await asyncio.gather(look, return_exceptions=True)
    await store.close()
    assert not note_file(closed).exists()


pytestmark = pytest.mark.file

MOVES = 20
DEAL = Holdings(tables=1, deals=1, events=MOVES)


def log(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


async def play(store: Store) -> None:
    """Play a deal of twenty events at a table, each in its own commit."""
    table = await open_table(store)
    await store.write(lambda db: db.deals.start(first_deal(table)))
    for seq in range(MOVES):
        await store.write(
            lambda db: db.deals.append_events(table.id, 1, seq, by(0, [Drew(0, Card(seq))]), seq)
        )


async def _live(path: Path, say: Connection) -> None:
    store = await Store.open(path)
    # Keep the file behind its log, as between two checkpoints.
    await store.write(lambda db: db.tables._execute(text("PRAGMA wal_autocheckpoint=0")))
    await play(store)
    await store.mark()
    await store.write(lambda db: db.guilds.keep(2))
    say.send("marked")
    await asyncio.Event().wait()


def live(path: Path, say: Connection) -> None:
    """In a process of its own: play a deal, mark it, do something more, and wait for the end."""
    asyncio.run(_live(path, say))


def kill_after_a_deal(path: Path) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["data.store"])
    mine, its = context.Pipe(duplex=False)
    process = context.Process(target=live, args=(path, its))
    process.start()
    its.close()
    assert mine.recv() == "marked"
    process.kill()
    process.join()


@pytest.fixture(scope="module")
def killed(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a process killed after a deal; the games are only in the log."""
    folder = tmp_path_factory.mktemp("killed")
    shutil.copy(migrated, folder / "tiplu.db")
    kill_after_a_deal(folder / "tiplu.db")
    return folder


@pytest.fixture
def left(killed: Path, path: Path) -> Path:
    """A copy of that folder for this test."""
    shutil.copytree(killed, path.parent)
    return path


async def held(path: Path, *, accept_loss: bool = False) -> int:
    """Return the number of events in the opened file."""
    store = await Store.open(path, accept_loss=accept_loss)
    try:
        return len(await store.read(lambda db: db.deals.events(1, 1)))
    finally:
        await store.close()


def remove_log(path: Path) -> None:
    log(path).unlink()


def empty_log(path: Path) -> None:
    log(path).write_bytes(b"")


def cut_log(path: Path) -> None:
    log(path).write_bytes(log(path).read_bytes()[: log(path).stat().st_size // 2])


def spoil_log(path: Path) -> None:
    content = bytearray(log(path).read_bytes())
    content[len(content) // 2] ^= 1
    log(path).write_bytes(content)


def empty_file(path: Path) -> None:
    path.write_bytes(b"")


def empty_both(path: Path) -> None:
    empty_file(path)
    remove_log(path)


def remove_file(path: Path) -> None:
    path.unlink()


def remove_both(path: Path) -> None:
    remove_file(path)
    remove_log(path)


LOSSES = [remove_log, empty_log, cut_log, spoil_log, empty_file, empty_both, remove_file, remove_both]


async def test_after_a_kill_everything_is_there(left: Path):
    assert await held(left) == MOVES
    assert await held(left) == MOVES


@pytest.mark.parametrize("lose", LOSSES)
async def test_a_loss_is_refused_untouched_until_it_is_accepted(left: Path, lose: Callable[[Path], None]):
    lose(left)
    before = {file.name: file.read_bytes() for file in left.parent.iterdir() if file.suffix == ".db"}
    logged = log(left).read_bytes() if log(left).exists() else b""
    for _ in range(2):
        with pytest.raises(StoreLost) as caught:
            await Store.open(left)
        assert caught.value.before == DEAL
        assert caught.value.now is not None
        assert not caught.value.now.has(DEAL)
        assert caught.value.known_at
        with pytest.raises(StoreLost):
            look(left)
    assert {file.name: file.read_bytes() for file in left.parent.iterdir() if file.suffix == ".db"} == before
    assert (log(left).read_bytes() if log(left).exists() else b"") == logged

    assert await held(left, accept_loss=True) < MOVES
    assert await held(left) < MOVES


async def test_the_log_of_an_emptied_file_is_kept_when_the_loss_is_accepted(left: Path):
    games = log(left).read_bytes()
    empty_file(left)
    await held(left, accept_loss=True)
    (kept,) = left.parent.glob("tiplu.db.lost-*-wal")
    assert kept.read_bytes() == games


async def test_a_second_loss_leaves_the_log_of_the_first(left: Path):
    games = [log(left).read_bytes(), b"other games"]
    for lost in games:
        empty_file(left)
        log(left).write_bytes(lost)
        await held(left, accept_loss=True)
    kept = sorted(left.parent.glob("tiplu.db.lost-*-wal"))
    assert [path.read_bytes() for path in kept] == games


async def test_a_file_emptied_beside_its_log_is_refused_even_without_a_mark(left: Path):
    mark_file(left).unlink()
    empty_file(left)
    with pytest.raises(StoreLost):
        await Store.open(left)
    assert log(left).stat().st_size


async def test_an_accepted_loss_changes_nothing_where_nothing_is_missing(left: Path):
    assert await held(left, accept_loss=True) == MOVES


async def test_a_new_file_that_was_emptied_after_its_first_stop(path: Path):
    await (await Store.open(path)).close()
    path.write_bytes(b"")
    with pytest.raises(StoreLost):
        await Store.open(path)


async def test_an_older_copy_in_the_place_of_the_file_is_noticed(path: Path, tmp_path: Path):
    store, early = await Store.open(path), tmp_path / "early"
    table = await open_table(store)
    await store.mark()
    back_up(path, early)
    await store.write(lambda db: db.tables.update(table, status="closed", closed_at=1))
    await store.close()
    shutil.copy(early, path)
    with pytest.raises(StoreLost, match="earlier"):
        await Store.open(path)


async def test_another_history_in_the_place_of_the_file_is_noticed(path: Path, tmp_path: Path):
    """A copy that was used elsewhere has other games, regardless of their number."""
    await (await Store.open(path)).close()
    other = tmp_path / "other.db"
    back_up(path, other)
    store = await Store.open(other)
    await play(store)
    for _ in range(5):
        await store.mark()
    await store.close()
    shutil.copy(other, path)
    with pytest.raises(StoreLost, match="another"):
        await Store.open(path)


async def test_a_copy_without_a_mark_starts_and_is_watched_from_then_on(left: Path, tmp_path: Path):
    await held(left)
    copy = tmp_path / "elsewhere" / "tiplu.db"
    copy.parent.mkdir()
    back_up(left, copy)
    assert await held(copy) == MOVES
    copy.write_bytes(b"")
    with pytest.raises(StoreLost):
        await Store.open(copy)


async def test_a_loss_is_noticed_behind_a_link(left: Path, tmp_path: Path):
    link = tmp_path / "link"
    link.symlink_to(left)
    left.write_bytes(b"")
    for work in (Store.open(link), asyncio.to_thread(look, link)):
        with pytest.raises(StoreLost):
            await work


@pytest.mark.parametrize("lose", LOSSES)
async def test_a_restored_copy_starts_whatever_was_lost(left: Path, tmp_path: Path, lose):
    copy = tmp_path / "copy"
    back_up(left, copy)
    lose(left)
    restore(left, copy)
    assert await held(left) == MOVES
    assert await held(left) == MOVES


@pytest.mark.parametrize("spot", [0.1, 0.5, 0.97])
async def test_a_mark_that_cannot_be_read_is_told(left: Path, spot: float):
    content = bytearray(mark_file(left).read_bytes())
    content[int(len(content) * spot)] ^= 1
    mark_file(left).write_bytes(content)
    with pytest.raises(StoreLost, match="can't be read"):
        await Store.open(left)
    assert await held(left, accept_loss=True) == MOVES
    assert await held(left) == MOVES


async def test_a_mark_is_on_the_disk_before_it_is_claimed(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path
):
    """A power cut between the two leaves a file that holds more than is claimed, never less."""
    cuts: list[Path] = []

    def cut_here(where: Path, mark) -> None:
        cut = tmp_path / f"cut{len(cuts)}"
        for claimed in (False, True):
            if claimed:
                real(where, mark)
            folder = cut.with_name(cut.name + ("after" if claimed else "before"))
            folder.mkdir()
            for file in (where, log(where), mark_file(where)):
                if file.exists():
                    shutil.copy(file, folder)
            cuts.append(folder / where.name)

    real = integrity.claim
    monkeypatch.setattr("data.sqlite.database.claim", cut_here)
    store = await Store.open(path)
    await play(store)
    await store.mark()
    await store.close()
    monkeypatch.undo()
    assert len(cuts) == 6
    assert [await held(cut) for cut in cuts] == [0, 0, MOVES, MOVES, MOVES, MOVES]


async def test_a_store_that_refuses_claims_nothing_and_closes(path: Path):
    store = await Store.open(path)
    before = mark_file(path).read_bytes()
    await store.write(lambda db: db.tables._execute(text("PRAGMA query_only=ON")))
    with pytest.raises(StoreUnavailableError):
        await store.mark()
    await store.close()
    assert mark_file(path).read_bytes() == before
    await (await Store.open(path)).close()


async def test_where_the_mark_cannot_be_written_the_store_says_so(store: Store, path: Path):
    mark_file(path).unlink()
    mark_file(path).mkdir()
    with pytest.raises(StoreUnavailableError):
        await store.mark()
    mark_file(path).rmdir()
    await store.mark()
    assert json.loads(mark_file(path).read_text().splitlines()[0])["number"] >= 3


async def test_the_mark_names_nobody(store: Store, path: Path):
    await play(store)
    await store.mark()
    assert "राम" not in mark_file(path).read_text()
    assert str(GUILD) not in mark_file(path).read_text()
