"""A connection lost before, during or after a commit costs another attempt, but never stored data."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Literal

import pytest
from asyncpg import TooManyConnectionsError
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncConnection

from data.errors import (
    StoreBusyError,
    StoreLockedError,
    StoreOutcomeUnknown,
    StoreUnavailableError,
    StoreUnreachable,
)
from data.postgres import engines, leases
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import TableRow
from playground.cluster.postgres import Mode
from tests.data.conftest import RAM, open_table
from tests.postgres import SERVING, Server
from tests.waiting import until

pytestmark = pytest.mark.real

CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}' AND pid <> pg_backend_pid()"
)

CLAIMING = (
    "SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database"
    " WHERE datname = '{}' AND locktype = 'advisory' AND objid = 1953065324"
)


@pytest.fixture
async def store(server: Server) -> AsyncIterator[Store]:
    store = await Store.open(server.fresh())
    yield store
    await store.close()


@pytest.fixture
async def table(store: Store) -> TableRow:
    return await open_table(store)


@pytest.fixture(params=["ended", "killed"])
def cut(request: pytest.FixtureRequest, server: Server, store: Store) -> Callable[[], None]:
    """End all connections of the store, as a restart of the server does, or kill one of the server's processes."""
    database = store.place.database
    return {"ended": lambda: server.run(CUT.format(database)), "killed": lambda: server.crash(database)}[
        request.param
    ]


def at_commit(monkeypatch: pytest.MonkeyPatch, cut: Callable[[], None], *, before: bool) -> None:
    """Lose the connection during the next commit: before the server gets it, or after it is done."""
    commit, cuts = AsyncConnection.commit, [cut]

    async def lost(connection: AsyncConnection) -> None:
        if not cuts:
            return await commit(connection)
        if before:
            cuts.pop()()
            return await commit(connection)
        await commit(connection)
        cuts.pop()()
        raise ConnectionResetError("nobody learnt of it")

    monkeypatch.setattr(AsyncConnection, "commit", lost)


async def move(store: Store, table: TableRow) -> TableRow:
    """Write as a move does, without reading."""

    async def write(db: WriteTransaction) -> TableRow:
        await db.interactions.record(77, table.id, table.revision, "", 1)
        return await db.tables.update(table, dealer=2)

    return await store.write(write)


async def ask_and_note(store: Store, between: Callable[[], None] = lambda: None) -> None:
    """Read, then write, as a command does."""

    async def write(db: WriteTransaction) -> None:
        assert await db.people.get(RAM)
        between()
        await db.key_values.set("note", "kept")

    await store.write(write)


async def ask_twice(store: Store, between: Callable[[], None]) -> None:
    async def read(db: ReadTransaction) -> None:
        await db.people.get(RAM)
        between()
        await db.people.get(RAM)

    await store.read(read)


async def note(store: Store) -> str | None:
    return await store.read(lambda db: db.key_values.get("note"))


async def stored(store: Store, table: TableRow) -> TableRow:
    found = await store.read(lambda db: db.tables.get(table.id))
    assert found is not None
    return found


async def revision(store: Store, table: TableRow) -> int:
    return (await stored(store, table)).revision


async def test_before_the_first_statement(store: Store, table: TableRow, cut: Callable[[], None]):
    cut()
    assert (await move(store, table)).revision == 1
    cut()
    assert await revision(store, table) == 1

    async def write(db: WriteTransaction) -> None:
        cut()
        assert await db.people.get(RAM)

    await store.write(write)


@pytest.mark.parametrize("before", [True, False])
async def test_in_the_commit_of_a_move(
    store: Store, table: TableRow, cut: Callable[[], None], monkeypatch: pytest.MonkeyPatch, before: bool
):
    at_commit(monkeypatch, cut, before=before)
    assert (await move(store, table)).revision == 1
    assert await revision(store, table) == 1


async def test_in_a_commit_that_was_done_after_questions(
    store: Store, table: TableRow, cut: Callable[[], None], monkeypatch: pytest.MonkeyPatch
):
    at_commit(monkeypatch, cut, before=False)
    await ask_and_note(store)
    assert await note(store) == "kept"


