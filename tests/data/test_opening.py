"""The file: its pragmas, its modes, its lock, its migrations."""

import asyncio
import lzma
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from data.errors import (
    StoreDamagedError,
    StoreLockedError,
    StoreTooNewError,
    StoreTooOldError,
    StoreUnavailableError,
)
from data.schema.core import APPLICATION_ID, metadata
from data.sqlite.opening import prepare
from data.store import Store
from data.transaction import ReadTransaction
from tests.data.conftest import GUILD, open_table
from tests.data.next_schema import ADD_COLUMN, NEWEST, NEXT, NUMBERS, migrations

pytestmark = pytest.mark.usefixtures("migrated_anew")
UPGRADES = Path(__file__).parent / "upgrades"
BREAK_OFF = ADD_COLUMN + "    raise RuntimeError('broken off')\n"
ORPHAN = ADD_COLUMN + "    op.execute('DELETE FROM guild')\n"


def ask(path: Path, sql: str) -> list[tuple]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(sql).fetchall()


def contents(path: Path) -> dict[str, bytes]:
    """Return all stored content; looking at a WAL database leaves an empty log and its index behind."""
    aside = (".lock", "-shm")
    files = {file.name: file.read_bytes() for file in path.parent.iterdir() if not file.name.endswith(aside)}
    return {name: content for name, content in files.items() if content}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def spoil(path: Path, start: int) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(os.urandom(path.stat().st_size - start))


@pytest.fixture
def place(path: Path) -> Path:
    """The path in an existing directory."""
    path.parent.mkdir()
    return path


@pytest.fixture
def link(path: Path, tmp_path: Path) -> Path:
    """A link in another directory to a file that does not exist yet."""
    link = tmp_path / "tiplu.sqlite3"
    link.symlink_to(path)
    return link


async def filled(path: Path) -> None:
    store = await Store.open(path)
    await open_table(store)
    await store.close()


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("foreign_keys", 1),
        ("busy_timeout", 5_000),
        ("application_id", APPLICATION_ID),
        ("query_only", 0),
    ],
)
async def test_writer_has_its_pragmas(store: Store, pragma: str, value: object):
    assert await store.write(lambda db: db.tables._scalar(text(f"PRAGMA {pragma}"))) == value


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("query_only", 1), ("busy_timeout", 5_000)]
)
async def test_readers_have_their_pragmas(store: Store, pragma: str, value: object):
    assert await store.read(lambda db: db.tables._scalar(text(f"PRAGMA {pragma}"))) == value


async def test_readers_cannot_write(store: Store):
    with pytest.raises(StoreUnavailableError, match="readonly"):
        await store.read(lambda db: db.tables._execute(text("INSERT INTO guild VALUES (1, '{}', 0)")))


async def test_every_table_is_strict(store: Store):
    rows = (await store.read(lambda db: db.tables._execute(text("PRAGMA table_list")))).mappings().all()
    strict = {row["name"]: row["strict"] for row in rows if row["name"] in metadata.tables}
    assert strict == dict.fromkeys(metadata.tables, 1)


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO meta VALUES ('a', x'00')",  # STRICT: a blob is not text
        "INSERT INTO person VALUES (1, 'a', 2, 0, '{}', 0)",  # a flag is 0 or 1
        "UPDATE game_table SET rules = '{'",
        "UPDATE game_table SET status = 'closed'",  # without a time
        "UPDATE game_table SET status = 'gone'",
        "UPDATE game_table SET host_id = 4711",  # an unknown person
        "UPDATE seat SET computer = NULL, person_id = NULL",
        "UPDATE deal SET entropy = 'not json'",
        "INSERT INTO event VALUES (1, 1, 0, 'drew', 1, 'not json', 0, 0, 0)",
        "INSERT INTO event VALUES (1, 1, 0, 'drew', 1, '{}', 1300000000000000001, 0, 0)",  # a person, not a seat
        "INSERT INTO event VALUES (1, 2, 0, 'drew', 1, '{}', 0, 0, 0)",  # no such deal
    ],
)
async def test_schema_refuses(store: Store, playing, sql: str):
    with pytest.raises(IntegrityError):
        await store.write(lambda db: db.tables._execute(text(sql)))


