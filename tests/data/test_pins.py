"""Own groups and the own order of a hand, by table and person, for one deal."""

import pytest
from sqlalchemy.exc import IntegrityError

from data.store import Store
from data.values import Arrangement, TableRow
from marriage.cards import parse_cards
from tests.data.conftest import RAM

LAID = Arrangement((parse_cards("3S 4S 5S"), parse_cards("KH KH MAN")))
ORDERED = Arrangement(order=(parse_cards("9C"), parse_cards("2H AH")))


async def test_an_arrangement_is_kept_for_one_deal(store: Store, table: TableRow):
    async with store.writing() as db:
        await db.pins.set(table.id, 1, RAM, LAID)
    async with store.reading() as db:
        assert await db.pins.of_table(table.id, 1) == {RAM: LAID}
        assert await db.pins.of_table(table.id, 2) == {}
        assert await db.pins.of_table(table.id + 1, 1) == {}
    async with store.writing() as db:
        await db.pins.set(table.id, 2, RAM, ORDERED)
    async with store.reading() as db:
        assert await db.pins.of_table(table.id, 1) == {}
        assert await db.pins.of_table(table.id, 2) == {RAM: ORDERED}
    async with store.writing() as db:
        await db.pins.set(table.id, 2, RAM, Arrangement())
        assert await db.pins.of_table(table.id, 2) == {}


async def test_an_arrangement_belongs_to_somebody_who_is_known(store: Store, table: TableRow):
    with pytest.raises(IntegrityError):
        async with store.writing() as db:
            await db.pins.set(table.id, 1, 999, LAID)
