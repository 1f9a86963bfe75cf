"""Who deals a table's first deal: drawn by lot from its sealed seed, or the seat that the rules name."""

import pytest

from data.preferences import Pace
from data.transaction import ReadTransaction
from marriage.events import Dealt, Event
from marriage.review import audit
from marriage.rules import preset
from tests.bot.house import PEOPLE, House
from tests.bot.table.test_matches import go_on, play

pytestmark = pytest.mark.lot


async def deal(house: House, number: int) -> list[Event]:
    return await house.store.read(lambda db: db.deals.events(1, number))


async def test_by_lot_it_is_whom_the_sealed_seed_names(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("secrets.token_bytes", bytes)  # a seed of zeros: the lot is always the same
    await house.seat_people(Pace.NONE, 2, 1)
    events = await deal(house, 1)
    dealt = events[0]
    assert isinstance(dealt, Dealt)
    assert dealt.dealer == dealt.key.first_dealer(dealt.rules, 3)

    async def read(db: ReadTransaction):
        stored, table = await db.deals.get(1, 1), await db.tables.get(1)
        return stored, table

    stored, table = await house.store.read(read)
    assert stored is not None
    assert table is not None
    assert (stored.dealer, table.dealer) == (dealt.dealer, dealt.dealer)
    assert stored.secret == dealt.key
    audit(events, dealt.key)


@pytest.mark.parametrize(("seat", "dealer"), [(1, 0), (2, 1), (3, 2), (5, 2)])
async def test_the_host_may_choose_and_the_deal_passes_on_from_there(house: House, seat: int, dealer: int):
    await house.seat_people(Pace.NONE, 3, 0, rules=preset("pagat", first_dealer=seat))
    first = (await deal(house, 1))[0]
    await play(house)
    await go_on(house, *PEOPLE)
    second = (await deal(house, 2))[0]
    assert isinstance(first, Dealt)
    assert isinstance(second, Dealt)
    assert (first.dealer, second.dealer) == (dealer, (dealer + 1) % 3)
