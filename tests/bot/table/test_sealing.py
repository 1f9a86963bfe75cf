"""What players mix into the first shuffle comes after its seal."""

from bot.people import NamedPerson
from bot.table.core.table import has_contributions
from data.store import Store
from tests.bot.house import CHANNEL, GUILD, PEOPLE, House

HOST = NamedPerson(PEOPLE[0], "P0")
OPENING, STARTING = 777, 778


async def mixed_in(house: House) -> list[str]:
    deal = await house.store.read(lambda db: db.deals.get(1, 1))
    assert deal is not None
    return deal.entropy


async def test_the_press_that_opens_a_table_is_not_mixed_in_and_the_one_that_starts_is(store: Store):
    house = House(store)
    await house.lobby.open(GUILD, CHANNEL, HOST, OPENING)
    assert await mixed_in(house) == []
    await house.play.start(1, PEOPLE[0], STARTING, seats=2)
    assert sorted(await mixed_in(house)) == ["0:778:-", "1:auto:-"]
    assert has_contributions(await mixed_in(house))


async def test_a_deal_that_starts_at_once_has_nothing_mixed_in_and_says_so(store: Store):
    house = House(store)
    await house.lobby.open(GUILD, CHANNEL, HOST, OPENING)
    await house.play.start(1, PEOPLE[0], OPENING, seats=2, has_opened=True)
    assert sorted(await mixed_in(house)) == ["0:auto:-", "1:auto:-"]
    assert not has_contributions(await mixed_in(house))
