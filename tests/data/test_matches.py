"""Matches and their deals."""

from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from data.errors import SequenceGapError
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import MatchRow, ResultRow, TableRow
from marriage.sheet import Status
from tests.data.conftest import RAM, first_deal


def match(table: TableRow, number: int, deals: int = 3) -> MatchRow:
    return MatchRow(table.id, number, deals, started_at=2_000 + number)


def result(table: TableRow, deal_no: int, net: int) -> ResultRow:
    return ResultRow(table.id, deal_no, 0, RAM, "Ram", Status.SEEN, 0, 0, net, winner=False)


async def test_the_latest_match_of_a_table(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        assert await db.matches.latest(table.id) is None
        await db.matches.start(match(table, 1))
        await db.matches.end(table.id, 1, 5_000, "played")
        await db.matches.start(match(table, 2, deals=0))

    await store.write(write)

    async def read(db: ReadTransaction) -> None:
        latest = await db.matches.latest(table.id)
        assert latest == match(table, 2, deals=0)
        assert not latest.is_over

    await store.read(read)


async def test_a_match_ends_once_and_for_a_reason(store: Store, table: TableRow):
    async def write(db: WriteTransaction):
        await db.matches.start(match(table, 1))
        await db.matches.end(table.id, 1, 5_000, "vote")
        return await db.matches.latest(table.id)

    ended = await store.write(write)
    assert ended == replace(match(table, 1), ended_at=5_000, ended="vote")
    assert ended.is_over
    with pytest.raises(IntegrityError, match=r"(?i)check"):
        await store.write(
            lambda db: db.matches.start(replace(match(table, 2), ended_at=5_000, ended="bored"))
        )


@pytest.mark.parametrize("number", [0, 1, 3])
async def test_matches_are_numbered_without_gaps(store: Store, table: TableRow, number: int):
    async def write(db: WriteTransaction) -> None:
        await db.matches.start(match(table, 1))
        await db.matches.end(table.id, 1, 5_000, "played")

    await store.write(write)
    with pytest.raises(SequenceGapError, match="has 1 matches"):
        await store.write(lambda db: db.matches.start(match(table, number)))


async def test_one_match_at_a_time(store: Store, table: TableRow):
    await store.write(lambda db: db.matches.start(match(table, 1)))
    with pytest.raises(SequenceGapError, match="match 1 of table 1 is not over"):
        await store.write(lambda db: db.matches.start(match(table, 2)))


async def test_a_deal_knows_its_match_and_why_it_ended(store: Store, table: TableRow):
    async def write(db: WriteTransaction):
        await db.deals.start(first_deal(table))
        before = await db.deals.get(table.id, 1)
        await db.matches.start(match(table, 1))
        await db.deals.change(replace(first_deal(table), match_no=1, match_deal=1))
        await db.deals.end(table.id, 1, 9_000, "vote")
        after = await db.deals.get(table.id, 1)
        return before, after

    before, after = await store.write(write)
    assert before is not None
    assert (before.match_no, before.match_deal, before.ended) == (None, None, None)
    assert after == replace(before, match_no=1, match_deal=1, ended="vote", ended_at=9_000)


async def test_a_deal_needs_its_match(store: Store, table: TableRow):
    await store.write(lambda db: db.deals.start(first_deal(table)))
    with pytest.raises(IntegrityError, match=r"(?i)foreign key"):
        await store.write(lambda db: db.deals.change(replace(first_deal(table), match_no=1, match_deal=1)))


async def test_results_go_by_match(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        for number in (1, 2):
            await db.matches.start(match(table, number))
            deal = replace(first_deal(table), deal_no=number, match_no=number, match_deal=1)
            await db.deals.start(deal)
            await db.deals.add_results(table.id, number, [result(table, number, 10 * number)])
            await db.matches.end(table.id, number, 9_000, "played")
        assert [row.net for row in await db.deals.results_of_match(table.id, 2)] == [20]
        assert [row.net for row in await db.deals.results(table.id)] == [10, 20]

    await store.write(write)
