"""How the file is opened, and the meaning of SQLite's errors.

SQLite has one writer, so exactly one connection writes or checkpoints. Connections start and end no
transaction automatically: `data.sqlite.transactions` issues BEGIN, COMMIT and ROLLBACK.
"""

import sqlite3
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, exc

from data.errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreForbidden,
    StoreForeign,
    StoreFull,
    StoreUnavailableError,
    UnreadableValueError,
)

BUSY_TIMEOUT_MS = 5_000
LIBRARY_VERSION = sqlite3.sqlite_version_info
"""The version of SQLite itself."""

_TIMEOUT = f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}"
# FULL: an acknowledged commit survives a power failure; macOS needs fullfsync for the same guarantee.
_DURABLE = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    _TIMEOUT,
    *(("PRAGMA fullfsync=ON",) if sys.platform == "darwin" else ()),
)
# A damaged page is detected rather than misread.
_CAREFUL = "PRAGMA cell_size_check=ON"
# Deleted data is overwritten, so that no free page contains data of a person who was forgotten.
_WRITER = (
    *_DURABLE,
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
    _CAREFUL,
)
_READER = ("PRAGMA query_only=ON", _TIMEOUT, _CAREFUL)

WRITE = "BEGIN IMMEDIATE"
"""Begins a transaction that holds the write lock from its first statement on."""
READ = "BEGIN"
"""Begins a transaction that sees one snapshot, taken at its first statement."""


class _Cursor(sqlite3.Cursor):
    """Fetches all rows of a statement at once, so that they are read in the thread of the connection."""

    _fetched: list[Any]

    def execute(self, sql: str, parameters: Any = (), /) -> "_Cursor":
        super().execute(sql, parameters)
        self._fetched = super().fetchall()
        self._fetched.reverse()
        return self

    def fetchone(self) -> Any:
        return self._fetched.pop() if self._fetched else None

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        wanted = min(size or self.arraysize, len(self._fetched))
        return [self._fetched.pop() for _ in range(wanted)]

    def fetchall(self) -> list[Any]:
        return self.fetchmany(len(self._fetched) or 1)


class _Driver(sqlite3.Connection):
    """A connection whose results can be used in any thread."""

    def cursor(self, factory: Any = _Cursor) -> Any:
        return super().cursor(factory)


def writer(path: Path) -> Engine:
    """Return the engine of the one connection that writes."""
    return _engine(path, _WRITER)


def readers(path: Path) -> Engine:
    """Return the engine of connections that can't write."""
    return _engine(path, _READER)


def migrator(path: Path) -> Engine:
    """Return a writer's engine for the time before the store is open.

    Foreign keys are off, because SQLite changes a table by rebuilding it; the migration checks them at its
    end.
    """
    engine = create_engine(URL.create("sqlite", database=str(path)), pool_size=1, hide_parameters=True)
    _prepare(engine, _DURABLE)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(WRITE)

    return engine


def empty_log(driver: Any, *, is_patient: bool) -> bool:
    """Checkpoint the whole log into the file and truncate it, which SQLite does only outside transactions.

    Return False if a reader of an older state was in the way, after waiting for some seconds if asked to.
    """
    if not is_patient:
        driver.execute("PRAGMA busy_timeout=0")
    (is_busy, *_) = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    driver.execute(_TIMEOUT)
    return not is_busy


def _engine(path: Path, pragmas: tuple[str, ...]) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=NullPool,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        connect_args={"factory": _Driver, "check_same_thread": False},
    )
    _prepare(engine, pragmas)
    return engine


def _prepare(engine: Engine, pragmas: tuple[str, ...]) -> None:
    """Make every connection set its pragmas, and keep the driver from starting transactions."""

    @event.listens_for(engine, "connect")
    def _connect(driver: Any, _record: Any) -> None:
        driver.isolation_level = None
        cursor = driver.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
        cursor.close()


_FAULTS: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_BUSY: StoreUnavailableError,
    sqlite3.SQLITE_LOCKED: StoreUnavailableError,
    sqlite3.SQLITE_INTERRUPT: StoreUnavailableError,
    sqlite3.SQLITE_FULL: StoreFull,
    sqlite3.SQLITE_READONLY: StoreForbidden,
    sqlite3.SQLITE_CANTOPEN: StoreForbidden,
    sqlite3.SQLITE_IOERR: StoreDamagedError,
    sqlite3.SQLITE_CORRUPT: StoreDamagedError,
    sqlite3.SQLITE_NOTADB: StoreForeign,
}
_EXACT: dict[int, type[StoreError]] = {sqlite3.SQLITE_IOERR_SHMSIZE: StoreFull}
"""Errors that differ from their kind: here the index of the log has no space left."""
_NO_TEXT = "Could not decode to UTF-8"
"""The start of the driver's error for bytes that are not text; it has no code."""
_KIND = 0xFF
"""The low byte of an error code is its kind; the other bytes add detail."""


@contextmanager
def named_faults() -> Generator[None, None, None]:
    """Translate faults of the disk or the file into errors of the store; let other errors pass.

    Raises StoreUnavailableError, StoreDamagedError or UnreadableValueError.
    """
    try:
        yield
    except exc.TimeoutError as error:
        raise StoreBusyError("too many are waiting for the database") from error
    except UnicodeDecodeError:
        # The driver fails on SQLite's message about a damaged schema, which must not be quoted.
        raise StoreDamagedError("its schema can't be decoded") from None
    except (sqlite3.Error, exc.DBAPIError) as error:
        cause = error.orig if isinstance(error, exc.DBAPIError) else error
        code = getattr(cause, "sqlite_errorcode", 0)
        fault = _EXACT.get(code) or _FAULTS.get(code & _KIND)
        if str(cause).startswith(_NO_TEXT):
            # The message quotes the row, which may contain cards.
            raise UnreadableValueError("the store holds a text that can't be decoded") from None
        if fault is None:
            raise
        raise fault(str(cause)) from error
