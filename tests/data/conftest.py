import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from data.store import Place, Store
from data.transaction import WriteTransaction
from data.values import DealRow, SeatRow, TableRow
from marriage.events import Event
from marriage.rules import preset
from tests.conftest import DATABASES
from tests.postgres import Server

GUILD, CHANNEL, RAM, SITA = 900, 901, 11, 12
SEED = bytes(range(32))


def by(actor: int | None, events: Iterable[Event]) -> list[tuple[Event, int | None]]:
    """Return the events, each paired with the acting seat."""
    return [(event, actor) for event in events]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of the test's games; the file does not exist yet."""
    return tmp_path / "var" / "tiplu.db"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each store test on each database, except tests of the file itself."""
    if "place" in metafunc.fixturenames:
        of_file = metafunc.definition.get_closest_marker("file") is not None
        metafunc.parametrize("place", DATABASES[:1] if of_file else DATABASES, indirect=True)


@pytest.fixture
def place(request: pytest.FixtureRequest, path: Path, migrated: Path) -> Iterator[Place]:
    """The location of the test's games in each database; it is empty."""
    if request.param == "sqlite":
        path.parent.mkdir()
        shutil.copy(migrated, path)
        yield path
        return
    server: Server = request.getfixturevalue("server")
    yield server.fresh()


@pytest.fixture
async def store(place: Place):
    store = await Store.open(place)
    yield store
    await store.close()


@pytest.fixture
async def table(store: Store) -> TableRow:
    """A table of Ram, Sita and a computer in the lobby."""
    return await open_table(store)


@pytest.fixture
async def playing(store: Store, table: TableRow) -> TableRow:
    """The same table in its first deal."""

    async def write(db: WriteTransaction) -> TableRow:
        await db.deals.start(first_deal(table))
        return await db.tables.update(table, status="playing", deal_no=1)

    return await store.write(write)


async def open_table(store: Store) -> TableRow:
    async def write(db: WriteTransaction):
        await db.guilds.keep(GUILD)
        await db.people.keep(RAM, "राम", 1_000)
        await db.people.keep(SITA, "Sita", 1_000)
        table = await db.tables.create(GUILD, CHANNEL, RAM, preset("kathmandu", alter=True), 1_000)
        await db.tables.set_seats(
            table.id,
            [
                SeatRow(table.id, 0, RAM, "राम"),
                SeatRow(table.id, 1, SITA, "Sita"),
                SeatRow(table.id, 2, None, "Kanchha", computer="easy"),
            ],
        )
        return table

    return await store.write(write)


def first_deal(table: TableRow) -> DealRow:
    return DealRow(
        table_id=table.id,
        deal_no=1,
        seed=SEED,
        commitment="c0ffee",
        entropy=[],
        shuffle_version=1,
        rules_version=1,
        rules=table.rules,
        dealer=2,
        started_at=2_000,
    )