async def test_file_is_for_its_owner_only(path: Path):
    store = await Store.open(path)
    await open_table(store)
    modes = {file.name: mode(file) for file in path.parent.iterdir()}
    await store.close()
    assert modes == dict.fromkeys(
        ["tiplu.db", "tiplu.db-wal", "tiplu.db-shm", "tiplu.db.lock", "tiplu.db.mark"], 0o600
    )
    assert mode(path.parent) == 0o700


async def test_existing_file_loses_its_open_mode(path: Path):
    await filled(path)
    os.chmod(path, 0o644)  # noqa: PTH101 -- ruff takes pathlib's for a call that blocks, and this one not
    await (await Store.open(path)).close()
    assert mode(path) == 0o600


async def test_what_was_written_is_there_after_reopening(path: Path):
    await filled(path)
    store = await Store.open(path)

    async def read(db: ReadTransaction) -> None:
        (table,) = await db.tables.all_open()
        assert [seat.name for seat in await db.tables.seats(table.id)] == ["राम", "Sita", "Kanchha"]

    await store.read(read)
    await store.close()
    assert sorted(file.name for file in path.parent.iterdir()) == [
        "tiplu.db",
        "tiplu.db.lock",
        "tiplu.db.mark",
    ]


async def test_second_process_is_locked_out(store: Store, path: Path):
    code = "import asyncio, pathlib, sys; from data.store import Store; asyncio.run(Store.open(pathlib.Path(sys.argv[1])))"
    command = [sys.executable, "-c", code, str(path)]
    second = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert second.stderr.strip().endswith(f"data.errors.StoreLockedError: another process holds {path}.lock")


async def test_lock_is_free_after_close_and_after_a_refusal(path: Path):
    store = await Store.open(path)
    with pytest.raises(StoreLockedError):
        await Store.open(path)
    await store.close()
    spoil(path, 0)
    for _ in range(2):
        with pytest.raises(StoreDamagedError):
            await Store.open(path)


def test_migrations_lead_to_the_schema_of_a_new_file(place: Path, tmp_path: Path):
    """A file of the first schema, after migration, has the tables and indices of a new file."""
    prepare(place)
    first = tmp_path / "first.db"
    first.write_bytes(lzma.decompress((UPGRADES / "first-deals.sqlite3.xz").read_bytes()))
    prepare(first)
    # SQLite puts quotes around the name of a table that was renamed.
    everything = (
        "SELECT name, replace(sql, '\"', '') FROM sqlite_master WHERE name NOT LIKE '%alembic%' ORDER BY name"
    )
    assert ask(place, everything) == ask(first, everything)


def test_migrations_are_one_line():
    first = int(NUMBERS[0])
    assert [f"{number:04}" for number in range(first, first + len(NUMBERS))] == NUMBERS


def test_empty_file_becomes_a_database(place: Path):
    place.touch()
    prepare(place)
    assert ask(place, "SELECT version_num FROM alembic_version") == [(NEWEST,)]
    assert list(place.parent.iterdir()) == [place]  # there is nothing to copy


async def test_existing_file_is_copied_then_migrated(path: Path, tmp_path: Path):
    await filled(path)
    before = ask(path, "SELECT * FROM game_table")
    prepare(path, migrations(tmp_path, ADD_COLUMN))
    copy = path.with_name(f"tiplu.db.before-{NEXT}")
    assert ask(path, "SELECT id, added FROM guild") == [(GUILD, None)]
    assert ask(path, "SELECT version_num FROM alembic_version") == [(NEXT,)]
    assert ask(copy, "SELECT version_num FROM alembic_version") == [(NEWEST,)]
    assert ask(path, "SELECT * FROM game_table") == ask(copy, "SELECT * FROM game_table") == before
    assert mode(copy) == 0o600


