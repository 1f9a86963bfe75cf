import logging
from collections.abc import AsyncIterator, Iterator

import pytest

from bot.app import TipluBot
from bot.services import wire
from bot.settings import Settings
from data.store import Place, Store
from data.transaction import WriteTransaction
from data.values import DeadlineRow, SeatRow, TableRow
from marriage.rules import PRESETS
from tests.e2e import dealt
from tests.marriage.dealing import start_decided

GUILD, CHANNEL, RAM, SITA = 900, 901, 11, 12


class SetClock:
    """A clock that does not move until a test moves it."""

    def __init__(self, now: int = 1_700_000_000_000) -> None:
        self._now = now

    def now(self) -> int:
        return self._now

    def forward(self, milliseconds: int) -> None:
        self._now += milliseconds


@pytest.fixture(autouse=True)
def quiet_afterwards() -> Iterator[None]:
    """Reset logging after a test.

    A command that a test runs sets up the log of this process. Later tests must not write to its stream.
    """
    root = logging.getLogger()
    level = root.level
    yield
    root.handlers[:] = [handler for handler in root.handlers if type(handler) is not logging.StreamHandler]
    root.setLevel(level)


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def store(place: Place) -> AsyncIterator[Store]:
    store = await Store.open(place)
    yield store
    await store.close()


@pytest.fixture
async def table(store: Store, clock: SetClock) -> TableRow:
    """A table of Ram and Sita in its lobby."""

    async def write(db: WriteTransaction):
        await db.guilds.keep(GUILD)
        await db.people.keep(RAM, "राम", clock.now())
        await db.people.keep(SITA, "Sita", clock.now())
        table = await db.tables.create(GUILD, CHANNEL, RAM, PRESETS["pagat"], clock.now())
        seats = [SeatRow(table.id, 0, RAM, "राम"), SeatRow(table.id, 1, SITA, "Sita")]
        await db.tables.set_seats(table.id, seats)
        return table

    return await store.write(write)


@pytest.fixture
async def turn(store: Store, clock: SetClock, table: TableRow) -> DeadlineRow:
    """A turn that ends in a minute; the bot is known to run."""
    row = DeadlineRow(table.id, "turn", 1, clock.now() + 60_000)
    await store.write(lambda db: db.deadlines.set(row))
    await store.write(lambda db: db.key_values.alive(clock.now()))
    return row


@pytest.fixture
async def bot(store: Store, clock: SetClock) -> AsyncIterator[TipluBot]:
    """The whole bot, not connected to anything."""
    settings = Settings(_env_file=None, discord_token="none")
    async with TipluBot(wire(settings, store, clock)) as bot:
        yield bot


@pytest.fixture
def decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 0 wins every deal in its first turn."""
    monkeypatch.setattr("bot.table.flow.seating.start", start_decided)


@pytest.fixture
def dull(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal two-seat hands that no one can show soon."""
    monkeypatch.setattr("bot.table.flow.seating.start", dealt.dull())
