"""Connections to the server, each lent to one transaction from its first statement on.

A transaction that loses its connection has done nothing, except perhaps in its commit. So work that can be
repeated is repeated on another connection, until the server is back or the time limit is reached: the first
statements of a transaction, whose results no one has seen yet, and a transaction that only writes.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from itertools import count
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID, uuid4

from sqlalchemy import Connection, CursorResult, Delete, Insert, Update, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from data.cancellation import to_the_end
from data.errors import StoreBusyError, StoreOutcomeUnknown, StoreUnavailableError, StoreUnreachable
from data.postgres.engines import PATIENCE_S, is_lost, may_be_repeated, named_faults
from data.session import Call, Lease

CHANNEL: Final = "tiplu"
"""The channel of the notices between processes."""
# A transaction that reads runs alone, as in SQLite. One that only writes cannot be misled by what others
# write, and versions guard the rows it changes, so several can run at the same time. The number is "tipl".
_TELL: Final = text("SELECT pg_notify(CAST(:channel AS text), CAST(:news AS text))")
_BEGIN: Final = {
    (True, False): text(
        "INSERT INTO last_commit (connection, number, at)"
        " SELECT CAST(:connection AS uuid), CAST(:number AS bigint), now()"
        " FROM pg_advisory_xact_lock(1953067116)"
        " ON CONFLICT (connection) DO UPDATE SET number = excluded.number, at = excluded.at"
    ),
    (True, True): text(
        "INSERT INTO last_commit (connection, number, at)"
        " SELECT CAST(:connection AS uuid), CAST(:number AS bigint), now()"
        " FROM pg_advisory_xact_lock(1953067116), pg_notify(CAST(:channel AS text), CAST(:news AS text))"
        " ON CONFLICT (connection) DO UPDATE SET number = excluded.number, at = excluded.at"
    ),
    (False, False): text(
        "INSERT INTO last_commit (connection, number, at)"
        " SELECT CAST(:connection AS uuid), CAST(:number AS bigint), now()"
        " FROM pg_advisory_xact_lock_shared(1953067116)"
        " ON CONFLICT (connection) DO UPDATE SET number = excluded.number, at = excluded.at"
    ),
    (False, True): text(
        "INSERT INTO last_commit (connection, number, at)"
        " SELECT CAST(:connection AS uuid), CAST(:number AS bigint), now()"
        " FROM pg_advisory_xact_lock_shared(1953067116), pg_notify(CAST(:channel AS text), CAST(:news AS text))"
        " ON CONFLICT (connection) DO UPDATE SET number = excluded.number, at = excluded.at"
    ),
}
"""The first statement of a transaction, by whether it runs alone and whether it notifies others."""
_NUMBER: Final = text(
    "INSERT INTO last_commit (connection, number, at) VALUES (CAST(:connection AS uuid), 0, now())"
    " ON CONFLICT (connection) DO UPDATE SET at = excluded.at RETURNING number"
)
# Pages with room for the next count of each row, so that an update touches no index.
_MADE: Final = text(
    "CREATE TABLE IF NOT EXISTS last_commit"
    " (connection uuid PRIMARY KEY, number bigint NOT NULL, at timestamptz NOT NULL) WITH (fillfactor = 50)"
)
_FORGOTTEN: Final = text("DELETE FROM last_commit WHERE at < now() - interval '1 day'")
_NUMBERS: Final = count(1)


class Counted(NamedTuple):
    """A transaction, identified by its connection and its number there."""

    connection: UUID
    number: int


def prepare_counting(connection: Connection) -> None:
    """Create the table if it is missing, and delete connections that are more than a day old."""
    connection.execute(_MADE)
    connection.execute(_FORGOTTEN)


def begin(connection: Connection, *, alone: bool, news: str | None = None) -> Counted:
    """Begin a transaction that writes.

    If `alone`, it waits until no other one writes; otherwise it waits only for one that runs alone. If `news`
    is known already, the same statement sends it.
    """
    counted = Counted(connection.info.setdefault("counted_as", uuid4()), next(_NUMBERS))
    told = {} if news is None else {"channel": CHANNEL, "news": news}
    connection.execute(_BEGIN[alone, news is not None], counted._asdict() | told)
    return counted


def telling(news: str) -> Call:
    """Return the call that notifies others when the transaction is committed."""
    return Call(_TELL, {"channel": CHANNEL, "news": news})


def was_committed(connection: Connection, counted: Counted) -> bool:
    """Return whether that transaction, whose connection was lost, was committed.

    Call it in a transaction that is undone. Writing the row waits until the server has noticed the loss:
    until then the lost transaction locks it.
    """
    return connection.execute(_NUMBER, {"connection": counted.connection}).scalar_one() == counted.number


T = TypeVar("T")

_FIRST_PAUSE_S: Final = 0.05
_LONGEST_PAUSE_S: Final = 1.0


async def patiently(attempt: Callable[[], Awaitable[T]], repeats: Callable[[BaseException], bool]) -> T:
    """Return the result of an attempt, retrying for some seconds while it fails with such an error."""
    until = asyncio.get_running_loop().time() + PATIENCE_S
    pause = _FIRST_PAUSE_S
    while True:
        try:
            return await attempt()
        except StoreOutcomeUnknown:  # it may be done, whatever made the server silent
            raise
        except Exception as error:
            if not repeats(error) or asyncio.get_running_loop().time() + pause > until:
                raise
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE_S)


class ReadLease(Lease):
    """One snapshot, for as long as its transaction lasts."""

    __slots__ = ("_connection", "_engine", "_is_undone")

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__()
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._is_undone = False
        """Whether a statement has failed, in which case the server undoes the whole transaction."""

    async def execute(self, call: Call) -> CursorResult[Any]:
        """Run a statement and return its result, already fetched."""
        self._use()
        with named_faults():
            return await to_the_end(self._on_the_way(lambda connection: _call(connection, call)))

    def note(self, call: Call) -> None:  # noqa: ARG002 - the signature of a lease
        """Refuse to write."""
        raise TypeError("a snapshot is only read")

    async def build(self, build: Callable[..., T], *calls: Call) -> T:
        """Return what a function makes of the rows of these statements, one list each; it runs in a thread."""
        return await asyncio.to_thread(build, *[(await self.execute(call)).all() for call in calls])

    async def over(self) -> None:
        """Undo the transaction, if it has begun, and return the connection to the pool."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await to_the_end(_given_back(connection))

    async def _on_the_way(self, work: Callable[[Connection], T]) -> T:
        """Do this in the transaction; begin it if necessary."""
        self._check()
        try:
            if self._connection is not None:
                return await self._connection.run_sync(work)
            self._connection, done = await patiently(lambda: self._begun(work), is_lost)
        except BaseException:
            self._is_undone = True
            raise
        return done

    def _check(self) -> None:
        """Raise StoreUnavailableError if an error has undone the transaction.

        On commit the server would only report the rollback.
        """
        if self._is_undone:
            raise StoreUnavailableError("an error has undone the transaction")

    async def _begun(self, work: Callable[[Connection], T]) -> tuple[AsyncConnection, T]:
        connection = await self._engine.connect()
        try:
            return connection, await connection.run_sync(work)
        except BaseException:
            await _given_back(connection)
            raise


