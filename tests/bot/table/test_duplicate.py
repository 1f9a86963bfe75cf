"""Duplicate through the services: tables share boards, which stay secret until the last has played them."""

from collections.abc import AsyncIterator

import pytest

from bot.errors import UserError
from bot.history.past_deals import check_deal
from bot.services import wire
from bot.settings import Settings
from bot.table.core.change import TableTransaction
from bot.table.core.table import COMPUTER
from bot.table.flow import sealing
from data.preferences import Level, TableOptions
from data.repositories.deal_search import Sight
from data.store import Place, Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import SeatRow
from marriage.events import Dealt
from marriage.rules import PRESETS
from tests.bot.house import GUILD, Hand
from tests.bot.windows import end_window

BOARDS, SEATS = 3, 3
HOST = 11
SIGHT = Sight(12, GUILD, frozenset({2}))


class Tables:
    """Tables of computers that play boards; the test deals."""

    def __init__(self, store: Store) -> None:
        self.store = store
        settings = Settings(_env_file=None, discord_token="x", computer_pause_ms=0)
        self.services = wire(settings, store, Hand())
        self.tables, self.play = self.services.tables, self.services.play

    async def open(self, *sizes: int, sealed: tuple[int, ...] = (SEATS,) * 3) -> int:
        """Open tables 1, 2, 3 ... of `sizes` seats with boards for `sealed` sizes; return the set."""

        async def write(db: WriteTransaction):
            await db.guilds.keep(GUILD)
            await db.people.keep(HOST, "Host", 0)
            found = await sealing.seal_boards(db, GUILD, PRESETS["pagat"], sealed, BOARDS, 0)
            options = TableOptions(deals=BOARDS, board_set=found.id)
            tables = [
                await db.tables.create(GUILD, 2, HOST, found.rules, 0, options) for _ in range(len(sizes))
            ]
            await sealing.give_boards(db, found.id, [table.id for table in tables])
            for table, seats in zip(tables, sizes, strict=True):
                rows = tuple(SeatRow(table.id, seat, None, f"C{seat}", Level.EASY) for seat in range(seats))
                tx = TableTransaction.of_new(db, 0, table)
                tx.set_seats(rows)
                await sealing.prepare_next(tx)
                tx.mix_in(0, 100 + table.id)
                await tx.finish()
            return found

        found = await self.store.write(write)
        return found.id

    async def deal(self, table: int) -> Dealt:
        async def command(tx: TableTransaction):
            await self.play.begin(tx)
            [dealt] = tx.recorded
            return dealt

        dealt = await self.tables.change(table, command)
        assert isinstance(dealt, Dealt)
        return dealt

    async def play_on(self, table: int) -> None:
        await end_window(self.services, table)
        while True:

            async def read(db: ReadTransaction):
                return [row.revision for row in await db.deadlines.of_table(table) if row.kind == COMPUTER]

            due = await self.store.read(read)
            if not due:
                return
            await self.play.computer_turn(table, due[0])

    async def whole_match(self, table: int) -> list[Dealt]:
        dealt: list[Dealt] = []
        for _ in range(BOARDS):
            dealt.append(await self.deal(table))
            await self.play_on(table)
        return dealt

    async def board_numbers(self, table: int) -> list[int | None]:
        async def read(db: ReadTransaction):
            return [await db.deals.get(table, number) for number in range(1, BOARDS + 1)]

        deals = await self.store.read(read)
        return [deal.board_no for deal in deals if deal is not None]

    async def is_open(self, set_id: int) -> bool:
        """Return True if everything about the boards may be shown."""
        found = await self.store.read(lambda db: db.boards.get_set(set_id))
        return found.released_at is not None

    async def is_silent(self, table: int) -> None:
        """Assert that nothing of this table's deals is revealed."""
        for number in range(1, BOARDS + 1):
            with pytest.raises(UserError):
                await check_deal(self.store, SIGHT, table, number)
        shuffle = (await self.tables.snapshot(table)).shuffle
        assert shuffle is not None
        assert shuffle.seed is None


@pytest.fixture
async def tables(place: Place) -> AsyncIterator[Tables]:
    store = await Store.open(place)
    yield Tables(store)
    await store.close()


async def test_every_table_plays_every_board_and_the_last_one_opens_them(tables):
    set_id = await tables.open(3, 3, 3)
    played = {table: await tables.whole_match(table) for table in (1, 2)}
    for table in (1, 2):
        await tables.is_silent(table)
    assert not await tables.is_open(set_id)
    played[3] = await tables.whole_match(3)
    assert await tables.is_open(set_id)

    assert [await tables.board_numbers(table) for table in (1, 2, 3)] == [[1, 2, 3], [2, 3, 1], [3, 1, 2]]
    by_board = {
        (table, number): deal
        for table, dealt in played.items()
        for number, deal in zip(await tables.board_numbers(table), dealt, strict=True)
    }
    for number in range(1, BOARDS + 1):
        first, *others = (by_board[table, number] for table in (1, 2, 3))
        assert first.board
        assert others == [first, first]
    for table in (1, 2, 3):
        for number in range(1, BOARDS + 1):
            checked = await check_deal(tables.store, SIGHT, table, number)
            assert checked.fault is None
            assert checked.record.items == ("1/0:101:-", "2/0:102:-", "3/0:103:-")
            assert checked.record.table == "boards-1"


async def test_the_first_deal_closes_what_is_mixed_in(tables):
    await tables.open(3, 3, 3)
    await tables.deal(1)

    async def command(tx: TableTransaction) -> None:
        tx.mix_in(1, 999)

    await tables.tables.change(2, command)
    await tables.deal(2)

    async def read(db: ReadTransaction):
        return [(await db.deals.get(table, 1)).entropy for table in (1, 2)]

    entropy = await tables.store.read(read)
    assert entropy[0] == entropy[1] == ["1/0:101:-", "2/0:102:-", "3/0:103:-"]


async def test_a_table_with_another_number_of_seats_plays_deals_of_its_own(tables):
    await tables.open(3, 3, 2)
    dealt = await tables.deal(3)
    assert not dealt.board
    assert (await tables.board_numbers(3)) == [None]

    async def read(db: ReadTransaction):
        deal, board = await db.deals.get(3, 1), await db.boards.get(1, 3)
        return deal, board

    deal, board = await tables.store.read(read)
    assert deal.seed != board.seed
    assert deal.former_seeds == []


async def test_a_match_that_is_ended_early_goes_on_with_deals_of_its_own(tables):
    set_id = await tables.open(3, 3, 3)
    await tables.deal(1)
    await tables.play_on(1)

    async def command(tx: TableTransaction) -> None:
        db = await tx.database()
        for table in (2, 3):
            await db.boards.end_table(table)
        await sealing.table_is_done(tx)

    await tables.tables.change(1, command)
    assert not (await tables.deal(1)).board
    assert await tables.is_open(set_id)


@pytest.mark.parametrize("sizes", [(4, 4), (3, 3, 4), (5, 5, 5), (2, 2, 2)])
async def test_duplicate_takes_three_tables_of_one_size(tables, sizes):
    with pytest.raises(ValueError, match="duplicate takes"):
        await tables.open(*sizes, sealed=sizes)
