"""A PostgreSQL server of the tests' own: one per session, with a database that is emptied for each test.

`pytest --database postgres tests/bot` has the tests use it instead of files.
"""

import asyncio
import importlib.util
import os
import signal
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL

from data.postgres.opening import prepare
from data.privacy.limits import KEY_NOTE
from data.schema import TABLES
from playground.cluster.postgres import MISSING, USER, PostgresServer, find_programs, temporary_folder

T = TypeVar("T")

UNSAFE = ("fsync=off", "full_page_writes=off", "max_connections=200", "shared_buffers=32MB")
"""Settings that are fast and lose everything in a power cut, which is enough for tests."""
AS_INSTALLED = ("max_connections=100",)
"""The settings of a server as installed: every commit is on the disk before it is answered."""
_CHECKPOINTER = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'"
SERVING = "SELECT pid FROM pg_stat_activity WHERE datname = '{}' AND pid <> pg_backend_pid()"
"""The server's processes that serve a database, except the one that is asked."""


def binaries() -> Path | None:
    """Return the folder with PostgreSQL's own programs; None if it or the driver is missing."""
    return None if importlib.util.find_spec("asyncpg") is None else find_programs()


class Server(PostgresServer):
    """A server of the tests, with databases for one test after the other."""

    def __init__(self, programs: Path, folder: Path, settings: Sequence[str] = UNSAFE) -> None:
        super().__init__(programs, folder, settings)
        self._made = 0
        self._shared: URL | None = None

    def url(self, database: str = "postgres") -> URL:
        """Return the address of a database."""
        return URL.create("postgresql+asyncpg", USER, host="127.0.0.1", port=self.port, database=database)

    def crash(self, database: str) -> None:
        """Kill a process that serves a connection there, and wait until the server has recovered.

        All of its processes restart by themselves.
        """
        from asyncpg import InterfaceError, PostgresError

        before = self.sql(_CHECKPOINTER)

        async def begun_anew() -> None:
            is_killed, now = False, before
            while not is_killed or now in ([], before):
                try:
                    if not is_killed:  # a client whose connection was just lost is served again soon
                        serving = await asyncio.to_thread(self.sql, SERVING.format(database))
                        is_killed = any(_killed(row[0]) for row in serving)
                    now = await asyncio.to_thread(self.sql, _CHECKPOINTER)
                except (OSError, PostgresError, InterfaceError):
                    await asyncio.sleep(0.02)

        _elsewhere(lambda: asyncio.wait_for(begun_anew(), 30))

    def sql(self, question: str, database: str = "postgres") -> list[Any]:
        """Return the rows of a query run as the superuser."""
        return self._as_owner(database, lambda connection: connection.fetch(question))

    def run(self, statements: str, database: str = "postgres") -> None:
        """Run statements as the superuser."""
        self._as_owner(database, lambda connection: connection.execute(statements))

    def _as_owner(self, database: str, work: Callable[[Any], Coroutine[Any, Any, T]]) -> T:
        import asyncpg

        async def connected() -> T:
            url = self.url(database).set(drivername="postgresql")
            connection = await asyncpg.connect(url.render_as_string(hide_password=False))
            try:
                return await work(connection)
            finally:
                await connection.close()

        return _elsewhere(connected)

    def create(self, how: str = "") -> URL:
        """Create a database without tables; `how` is appended to CREATE DATABASE."""
        self._made += 1
        name = f"t{os.getpid()}_{self._made}"
        self.run(f"CREATE DATABASE {name} {how}")
        return self.url(name)

    def fresh(self) -> URL:
        """Return the one database that tests share in turn, without rows."""
        if self._shared is None:
            self._shared = self.create()
            _elsewhere(lambda: prepare(self._shared))
            self._key = self.sql("SELECT value FROM meta", self._shared.database)[0][0]
        else:
            tables = ", ".join(TABLES.tables)
            again = f"INSERT INTO meta VALUES ('{KEY_NOTE}', '{self._key}')"
            self.run(f"TRUNCATE {tables} RESTART IDENTITY; {again}", self._shared.database)
        return self._shared

    def drop(self, url: URL) -> None:
        """Remove a database, and end all connections to it."""
        self.run(f"DROP DATABASE IF EXISTS {url.database} WITH (FORCE)")


@contextmanager
def running_server(settings: Sequence[str] = UNSAFE) -> Iterator[Server]:
    """Run a server during the block, and leave nothing behind. Raises RuntimeError if none can be started."""
    programs = binaries()
    if programs is None:
        raise RuntimeError(MISSING)
    with temporary_folder() as folder:
        server = Server(programs, folder, settings)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _killed(pid: int) -> bool:
    """Kill a process. Return False if it had already ended."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def _elsewhere(run: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Return the coroutine's result.

    It runs in a thread of its own, because a test may have a running loop.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(run())).result()
