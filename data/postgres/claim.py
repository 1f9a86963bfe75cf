"""Locks that show who serves a database; the server drops them with the connection that holds them.

One process alone holds the whole database. Several share it, each with its own shards.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from functools import wraps
from types import CoroutineType
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import URL, TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection

from data.cancellation import undisturbed
from data.errors import StoreLockedError
from data.migrating import versions
from data.postgres import engines
from data.postgres.engines import CONNECT_S, STANDSTILL_S, is_lost, named_faults
from data.postgres.lines import Newsline, PressLine
from data.shards import Division

# The second lock is a random number that marks the session as one of this process. A pooler that hands the session
# to another process releases it first.
_ALONE: Final = text(
    "SELECT pg_try_advisory_lock(1953065324) FROM pg_try_advisory_lock(CAST(:mark AS bigint))"
)
_TOGETHER: Final = text(
    "SELECT pg_try_advisory_lock_shared(1953065324) FROM pg_try_advisory_lock(CAST(:mark AS bigint))"
)
_END_FORMER: Final = text(
    "SELECT pid, pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
    " WHERE datname = current_database() AND locktype = 'advisory' AND objsubid = 1 AND granted"
    " AND pid <> pg_backend_pid() AND (classid::bigint << 32 | objid::bigint) = CAST(:mark AS bigint)"
)
_HOLDS_LOCKS: Final = text(
    "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = ANY(CAST(:pids AS int[])))"
)
_PAUSE_S: Final = 0.05
_TIME: Final = text("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
_STANDS: Final = text("SELECT 1")
_SCHEMA: Final = text("SELECT max(version_num) FROM alembic_version")
# Two numbers form a lock: "tips" with the shard, and "tipc" with the shard count, on which all processes must
# agree.
_TAKE: Final = text("SELECT pg_try_advisory_lock(1953067123, CAST(:shard AS int))")
_FREED: Final = "tiplu_shards"
_GIVE_BACK: Final = text(
    "SELECT pg_advisory_unlock(1953067123, CAST(:shard AS int)), pg_notify(CAST(:channel AS text), '')"
)
_COUNT: Final = text("SELECT pg_advisory_lock_shared(1953067107, CAST(:count AS int))")
_UNCOUNT: Final = text("SELECT pg_advisory_unlock_shared(1953067107, CAST(:count AS int))")
_HOLDERS: Final = text(
    "SELECT pid, objid::bigint AS number, classid = 1953067123 AS is_shard"
    " FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
    " WHERE datname = current_database() AND locktype = 'advisory' AND objsubid = 2 AND granted"
    " AND classid IN (1953067123, 1953067107)"
)
# "tipi" with a bucket of shards in which sessions begin one after another.
_TAKE_TURN: Final = text("SELECT pg_try_advisory_lock(1953067113, CAST(:bucket AS int))")
_END_TURN: Final = text("SELECT pg_advisory_unlock(1953067113, CAST(:bucket AS int))")
# The server closes the connection of a process that hangs, so that others can take its shards.
_FENCE: Final = text("SELECT set_config('idle_session_timeout', :timeout, false)")
# The server itself notices within 15 s that the machine of this process is out of reach. A process without a
# heartbeat, such as a transfer, keeps its claim however long it is idle.
_NETWORK: Final = text(
    "SELECT set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '5', false),"
    " set_config('tcp_keepalives_count', '2', false), set_config('tcp_user_timeout', '15000', false)"
)
_OTHER_COUNT: Final = text(
    "SELECT objid::bigint FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
    " WHERE datname = current_database() AND locktype = 'advisory' AND objsubid = 2"
    " AND classid = 1953067107 AND objid <> CAST(:count AS oid) LIMIT 1"
)


Given = ParamSpec("Given")
T = TypeVar("T")


def _alone(
    work: Callable[Concatenate["Claim", Given], Awaitable[T]],
) -> "Callable[Concatenate[Claim, Given], CoroutineType[Any, Any, T]]":
    """Use the connection for one call at a time, and finish each call even if its caller is cancelled.

    An interrupted statement closes the connection, and all shards would be lost with it.
    """

    async def in_turn(claim: "Claim", *given: Given.args, **named: Given.kwargs) -> T:
        with named_faults():
            async with claim.one_at_a_time:
                return await work(claim, *given, **named)

    @wraps(work)
    async def alone(claim: "Claim", *given: Given.args, **named: Given.kwargs) -> T:
        return await undisturbed(in_turn(claim, *given, **named))

    return alone


class Claim:
    """The claim of this process to serve the database, or some of its shards.

    The locks are lost with the connection.
    """

    def __init__(
        self, url: URL, newsline: Newsline | None = None, press_line: PressLine | None = None
    ) -> None:
        """With a newsline the database is shared, and the locks' connection also listens to the others."""
        self._url = url
        self._newsline = newsline
        self._press_line = press_line
        self._engine = engines.claimant(url)
        self._connection: AsyncConnection | None = None
        self._watched: AsyncConnection | None = None
        """The connection whose end loses the locks: the current one, or the one that is just taking them."""
        self._is_lost = False
        """Whether the connection was lost after it took the lock."""
        self._mark = secrets.randbits(62)
        self.one_at_a_time = asyncio.Lock()
        """Held while the connection is used."""
        self._held: frozenset[int] = frozenset()
        self._count: int | None = None
        """The number of shards that this connection has announced to the others."""
        self._listeners: list[Callable[[frozenset[int]], None]] = []
        self._waiting: list[Callable[[], None]] = []

    @property
    def held(self) -> frozenset[int]:
        """The shards whose locks this process holds."""
        return self._held

    def on_change(self, tell: Callable[[frozenset[int]], None]) -> None:
        """Call `tell` with the held shards whenever they change."""
        self._listeners.append(tell)

    def on_free(self, tell: Callable[[], None]) -> None:
        """Call `tell` whenever a process releases a shard. A process that dies sends no notice."""
        self._waiting.append(tell)

    @_alone
    async def hold(self) -> None:
        """Take the lock, or take it again if the connection was lost; raises StoreLockedError if it can't be had.

        Shards that were lost with the connection have to be taken anew. Raises StoreTooNewError if a newer program has changed
        the tables meanwhile.
        """
        await self._connected()

    @_alone
    async def take(self, shard: int, count: int) -> bool:
        """Try to take one of `count` shards; return whether this process holds it now.

        Raises StoreLockedError if other processes use another number of shards.
        """
        connection = await self._connected()
        if shard in self._held:
            return True
        await self._agree_on(connection, count)
        taken = bool(await connection.scalar(_TAKE, {"shard": shard}))
        if taken and not self._is_lost:
            self._become(self._held | {shard})
        return shard in self._held

    @_alone
    async def give_back(self, shard: int) -> None:
        """Release a shard to other processes."""
        if shard in self._held:
            self._become(self._held - {shard})
            await self._free(_GIVE_BACK, shard=shard, channel=_FREED)

    @_alone
    async def division(self, count: int) -> Division:
        """Return how the shards are divided now, counting this process; raises as `take` does."""
        connection = await self._connected()
        await self._agree_on(connection, count)
        rows = (await connection.execute(_HOLDERS)).all()
        present = {row.pid for row in rows if not row.is_shard}
        taken = [row.number for row in rows if row.is_shard and row.number < count]
        each = [sum(row.is_shard and row.pid == pid for row in rows) for pid in present]
        return Division(max(1, len(present)), frozenset(taken), min(each, default=0))

    @_alone
    async def withdraw(self) -> None:
        """Stop counting as one of the processes that divide the shards."""
        count, self._count = self._count, None
        if count is not None:
            await self._free(_UNCOUNT, count=count)

    @_alone
    async def take_turn(self, bucket: int) -> bool:
        """Take the turn in a bucket, shared by all processes; return False if another process has it."""
        connection = await self._connected()
        return bool(await connection.scalar(_TAKE_TURN, {"bucket": bucket}))

    @_alone
    async def end_turn(self, bucket: int) -> None:
        """Release the turn."""
        await self._free(_END_TURN, bucket=bucket)

    @_alone
    async def time(self) -> int:
        """Return the server's clock in milliseconds since 1970; all processes share it."""
        return int(await (await self._connected()).scalar(_TIME) or 0)

    async def release(self) -> None:
        """Release all locks, so that another process can take them."""
        await self._let_go()
        await self._engine.dispose()

    async def _free(self, lock: TextClause, **which: int | str) -> None:
        """Release a lock, unless it was lost with the connection."""
        if self._connection is None or self._is_lost:
            return
        try:
            await self._connection.execute(lock, which)
        except Exception as error:
            if not is_lost(error):
                raise
            self._forget()

    async def _connected(self) -> AsyncConnection:
        if self._connection is None or not await self._stands(self._connection):
            await self._let_go()
            self._is_lost = False
            self._connection = await self._taken()
        return self._connection

    async def _stands(self, connection: AsyncConnection) -> bool:
        if self._is_lost:
            return False
        try:
            async with asyncio.timeout(CONNECT_S):
                await connection.execute(_STANDS)
        except Exception as error:
            if not is_lost(error):
                raise
            return False
        return True

    async def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        self._watched = None
        self._forget()
        if connection is not None:
            await connection.invalidate()
            await connection.close()

    async def _taken(self) -> AsyncConnection:
        connection = await self._engine.connect()
        try:
            connection = await connection.execution_options(isolation_level="AUTOCOMMIT")
            await self._end_former(connection)
            lock = _ALONE if self._newsline is None else _TOGETHER
            is_taken = await connection.scalar(lock, {"mark": self._mark})
            versions().check(
                await connection.scalar(_SCHEMA)
            )  # nobody changes the tables while this lock is held
            await connection.execute(_NETWORK)
            if self._newsline is not None:
                await connection.execute(_FENCE, {"timeout": f"{STANDSTILL_S}s"})
            await self._watch(connection)
        except BaseException:
            await connection.close()
            raise
        if not is_taken:
            await connection.close()
            raise StoreLockedError(f"another process serves the database {self._url.database}")
        return connection

    async def _end_former(self, connection: AsyncConnection) -> None:
        """End a lost session of this process that the server still keeps, and wait until its locks are free.

        Raises TimeoutError if the server does not end it in time; no other process has the locks then.
        """
        pids = [row.pid for row in await connection.execute(_END_FORMER, {"mark": self._mark})]
        until = asyncio.get_running_loop().time() + CONNECT_S
        while pids and await connection.scalar(_HOLDS_LOCKS, {"pids": pids}):
            if asyncio.get_running_loop().time() > until:
                raise TimeoutError("the server has not ended the lost session yet")
            await asyncio.sleep(_PAUSE_S)

    async def _watch(self, connection: AsyncConnection) -> None:
        """Detect the end of the connection at once: from then on another process may hold the locks."""
        driver: Any = (await connection.get_raw_connection()).driver_connection
        self._watched = connection

        def ended(_: object) -> None:
            if connection is self._watched:
                self._forget()

        driver.add_termination_listener(ended)
        if self._newsline is not None:
            await self._newsline.connect(driver)
            await driver.add_listener(_FREED, self._freed)
        if self._press_line is not None:
            await self._press_line.listen(driver)

    def _freed(self, *_: object) -> None:
        for tell in self._waiting:
            tell()

    def _forget(self) -> None:
        self._is_lost, self._count = True, None
        if self._newsline is not None:
            self._newsline.lose()
        self._become(frozenset())

    async def _agree_on(self, connection: AsyncConnection, count: int) -> None:
        """Announce the number of shards; raises StoreLockedError if others have announced another one.

        Of two processes that announce at once, the later one sees the other before it has a shard. So one that
        has shards need not look: the process with the wrong number ends.
        """
        if self._count is None:
            await _require_no_other(connection, count)  # before the others see this one
            await connection.execute(_COUNT, {"count": count})
            self._count = count
        if not self._held:
            await _require_no_other(connection, count)

    def _become(self, held: frozenset[int]) -> None:
        if held != self._held:
            self._held = held
            for tell in self._listeners:
                tell(held)


async def _require_no_other(connection: AsyncConnection, count: int) -> None:
    other = await connection.scalar(_OTHER_COUNT, {"count": count})
    if other is not None:
        raise StoreLockedError(f"another process goes by {other} shards, this one by {count}")