async def test_in_a_commit_that_was_not_done_after_questions(
    store: Store, table: TableRow, cut: Callable[[], None], monkeypatch: pytest.MonkeyPatch
):
    """Only the caller that read can read again, so it gets the error."""
    at_commit(monkeypatch, cut, before=True)
    with pytest.raises(StoreUnavailableError, match="nothing was changed"):
        await ask_and_note(store)
    assert await note(store) is None


async def test_in_the_midst_of_questions(store: Store, table: TableRow, cut: Callable[[], None]):
    with pytest.raises(StoreUnavailableError):
        await ask_twice(store, cut)
    with pytest.raises(StoreUnavailableError):
        await ask_and_note(store, cut)
    assert await note(store) is None


async def test_after_the_last_question(store: Store, table: TableRow, cut: Callable[[], None]):
    """The values read are correct, and there is nothing to undo."""

    async def read(db: ReadTransaction) -> None:
        assert await db.people.get(RAM)
        cut()

    await store.read(read)


@pytest.mark.parametrize("patience_s", [0.1, 0.5])
async def test_a_server_that_does_not_come_back(
    store: Store,
    table: TableRow,
    cut: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    patience_s: float,
):
    """It is not tried again, although with the second patience there would be time left."""
    at_commit(monkeypatch, cut, before=False)

    async def nobody(_self: Any) -> bool:
        raise ConnectionRefusedError("no server")

    monkeypatch.setattr(leases.WriteLease, "_outcome", nobody)
    monkeypatch.setattr(leases, "PATIENCE_S", patience_s)
    with pytest.raises(StoreOutcomeUnknown):
        await move(store, table)
    assert await revision(store, table) == 1


