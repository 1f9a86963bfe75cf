"""Gathering at a table: ready, the host's panel, who may sit down, computers, sitting elsewhere."""

import asyncio

import pytest

from bot.words.texts import texts
from tests.e2e.forging import (
    button,
    forge,
    press_blindly,
    press_forged,
    select,
)
from tests.e2e.looking import facts
from tests.e2e.players import (
    COMPUTER,
    JOIN,
    LEAVE,
    MANAGE,
    MORE,
    READY,
    START,
    open_table,
    press_tool,
)
from tests.e2e.running import MovableClock

say = texts()
KICK, BLOCK, UNBLOCK = say("manage.kick"), say("manage.block"), say("manage.unblock")
INVITE, UNINVITE = say("manage.invite"), say("manage.uninvite")
ADD, REMOVE = say("manage.computer"), say("manage.remove")
PRIVATE = say("manage.private_off")


@pytest.fixture
def people(discord):
    return [discord.person(name) for name in ("asha", "bikram", "chandra")]


async def manage(host, table):
    return (await press_tool(host, table, MANAGE)).message


# Ready


async def test_a_deal_starts_by_itself_when_everybody_is_ready(bot, people, dull):
    asha, bikram, _ = people
    table = await open_table(asha, bikram)
    await bikram.press(START, message=table)
    assert "2. **Bikram** · ready ✅" in asha.look(table).text
    assert (await facts(bot)).table.status == "lobby"
    await press_tool(asha, table, READY)
    assert (await facts(bot)).table.status == "playing"


async def test_ready_can_be_taken_back(bot, people):
    asha, bikram, _ = people
    table = await open_table(asha, bikram)
    await bikram.press(START, message=table)
    assert "2. **Bikram** · ready ✅" in asha.look(table).text
    await press_tool(bikram, table, say("button.not_ready"))
    await asha.wait_for(lambda: "ready ✅" not in asha.look(table).text)
    await press_tool(asha, table, READY)
    after = await facts(bot)
    assert after.table.status == "lobby"
    assert [seat.ready for seat in after.seats] == [True, False]


async def test_a_double_click_behind_more_counts_once(bot, people):
    asha, bikram, _ = people
    table = await open_table(asha, bikram)

    async def double_click(label, panel):
        await asyncio.gather(*(asha.press(label, message=panel) for _ in range(2)))
        return asha.look(panel)

    more = await double_click(READY, (await asha.press(MORE, message=table)).message)
    assert [seat.ready for seat in (await facts(bot)).seats] == [True, False]
    more = await double_click(COMPUTER, more)
    assert [seat.name for seat in (await facts(bot)).seats] == ["Asha", "Bikram", "Durga"]
    await double_click(say("manage.private_off"), (await asha.press(MANAGE, message=more)).message)
    assert (await facts(bot)).table.options.private


async def test_computers_are_always_ready(bot, people):
    asha = people[0]
    table = await open_table(asha, computers=2)
    await press_tool(asha, table, READY)
    assert (await facts(bot)).table.status == "playing"


async def test_nobody_is_ready_alone(bot, people):
    asha, bikram, _ = people
    table = await open_table(asha, bikram)
    await press_tool(asha, table, READY)
    await press_tool(bikram, table, LEAVE)
    assert [seat.ready for seat in (await facts(bot)).seats] == [False]
    assert not (await asha.press(MORE, message=table)).message.button(READY)
    await press_tool(asha, table, COMPUTER)
    assert (await facts(bot)).table.status == "lobby"


async def test_the_others_start_when_the_player_who_was_not_ready_leaves(bot, people, dull):
    asha, bikram, chandra = people
    table = await open_table(asha, bikram, chandra)
    await press_tool(asha, table, READY)
    await press_tool(bikram, table, READY)
    await press_tool(chandra, table, LEAVE)
    await asha.wait_for(lambda: "Deal **1**" in asha.look(table).text)


async def test_only_the_host_starts_before_all_are_ready(bot, people):
    asha, bikram, _ = people
    table = await open_table(asha, bikram)
    for told in ("2. **Bikram** · ready ✅", "You are already ready"):
        await bikram.press(START, message=table)
        assert bikram.find(told)
        assert (await facts(bot)).table.status == "lobby"
    await asha.press(START, message=table)
    assert (await facts(bot)).table.status == "playing"


async def test_all_press_ready_at_once(bot, people):
    table = await open_table(*people)
    host, *others = people
    await asyncio.gather(
        press_tool(host, table, READY), *(person.press(START, message=table) for person in others)
    )
    after = await facts(bot)
    assert (after.table.status, after.table.deal_no) == ("playing", 1)


