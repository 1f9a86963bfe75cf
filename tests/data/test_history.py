"""Finding deals: results match the query, and never exceed what the person may see."""

from dataclasses import replace

import pytest

from data.repositories.deal_search import Search, Sight
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import PlayedRow, TableRow
from league.statistics.stats import Company
from marriage.sheet import Ending
from tests.data.conftest import CHANNEL, GUILD, RAM, SITA, first_deal
from tests.league.facts import seat

STRANGER = 77


@pytest.fixture
async def played(store: Store, table: TableRow) -> TableRow:
    """Two deals: an open one of Ram and Sita in the channel, and a private one of Ram alone."""

    async def write(db: WriteTransaction) -> None:
        for number, private in ((1, False), (2, True)):
            await db.deals.start(replace(first_deal(table), deal_no=number))
            row = row_of(table, number, private=private)
            other = seat(SITA, -5) if number == 1 else seat(None, -5)
            await db.stats.enter(row, [seat(RAM, 5, winner=True), other])

    await store.write(write)
    return table


def row_of(table: TableRow, number: int, *, private: bool = False) -> PlayedRow:
    return PlayedRow(
        table.id,
        number,
        1,
        number,
        GUILD,
        CHANNEL,
        private,
        "kathmandu",
        1,
        2,
        Ending.GROUPS,
        False,
        0,
        9_000,
    )


async def found(store: Store, sight: Sight, search: Search) -> list[int]:
    async def read(db: ReadTransaction):
        page = await db.history.page(sight, search, 0, 10)
        assert page.count == len(page.deals)
        return page

    page = await store.read(read)
    return [deal.row.deal_no for deal in page.deals]


def watcher(person: int, *channels: int, guild: int | None = GUILD) -> Sight:
    return Sight(person, guild, frozenset(channels))


@pytest.mark.parametrize(
    ("sight", "only_own", "expected"),
    [
        (watcher(RAM), True, [2, 1]),
        (watcher(RAM), False, [2, 1]),
        (watcher(SITA, CHANNEL), True, [1]),
        (watcher(SITA, CHANNEL), False, [1]),
        (watcher(STRANGER, CHANNEL), True, []),
        (watcher(STRANGER, CHANNEL), False, [1]),
        (watcher(STRANGER, CHANNEL + 1), False, []),
        (watcher(STRANGER), False, []),
        (watcher(RAM, CHANNEL, guild=GUILD + 1), False, []),
        (watcher(STRANGER, CHANNEL, guild=GUILD + 1), False, []),
        (watcher(RAM, guild=None), False, [2, 1]),
        (watcher(STRANGER, CHANNEL, guild=None), False, []),
    ],
)
async def test_who_sees_what(store, played, sight, only_own, expected):
    assert await found(store, sight, Search(own=only_own)) == expected

    async def read(db: ReadTransaction):
        return [await db.history.find(sight, played.id, number) for number in (2, 1)]

    shown = await store.read(read)
    everything = await found(store, sight, Search(own=False))
    assert [deal.row.deal_no for deal in shown if deal is not None] == everything


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        (Search(with_id=SITA), [1]),
        (Search(with_id=STRANGER), []),
        (Search(preset="kathmandu"), [2, 1]),
        (Search(preset="pagat"), []),
        (Search(since=9_001), []),
        (Search(since=9_000), [2, 1]),
        (Search(table_id=99), []),
        (Search(table_id=2**63 - 1), []),
    ],
)
async def test_filters(store, played, search, expected):
    assert await found(store, watcher(RAM), search) == expected


async def test_figures_leave_out_deals_with_computers(store, played):
    async def read(db: ReadTransaction) -> None:
        figures = await db.profiles.figures(RAM, GUILD)
        assert (figures.tally.deals, figures.tally.net, figures.matches, figures.others) == (1, 5, 1, 0)
        assert (figures.with_computers.deals, figures.with_computers.net) == (1, 5)
        assert [met.person for met in await db.profiles.meetings(RAM, GUILD, 5)] == [SITA]
        assert [deal.deal_no for deal in await db.profiles.best_deals(RAM, GUILD, Company.PEOPLE, 3)] == [1]
        for company in Company:
            assert await db.profiles.form(RAM, GUILD, company, 20) == (5,)
            assert await db.profiles.course(RAM, GUILD, company, 20) == (0, 5)
        assert (await db.profiles.figures(STRANGER, GUILD)).tally.deals == 0

    await store.read(read)


@pytest.mark.parametrize("released", [False, True])
async def test_a_board_is_seen_by_nobody_before_the_last_table_has_played_it(store, played, released):
    async def write(db: WriteTransaction) -> None:
        boards = await db.boards.open_set(GUILD, played.rules, 3, 1_000)
        await db.deals.start(replace(first_deal(played), deal_no=3, board_set=boards.id, board_no=1))
        await db.stats.add_deal(row_of(played, 3), [seat(RAM, 5), seat(None, -5)])
        if released:
            await db.boards.release_set(boards.id, 9_000)

    await store.write(write)

    async def read(db: ReadTransaction):
        people = (RAM, SITA, STRANGER)
        shown = [await db.history.may_see(watcher(person, CHANNEL), played.id, 3) for person in people]
        sheets = [await db.history.find(watcher(person, CHANNEL), played.id, 3) for person in people]
        return shown, sheets

    shown, sheets = await store.read(read)
    assert shown == [released] * 3
    assert [sheet is not None for sheet in sheets] == shown
    assert await found(store, watcher(RAM), Search(own=False)) == ([3, 2, 1] if released else [2, 1])
    assert await found(store, watcher(RAM, guild=None), Search()) == ([3, 2, 1] if released else [2, 1])
    assert await found(store, watcher(STRANGER, CHANNEL), Search(own=False)) == ([3, 1] if released else [1])
