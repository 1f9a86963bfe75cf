"""Prepare a file before the store uses it: inspect without touching, copy, migrate.

All of it is synchronous and runs once, under the file lock.
"""

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from data.errors import RestoreInterrupted, StoreForeign, StoreLost
from data.files import real
from data.migrating import MIGRATIONS, create, migrate, versions
from data.schema.core import APPLICATION_ID
from data.sqlite import engines
from data.sqlite.backups import back_up
from data.sqlite.engines import named_faults
from data.sqlite.integrity import (
    check_never_used,
    check_not_emptied,
    check_nothing_lost,
    forget_note,
    look_through,
    may_be_trusted,
    read_only,
    set_lost_aside,
)

_MARK: Final = "PRAGMA application_id = 1416196204"
"""Identifies the file as Tiplu's; the number is APPLICATION_ID."""


@dataclass(frozen=True, slots=True)
class _FileState:
    """The facts stored in a file."""

    fresh: bool
    """Whether it has no table yet."""
    revision: str | None


def prepare(path: Path, migrations: Path = MIGRATIONS, *, accept_loss: bool = False) -> bool:
    """Make `path` an intact database with the newest schema and mode 600.

    `path` must not be a link, and its directory must exist. Returns whether it was checked; a trusted file
    (`integrity.py`) is to be checked later. Raises StoreDamagedError, StoreTooNewError, StoreTooOldError or,
    unless accepted, StoreLost, having changed nothing; OSError or StoreUnavailableError if the place can't be
    written.
    """
    is_trusted = may_be_trusted(path)
    try:
        found, newest = _created(path, migrations, is_trusted=is_trusted)
    except RestoreInterrupted:
        raise  # the whole files are beside it
    except StoreLost:
        if not accept_loss:
            raise
        set_lost_aside(path)
        is_trusted = False
        found, newest = _created(path, migrations, is_trusted=is_trusted)
    forget_note(path)
    if found.revision != newest:
        if found.fresh:
            _make(path, migrations)
        else:
            back_up(path, path.with_name(f"{path.name}.before-{newest}"))
            _migrate(path, migrations)
            _rebuild(path)
    return not is_trusted


def look(
    path: Path, migrations: Path = MIGRATIONS, *, is_trusted: bool = False
) -> Literal["missing", "current", "older"]:
    """Return the state of a file without changing it. One that has just been checked may be trusted.

    Raises StoreDamagedError, StoreTooNewError, StoreLost or StoreUnavailableError.
    """
    path = real(path)
    check_not_emptied(path)
    if not path.exists():
        return "missing"
    found, newest = _understood(path, migrations, is_trusted=is_trusted)
    return "current" if found.revision == newest else "older"


def _created(path: Path, migrations: Path, *, is_trusted: bool) -> tuple[_FileState, str | None]:
    """Return the facts of the file; create it if missing."""
    check_not_emptied(path)
    _create(path)
    _undo_interrupted(path)
    return _understood(path, migrations, is_trusted=is_trusted)


def _understood(path: Path, migrations: Path, *, is_trusted: bool) -> tuple[_FileState, str | None]:
    """Return the facts of the file and the newest schema; raises StoreTooNewError or StoreTooOldError."""
    found = _inspect(path, is_trusted=is_trusted)
    of_program = versions(migrations)
    if not found.fresh:
        of_program.check(found.revision)
    return found, of_program.newest


def _create(path: Path) -> None:
    """Create the file with access for its owner only; its log and the log's index inherit the mode."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)


def _undo_interrupted(path: Path) -> None:
    """Undo what a power failure interrupted while SQLite used a journal; until then no one can even read.

    A file has a journal only while its log is being set up: in the first start of a new file or a restored
    copy.
    """
    if not path.with_name(path.name + "-journal").exists():
        return
    look = "SELECT count(*) FROM sqlite_master"
    with named_faults():
        try:
            with closing(read_only(path)) as database:
                database.execute(look)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_ROLLBACK:
                raise
            with closing(sqlite3.connect(path)) as database:
                database.execute(look)  # SQLite undoes it before it answers


def _inspect(path: Path, *, is_trusted: bool) -> _FileState:
    """Inspect a file read-only, so that a refused file stays unchanged. A trusted file is not checked."""
    with named_faults(), closing(read_only(path)) as database:
        if not is_trusted:
            look_through(path, database)
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        if not tables:
            check_never_used(path)
            return _FileState(fresh=True, revision=None)
        (application,) = database.execute("PRAGMA application_id").fetchone()
        if application != APPLICATION_ID or "alembic_version" not in tables:
            raise StoreForeign(f"{path} belongs to another program")
        (revision,) = database.execute("SELECT max(version_num) FROM alembic_version").fetchone()
        check_nothing_lost(path, database)
        return _FileState(fresh=False, revision=revision)


def _make(path: Path, migrations: Path) -> None:
    """Create the tables and the mark of a new file: all or nothing."""
    engine = engines.migrator(path)
    try:
        with named_faults(), engine.begin() as connection:
            connection.exec_driver_sql(_MARK)
            create(connection, migrations)
    finally:
        engine.dispose()


def _migrate(path: Path, migrations: Path) -> None:
    engine = engines.migrator(path)
    try:
        with named_faults(), engine.connect() as connection:
            migrate(connection, migrations)
    finally:
        engine.dispose()


def _rebuild(path: Path) -> None:
    """Rewrite the file without its free pages, in which some programs left deleted data."""
    with named_faults(), closing(sqlite3.connect(path)) as database:
        database.execute("VACUUM")