# The host's panel


async def test_the_host_lets_somebody_get_up_who_may_come_back(bot, people):
    asha, bikram, _ = people
    table = await open_table(asha, bikram)
    panel = await manage(asha, table)
    assert panel.ephemeral
    panel = (await asha.choose(KICK, ["Bikram"], message=panel)).message
    assert "Bikram has been removed" in panel.text
    assert panel.select(KICK) is None
    await asha.wait_for(lambda: "*4 seats free*" in asha.look(table).text)
    await bikram.press(JOIN, message=table)
    assert len((await facts(bot)).seats) == 2


async def test_the_others_are_told_who_may_manage(bot, people):
    asha, bikram, chandra = people
    table = await open_table(asha, bikram)
    for other in (bikram, chandra):
        more = (await other.press(MORE, message=table)).message
        assert more.button(MANAGE) is None
        answer = await press_forged(other, "mr1:manage:1:1")
        assert "Only the host, **Asha**, can change that" in answer.text
        assert answer.selects == []
        forged = forge(other, select("mr1:pick-kick:1:1", str(asha.id)), private=True)
        await press_blindly(other, forged, "mr1:pick-kick:1:1", component_type=3, values=[str(asha.id)])
        forged = forge(other, button("mr1:switch:1:1:private-on"), private=True)
        await press_blindly(other, forged, "mr1:switch:1:1:private-on")
    after = await facts(bot)
    assert len(after.seats) == 2
    assert not after.table.options.private


async def test_the_role_of_the_host_passes_on_with_the_hosts_panel(discord, bot):
    bikram, chandra, eklavya = (discord.person(name) for name in ("bikram", "chandra", "eklavya"))
    table = await open_table(bikram, chandra, eklavya)
    panel = await manage(bikram, table)
    await press_tool(bikram, table, LEAVE)
    await bikram.choose(KICK, ["Eklavya"], message=panel)
    assert "Only the host, **Chandra**, can change that" in bikram.last().text
    assert len((await facts(bot)).seats) == 2
    await chandra.choose(KICK, ["Eklavya"], message=await manage(chandra, table))
    assert [seat.name for seat in (await facts(bot)).seats] == ["Chandra"]


async def test_those_who_look_after_the_server_may_do_the_same_and_it_is_noted(bot, people):
    asha, bikram, chandra = people
    table = await open_table(bikram, chandra)
    await asha.choose(KICK, ["Chandra"], message=await manage(asha, table))
    assert [seat.name for seat in (await facts(bot)).seats] == ["Bikram"]
    acts = await bot.store.read(lambda db: db.staff_log.latest(asha.world.guild.id, 5))
    assert [(act.act, act.target_id, act.person_id, act.table_id) for act in acts] == [
        ("kick", chandra.id, asha.id, 1)
    ]
    await asha.press(JOIN, message=table)
    answer = await press_forged(asha, "mr1:manage:1:1")
    assert "You play at table 1, so another member of the staff has to rule on it" in answer.text


async def test_an_invitation_of_several_people_is_one_line_of_the_log(discord, bot, people):
    asha, bikram, chandra = people
    table = await open_table(bikram)
    guests = [chandra, *(discord.person(name) for name in ("deepa", "eklavya"))]
    await asha.choose(INVITE, guests, message=await manage(asha, table))
    assert (
        "**Asha** invited at table 1: Chandra, Deepa, Eklavya" in (await asha.slash("setup log")).message.text
    )


async def test_odd_values_in_the_panel_change_nothing(bot, people):
    asha, bikram, _ = people
    table = await open_table(asha, bikram)
    before = await facts(bot)
    for verb, value in (
        ("kick", "१२३"),
        ("kick", "9" * 400),
        ("kick", str(asha.id)),
        ("kick", "12345"),
        ("computer", "godlike"),
        ("remove", "Everest"),
        ("remove", "Bikram"),
        ("unblock", "DROP TABLE"),
        ("block", str(bikram.world.bot.id)),
        ("invite", "not an id"),
    ):
        custom_id = f"mr1:pick-{verb}:1:1"
        forged = forge(asha, select(custom_id, value[:100]), private=True)
        await press_blindly(asha, forged, custom_id, component_type=3, values=[value])
    for custom_id in ("mr1:switch:1:1:deals-on", "mr1:switch:1:1:private", "mr1:switch:1:1:private-maybe"):
        await press_blindly(asha, forge(asha, button(custom_id), private=True), custom_id)
    after = await facts(bot)
    assert (after.seats, after.table.options, after.table.status) == (
        before.seats,
        before.table.options,
        "lobby",
    )
    assert table.id == asha.look(table).id


