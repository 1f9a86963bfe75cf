"""Where the games of a long test are kept and inspected: a file, or a database on the tests' own server."""

import argparse
import asyncio
import os
import shutil
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from sqlalchemy import URL, text

from data.postgres import engines
from data.postgres.database import PostgresDatabase
from data.postgres.engines import is_lost
from data.postgres.leases import patiently
from data.store import Place, Store
from tests.postgres import UNSAFE, Server, running_server

DATABASES = ("sqlite", "postgres")
READERS = 8
"""The maximum number of concurrent readers of a server."""
WITH_FILE = ("", "-wal", "-shm", ".lock", ".mark")
COPIED = ("", "-wal", ".mark")
"""What a bot has left: the file, its log and its mark."""


def add_database(parser: argparse.ArgumentParser) -> None:
    """Add the `--database` option, with the same default as `make test`."""
    parser.add_argument(
        "--database",
        choices=DATABASES,
        default=os.environ.get("DATABASE", "sqlite"),
        help="where the games are kept: in a file, or by a server of the test's own",
    )


class Rows(Protocol):
    """Runs a query with named parameters and returns the rows."""

    async def __call__(self, question: str, **values: object) -> list[tuple[Any, ...]]: ...


@dataclass
class Seen:
    """What was stored at one moment. Looking at it does not change the games."""

    store: Store
    rows: Rows
    unsound: list[str] = field(default_factory=list)
    """What the database finds wrong with itself."""


class Games(Protocol):
    """All games of a test."""

    folder: Path
    """The folder for other files of the test."""

    @property
    def place(self) -> Place:
        """Where the bot keeps them."""
        ...

    async def rows(self, question: str, **values: object) -> list[tuple[Any, ...]]:
        """Run a query while a bot uses the games."""
        ...

    def seen(self) -> AbstractAsyncContextManager[Seen]:
        """Look at all games while a bot uses them."""
        ...

    def left(self) -> AbstractAsyncContextManager[Seen]:
        """Look at the games as a bot left them when it ended."""
        ...

    def commits(self) -> AsyncGenerator[object, None]:
        """Yield a value that differs whenever something was written since."""
        ...


class FileOfGames:
    """Games in a file, as a bot keeps them by default."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.folder = path.parent
        self.folder.mkdir(parents=True, exist_ok=True)

    @property
    def place(self) -> Path:
        return self._path

    async def rows(self, question: str, **values: object) -> list[tuple[Any, ...]]:
        with closing(_opened(self._path)) as connection:
            return connection.execute(question, values).fetchall()

    @asynccontextmanager
    async def seen(self) -> AsyncIterator[Seen]:
        copy = self._path.with_name("seen.sqlite3")
        with closing(_opened(self._path)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        async with _of_copy(copy) as seen:
            yield seen

    @asynccontextmanager
    async def left(self) -> AsyncIterator[Seen]:
        copy = self._path.with_name("left.sqlite3")
        copy_files(self._path, copy)
        async with _of_copy(copy) as seen:
            yield seen

    async def commits(self) -> AsyncGenerator[object, None]:
        with closing(_opened(self._path)) as connection:
            while True:
                yield connection.execute("PRAGMA data_version").fetchone()


class ServedGames:
    """Games in a database on a server, which exists until `close`."""

    def __init__(self, server: Server, url: URL, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self._url = url
        self._database = PostgresDatabase(url)
        self._readers = engines.readers(url, READERS)

    @property
    def place(self) -> URL:
        return self._url

    async def close(self) -> None:
        """End all connections."""
        await self._readers.dispose()
        await self._database.close()

    async def rows(self, question: str, **values: object) -> list[tuple[Any, ...]]:
        async def ask() -> list[tuple[Any, ...]]:
            async with self._readers.connect() as connection:
                return [tuple(row) for row in await connection.execute(text(question), values)]

        return await patiently(ask, is_lost)

    @asynccontextmanager
    async def seen(self) -> AsyncIterator[Seen]:
        yield Seen(Store(self._database), self.rows)

    left = seen

    async def commits(self) -> AsyncGenerator[object, None]:
        while True:
            yield await self.rows("SELECT pg_current_wal_lsn()::text")

    async def restart(self, mode: str, away_s: float) -> None:
        """Stop the server, and start it again after `away_s` seconds."""
        await asyncio.to_thread(self.server.stop, mode)
        await asyncio.sleep(away_s)
        await asyncio.to_thread(self.server.start)


@asynccontextmanager
async def games_of(database: str, settings: Sequence[str] = UNSAFE) -> AsyncIterator[Games]:
    """Yield new games in a file (`sqlite`) or on a server with these settings (`postgres`).

    Raises RuntimeError if this machine has no server.
    """
    with TemporaryDirectory() as folder:
        if database == "sqlite":
            yield FileOfGames(Path(folder) / "tiplu.sqlite3")
            return
        with running_server(settings) as server:
            games = ServedGames(server, await asyncio.to_thread(server.fresh), Path(folder))
            try:
                yield games
            finally:
                await games.close()


def copy_files(source: Path, target: Path, names: Sequence[str] = COPIED) -> None:
    """Copy a file of games as it is now, with what belongs to it."""
    for name in names:
        if (old := source.with_name(source.name + name)).exists():
            shutil.copy(old, target.with_name(target.name + name))


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


@asynccontextmanager
async def _of_copy(copy: Path) -> AsyncIterator[Seen]:
    games = FileOfGames(copy)
    try:
        with closing(sqlite3.connect(copy)) as database:
            unsound = [row[0] for row in database.execute("PRAGMA integrity_check") if row[0] != "ok"]
            unsound += [
                f"a foreign key leads nowhere: {row}" for row in database.execute("PRAGMA foreign_key_check")
            ]
        store = await Store.open(copy)
        try:
            yield Seen(store, games.rows, unsound)
        finally:
            await store.close()
    finally:
        for name in WITH_FILE:
            copy.with_name(copy.name + name).unlink(missing_ok=True)
