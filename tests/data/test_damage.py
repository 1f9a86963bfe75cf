"""A disk that changes bytes: no one ever continues a game with altered cards or results."""

import asyncio
import pickle
import random
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from data.errors import EventsDamaged, StoreError
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from league.events import RulingNoted, SeasonOpened, SignedUp
from league.settings import default_settings
from league.statistics.par import pars
from marriage.cards import Card
from marriage.events import Discarded, Drew
from marriage.rules import PRESETS
from tests.data.conftest import GUILD, by, first_deal, open_table

FLIPS = 60
EVENTS = [kind(seat, Card(card)) for card in range(52) for seat in range(3) for kind in (Drew, Discarded)]
RULES = PRESETS["pagat"]
TABLES = ("guild", "person", "game_table", "deal", "event", "season", "season_event")


async def fill(path: Path) -> None:
    """Store two tables with a deal each, and a season."""
    store = await Store.open(path)
    for _ in range(2):
        table = await open_table(store)

        async def work(db: WriteTransaction) -> None:
            await db.deals.start(first_deal(table))
            await db.deals.append_events(table.id, 1, 0, by(0, EVENTS), 5)

        await store.write(work)

    async def write(db: WriteTransaction) -> None:
        row = await db.seasons.create(
            guild_id=GUILD,
            channel_id=2,
            name="Autumn",
            number=1,
            former=None,
            rules=RULES,
            pace="none",
            seed=b"x" * 32,
            starts_at=0,
            acted_until=0,
            due_at=None,
            created_at=0,
            closed_at=None,
        )
        await db.seasons.add_event(row.id, SeasonOpened("Autumn", default_settings("pods"), pars(RULES)), 1)
        for player in range(60):
            await db.seasons.add_event(row.id, SignedUp(player), player, reason="by hand", staff=True)

    await store.write(write)
    await store.close()


@pytest.fixture(scope="module")
def filled(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "tiplu.db"
    shutil.copy(migrated, path)
    asyncio.run(fill(path))
    return path


async def content(db: ReadTransaction) -> Sequence[object]:
    """Return everything from which deals and seasons are folded."""
    return [await db.deals.events(1, 1), await db.deals.events(2, 1), await db.seasons.events(1)]


async def read(path: Path) -> Sequence[object]:
    store = await Store.open(path)
    try:
        return await store.read(content)
    finally:
        await store.close()


def place(data: bytes, chance: random.Random) -> int:
    """Return a position anywhere in the file, but half of the time near an event."""
    start = chance.randrange(len(data))
    near = data.find(b'"event":', start) if chance.random() < 0.5 else -1
    return start if near < 0 else near - 40 + chance.randrange(60)


async def test_a_flipped_byte_is_refused_or_changes_nothing(filled: Path, path: Path):
    whole, chance, refused = await read(filled), random.Random(20), 0
    for _ in range(FLIPS):
        shutil.copytree(filled.parent, path.parent)
        data = bytearray(path.read_bytes())
        data[place(data, chance)] ^= chance.randrange(1, 256)
        path.write_bytes(data)
        try:
            assert await read(path) == whole
        except StoreError:
            refused += 1
        shutil.rmtree(path.parent)
    assert refused > FLIPS // 3


CHANGES = {
    "body": "UPDATE event SET body = replace(body, 'S', 'H') WHERE seq = 42",
    "actor": "UPDATE event SET actor = 1 WHERE seq = 42",
    "time": "UPDATE event SET at = at + 1 WHERE seq = 42",
    "checksum": "UPDATE event SET checksum = checksum + 1 WHERE seq = 42",
    "order": "UPDATE event SET seq = 1000 WHERE seq = 42",
    "missing": "DELETE FROM event WHERE seq = 42",
}


@pytest.mark.parametrize("change", CHANGES)
async def test_a_changed_event_of_a_deal_is_told_and_other_tables_go_on(store: Store, change: str):
    tables = [await open_table(store) for _ in range(2)]

    async def write(db: WriteTransaction) -> None:
        for table in tables:
            await db.deals.start(first_deal(table))
            await db.deals.append_events(table.id, 1, 0, by(0, EVENTS), 5)
        await db.tables._execute(text(CHANGES[change] + " AND table_id = 1"))

    await store.write(write)

    async def read(db: ReadTransaction):
        with pytest.raises(EventsDamaged, match="event 42 of deal 1 of table 1 ") as caught:
            await db.deals.events(1, 1)
        assert await db.deals.events(2, 1) == EVENTS
        return caught

    caught = await store.read(read)
    assert caught.value.subject == "deal 1 of table 1"
    passed_on = pickle.loads(pickle.dumps(caught.value))  # as from a process of the work pool
    assert (str(passed_on), passed_on.subject) == (str(caught.value), caught.value.subject)


@pytest.mark.parametrize(
    "change", ["body = replace(body, '7', '8')", "reason = 'another'", "at = 0", "id = 100", "staff = 0"]
)
async def test_a_changed_event_of_a_season_is_told(filled: Path, path: Path, change: str):
    shutil.copytree(filled.parent, path.parent)
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE season_event SET " + change + " WHERE id = 9")
        database.commit()
    store = await Store.open(path)

    async def read(db: ReadTransaction) -> None:
        with pytest.raises(EventsDamaged, match="of season 1 "):
            await db.seasons.projection(1)
        assert await db.deals.events(1, 1) == EVENTS

    await store.read(read)
    await store.close()


async def test_an_event_of_a_season_in_other_words_is_whole(filled: Path, path: Path):
    shutil.copytree(filled.parent, path.parent)
    store = await Store.open(path)

    async def write(db: WriteTransaction):
        noted = await db.seasons.add_event(1, RulingNoted("Ram was late"), 70, reason="Ram", staff=True)
        reworded = replace(noted, body=RulingNoted("Player 5 was late"), reason="Player 5")
        await db.seasons.reword_season_events([reworded])
        return noted

    noted = await store.write(write)
    last = (await store.read(lambda db: db.seasons.events(1)))[-1]
    assert (last.id, last.body, last.reason) == (noted.id, RulingNoted("Player 5 was late"), "Player 5")
    await store.close()