@pytest.mark.parametrize(("another", "error"), [(BREAK_OFF, RuntimeError), (ORPHAN, StoreDamagedError)])
async def test_failed_migration_changes_nothing(path: Path, tmp_path: Path, another: str, error: type):
    await filled(path)
    dump = ask(path, "SELECT name, sql FROM sqlite_master")
    with pytest.raises(error):
        prepare(path, migrations(tmp_path, another))
    assert ask(path, "SELECT name, sql FROM sqlite_master") == dump
    await filled(path)  # and the old program continues to work


def test_a_new_file_whose_making_is_broken_off_stays_empty(place: Path, monkeypatch: pytest.MonkeyPatch):
    def break_off(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr("data.migrating.command.stamp", break_off)
        with pytest.raises(RuntimeError):
            prepare(place)
    assert ask(place, "SELECT name FROM sqlite_master") == []
    prepare(place)
    assert ask(place, "PRAGMA application_id") == [(APPLICATION_ID,)]


@pytest.mark.file
async def test_what_a_power_cut_has_left_half_written_in_a_first_start_is_undone(
    path: Path, migrated: Path, tmp_path: Path
):
    source = tmp_path / "source"
    shutil.copy(migrated, source)
    path.parent.mkdir()
    with closing(sqlite3.connect(source)) as database:
        for pragma in ("journal_mode=DELETE", "cache_size=1"):
            database.execute(f"PRAGMA {pragma}").fetchall()
        database.execute("BEGIN")
        for number in range(100):
            database.execute(f"CREATE TABLE half_{number} (a)")  # more than fits in the cache
        for end in ("", "-journal"):
            shutil.copy(source.with_name(source.name + end), path.with_name(path.name + end))
    with (
        pytest.raises(sqlite3.OperationalError),
        closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as half,
    ):
        half.execute("SELECT count(*) FROM sqlite_master")
    store = await Store.open(path)
    await store.close()
    assert ask(path, "SELECT count(*) FROM sqlite_master WHERE name LIKE 'half%'") == [(0,)]


async def test_newer_schema_is_refused_untouched(path: Path, tmp_path: Path):
    await filled(path)
    prepare(path, migrations(tmp_path, ADD_COLUMN))
    before = contents(path)
    with pytest.raises(StoreTooNewError, match=NEXT):
        await Store.open(path)
    assert contents(path) == before


async def test_a_schema_from_before_the_first_is_refused_untouched(path: Path):
    await filled(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE alembic_version SET version_num = '0016'")
        database.commit()
    before = contents(path)
    with pytest.raises(StoreTooOldError, match="0016"):
        await Store.open(path)
    assert contents(path) == before


async def test_foreign_database_is_refused_untouched(place: Path):
    with closing(sqlite3.connect(place)) as database:
        database.execute("CREATE TABLE theirs (a)")
    before = contents(place)
    with pytest.raises(StoreDamagedError, match="another program"):
        await Store.open(place)
    assert contents(place) == before


async def test_corrupt_file_is_refused_untouched(path: Path):
    await filled(path)
    spoil(path, 4096)  # the second page and all later ones
    before = contents(path)
    with pytest.raises(StoreDamagedError):
        await Store.open(path)
    assert contents(path) == before


async def test_a_link_means_the_file_that_it_leads_to(path: Path, link: Path):
    await filled(link)
    assert link.is_symlink()
    assert [file.name for file in link.parent.iterdir() if file.is_file()] == [link.name], (
        "nothing is beside it"
    )
    store = await Store.open(path)
    assert len(await store.read(lambda db: db.tables.all_open())) == 1
    assert store.place == path
    await store.close()


@pytest.mark.parametrize("linked_first", [True, False])
async def test_a_file_and_a_link_to_it_lock_each_other_out(path: Path, link: Path, linked_first: bool):
    first, second = (link, path) if linked_first else (path, link)
    store = await Store.open(first)
    with pytest.raises(StoreLockedError):
        await Store.open(second)
    await store.close()


async def test_a_link_to_itself_is_told(tmp_path: Path):
    link = tmp_path / "tiplu.sqlite3"
    link.symlink_to(link)
    with pytest.raises(StoreUnavailableError, match="symbolic links"):
        await Store.open(link)
