"""A table whose deal is damaged stands still, and keeps nothing and nobody else from going on."""

from typing import Any

import pytest

from bot.errors import SeatedElsewhereError, UserError
from bot.panels.table.table_message import table_panel
from bot.people import NamedPerson
from bot.table.core.table import PAUSED
from bot.table.lobby import Wishes
from bot.words.texts import texts
from data.errors import EventsDamaged
from data.preferences import Pace
from data.repositories.deal_search import Sight
from data.transaction import ReadTransaction
from league.ids import GuildId, PersonId, TableId
from marriage.rules import PRESETS
from tests.bot.house import CHANNEL, GUILD, House
from tests.damaging import damage_deals

STAFF = NamedPerson(99, "Staff")
DAMAGED, SOUND = 1, 2


async def open_table(house: House, host: int) -> int:
    wishes = Wishes(rules=PRESETS["pagat"], deals=3, pace=Pace.NORMAL)
    return await house.lobby.open(GUILD, CHANNEL, NamedPerson(host, "A"), next(house.ids), wishes=wishes)


@pytest.fixture
async def tables(house: House) -> House:
    """Two tables in play, the first of them damaged; the people are 11 and 12, and 21 and 22."""
    for host in (11, 21):
        table = await open_table(house, host)
        await house.lobby.join(table, NamedPerson(host + 1, "B"), next(house.ids))
        await house.play.start(table, host, next(house.ids))
    await damage_deals(house.store, DAMAGED)
    house.tables.forget([DAMAGED])
    return house


async def test_the_list_of_tables_leaves_it_out(tables: House):
    found, count = await tables.tables.tables_of(GUILD, 11, lambda _: True, 1)
    assert [snapshot.table.id for snapshot in found] == [SOUND]
    assert count == 1


@pytest.mark.parametrize("lost", ["channel", "server"])
async def test_tables_that_cannot_be_shown_are_paused_although_one_of_them_is_damaged(
    tables: House, lost: str
):
    await (tables.pauses.place_gone(CHANNEL) if lost == "channel" else tables.pauses.server_gone(GUILD))
    assert PAUSED in (await tables.tables.get(SOUND)).deadlines


async def test_its_people_are_free_to_play_elsewhere_and_to_change_their_settings(tables: House):
    settings = await tables.services.personal.change(NamedPerson(11, "A"), language="ne")
    assert settings.language == "ne"
    with pytest.raises(SeatedElsewhereError):
        await open_table(tables, 21)
    new = await open_table(tables, 11)
    assert await tables.tables.find_table(11, CHANNEL) == new
    with pytest.raises(SeatedElsewhereError):  # nobody plays at two tables that go on
        await open_table(tables, 11)


async def test_who_sits_there_can_be_forgotten(tables: House):
    assert await tables.services.forgetting.forget(11)
    assert [seat.person_id for seat in await tables.store.read(lambda db: db.tables.seats(DAMAGED))] != [
        11,
        12,
    ]


async def test_the_staff_can_close_it_as_it_stands(tables: House):
    with pytest.raises(EventsDamaged):
        await tables.tables.get(DAMAGED)
    await tables.endings.by_staff(DAMAGED, GUILD, STAFF, "it is damaged", next(tables.ids))

    async def read(db: ReadTransaction) -> Any:
        deal, match = await db.deals.get(DAMAGED, 1), await db.matches.latest(DAMAGED)
        return deal, match, await db.deadlines.of_table(DAMAGED), await db.deals.results(DAMAGED)

    deal, match, deadlines, results = await tables.store.read(read)
    assert (deal.ended, match.ended, deadlines, results) == ("staff", "staff", [], [])
    closed = await tables.tables.snapshot(DAMAGED)
    assert closed.table.status == "closed"
    shown = "\n".join(
        item.content
        for item in table_panel(closed, None, texts()).view.walk_children()
        if hasattr(item, "content")
    )
    assert "staff" in shown


async def test_staff_who_sit_there_can_close_it_but_not_a_sound_one(tables: House):
    with pytest.raises(UserError, match="staff_seated"):
        await tables.endings.by_staff(SOUND, GUILD, NamedPerson(21, "A"), "I lose", next(tables.ids))
    await tables.endings.by_staff(DAMAGED, GUILD, NamedPerson(11, "A"), "it is damaged", next(tables.ids))
    assert (await tables.tables.snapshot(DAMAGED)).table.status == "closed"


async def test_its_deal_is_not_called_private_once_the_staff_have_closed_it(tables: House):
    await tables.endings.by_staff(DAMAGED, GUILD, STAFF, "it is damaged", next(tables.ids))
    for person in (11, 21):
        sight = Sight(PersonId(person), GuildId(GUILD), frozenset({CHANNEL}))
        with pytest.raises(UserError, match="replay_stopped"):
            await tables.services.replays.load(TableId(DAMAGED), 1, sight)
