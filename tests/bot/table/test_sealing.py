"""What players mix into a shuffle comes after its seal."""

import pytest

from bot.errors import UserError
from bot.history.past_deals import check_deal, record_json
from bot.people import NamedPerson
from bot.table.core.table import has_contributions
from data.preferences import Pace
from data.repositories.deal_search import Sight
from data.store import Store
from marriage.cards import parse_cards
from marriage.rules import preset
from tests.bot.house import CHANNEL, GUILD, PEOPLE, House
from tests.bot.table.test_attendance import play, rest
from tests.bot.table.test_matches import deal, go_on
from tests.marriage.cli_calls import run

HOST = NamedPerson(PEOPLE[0], "P0")
UNCLE = NamedPerson(21, "Uncle")
OPENING, STARTING = 777, 778
DURING, BETWEEN = 779, 780


async def mixed_in(house: House, deal_no: int = 1) -> list[str]:
    deal = await house.store.read(lambda db: db.deals.get(1, deal_no))
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


@pytest.mark.usefixtures("decided")
@pytest.mark.parametrize("returns", [False, True], ids=["sits down anew", "comes back"])
async def test_one_who_sits_down_during_a_deal_mixes_in_nothing_by_that(store: Store, returns: bool):
    house = House(store)
    await house.seat_people(Pace.NONE, 2, 0, deals=4)
    if returns:
        await house.changing.sit_down(1, UNCLE, next(house.ids))
        await rest(house, UNCLE.id, in_deal=True)
    await house.changing.sit_down(1, UNCLE, DURING)  # the next deal is not sealed yet
    await play(house)
    assert await mixed_in(house, 2) == []
    await go_on(house, *PEOPLE[:2])
    items = await mixed_in(house, 2)
    assert "2:auto:-" in items
    assert not any(f":{DURING}:" in item for item in items)


@pytest.mark.usefixtures("decided")
async def test_one_who_sat_down_during_a_deal_mixes_in_once_by_asking_for_the_next(store: Store):
    house = House(store)
    await house.seat_people(Pace.NONE, 2, 0, deals=4)
    await house.changing.sit_down(1, UNCLE, DURING)
    await play(house)
    await house.play.next_deal(1, PEOPLE[0], next(house.ids))
    await house.play.next_deal(1, UNCLE.id, BETWEEN)
    with pytest.raises(UserError, match="ready_already"):
        await house.play.next_deal(1, UNCLE.id, next(house.ids))
    await house.play.next_deal(1, PEOPLE[1], next(house.ids))
    assert f"2:{BETWEEN}:-" in await mixed_in(house, 2)


@pytest.mark.usefixtures("decided")
async def test_one_who_sits_down_between_deals_mixes_in_by_that(store: Store):
    house = House(store)
    await house.seat_people(Pace.NONE, 2, 0, deals=4)
    await play(house)
    await house.changing.sit_down(1, UNCLE, BETWEEN)
    await go_on(house, *PEOPLE[:2])
    assert f"2:{BETWEEN}:-" in await mixed_in(house, 2)


@pytest.mark.usefixtures("decided")
@pytest.mark.parametrize("master", ["off", "always"])
@pytest.mark.parametrize("men", [0, 4, 6])
async def test_the_record_of_a_deal_names_the_cards_that_were_dealt(store: Store, men: int, master: str):
    house = House(store)
    rules = preset("pagat", man_cards=men, master_card=master)
    await house.seat_people(Pace.NONE, 2, 0, rules=rules)
    await play(house)
    checked = await check_deal(store, Sight(PEOPLE[0], GUILD, frozenset({CHANNEL})), 1, 1)
    answer = run("verify", "-", "--json", given=record_json(checked.record)).answer
    assert parse_cards(answer["cards"]) == (await deal(house, 1)).secret.deck(rules)
