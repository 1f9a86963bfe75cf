"""What errors of SQLite mean to the bot: try again later, or stop taking moves."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy import exc

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

_FAULTS: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_BUSY: StoreUnavailableError,
    sqlite3.SQLITE_LOCKED: StoreUnavailableError,
    sqlite3.SQLITE_FULL: StoreFull,
    sqlite3.SQLITE_READONLY: StoreForbidden,
    sqlite3.SQLITE_CANTOPEN: StoreForbidden,
    sqlite3.SQLITE_IOERR: StoreDamagedError,
    sqlite3.SQLITE_CORRUPT: StoreDamagedError,
    sqlite3.SQLITE_NOTADB: StoreForeign,
}
_EXACT: dict[int, type[StoreError]] = {sqlite3.SQLITE_IOERR_SHMSIZE: StoreFull}
"""Errors that are not of their kind: here the index of the log finds no room."""
_NO_TEXT = "Could not decode to UTF-8"
"""How the driver, which gives it no code, begins the error for bytes that are no text."""
_KIND = 0xFF
"""The low byte of an error code is its kind, the rest says more exactly where."""


@contextmanager
def named_faults() -> Generator[None, None, None]:
    """Raise StoreUnavailableError, StoreDamagedError or UnreadableValueError where the disk or the file is at fault; leave other errors be."""
    try:
        yield
    except exc.TimeoutError as error:
        raise StoreBusyError("too many are waiting for the database") from error
    except UnicodeDecodeError:
        # The driver stumbles over what SQLite says about a damaged schema; that is not to be quoted.
        raise StoreDamagedError("its schema can't be decoded") from None
    except (sqlite3.Error, exc.DBAPIError) as error:
        cause = error.orig if isinstance(error, exc.DBAPIError) else error
        code = getattr(cause, "sqlite_errorcode", 0)
        fault = _EXACT.get(code) or _FAULTS.get(code & _KIND)
        if str(cause).startswith(_NO_TEXT):
            # Its message quotes the row, in which there may be cards.
            raise UnreadableValueError("the store holds a text that can't be decoded") from None
        if fault is None:
            raise
        raise fault(str(cause)) from error
