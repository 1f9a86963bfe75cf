"""The search for puzzles: a limited stock, rest while tables are busy, and only finished, permitted deals."""

import asyncio
from dataclasses import replace

import pytest

from bot.puzzles.mining import BUSY_MOVES, BUSY_S, SHARES, PuzzleMiner, one_a_shelf
from data.preferences import PersonSettings
from data.transaction import ReadTransaction, WriteTransaction
from marriage.cards import UNKNOWN
from marriage.notation import read_position
from marriage.puzzles import PuzzleKind, deal_between_computers, puzzles_in
from tests.bot.house import Hand
from tests.damaging import damage_deals
from tests.data.conftest import RAM, SITA, first_deal, open_table
from tests.data.test_history import row_of
from tests.league.facts import seat

DEALT = 1
"""The number of a deal between computers that stands in for a deal of people."""


class AtOnce:
    """A pool that works in this process, and counts."""

    def __init__(self) -> None:
        self.done = []

    async def run(self, kind, person_id, function, *args):
        self.done.append((function.__name__, args))
        work = function(*args)
        while True:
            try:
                next(work)
            except StopIteration as end:
                return end.value


@pytest.fixture
def pool():
    return AtOnce()


def miner(store, pool, most=400):
    return PuzzleMiner(store, Hand(), pool, most)


async def stored(store):
    async def read(db: ReadTransaction):
        return [await db.puzzles.get(number) for number in range(1, 60)]

    rows = await store.read(read)
    return [row for row in rows if row]


async def test_the_same_deals_are_searched_one_after_the_other_on_any_machine(store, pool):
    first, events = miner(store, pool), tuple(deal_between_computers(0))
    assert await first.search()
    found = one_a_shelf(puzzles_in(events, range(len(events[0].hands))), 0)
    assert [(row.seat, row.position, row.puzzle) for row in await stored(store)] == [
        (made.seat, made.position, made.puzzle) for made in found.values()
    ]
    await miner(store, pool).search()
    assert pool.done == [("search_computers", (0,)), ("search_computers", (1,))]


async def test_a_full_stock_is_searched_for_no_more(store, pool):
    small = miner(store, pool, most=4)
    for _ in range(60):
        if not await small.search():
            break
    else:
        raise AssertionError("the stock never fills")
    stock = await store.read(lambda db: db.puzzles.stock())
    assert {shelf: 1 <= count <= 2 for shelf, count in stock.items()} == dict.fromkeys(SHARES, True)


async def test_a_person_who_waits_gets_one_even_from_a_full_stock(store, pool):
    none = miner(store, pool, most=0)
    assert not await none.search()
    await none.search_for(RAM)
    assert await stored(store)


async def test_the_search_rests_while_tables_are_busy(store, pool, monkeypatch):
    busy, loop = miner(store, pool), asyncio.get_running_loop()
    now = loop.time()
    monkeypatch.setattr(loop, "time", lambda: now)
    for _ in range(BUSY_MOVES - 1):
        busy.note_change()
    assert not busy.is_busy()
    busy.note_change()
    assert busy.is_busy()
    now += BUSY_S
    assert not busy.is_busy()


# Deals of people


@pytest.fixture
async def finished(store, pool):
    """Store a deal with Ram at seat 0 and Sita at seat 1 that has finished since the search began."""
    await miner(store, pool, most=0).search()
    table = await open_table(store)
    events = tuple(deal_between_computers(DEALT))

    async def write(db: WriteTransaction) -> None:
        await db.deals.start(replace(first_deal(table), rules=events[0].rules))
        await db.deals.append_events(table.id, 1, 0, [(event, None) for event in events], 5)
        await db.deals.end(table.id, 1, 9_000)
        others = [seat(None, 0) for _ in events[0].hands[2:]]
        await db.stats.enter(row_of(table, 1), [seat(RAM, 5, winner=True), seat(SITA, -5), *others])

    await store.write(write)
    return table


async def allow(store, person):
    await store.write(lambda db: db.people.set_settings(person, PersonSettings(puzzles=True)))


async def test_only_the_seat_of_the_person_who_allows_it_is_shown(store, pool, finished):
    await allow(store, SITA)
    assert await miner(store, pool).search()
    assert [(name, args[1]) for name, args in pool.done] == [("search_deal", (1,))]
    rows = await stored(store)
    assert rows
    for row in rows:
        assert row.seat == 1
        state = read_position(row.position)
        assert UNKNOWN in state.seats[0].cards
        assert UNKNOWN not in state.seats[1].cards
        assert "Ram" not in row.position
        assert "Sita" not in row.position

    async def read(db: ReadTransaction) -> None:
        assert await db.puzzles.nearest(RAM, 25) is not None
        assert await db.puzzles.nearest(SITA, 25) is None

    await store.read(read)


async def test_a_deal_is_searched_once_and_one_that_nobody_allows_never(store, pool, finished):
    quiet = miner(store, pool, most=0)
    assert not await quiet.search()
    await allow(store, SITA)
    assert not await quiet.search()
    assert pool.done == []


async def test_a_board_that_others_still_play_is_never_searched(store, pool, finished):
    await miner(store, pool, most=0).search()  # the first deal, which no one had allowed yet
    await allow(store, SITA)

    async def write(db: WriteTransaction) -> None:
        boards = await db.boards.open_set(finished.guild_id, finished.rules, 4, 1_000)
        row = replace(first_deal(finished), deal_no=2, board_set=boards.id, board_no=1)
        await db.deals.start(row)
        await db.deals.append_events(
            finished.id, 2, 0, [(event, None) for event in deal_between_computers(DEALT)], 5
        )
        await db.deals.end(finished.id, 2, 9_000)
        await db.stats.enter(row_of(finished, 2), [seat(RAM, 5, winner=True), seat(SITA, -5)])

    await store.write(write)
    assert await miner(store, pool, most=0).search()
    assert pool.done == []
    assert await stored(store) == []


async def test_a_damaged_deal_is_left_out_and_the_search_goes_on(store, pool, finished):
    await allow(store, SITA)
    await damage_deals(store, finished.id)
    for _ in range(2):
        assert await miner(store, pool).search()
    assert [name for name, _ in pool.done] == ["search_computers"]


def test_the_shelves_share_the_whole_stock():
    assert sum(SHARES.values()) == pytest.approx(1)
    assert {kind for kind, _ in SHARES} == set(PuzzleKind)
