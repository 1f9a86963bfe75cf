"""Own groups of a hand, by table and person, for one deal."""

import pytest
from sqlalchemy.exc import IntegrityError

from data.store import Store
from data.values import TableRow
from marriage.cards import parse_cards
from tests.data.conftest import RAM

GROUPS = (parse_cards("3S 4S 5S"), parse_cards("KH KH MAN"))


async def test_groups_are_kept_for_one_deal(store: Store, table: TableRow):
    async with store.writing() as db:
        await db.pins.set(table.id, 1, RAM, GROUPS)
    async with store.reading() as db:
        assert await db.pins.of_table(table.id, 1) == {RAM: GROUPS}
        assert await db.pins.of_table(table.id, 2) == {}
        assert await db.pins.of_table(table.id + 1, 1) == {}
    async with store.writing() as db:
        await db.pins.set(table.id, 2, RAM, GROUPS[:1])
    async with store.reading() as db:
        assert await db.pins.of_table(table.id, 1) == {}
        assert await db.pins.of_table(table.id, 2) == {RAM: GROUPS[:1]}
    async with store.writing() as db:
        await db.pins.set(table.id, 2, RAM, ())
        assert await db.pins.of_table(table.id, 2) == {}


async def test_groups_belong_to_somebody_who_is_known(store: Store, table: TableRow):
    with pytest.raises(IntegrityError):
        async with store.writing() as db:
            await db.pins.set(table.id, 1, 999, GROUPS)
