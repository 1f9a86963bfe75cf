"""What SQLite's errors mean to the bot: try again later, or stop taking moves."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import exc

from data.errors import StoreDamaged, StoreError, StoreUnavailable

_FAULTS: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_BUSY: StoreUnavailable,
    sqlite3.SQLITE_LOCKED: StoreUnavailable,
    sqlite3.SQLITE_FULL: StoreUnavailable,
    sqlite3.SQLITE_READONLY: StoreUnavailable,
    sqlite3.SQLITE_CANTOPEN: StoreUnavailable,
    sqlite3.SQLITE_IOERR: StoreDamaged,
    sqlite3.SQLITE_CORRUPT: StoreDamaged,
    sqlite3.SQLITE_NOTADB: StoreDamaged,
}
_KIND = 0xFF
"""The low byte of an error code is its kind, the rest says more exactly where."""


@contextmanager
def named_faults() -> Iterator[None]:
    """Raise StoreUnavailable or StoreDamaged where the disk or the file is at fault, and leave other errors be."""
    try:
        yield
    except exc.TimeoutError as error:
        raise StoreUnavailable("too many are waiting for the database") from error
    except (sqlite3.Error, exc.DBAPIError) as error:
        cause = error.orig if isinstance(error, exc.DBAPIError) else error
        fault = _FAULTS.get(getattr(cause, "sqlite_errorcode", 0) & _KIND)
        if fault is None:
            raise
        raise fault(str(cause)) from error