# Blocked


async def test_who_is_blocked_cannot_come_back_by_any_way(bot, people):
    asha, bikram, chandra = people
    table = await open_table(asha, bikram)
    panel = await manage(asha, table)
    panel = (await asha.choose(BLOCK, [bikram], message=panel)).message
    assert "Bikram cannot sit down at this table until" in panel.text
    assert [seat.name for seat in (await facts(bot)).seats] == ["Asha"]

    await bikram.press(JOIN, message=table)
    assert bikram.find("The host has blocked you from table 1")
    copy = forge(bikram, button("mr1:join:1:1"))
    await press_blindly(bikram, copy, "mr1:join:1:1")
    assert (
        "You have no seat at a table yet" in (await bikram.slash("marriage word", text="hello")).message.text
    )
    await asha.choose(INVITE, [bikram, chandra], message=panel)
    assert "**Bikram** is blocked from this table" in asha.look(panel).text
    await asha.press(PRIVATE, message=panel)
    await bikram.press(JOIN, message=table)
    await asha.press(say("manage.private_on"), message=panel)
    await bikram.press(JOIN, message=table)
    assert [seat.name for seat in (await facts(bot)).seats] == ["Asha"]

    await asha.choose(UNBLOCK, ["Bikram"], message=panel)
    await bikram.press(JOIN, message=table)
    assert [seat.name for seat in (await facts(bot)).seats] == ["Asha", "Bikram"]


async def test_a_block_outlives_the_host_who_set_it(bot, people):
    asha, bikram, chandra = people
    table = await open_table(asha, bikram)
    await asha.choose(BLOCK, [chandra], message=await manage(asha, table))
    await press_tool(asha, table, LEAVE)
    await chandra.press(JOIN, message=table)
    assert chandra.find("The host has blocked you")
    await bikram.choose(UNBLOCK, ["Chandra"], message=await manage(bikram, table))
    await chandra.press(JOIN, message=table)
    assert [seat.name for seat in (await facts(bot)).seats] == ["Bikram", "Chandra"]


async def test_the_host_cannot_block_himself(bot, people):
    asha, bikram, _ = people
    table = await open_table(asha, bikram)
    panel = (await asha.choose(BLOCK, [asha], message=await manage(asha, table))).message
    assert "You are the host of this table" in panel.text
    assert len((await facts(bot)).seats) == 2


# Private


async def test_at_a_private_table_only_the_invited_sit_down(bot, people):
    asha, bikram, chandra = people
    table = await open_table(asha)
    panel = await manage(asha, table)
    await asha.press(PRIVATE, message=panel)
    await asha.wait_for(lambda: "Private table" in asha.look(table).text)
    await bikram.press(JOIN, message=table)
    assert bikram.find("Table 1 is private. Ask **Asha**")

    panel = (await asha.choose(INVITE, [bikram, chandra], message=panel)).message
    assert "Invited: Bikram, Chandra" in panel.text
    await asha.wait_for(lambda: "Invited: Bikram, Chandra" in asha.look(table).text)
    await bikram.press(JOIN, message=table)
    assert [seat.name for seat in (await facts(bot)).seats] == ["Asha", "Bikram"]

    await asha.choose(UNINVITE, ["Chandra"], message=panel)
    await chandra.press(JOIN, message=table)
    assert chandra.find("Table 1 is private")
    await asha.press(say("manage.private_on"), message=panel)
    await chandra.press(JOIN, message=table)
    assert len((await facts(bot)).seats) == 3


async def test_each_invited_person_is_told_once(bot, people):
    asha, bikram, chandra = people
    table = await open_table(asha)
    panel = await manage(asha, table)
    await asha.press(PRIVATE, message=panel)
    await asha.choose(INVITE, [bikram], message=panel)
    (told,) = await bikram.wait_for(lambda: invitations(bikram))
    assert told.pinged == ["bikram"]
    assert not told.ephemeral
    assert "you are invited to [table 1](" in told.text
    assert f"/{table.message.channel.id}/{table.id})" in told.text
    assert "Asha" not in told.text, "a message that stays names nobody"
    assert told.button(JOIN)
    assert "I told them in the channel" in asha.look(panel).text

    await asha.choose(INVITE, [bikram, chandra], message=panel)
    _, again = await chandra.wait_for(lambda: found if len(found := invitations(chandra)) > 1 else None)
    assert again.pinged == ["chandra"]
    assert f"<@{bikram.id}>" not in again.text
    assert "I tell each person only once" in asha.look(panel).text, "Bikram was not told again"
    await asha.choose(UNINVITE, ["Chandra"], message=panel)
    await asha.choose(INVITE, [chandra], message=panel)
    assert "I tell each person only once" in asha.look(panel).text
    await bikram.press(JOIN, message=table)
    await asha.choose(INVITE, [bikram], message=panel)
    assert len(invitations(bikram)) == 2


