"""At the table before, between and after deals; tests that let time run out use their own clock."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from bot.clock import SystemClock
from playground.person import BotAnswer
from tests.bot.conftest import SetClock
from tests.e2e.forging import button, forge, press_blindly
from tests.e2e.looking import facts
from tests.e2e.players import (
    CLOSE,
    COMPUTER,
    DRAW,
    JOIN,
    LEAVE,
    MORE,
    NEXT,
    START,
    next_panel,
    open_table,
    play_by_buttons,
    press_tool,
    say,
    text_in_dm,
)
from tests.e2e.running import MovableClock

FIVE = ("asha", "bikram", "chandra", "devi", "eklavya")


async def overtaken(
    discord, first: Coroutine[Any, Any, BotAnswer], *rest: Coroutine[Any, Any, BotAnswer]
) -> None:
    """Store the first press before Discord shows it, so that the others are made on the old display."""
    hold = discord.faults.hold("/callback", method="POST")
    presses = [asyncio.create_task(first)]
    await hold.reached()
    presses += map(asyncio.create_task, rest)
    await asyncio.sleep(0)
    discord.faults.clear()
    await asyncio.gather(*presses)


async def test_who_sits_down_at_once_is_shown_at_once(discord, start_bot):
    await start_bot(clock=SetClock(SystemClock().now()))  # delayed updates never happen
    asha, bikram = (discord.person(name) for name in FIVE[:2])
    await open_table(asha, bikram)  # it waits until everyone sees Bikram sit


async def test_people_sit_down_and_get_up(discord, bot):
    asha, bikram, chandra = (discord.person(name) for name in FIVE[:3])
    table = await open_table(asha, bikram)
    assert "1. **Asha** · host\n2. **Bikram**\n*3 seats free*" in table.text
    await press_tool(asha, table, COMPUTER)
    await press_tool(asha, table, LEAVE)
    left = "1. **Bikram** · host\n2. Durga (bot) · steady 1500, bold\n*3 seats free*"
    await bikram.wait_for(lambda: left in bikram.look(table).text)
    assert await panelless(asha)
    await chandra.press(JOIN, message=table)
    await asha.press(JOIN, message=table)
    assert "3. **Chandra**\n4. **Asha**\n*1 seat free*" in asha.look(table).text
    for person in (chandra, asha, bikram):
        await press_tool(person, table, LEAVE)
    await asha.wait_for(lambda: "This table is closed" in asha.look(table).text)
    assert [button.custom_id.split(":")[1] for button in asha.look(table).buttons] == ["fair"]
    answer = await asha.slash("marriage play")
    assert "Table 2" in answer.message.text


async def panelless(person) -> bool:
    answer = await person.slash("marriage hand")
    return "You have no seat at a table yet" in answer.message.text


async def test_a_full_table_takes_nobody_else(discord, bot):
    asha, *others = (discord.person(name) for name in (*FIVE, "falgun"))
    table = await open_table(asha)
    await asyncio.gather(*[other.press(JOIN, message=table) for other in others])
    assert len((await facts(bot)).seats) == 5
    refused = [other for other in others if other.find("All 5 seats are taken")]
    assert len(refused) == 1
    shown = asha.look(table)
    assert shown.button(JOIN).disabled
    assert (await asha.press(MORE, message=table)).message.button(COMPUTER).disabled
    assert refused[0].user.shown_name not in shown.text


async def test_a_deal_needs_two(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha)
    await bikram.press(JOIN, message=table)
    await asha.wait_for(lambda: asha.look(table).button(START).custom_id.endswith(":start:1:2"))
    more = (await bikram.press(MORE, message=table)).message
    await overtaken(discord, bikram.press(LEAVE, message=more), asha.press(START, message=table))
    assert asha.find("A deal needs at least 2 players")
    assert (await facts(bot)).table.status == "lobby"


async def test_nobody_sits_at_two_tables(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    first = await open_table(asha)
    answer = await asha.slash("marriage play")
    assert "You already have a seat at another table" in answer.message.text
    bikram.go("general")
    second = (await bikram.slash("marriage play")).message
    asha.go("general")
    await asha.press(JOIN, message=second)
    assert "You already have a seat at another table" in asha.last().text
    assert [seat.name for seat in (await facts(bot, 2)).seats] == ["Bikram"]
    await press_tool(asha, first, LEAVE)
    await asha.press(JOIN, message=second)
    assert [seat.name for seat in (await facts(bot, 2)).seats] == ["Bikram", "Asha"]


async def test_who_sits_elsewhere_is_led_there_or_leaves_from_where_they_are(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    first = await open_table(asha)
    bikram.go("general")
    second = (await bikram.slash("marriage play")).message
    asha.go("general")
    refused = (await asha.press(JOIN, message=second)).message
    assert f"/{first.id})" in refused.text
    left = (await asha.press(say("button.leave_there"), message=refused)).message
    assert left.id == refused.id
    assert "You have left table 1" in left.text
    assert not left.buttons
    await asha.press(JOIN, message=second)
    assert [seat.name for seat in (await facts(bot, 2)).seats] == ["Bikram", "Asha"]


async def test_a_deal_that_is_on_elsewhere_is_not_left_by_one_press(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    first = await open_table(asha, computers=1)
    await asha.press(START, message=first)
    bikram.go("general")
    second = (await bikram.slash("marriage play")).message
    asha.go("general")
    refused = (await asha.press(JOIN, message=second)).message
    asked = (await asha.press(say("button.leave_there"), message=refused)).message
    assert (await facts(bot)).seats[0].present
    left = (await asha.press(say("button.leave_deal"), message=asked)).message
    assert "it is closed" in left.text


async def test_the_way_out_of_a_table_moves_only_who_presses_it(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await open_table(asha)
    forged = button("mr1:leave-there:1:0")
    await press_blindly(bikram, forge(bikram, forged), forged["custom_id"], component_type=2)
    assert bikram.last().ephemeral
    assert [seat.name for seat in (await facts(bot)).seats] == ["Asha"]


async def test_seats_do_not_change_while_a_deal_is_on(discord, bot, dull):
    asha, bikram, chandra = (discord.person(name) for name in FIVE[:3])
    table = await open_table(asha, bikram)
    more, theirs = [(await person.press(MORE, message=table)).message for person in (asha, bikram)]
    await overtaken(
        discord,
        asha.press(START, message=table),
        bikram.press(LEAVE, message=theirs),
        chandra.press(JOIN, message=table),
        asha.press(COMPUTER, message=more),
    )
    after = await facts(bot)
    assert (after.table.status, [seat.name for seat in after.seats]) == ("playing", ["Asha", "Bikram"])
    for person in (asha, bikram, chandra):
        assert person.find("A deal is in progress at this table")


async def test_a_lobby_expires(discord, start_bot):
    clock = MovableClock()
    bot = await start_bot(clock=clock, lobby_expiry_m=120)
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    bot.later(clock, 119 * 60)
    assert (await facts(bot)).table.status == "lobby"
    bot.later(clock, 61)
    await asha.wait_for(lambda: "This table is closed" in asha.look(table).text)
    assert (await facts(bot)).deadlines == []
    assert "Table 2" in (await asha.slash("marriage play")).message.text


async def test_a_table_between_deals_expires(discord, start_bot, quick):
    clock = MovableClock()
    bot = await start_bot(clock=clock)
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await asha.wait_for(lambda: asha.look(table).button(NEXT))
    bot.later(clock, 121 * 60)
    await asha.wait_for(lambda: "This table is closed after 1 deal" in asha.look(table).text)


async def test_the_tunnela_window_closes_by_itself(discord, start_bot):
    clock = MovableClock()
    bot = await start_bot(clock=clock, tunnela_window_s=20)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asha.wait_for(lambda: "Tunnelas first" in asha.look(table).text)
    bot.later(clock, 61)
    await asha.wait_for(lambda: "**Bikram** draws next" in asha.look(table).text)
    assert (await next_panel(bikram)).button(DRAW)
    assert {row.kind for row in (await facts(bot)).deadlines} == {"turn", "mention"}


async def test_the_next_deal_waits_a_little_for_the_others(discord, start_bot, quick):
    clock = MovableClock()
    bot = await start_bot(clock=clock)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asyncio.gather(play_by_buttons(asha), play_by_buttons(bikram))
    await asha.press(NEXT, message=await asha.sees("won deal 1"))
    assert "Ready for the next deal: Asha" in asha.look(table).text
    await asha.press(NEXT, message=table)
    assert asha.find("You have already asked for the next deal")
    bot.later(clock, 16)
    for person in (asha, bikram):
        await person.wait_for(lambda person=person: "Deal 2" in text_in_dm(person))
    assert (await facts(bot)).table.dealer == 1

    await asyncio.gather(play_by_buttons(asha), play_by_buttons(bikram))
    await asha.press(NEXT, message=await asha.sees("won deal 2"))
    await bikram.press(NEXT, message=table)
    assert (await facts(bot)).table.deal_no == 3


async def test_a_closed_table_stays_closed(discord, bot, quick):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await asha.wait_for(lambda: asha.look(table).button(NEXT))
    more = (await asha.press(MORE, message=table)).message
    await overtaken(discord, asha.press(CLOSE, message=more), asha.press(NEXT, message=table))
    await asha.wait_for(lambda: "This table is closed after 1 deal" in asha.look(table).text)
    assert asha.find("This table is closed. Open a new one")
    assert "You have no seat at a table yet" in (await asha.slash("marriage hand")).message.text
