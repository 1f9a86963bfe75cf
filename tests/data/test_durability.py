"""What `write()` has acknowledged is on the disk, though several transactions share one synchronisation with it."""

import asyncio
import errno
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select, text
from sqlalchemy.exc import IntegrityError

from data.errors import StoreDamagedError, StoreUnavailableError
from data.preferences import GuildSettings
from data.schema.core import guild
from data.store import Store
from tests.waiting import until

pytestmark = pytest.mark.file

ENDS = ("", "-wal")


class Disk:
    """Stands between the store and its disk, and knows what would be left of the file after a power cut."""

    def __init__(self, store: Store, path: Path) -> None:
        self.path = path
        self.synchronisations = 0
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.is_broken = False
        self._really = store._database.commits._log.synchronise
        self._kept: list[bytes] = []
        store._database.commits._log.synchronise = self._synchronise

    def _synchronise(self) -> None:
        self.synchronisations += 1
        before = [self.path.with_name(self.path.name + end).read_bytes() for end in ENDS]
        assert self.may_go_on.wait(30)
        if self.is_broken:
            raise OSError(errno.EIO, "Input/output error")
        self._really()
        self._kept = before

    def guilds(self) -> set[int]:
        """The servers that would be known after a power cut at this moment."""
        with TemporaryDirectory(dir=self.path.parent) as folder:
            for end, content in zip(ENDS, self._kept, strict=True):
                Path(folder, "kept" + end).write_bytes(content)
            with closing(sqlite3.connect(Path(folder, "kept"))) as database:
                return {number for (number,) in database.execute("SELECT id FROM guild")}


@pytest.fixture
def disk(store: Store, path: Path) -> Disk:
    return Disk(store, path)


async def keep(store: Store, *numbers: int) -> None:
    async with store.write() as db:
        for number in numbers:
            await db.guilds.keep(number)


async def guilds(store: Store) -> set[int]:
    async with store.read() as db:
        return set((await db.guilds._execute(select(guild.c.id))).scalars())


async def test_what_is_acknowledged_survives_a_power_cut(store: Store, disk: Disk):
    async def write(number: int) -> None:
        await keep(store, number)
        assert number in disk.guilds()

    await asyncio.gather(*(write(number) for number in range(1, 31)))


async def test_transactions_that_wait_at_once_share_a_synchronisation(store: Store, disk: Disk):
    disk.may_go_on.clear()
    writers = [asyncio.create_task(keep(store, number)) for number in range(1, 21)]
    await until(lambda: store._database.commits.latest >= 20 and store._database.commits._is_quiet.is_set())
    assert not any(writer.done() for writer in writers)
    disk.may_go_on.set()
    await asyncio.gather(*writers)
    # The first commit's, and one for those that came while it lasted; on a busy machine some come while the second one begins.
    assert disk.synchronisations in (2, 3)
    assert disk.guilds() == set(range(1, 21))


async def test_a_lone_transaction_has_one_begin_one_commit_and_one_synchronisation(store: Store, disk: Disk):
    said: list[str] = []
    async with store._database.writer.lend() as link:
        await link.run(lambda: link.driver().set_trace_callback(said.append))
    await keep(store, 1)
    assert [statement.split()[0] for statement in said] == ["BEGIN", "INSERT", "COMMIT"]
    assert disk.synchronisations == 1


async def test_a_transaction_without_statements_costs_nothing(store: Store, disk: Disk):
    latest = store._database.commits.latest
    async with store.write():
        pass
    assert (store._database.commits.latest, disk.synchronisations) == (latest, 0)


async def test_a_body_that_hangs_holds_back_no_other_commit(store: Store):
    entered, go_on = asyncio.Event(), asyncio.Event()

    async def hang() -> None:
        async with store.write() as db:
            await db.guilds.keep(2)
            entered.set()
            await go_on.wait()

    first = asyncio.create_task(keep(store, 1))
    await asyncio.sleep(0)  # so that it is the first
    hanging = asyncio.create_task(hang())
    await first
    await entered.wait()
    assert await guilds(store) == {1}
    go_on.set()
    await hanging
    assert await guilds(store) == {1, 2}


async def test_nobody_reads_what_a_power_cut_could_undo(store: Store, disk: Disk):
    disk.may_go_on.clear()
    writer = asyncio.create_task(keep(store, 1))
    await until(lambda: disk.synchronisations)
    with closing(sqlite3.connect(disk.path)) as database:
        assert database.execute("SELECT id FROM guild").fetchall() == [(1,)]
    reader = asyncio.create_task(guilds(store))
    await until(
        lambda: not store._database.readers._free.locked() and len(store._database.readers._idle) == 3
    )
    await asyncio.sleep(0.05)  # the answer is there by now, and held back
    assert not reader.done()
    disk.may_go_on.set()
    assert await reader == {1}
    await writer


async def test_a_disk_that_takes_nothing_is_told_to_all_and_trusted_no_more(store: Store, disk: Disk):
    disk.may_go_on.clear()
    writers = [asyncio.create_task(keep(store, number)) for number in range(1, 6)]
    await until(lambda: disk.synchronisations)
    reader = asyncio.create_task(guilds(store))
    disk.is_broken = True
    disk.may_go_on.set()
    outcomes = await asyncio.gather(*writers, reader, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {StoreDamagedError}
    disk.is_broken = False
    with pytest.raises(StoreDamagedError, match="Input/output error"):
        await keep(store, 7)
    async with store._database.writer.lend() as link:
        assert not await link.run(lambda: link.driver().in_transaction)
    with pytest.raises(StoreDamagedError):
        await guilds(store)


async def test_a_log_that_was_replaced_is_recognised(store: Store, path: Path):
    await keep(store, 1)
    log = path.with_name(path.name + "-wal")
    log.rename(log.with_name("gone"))
    with pytest.raises(StoreDamagedError):
        await keep(store, 2)


async def test_a_statement_after_the_end_of_its_transaction_is_refused(store: Store):
    async with store.write() as db:
        await db.guilds.keep(1)
    with pytest.raises(RuntimeError, match="over"):
        await db.guilds.keep(2)


async def test_a_transaction_that_an_error_has_undone_does_not_go_on(store: Store):
    async def go_on() -> None:
        async with store.write() as db:
            await db.guilds.keep(1)
            await db.guilds._execute(text("ROLLBACK"))
            await db.guilds.keep(2)

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
    """Everybody at once; what they were told against what the file holds."""
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
    """Act, and cancel the act some turns of the loop later if that is wanted."""
    task = asyncio.create_task(look(disk, store) if act == "read" else move(disk, store, number, act, turns))
    if act.startswith("cancel"):
        for _ in range(turns * (1 if act == "cancel soon" else 20)):
            await asyncio.sleep(0)
        task.cancel()
    await task


async def move(disk: Disk, store: Store, number: int, act: str, turns: int) -> None:
    """Keep a number and its opposite in one transaction, with some turns of the loop between."""
    async with store.write() as db:
        await db.guilds.keep(number)
        for _ in range(turns):
            await asyncio.sleep(0)
        await db.guilds.keep(-number)
        if act == "fail":
            raise ZeroDivisionError
        if act == "clash":
            await db.guilds._execute(insert(guild), {"id": number, "settings": GuildSettings()})
    assert {number, -number} <= disk.guilds()


async def look(disk: Disk, store: Store) -> None:
    """See whole transactions only, and only those that a power cut leaves."""
    seen = await guilds(store)
    assert seen == {-number for number in seen}
    assert not seen or seen <= disk.guilds()
