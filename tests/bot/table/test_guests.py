"""How many people one table may invite, because each invitation sends a message, and how many it may block."""

import pytest

from bot.errors import UserError
from bot.people import NamedPerson
from bot.table.hosting import MOST_BLOCKED, MOST_GUESTS, Actor
from bot.words.texts import catalogue
from tests.bot.house import CHANNEL, GUILD, PEOPLE, House
from tests.statements import statements


async def test_a_table_invites_so_many_people_and_no_more(store):
    house = House(store)
    host, hosting = NamedPerson(PEOPLE[0], "P0"), house.services.hosting
    guests = [NamedPerson(100 + number, f"G{number}") for number in range(MOST_GUESTS + 1)]
    await house.lobby.open(GUILD, CHANNEL, host, next(house.ids))
    for at in range(0, MOST_GUESTS, 5):
        await hosting.invite(1, Actor(host), guests[at : at + 5], next(house.ids))
    with pytest.raises(UserError, match="many_guests") as refused:
        await hosting.invite(1, Actor(host), guests[-1:], next(house.ids))
    for language in ("en", "ne", "hi"):
        assert str(MOST_GUESTS) in catalogue(language)(refused.value.key, **refused.value.values)
    again = await hosting.invite(1, Actor(host), guests[:5], next(house.ids))
    assert again.news == []
    await hosting.forget(1, Actor(host), guests[0].id, "invited", next(house.ids))
    assert (await hosting.invite(1, Actor(host), guests[-1:], next(house.ids))).news == []  # 25 were notified


async def test_taking_an_invitation_back_and_repeating_it_notifies_nobody_again(store):
    house = House(store)
    host, hosting = Actor(NamedPerson(PEOPLE[0], "P0")), house.services.hosting
    guest, other = NamedPerson(100, "G"), NamedPerson(101, "H")
    for table in (1, 2):
        await house.lobby.open(GUILD, CHANNEL, NamedPerson(PEOPLE[table - 1], "P"), next(house.ids))
    assert (await hosting.invite(1, host, [guest], next(house.ids))).news == [guest.id]
    for _ in range(3):
        await hosting.forget(1, host, guest.id, "invited", next(house.ids))
        assert (await hosting.invite(1, host, [guest], next(house.ids))).news == []
        await hosting.block(1, host, guest, next(house.ids))
        await hosting.forget(1, host, guest.id, "blocked", next(house.ids))
    assert (await hosting.invite(1, host, [guest, other], next(house.ids))).news == [other.id]
    second = Actor(NamedPerson(PEOPLE[1], "P"))
    assert (await hosting.invite(2, second, [guest], next(house.ids))).news == [guest.id]


async def test_a_restart_and_a_challenge_notify_nobody_again(store):
    host, guest, other = (NamedPerson(number, f"P{number}") for number in (PEOPLE[0], 100, 101))
    house = House(store)
    await house.lobby.open(GUILD, CHANNEL, host, next(house.ids), invited=[guest])
    assert (await house.services.hosting.invite(1, Actor(host), [other], next(house.ids))).news == [other.id]
    again = House(store)
    again.ids = house.ids
    hosting = again.services.hosting
    for person in (guest, other):
        await hosting.forget(1, Actor(host), person.id, "invited", next(house.ids))
        assert (await hosting.invite(1, Actor(host), [person], next(house.ids))).news == []


async def test_a_table_blocks_so_many_people_and_no_more(store):
    """Each look at the table reads them all."""
    house = House(store)
    host, hosting = NamedPerson(PEOPLE[0], "P0"), house.services.hosting
    people = [NamedPerson(100 + number, f"B{number}") for number in range(MOST_BLOCKED + 1)]
    await house.lobby.open(GUILD, CHANNEL, host, next(house.ids), invited=people[-1:])
    for person in people[:-1]:
        await hosting.block(1, Actor(host), person, next(house.ids))
    with pytest.raises(UserError, match="many_blocked") as refused:
        await hosting.block(1, Actor(host), people[-1], next(house.ids))
    for language in ("en", "ne", "hi"):
        assert str(MOST_BLOCKED) in catalogue(language)(refused.value.key, **refused.value.values)
    guests = (await house.tables.snapshot(1)).guests
    assert [guest.name for guest in guests if guest.standing == "invited"] == [people[-1].name]
    assert len(guests) == MOST_BLOCKED + 1
    await hosting.block(1, Actor(host), people[0], next(house.ids))
    await hosting.forget(1, Actor(host), people[0].id, "blocked", next(house.ids))
    assert await hosting.block(1, Actor(host), people[-1], next(house.ids)) == people[-1].name


async def test_taking_an_invitation_back_lifts_no_block_and_lifting_a_block_takes_no_invitation_back(store):
    house = House(store)
    host, guest = Actor(NamedPerson(PEOPLE[0], "P0")), NamedPerson(100, "G")
    staff, hosting = Actor(NamedPerson(PEOPLE[1], "S"), is_staff=True), house.services.hosting
    await house.lobby.open(GUILD, CHANNEL, host.person, next(house.ids), invited=[guest])
    await hosting.block(1, host, guest, next(house.ids))
    assert await hosting.forget(1, staff, guest.id, "invited", next(house.ids)) == "G"
    assert (await house.tables.get(1)).guests == {guest.id: "blocked"}
    await hosting.forget(1, host, guest.id, "blocked", next(house.ids))
    await hosting.invite(1, host, [guest], next(house.ids))
    await hosting.forget(1, staff, guest.id, "blocked", next(house.ids))
    assert (await house.tables.get(1)).guests == {guest.id: "invited"}
    assert await house.services.servers.acts(GUILD) == []


async def test_inviting_people_again_costs_as_much_for_many_as_for_one(store):
    house = House(store)
    host, hosting = NamedPerson(PEOPLE[0], "P0"), house.services.hosting
    guests = [NamedPerson(100 + number, f"G{number}") for number in range(MOST_GUESTS)]
    await house.lobby.open(GUILD, CHANNEL, host, next(house.ids))
    await hosting.invite(1, Actor(host), guests, next(house.ids))
    made = statements(store)
    costs: list[int] = []
    for people in (guests[:1], guests):
        before = len(made)
        assert (await hosting.invite(1, Actor(host), people, next(house.ids))).news == []
        costs.append(len(made) - before)
    assert costs[0] == costs[1]
    renamed = NamedPerson(guests[0].id, "Another name")
    await hosting.invite(1, Actor(host), [renamed], next(house.ids))
    assert renamed.name in [guest.name for guest in (await house.tables.snapshot(1)).guests]


async def test_many_invitations_of_the_staff_leave_room_in_their_log_for_other_acts(store):
    house = House(store)
    staff, hosting = Actor(NamedPerson(PEOPLE[1], "S"), is_staff=True), house.services.hosting
    guests = [NamedPerson(100 + number, f"G{number}") for number in range(20)]
    await house.lobby.open(GUILD, CHANNEL, NamedPerson(PEOPLE[0], "P0"), next(house.ids))
    await hosting.switch(1, staff, "hints", next(house.ids), on=False)
    for some in (guests[:10], guests[10:]):
        await house.pass_time(1_000)
        await hosting.invite(1, staff, some, next(house.ids))
    acts = await house.services.servers.acts(GUILD)
    assert [(act.row.act, act.name, act.targets) for act in acts] == [
        ("invite", "S", tuple(guest.name for guest in guests[10:])),
        ("invite", "S", tuple(guest.name for guest in guests[:10])),
        ("switch", "S", ()),
    ]
