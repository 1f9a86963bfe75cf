"""Everything that the store has acknowledged is on the disk, although transactions share commits."""

import asyncio
import shutil
import sqlite3
import threading
from contextlib import AsyncExitStack, ExitStack, closing
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select, text
from sqlalchemy.exc import IntegrityError

from data.errors import StoreDamagedError, StoreUnavailableError
from data.preferences import GuildSettings
from data.repositories.people import GuildRepository
from data.schema.core import guild
from data.season_rows import SeasonCache
from data.session import Call, Lease, Scope
from data.sqlite import transactions
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from tests.held import held
from tests.waiting import until

pytestmark = pytest.mark.file

ENDS = ("", "-wal")


class Disk:
    """A layer between the store and its disk that knows what a power cut would leave of the file."""

    def __init__(self, store: Store, path: Path) -> None:
        self.path = path
        self.commits = 0
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.is_broken = False
        self._thread = store._database.writer._thread
        self._really = self._thread.commit
        self._committing = threading.Lock()
        self._kept = self._files()
        self._thread.commit = self._commit

    def _commit(self) -> None:
        """SQLite synchronises in its COMMIT, so everything written before it lasts."""
        self.commits += 1
        assert self.may_go_on.wait(30)
        if self.is_broken:
            self._thread.rollback()
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
            raise error
        with self._committing:  # a reader may see the commit before its files are read here
            self._really()
            self._kept = self._files()

    def _files(self) -> list[bytes]:
        return [self.path.with_name(self.path.name + end).read_bytes() for end in ENDS]

    def guilds(self) -> set[int]:
        """Return the servers that would be known after a power cut now."""
        with self._committing:
            kept = self._kept
        with TemporaryDirectory(dir=self.path.parent) as folder:
            for end, content in zip(ENDS, kept, strict=True):
                Path(folder, "kept" + end).write_bytes(content)
            with closing(sqlite3.connect(Path(folder, "kept"))) as database:
                return {number for (number,) in database.execute("SELECT id FROM guild")}


@pytest.fixture
def disk(store: Store, path: Path) -> Disk:
    return Disk(store, path)


async def keep(store: Store, *numbers: int) -> None:
    async def write(db: WriteTransaction) -> None:
        for number in numbers:
            await db.guilds.keep(number)

    await store.write(write)


async def guilds_in(db: ReadTransaction) -> set[int]:
    return set((await db.guilds._execute(select(guild.c.id))).scalars())


async def guilds(store: Store) -> set[int]:
    return await store.read(guilds_in)


async def guilds_in_one_function(store: Store) -> set[int]:
    return await store.read(guilds_in)


async def test_what_is_acknowledged_survives_a_power_cut(store: Store, disk: Disk):
    async def write(number: int) -> None:
        await keep(store, number)
        assert number in disk.guilds()

    await asyncio.gather(*(write(number) for number in range(1, 31)))


async def test_a_lone_transaction_has_one_begin_and_one_commit(store: Store, disk: Disk):
    said: list[str] = []
    await store._database.writer.run(lambda driver: driver.set_trace_callback(said.append))
    await keep(store, 1)
    assert [statement.split()[0] for statement in said] == ["BEGIN", "INSERT", "COMMIT"]
    assert disk.commits == 1


async def test_a_transaction_without_statements_costs_nothing(store: Store, disk: Disk):
    async def write(_db: WriteTransaction) -> None:
        pass

    await store.write(write)
    assert disk.commits == 0


async def in_one_function(store: Store, *numbers: int) -> None:
    """Store these servers in a function transaction; a negative number raises an error."""

    async def work(lease: Lease) -> None:
        guilds = GuildRepository(Scope(lease, SeasonCache()))
        for number in numbers:
            if number < 0:
                raise ZeroDivisionError
            await guilds.keep(number)

    await store._database.write(work, ExitStack)


