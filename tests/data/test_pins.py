"""A player's own groups and order of a hand, stored by table and person for one deal."""

import pytest
from sqlalchemy.exc import IntegrityError

from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import OwnArrangement, TableRow
from marriage.cards import parse_cards
from tests.data.conftest import RAM

LAID = OwnArrangement((parse_cards("3S 4S 5S"), parse_cards("KH KH MAN")))
ORDERED = OwnArrangement(order=(parse_cards("9C"), parse_cards("2H AH")))


async def test_an_arrangement_is_kept_for_one_deal(store: Store, table: TableRow):
    await store.write(lambda db: db.pins.set(table.id, 1, RAM, LAID))

    async def work(db: ReadTransaction) -> None:
        assert await db.pins.of_table(table.id, 1) == {RAM: LAID}
        assert await db.pins.of_table(table.id, 2) == {}
        assert await db.pins.of_table(table.id + 1, 1) == {}

    await store.read(work)
    await store.write(lambda db: db.pins.set(table.id, 2, RAM, ORDERED))

    async def read(db: ReadTransaction) -> None:
        assert await db.pins.of_table(table.id, 1) == {}
        assert await db.pins.of_table(table.id, 2) == {RAM: ORDERED}

    await store.read(read)

    async def write(db: WriteTransaction) -> None:
        await db.pins.set(table.id, 2, RAM, OwnArrangement())
        assert await db.pins.of_table(table.id, 2) == {}

    await store.write(write)


async def test_an_arrangement_belongs_to_somebody_who_is_known(store: Store, table: TableRow):
    with pytest.raises(IntegrityError):
        await store.write(lambda db: db.pins.set(table.id, 1, 999, LAID))