class Full:
    """Refuses the next connections as a server does that admits no more of them for now."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.refusals = 0
        for engine in (store._database.writers, store._database.readers):
            event.listen(engine.sync_engine, "do_connect", self._refuse)
        monkeypatch.setattr(leases, "_FIRST_PAUSE_S", 0.001)

    def _refuse(self, *_: object) -> None:
        if self.refusals:
            self.refusals -= 1
            raise TooManyConnectionsError("sorry, too many clients already")


@pytest.fixture
def full(store: Store, monkeypatch: pytest.MonkeyPatch) -> Full:
    return Full(store, monkeypatch)


async def test_a_server_that_admits_no_more_connections_for_a_moment_costs_nothing(
    store: Store, table: TableRow, cut: Callable[[], None], monkeypatch: pytest.MonkeyPatch, full: Full
):
    cut()
    full.refusals = 3
    assert (await move(store, table)).revision == 1
    cut()
    full.refusals = 3
    assert await revision(store, table) == 1
    cut()
    full.refusals = 3
    await ask_and_note(store)
    assert full.refusals == 0


async def test_a_commit_is_known_though_the_server_admits_no_more_connections_for_a_moment(
    store: Store, table: TableRow, cut: Callable[[], None], monkeypatch: pytest.MonkeyPatch, full: Full
):
    def cut_and_refuse() -> None:
        cut()
        full.refusals = 3

    at_commit(monkeypatch, cut_and_refuse, before=False)
    assert (await move(store, table)).revision == 1
    assert full.refusals == 0
    assert await revision(store, table) == 1


async def test_a_server_that_admits_no_more_connections_is_told_as_busy(
    store: Store, table: TableRow, cut: Callable[[], None], monkeypatch: pytest.MonkeyPatch, full: Full
):
    monkeypatch.setattr(leases, "PATIENCE_S", 0.05)
    cut()
    full.refusals = 1_000
    with pytest.raises(StoreBusyError, match="too many clients"):
        await move(store, table)


@pytest.mark.parametrize("mode", ["fast", "immediate", "killed"])
async def test_a_restart_costs_no_move(store: Store, server: Server, mode: Mode | Literal["killed"]):
    tables = [await open_table(store) for _ in range(4)]
    stop = asyncio.Event()

    async def play(table: TableRow) -> int:
        """Make moves while the server stops and starts; return how many were acknowledged."""
        row = table
        while not stop.is_set():

            async def write(db: WriteTransaction):
                await db.interactions.record(
                    table.id * 1_000_000 + row.revision, table.id, row.revision, "", 1
                )
                return await db.tables.update(row, dealer=row.revision % 3)

            moved = await store.write(write)
            row = moved
        return row.revision

    def restart() -> None:
        """Run as a whole even if the test fails meanwhile, so that the server runs for the next test."""
        if mode == "killed":
            server.crash(store.place.database)
        else:
            server.stop(mode)
            server.start()

    async def restart_often() -> None:
        for _ in range(3):
            await asyncio.to_thread(restart)
        stop.set()

    *moves, _ = await asyncio.gather(*map(play, tables), restart_often())
    assert [await revision(store, table) for table in tables] == moves
    assert sum(moves) > 0


READY = b"Z\0\0\0\x05I"
"""ReadyForQuery outside of a transaction."""
FAREWELL = b"".join(
    (b"E\0\0\0\x4f", b"SFATAL\0VFATAL\0C57P01\0", b"Mterminating connection due to administrator command\0\0")
)
"""The last message of a server that shuts down. The manual describes it in "Message Formats"."""


class Proxy:
    """A way to the server on which connections end as they seldom do."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._pairs: list[tuple[asyncio.StreamWriter, asyncio.StreamWriter]] = []
        """The connection of each client, and its session at the server."""
        self._is_silent = False
        self.at_once = 0
        """How many of the next sessions are ended as soon as they begin."""
        self.port = 0

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Lead connections to the server during the block."""
        async with await asyncio.start_server(self._lead, "127.0.0.1", 0) as listening:
            self.port = listening.sockets[0].getsockname()[1]
            yield
            for pair in self._pairs:
                for connection in pair:
                    connection.close()

    def end_sessions(self) -> None:
        """End all sessions as the server does, but close their connections only at the next statement."""
        for client, session in self._pairs:
            self._end(client, session)

    def fall_silent(self) -> None:
        """Cut off all clients of now, and let the server know of no end of a client from now on."""
        self._is_silent = True
        for client, _ in self._pairs:
            client.transport.abort()

    def _end(self, client: asyncio.StreamWriter, session: asyncio.StreamWriter) -> None:
        session.close()
        client.write(FAREWELL)

    async def _lead(self, said: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        answers, session = await asyncio.open_connection("127.0.0.1", self._server.port)
        self._pairs.append((client, session))
        answering = asyncio.create_task(self._answer(answers, client, session))
        while (text := await said.read(1 << 16)) and not session.is_closing():
            session.write(text)
        if not self._is_silent:
            session.close()
            client.close()
        await answering

    async def _answer(
        self, answers: asyncio.StreamReader, client: asyncio.StreamWriter, session: asyncio.StreamWriter
    ) -> None:
        while text := await answers.read(1 << 16):
            client.write(text)
            if self.at_once and text.endswith(READY):
                self.at_once -= 1
                self._end(client, session)
        if not session.is_closing():
            client.close()


@contextmanager
def standing_still(server: Server, which: str) -> Iterator[None]:
    """Stop those processes of the server during the block that this query selects."""
    pids = [pid for (pid,) in server.sql(which)]
    assert pids
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize("kind", ["old", "new"])
async def test_a_session_that_was_ended_though_its_connection_is_still_open(server: Server, kind: str):
    """The driver refuses the next statement with an error of its own instead of the server's."""
    proxy = Proxy(server)
    async with proxy.open():
        store = await Store.open(server.fresh().set(port=proxy.port))
        row = await open_table(store)
        proxy.end_sessions()
        if kind == "new":
            proxy.at_once = 2
        row = await move(store, row)
        assert await revision(store, row) == 1
        assert proxy.at_once == 0
        await store.close()


