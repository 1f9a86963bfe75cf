"""What SQLite's errors mean to the bot: try again later, or stop taking moves."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from data.errors import StoreDamaged, StoreUnavailable

_LATER = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY}
_NEVER = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
_PRIMARY = 0xFF
"""The low byte of an error code is its kind, the rest says more exactly where."""


@contextmanager
def named_faults() -> Iterator[None]:
    """Raise StoreUnavailable or StoreDamaged where the disk or the file is at fault, and leave other errors be."""
    try:
        yield
    except DBAPIError as error:
        kind = getattr(error.orig, "sqlite_errorcode", 0) & _PRIMARY
        if kind in _LATER:
            raise StoreUnavailable(str(error.orig)) from error
        if kind in _NEVER:
            raise StoreDamaged(str(error.orig)) from error
        raise
