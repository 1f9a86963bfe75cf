"""Connections to the file. SQLite has one writer, so there is exactly one connection that writes or checkpoints.

Readers are a second engine: a "begin" hook that takes the write lock would otherwise make every read wait for it.
"""

import sqlite3
import sys
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

BUSY_TIMEOUT_MS = 5_000
READERS = 4
LIBRARY_VERSION = sqlite3.sqlite_version_info
"""Of SQLite itself."""

# FULL: a commit that was acknowledged survives a power cut; macOS needs fullfsync for the same promise.
_DURABLE = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}",
    *(("PRAGMA fullfsync=ON",) if sys.platform == "darwin" else ()),
)
# A damaged page is recognised as such rather than misread.
_CAREFUL = "PRAGMA cell_size_check=ON"
# What is deleted is overwritten, so that no free page tells of somebody who was forgotten.
_WRITER = (*_DURABLE, "PRAGMA foreign_keys=ON", "PRAGMA secure_delete=ON", _CAREFUL)
_READER = ("PRAGMA query_only=ON", f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}", _CAREFUL)


def writer(path: Path) -> AsyncEngine:
    """The engine of the one connection that writes; each of its transactions takes the write lock at once."""
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(path)), pool_size=1, max_overflow=0, hide_parameters=True
    )
    _prepare(engine.sync_engine, _WRITER, "BEGIN IMMEDIATE")
    return engine


def readers(path: Path) -> AsyncEngine:
    """The engine of connections that can't write; each of its transactions sees one snapshot."""
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(path)),
        pool_size=READERS,
        max_overflow=0,
        hide_parameters=True,
    )
    _prepare(engine.sync_engine, _READER, "BEGIN")
    return engine


def migrator(path: Path) -> Engine:
    """A writer for the time before the store is open, without a loop.

    Foreign keys are off, for SQLite changes a table by building it anew; the migration checks them at its end.
    """
    engine = create_engine(URL.create("sqlite", database=str(path)), pool_size=1, hide_parameters=True)
    _prepare(engine, _DURABLE, "BEGIN IMMEDIATE")
    return engine


async def empty_log(connection: AsyncConnection) -> bool:
    """Bring all of the log into the file and cut it to nothing; SQLite does so outside of transactions only."""
    driver = (await connection.get_raw_connection()).driver_connection
    if driver is None:
        raise ValueError("the connection is open")
    async with driver.execute("PRAGMA wal_checkpoint(TRUNCATE)") as cursor:
        (is_busy, *_) = await cursor.fetchone()
    return not is_busy


def _prepare(engine: Engine, pragmas: tuple[str, ...], begin: str) -> None:
    """Have every connection set its pragmas, and start transactions ourselves in place of the driver."""

    @event.listens_for(engine, "connect")
    def _connect(driver: Any, _record: Any) -> None:
        driver.isolation_level = None
        cursor = driver.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)
