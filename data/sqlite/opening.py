"""What happens to a file before the store works with it: look without touching, copy, migrate.

All of it is synchronous and runs once, under the file lock.
"""

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from data.errors import StoreForeign, StoreLost
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
"""Says that the file is Tiplu's; the number is APPLICATION_ID."""


@dataclass(frozen=True, slots=True)
class _FileState:
    """What a file says of itself."""

    fresh: bool
    """No table in it yet."""
    revision: str | None


def prepare(path: Path, migrations: Path = MIGRATIONS, *, accept_loss: bool = False) -> bool:
    """Make `path`, which is no link and in a directory that exists, a sound database of the newest schema and of mode 600.

    Returns whether it was looked through; one that may be trusted (`integrity.py`) is to be looked through later.
    Raises StoreDamagedError, StoreTooNewError, StoreTooOldError or, unless that is accepted, StoreLost, and has then changed nothing; OSError or
    StoreUnavailableError if the place can't be written.
    """
    is_trusted = may_be_trusted(path)
    try:
        found, newest = _created(path, migrations, is_trusted=is_trusted)
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


def look(path: Path, migrations: Path = MIGRATIONS) -> Literal["missing", "current", "older"]:
    """How a file stands, without changing it; raises StoreDamagedError, StoreTooNewError, StoreLost or StoreUnavailableError."""
    path = real(path)
    check_not_emptied(path)
    if not path.exists():
        return "missing"
    found, newest = _understood(path, migrations, is_trusted=False)
    return "current" if found.revision == newest else "older"


def _created(path: Path, migrations: Path, *, is_trusted: bool) -> tuple[_FileState, str | None]:
    """What the file is, made if there was none."""
    check_not_emptied(path)
    _create(path)
    _undo_interrupted(path)
    return _understood(path, migrations, is_trusted=is_trusted)


def _understood(path: Path, migrations: Path, *, is_trusted: bool) -> tuple[_FileState, str | None]:
    """What the file is, and the newest schema; raises StoreTooNewError or StoreTooOldError for one that leads nowhere."""
    found = _inspect(path, is_trusted=is_trusted)
    of_program = versions(migrations)
    if not found.fresh:
        of_program.check(found.revision)
    return found, of_program.newest


def _create(path: Path) -> None:
    """The file is there and its owner's alone; its log and the index of that inherit the mode."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)


def _undo_interrupted(path: Path) -> None:
    """Undo what a power cut has left half done where SQLite worked with a journal; until then nobody can even look.

    A file has a journal only while it is given its log: in the first start of a new one, or of a copy that was put back.
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
    """Read-only, so that a file which is refused stays as it is. One that is trusted is not looked through."""
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
    """Give a new file its tables and its mark: all of it, or nothing."""
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
    """Write the file anew, without the free pages: programs that did not overwrite what they deleted left it there."""
    with named_faults(), closing(sqlite3.connect(path)) as database:
        database.execute("VACUUM")
