"""A command of a table runs on the event loop until it asks for the database, then in the store."""

import asyncio

import pytest

from bot.errors import UserError
from bot.table.core.change import TableTransaction
from data.preferences import Pace
from data.store import Store
from tests.bot.house import House
from tests.gates import hold_before
from tests.statements import trips


@pytest.fixture
async def table(store: Store) -> House:
    house = House(store)
    await house.seat_people(Pace.NORMAL, people=2, computers=0)
    return house


async def dealer(house: House) -> int:
    house.tables.forget([1])
    return (await house.tables.get(1)).row.dealer


def turn(tx: TableTransaction) -> None:
    tx.update(dealer=1 - tx.table.dealer)


async def test_a_refusal_costs_no_transaction(table: House):
    async def refuse(_: TableTransaction) -> None:
        raise UserError("sorry.no_deal")

    made = trips(table.store)
    with pytest.raises(UserError):
        await table.tables.change(1, refuse)
    assert made == []


async def test_it_may_await_others_until_it_asks_for_the_database(table: House):
    async def command(tx: TableTransaction) -> str:
        await asyncio.sleep(0)
        turn(tx)
        db = await tx.database()
        row = await db.tables.get(1)
        return "" if row is None else row.status

    before, made = await dealer(table), trips(table.store)
    assert await table.tables.change(1, command) == "playing"
    assert made == ["_run"]
    assert await dealer(table) == 1 - before


@pytest.mark.parametrize("awaits", [True, False])
async def test_an_error_after_that_undoes_it(table: House, awaits: bool):
    """It may no longer await anything but the database."""
    ended: list[bool] = []

    async def command(tx: TableTransaction) -> None:
        turn(tx)
        await tx.database()
        try:
            if awaits:
                await asyncio.sleep(0)
            raise ZeroDivisionError
        finally:
            ended.append(True)

    before = await dealer(table)
    with pytest.raises(RuntimeError if awaits else ZeroDivisionError):
        await table.tables.change(1, command)
    assert ended == [True]
    assert await dealer(table) == before


async def test_given_up_before_its_turn_it_changes_nothing(table: House, monkeypatch: pytest.MonkeyPatch):
    ended: list[bool] = []

    async def command(tx: TableTransaction) -> None:
        turn(tx)
        try:
            await tx.database()
        finally:
            ended.append(True)

    before = await dealer(table)
    writing = hold_before(monkeypatch, table.store._database.writer, "commit")
    somebody = asyncio.create_task(table.store.write(lambda db: db.guilds.keep(9)))
    await writing.reached()
    task = asyncio.create_task(table.tables.change(1, command))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    writing.open()
    await somebody
    assert ended == [True]
    assert await dealer(table) == before