async def test_a_process_of_the_server_that_hangs_holds_up_a_move_only_for_a_while(
    server: Server, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(engines, "STATEMENT_S", 0.5)
    store = await Store.open(server.fresh())
    row = await move(store, await open_table(store))
    with standing_still(server, SERVING.format(store.place.database)):
        row = await store.write(lambda db: db.tables.update(row, dealer=1))
        assert await revision(store, row) == 2
    assert await revision(store, row) == 2
    await store.close()


async def test_the_system_closes_a_connection_whose_server_falls_silent(server: Server):
    """Without these options a statement waits for a quarter of an hour."""
    async with engines.opener(server.fresh()).connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        used = driver._transport.get_extra_info("socket")
        assert used.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert used.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 15_000
        idle, interval, count = (
            used.getsockopt(socket.IPPROTO_TCP, option)
            for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
        )
        assert idle + interval * count == 15


async def test_a_commit_is_known_though_the_server_gives_its_number_once_more(
    store: Store, table: TableRow, server: Server, monkeypatch: pytest.MonkeyPatch
):
    """After the crash that loses a move, others commit under the numbers that the server then assigns."""

    def crash() -> None:
        server.crash(store.place.database)
        for _ in range(10):
            server.run("INSERT INTO meta VALUES (gen_random_uuid(), '')", store.place.database)

    at_commit(monkeypatch, crash, before=True)
    assert (await move(store, table)).revision == 1
    assert await revision(store, table) == 1


async def test_a_claim_that_was_lost_is_taken_again(store: Store, cut: Callable[[], None]):
    await store.mark()
    cut()
    await store.mark()
    with pytest.raises(Exception, match="another process serves"):
        await Store.open(store.place)


async def test_a_process_that_stands_still_in_the_midst_of_writing_holds_up_no_other(
    server: Server, monkeypatch: pytest.MonkeyPatch
):
    """Here the process stands still for 50 ms."""
    assert engines._WRITING["idle_in_transaction_session_timeout"] == "15s"
    place = server.fresh()
    monkeypatch.setitem(engines._WRITING, "idle_in_transaction_session_timeout", "50ms")
    still = await Store.open(place, is_shared=True)
    other = await Store.open(place, is_shared=True)

    async def stand_still() -> None:
        async def work(db: WriteTransaction) -> None:
            await db.key_values.get("note")  # so it has the lock

            async def write(after: WriteTransaction) -> None:
                assert await after.key_values.get("note") is None
                await after.key_values.set("note", "kept")

            await other.write(write)
            await db.key_values.set("note", "late")

        await still.write(work)

    with pytest.raises(StoreUnavailableError):
        await stand_still()
    assert await note(still) == "kept"
    await still.close()
    await other.close()


@asynccontextmanager
async def behind_proxy(server: Server, *, is_shared: bool) -> AsyncIterator[tuple[Store, Proxy]]:
    proxy = Proxy(server)
    async with proxy.open():
        store = await Store.open(server.fresh().set(port=proxy.port), is_shared=is_shared)
        try:
            yield store, proxy
        finally:
            await store.close()


async def test_a_process_takes_its_claim_back_from_a_session_that_the_server_still_keeps(server: Server):
    async with behind_proxy(server, is_shared=False) as (store, proxy):
        for _ in range(2):
            proxy.fall_silent()
            await store.mark()
        with pytest.raises(StoreLockedError):
            await Store.open(store.place.set(port=server.port))


async def test_a_process_takes_its_shards_back_from_a_session_that_the_server_still_keeps(server: Server):
    async with behind_proxy(server, is_shared=True) as (store, proxy):
        locks = store.shard_locks
        assert locks is not None
        assert await locks.take(0, 2)
        proxy.fall_silent()
        await until(lambda: not locks.held)
        await store.mark()
        assert await locks.take(0, 2)


async def test_a_claim_whose_session_hangs_is_not_taken_for_that_of_another_process(
    store: Store, server: Server, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("data.postgres.claim.CONNECT_S", 0.5)
    with standing_still(server, CLAIMING.format(store.place.database)), pytest.raises(StoreUnreachable):
        await store.mark()
    await store.mark()


async def test_a_process_ends_no_session_of_another_that_has_taken_its_claim_over(server: Server):
    url = server.fresh()
    store = await Store.open(url)
    claim = store._database._claim
    server.run(CUT.format(url.database))
    await until(lambda: claim._is_lost)
    following = await Store.open(url)
    with pytest.raises(StoreLockedError, match="another process serves"):
        await store.mark()
    assert not following._database._claim._is_lost
    await following.mark()
    await following.close()
    await store.close()