class WriteLease(ReadLease):
    """A transaction that writes.

    It runs alone from its first read on; one that reads nothing runs in parallel with others. Writes whose
    result no one needs are queued, and sent with the next read or the commit. A transaction that only queues
    writes is sent as a whole at its end, and sent again if its connection is lost.
    """

    __slots__ = ("_alone", "_counted", "_is_alone", "noted")

    def __init__(self, engine: AsyncEngine, alone: asyncio.Lock) -> None:
        """The transaction of this process that may read holds `alone`; the others need no connection to wait."""
        super().__init__(engine)
        self._alone = alone
        self._is_alone = False
        self.noted = deque[Call]()
        """The statements to run before anything else, in this order."""
        self._counted: Counted
        """The identity of the transaction, by which the server can tell whether it was committed."""

    async def over(self) -> None:
        """Undo the transaction, if it has begun, and return the connection to the pool."""
        try:
            await super().over()
        finally:
            if self._is_alone:
                self._is_alone = False
                self._alone.release()

    def note(self, call: Call) -> None:
        """Queue this statement to be sent with the next one, or with the commit."""
        self._use()
        self.noted.append(call)
        self._touch(call)

    def _touch(self, call: Call) -> None:
        if isinstance(call.statement, Insert | Update | Delete):
            self.touched.add(call.statement.entity_description["name"])

    async def execute(self, call: Call) -> CursorResult[Any]:
        """Run the queued statements and then this one; after the first call no one else writes."""
        self._touch(call)
        if not self._is_alone:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await self._alone.acquire()
            except TimeoutError:
                raise StoreBusyError("too many are waiting for the database") from None
            self._is_alone = True
        return await super().execute(call)

    async def commit(self) -> None:
        """Run the queued statements and commit; afterwards the transaction is durable.

        Raises StoreOutcomeUnknown if the connection was lost meanwhile and the server does not come back.
        """
        self._check()
        with named_faults():
            if self._connection is None:
                await patiently(self._all_at_once, may_be_repeated)
                return
            if self.news is not None:
                self.noted.append(telling(self.news))
            if not await self._ended(self._connection):
                raise StoreUnreachable("the connection was lost before the commit; nothing was changed")

    async def _all_at_once(self) -> None:
        """Run the whole write-only transaction; raises StoreUnavailableError if the server has undone it."""
        connection = await self._engine.connect()
        try:
            if not await self._ended(connection):
                raise ConnectionError("the connection was lost before the commit")
        finally:
            await _given_back(connection)

    async def _ended(self, connection: AsyncConnection) -> bool:
        """Run the queued statements and commit; return False if the connection was lost and all is undone."""
        await connection.run_sync(self._write, self.noted)
        try:
            await connection.commit()
        except Exception as error:
            if not is_lost(error):
                raise
            return await self._was_committed()
        return True

    async def _was_committed(self) -> bool:
        try:
            return await patiently(self._outcome, is_lost)
        except Exception as error:
            raise StoreOutcomeUnknown(
                "the connection to the database was lost in a commit; whether it was done is not known"
            ) from error

    async def _outcome(self) -> bool:
        async with self._engine.connect() as connection:
            return await connection.run_sync(was_committed, self._counted)

    async def _on_the_way(self, work: Callable[[Connection], T]) -> T:
        noted = [*self.noted]

        def written(connection: Connection) -> T:
            self._write(connection, noted)
            return work(connection)

        done = await super()._on_the_way(written)
        self.noted.clear()
        return done

    def _write(self, connection: Connection, noted: Iterable[Call]) -> None:
        """Run the queued statements, beginning the transaction if necessary."""
        if not connection.in_transaction():
            self._counted = begin(connection, alone=self._is_alone, news=self.news)
        for call in noted:
            _call(connection, call)


def _call(connection: Connection, call: Call) -> CursorResult[Any]:
    if call.expected is None or not isinstance(call.rows, list):
        return call.check(connection.execute(call.statement, call.rows))
    # The driver does not report the row count of an executemany.
    results = [connection.execute(call.statement, row) for row in call.rows]
    if sum(result.rowcount for result in results) != call.expected.changed:
        raise call.expected.error
    return results[-1]


async def _given_back(connection: AsyncConnection) -> None:
    """Return a connection to its pool, undoing its transaction; discard it if it is lost."""
    try:
        await connection.close()
    except Exception as error:
        if not is_lost(error):
            raise
        if not connection.closed:
            await connection.invalidate()