async def test_functions_that_wait_at_once_share_a_commit_and_are_undone_alone(
    store: Store, disk: Disk, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(transactions, "LONGEST_S", inf)  # regardless of how busy the machine is
    disk.may_go_on.clear()
    first = asyncio.create_task(in_one_function(store, 1))
    await until(lambda: disk.commits)
    others = [
        asyncio.create_task(in_one_function(store, number, *([-1] if number % 5 == 0 else [])))
        for number in range(2, 22)
    ]
    await asyncio.sleep(0)
    cancelled = others.pop()
    cancelled.cancel()  # before it begins
    first.cancel()  # during its commit
    disk.may_go_on.set()
    outcomes = await asyncio.gather(first, *others, cancelled, return_exceptions=True)
    assert [type(outcome) for outcome in (outcomes[0], outcomes[-1])] == [asyncio.CancelledError] * 2
    assert [number for number, outcome in enumerate(outcomes[:-1], 1) if outcome is None] == [
        number for number in range(2, 21) if number % 5
    ]
    assert disk.commits == 2
    assert await guilds(store) == disk.guilds() == {number for number in range(1, 21) if number % 5}


async def test_a_commit_that_fails_fails_all_of_its_functions(store: Store, disk: Disk):
    disk.may_go_on.clear()
    first = asyncio.create_task(in_one_function(store, 1))
    await until(lambda: disk.commits)
    others = [asyncio.create_task(in_one_function(store, number)) for number in (2, 3)]
    disk.is_broken = True
    disk.may_go_on.set()
    outcomes = await asyncio.gather(first, *others, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {StoreDamagedError}
    assert disk.guilds() == set()


async def test_functions_do_not_keep_a_block_waiting_for_long(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(transactions, "LONGEST_S", 0)
    await asyncio.gather(
        *(in_one_function(store, number) for number in (1, 2)),
        keep(store, 3),
        *(in_one_function(store, number) for number in (4, 5)),
    )
    assert await guilds(store) == {1, 2, 3, 4, 5}


async def test_a_function_may_wait_for_its_statements_alone(store: Store):
    async def sleep(lease: Lease) -> None:
        await GuildRepository(Scope(lease, SeasonCache())).keep(1)
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="nothing but its own statements"):
        await store._database.write(sleep, ExitStack)
    assert await guilds(store) == set()


async def test_a_function_that_loses_the_transaction_undoes_all_before_it(store: Store, disk: Disk):
    async def lose(lease: Lease) -> None:
        await lease.execute(Call(text("ROLLBACK")))
        await GuildRepository(Scope(lease, SeasonCache())).keep(2)

    disk.may_go_on.clear()
    first = asyncio.create_task(in_one_function(store, 1))
    await until(lambda: disk.commits)
    others = [
        asyncio.create_task(work)
        for work in (
            in_one_function(store, 3),
            store._database.write(lose, ExitStack),
            in_one_function(store, 4),
        )
    ]
    await asyncio.sleep(0)
    disk.may_go_on.set()
    outcomes = await asyncio.gather(first, *others, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [
        type(None),
        StoreUnavailableError,
        StoreUnavailableError,
        type(None),
    ]
    assert await guilds(store) == {1, 4}


async def test_a_disk_that_takes_nothing_is_told_to_all_and_trusted_no_more(store: Store, disk: Disk):
    disk.may_go_on.clear()
    writers = [asyncio.create_task(keep(store, number)) for number in range(1, 6)]
    await until(lambda: disk.commits)
    disk.is_broken = True
    disk.may_go_on.set()
    outcomes = await asyncio.gather(*writers, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {StoreDamagedError}
    disk.is_broken = False
    with pytest.raises(StoreDamagedError, match="I/O error"):
        await keep(store, 7)
    assert not await store._database.writer.run(lambda driver: driver.in_transaction)
    assert disk.guilds() == set()


async def test_after_a_commit_that_failed_nothing_is_read_either(store: Store, disk: Disk):
    disk.is_broken = True
    with pytest.raises(StoreDamagedError):
        await keep(store, 1)
    for read in (guilds, guilds_in_one_function):
        with pytest.raises(StoreDamagedError, match="did not take a commit"):
            await read(store)


async def test_what_is_read_while_a_commit_fails_is_not_told(store: Store, disk: Disk):
    await keep(store, 1)
    async with AsyncExitStack() as stack:
        ask = await stack.enter_async_context(held(store.read))
        assert await ask(guilds_in) == {1}
        disk.is_broken = True
        with pytest.raises(StoreDamagedError):
            await keep(store, 2)
        with pytest.raises(StoreDamagedError, match="did not take a commit"):
            await stack.aclose()


async def test_a_log_that_was_replaced_is_recognised(store: Store, path: Path):
    async def shown(lease: Lease) -> set[int]:
        found = await lease.execute(Call(select(guild.c.id)))
        return set(found.scalars())

    await keep(store, 1)
    assert await guilds(store) == {1}  # this connection also has the old log open
    log = path.with_name(path.name + "-wal")
    log.rename(log.with_name("gone"))
    with pytest.raises(StoreDamagedError, match="log was removed"):
        await keep(store, 2)
    assert await store._database.readers.read(shown) == {1}


async def test_a_statement_after_the_end_of_its_transaction_is_refused(store: Store):
    async def itself(db: WriteTransaction) -> WriteTransaction:
        await db.guilds.keep(1)
        return db

    db = await store.write(itself)
    with pytest.raises(RuntimeError, match="over"):
        await db.guilds.keep(2)


async def test_a_transaction_that_an_error_has_undone_does_not_go_on(store: Store):
    async def go_on() -> None:
        async def write(db: WriteTransaction) -> None:
            await db.guilds.keep(1)
            await db.guilds._execute(text("ROLLBACK"))
            await db.guilds.keep(2)

        await store.write(write)

    with pytest.raises(StoreUnavailableError, match="undone"):
        await go_on()
    assert await guilds(store) == set()


MAY_END: dict[str, set[type]] = {
    "write": {type(None)},
    "read": {type(None)},
    "fail": {ZeroDivisionError},
    "clash": {IntegrityError},
    "cancel soon": {type(None), asyncio.CancelledError},
    "cancel later": {type(None), asyncio.CancelledError},
}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=st.lists(st.tuples(st.sampled_from([*MAY_END]), st.integers(0, 6)), min_size=1, max_size=30))
def test_the_file_holds_what_was_acknowledged_and_nothing_by_halves(
    tmp_path: Path, migrated: Path, acts: list[tuple[str, int]]
):
    path = tmp_path / "games" / "tiplu.db"
    shutil.rmtree(path.parent, ignore_errors=True)
    path.parent.mkdir()
    shutil.copy(migrated, path)
    asyncio.run(play(path, acts))


async def play(path: Path, acts: list[tuple[str, int]]) -> None:
    """Run all acts concurrently, and compare their results with the file."""
    store = await Store.open(path)
    disk = Disk(store, path)
    try:
        outcomes = await asyncio.gather(
            *(do(disk, store, number, *act) for number, act in enumerate(acts, 1)), return_exceptions=True
        )
        stored = await guilds(store)
    finally:
        await store.close()
    assert stored == {-number for number in stored}
    for number, ((act, _), outcome) in enumerate(zip(acts, outcomes, strict=True), 1):
        assert type(outcome) in MAY_END[act], outcome
        if not isinstance(outcome, asyncio.CancelledError):
            assert (number in stored) == (outcome is None and act != "read")


async def do(disk: Disk, store: Store, number: int, act: str, turns: int) -> None:
    """Act, and if requested, cancel the act some loop iterations later."""
    task = asyncio.create_task(look(disk, store) if act == "read" else move(disk, store, number, act, turns))
    if act.startswith("cancel"):
        for _ in range(turns * (1 if act == "cancel soon" else 20)):
            await asyncio.sleep(0)
        task.cancel()
    await task


async def move(disk: Disk, store: Store, number: int, act: str, turns: int) -> None:
    """Store a number and its opposite in one transaction, after some loop iterations."""
    for _ in range(turns):
        await asyncio.sleep(0)

    async def write(db: WriteTransaction) -> None:
        await db.guilds.keep(number)
        await db.guilds.keep(-number)
        if act == "fail":
            raise ZeroDivisionError
        if act == "clash":
            await db.guilds._execute(insert(guild), {"id": number, "settings": GuildSettings()})

    await store.write(write)
    assert {number, -number} <= disk.guilds()


async def look(disk: Disk, store: Store) -> None:
    """Assert that a read sees only whole transactions, and only those that survive a power cut."""
    seen = await guilds(store)
    assert seen == {-number for number in seen}
    assert not seen or seen <= disk.guilds()