async def test_an_invitation_is_accepted_where_it_is_read_and_stays_for_the_others(discord, bot, people):
    asha, bikram, chandra = people
    table = await open_table(asha)
    panel = await manage(asha, table)
    await asha.press(PRIVATE, message=panel)
    await asha.choose(INVITE, [bikram, chandra], message=panel)
    (told,) = await bikram.wait_for(lambda: invitations(bikram))
    for person in (bikram, chandra):
        answer = (await person.press(JOIN, message=told)).message
        assert answer.ephemeral
        assert "You sit at [table 1](" in answer.text
    devi = discord.person("devi")
    assert "is private" in (await devi.press(JOIN, message=told)).message.text
    assert [seat.name for seat in (await facts(bot)).seats] == ["Asha", "Bikram", "Chandra"]
    await asha.wait_for(lambda: asha.look(table).button(START))
    await asha.press(START, message=table)
    assert "already have a seat at this table" in (await bikram.press(JOIN, message=told)).message.text


async def test_who_is_blocked_or_sits_there_is_not_told(bot, people):
    asha, bikram, chandra = people
    table = await open_table(asha, bikram)
    panel = await manage(asha, table)
    await asha.choose(BLOCK, [chandra], message=panel)
    await asha.choose(INVITE, [chandra], message=panel)
    assert "**Chandra** is blocked from this table" in asha.look(panel).text
    await asha.choose(INVITE, [bikram], message=panel)
    assert "Invited: Bikram" in asha.look(panel).text
    assert invitations(asha) == []


def invitations(person):
    """Return the messages that mention someone, oldest first."""
    return [message for message in person.messages() if message.pinged]


# Computers


async def test_computers_come_and_go_by_level(bot, people):
    asha = people[0]
    table = await open_table(asha, computers=1)
    panel = await manage(asha, table)
    for level in ("strong", "easy", "steady"):
        panel = (await asha.choose(ADD, [level], message=panel)).message
    assert panel.select(ADD) is None
    assert [seat.computer for seat in (await facts(bot)).seats[1:]] == ["steady", "strong", "easy", "steady"]
    panel = (await asha.choose(REMOVE, ["Durga"], message=panel)).message
    await asha.wait_for(lambda: "3. Shanti (bot) · easy " in asha.look(table).text)
    await asha.choose(ADD, ["strong"], message=panel)
    after = (await facts(bot)).seats
    assert [seat.computer for seat in after[1:]] == ["steady", "easy", "steady", "strong"]
    assert len({seat.name for seat in after}) == 5


async def test_only_the_host_brings_computers(bot, people):
    asha, bikram, _ = people
    table = await open_table(asha, bikram)
    assert (await bikram.press(MORE, message=table)).message.button(COMPUTER) is None
    assert "Only the host, **Asha**" in (await press_forged(bikram, "mr1:computer:1:1")).text
    assert len((await facts(bot)).seats) == 2


# Elsewhere, and expiry


async def test_who_sits_elsewhere_is_told_where(bot, people):
    asha, bikram, _ = people
    first = await open_table(asha)
    bikram.go("general")
    second = (await bikram.slash("marriage play")).message
    asha.go("general")
    await asha.press(JOIN, message=second)
    told = asha.last().text
    channel = first.message.channel.id
    assert f"/{channel}/{first.id}) in <#{channel}>" in told
    await asha.slash("marriage leave")
    await asha.press(JOIN, message=second)
    assert [seat.name for seat in (await facts(bot, 2)).seats] == ["Bikram", "Asha"]


async def test_a_lobby_expires_after_a_restart_too(discord, start_bot, people):
    asha, clock = people[0], MovableClock()
    bot = await start_bot(clock=clock, lobby_expiry_m=120)
    table = await open_table(asha, computers=1)
    due = (await facts(bot)).deadlines[0].due_at
    assert f"<t:{due // 1000}:R>" in asha.look(table).text
    await bot.stop()
    clock.forward(3600)
    bot = await start_bot(clock=clock, lobby_expiry_m=120)
    credited = (await facts(bot)).deadlines[0].due_at
    assert credited > due
    table = await asha.sees(f"<t:{credited // 1000}:R>")  # reposted: the old message is more than an hour old
    bot.later(clock, 121 * 60)
    await asha.wait_for(lambda: "This table is closed" in asha.look(table).text)
