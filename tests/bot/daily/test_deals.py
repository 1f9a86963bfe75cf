"""The deal of the day over the services, without Discord."""

from bot.people import NamedPerson
from data.store import Store
from league.ids import GuildId, PersonId
from league.times import DAY, HOUR
from tests.bot.house import House

ASHA, BIKRAM = (NamedPerson(PersonId(number), name) for number, name in ((11, "Asha"), (12, "Bikram")))


async def test_a_clock_that_is_set_back_deals_no_released_cards_again(store: Store):
    """Everyone may look at a released board."""
    house = House(store)
    daily = house.services.daily
    house.clock.at = 1_795_000_000_000 // DAY * DAY + 22 * HOUR
    first, _ = await daily.open(GuildId(1), ASHA, next(house.ids))
    house.clock.at += 2 * HOUR + 5_000
    for row in await store.read(lambda db: db.deadlines.of_table(first)):
        if row.kind == "daily":
            await daily.close(first, row.revision)
    house.clock.at -= 2 * HOUR
    second, is_new = await daily.open(GuildId(1), BIKRAM, next(house.ids))
    assert is_new
    deals = [await store.read(lambda db, table=table: db.deals.get(table, 1)) for table in (first, second)]
    assert len({deal.seed for deal in deals if deal is not None}) == 2
