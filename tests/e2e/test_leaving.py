"""Leaving a table in each of its states, returning, and the deals that follow."""

import asyncio

import pytest

from data.preferences import Pace
from marriage.rules import HAND_SIZE
from tests.e2e.looking import facts
from tests.e2e.pacing import timed
from tests.e2e.players import (
    DRAW,
    HAND,
    LEAVE,
    LEAVE_DEAL,
    NEXT,
    PATIENCE,
    QUIT,
    START,
    next_panel,
    open_table,
    play_by_buttons,
    press_tool,
    text_in_dm,
)
from tests.marriage.dealing import DULL_FACES, WINNING, replay_checked
from tests.waiting import until


@pytest.fixture
async def playing(discord, start_bot, dull):
    """A deal in which Bikram is to draw; Asha, the host, waits."""
    at = await timed(discord, start_bot, Pace.NORMAL, "asha", "bikram")
    await at.through_window()
    await at.shows("**Bikram** draws next")
    await next_panel(at.people[1])
    return at


async def test_the_lobby_lets_everybody_go_by_a_typed_command(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    assert "You have left table 1" in (await asha.slash("marriage leave")).message.text
    await bikram.wait_for(lambda: "1. **Bikram** · host" in bikram.look(table).text)
    await bikram.slash("marriage leave")
    await asha.wait_for(lambda: "This table is closed" in asha.look(table).text)
    assert "You have no seat at a table yet" in (await asha.slash("marriage leave")).message.text


async def test_who_leaves_a_deal_is_played_by_the_computer_and_is_free(playing):
    at, (asha, bikram) = playing, playing.people
    menu = (await asha.press(QUIT, message=at.table)).message
    assert menu.ephemeral
    assert "its points count for you" in menu.text
    left = (await asha.press(LEAVE_DEAL, message=menu)).message
    assert "You have left table 1" in left.text
    assert not left.buttons
    await at.shows("Left: **Asha**")
    after = await at.facts()
    assert after.table.host_id == bikram.id
    assert (await at.due())["turn"]  # Bikram's clock keeps running
    await play_by_buttons(bikram, 2)
    await at.shows("**Bikram** draws next")
    assert (await at.event_names())[-1] == "discarded"
    assert not any(message.pinged for message in bikram.messages())

    elsewhere = (await asha.slash("marriage play")).message
    assert "Table 2" in elsewhere.text
    refused = (await asha.press(HAND, message=at.table)).message
    assert "You already have a seat at another table: [table 2](https://discord.com/channels/" in refused.text
    assert (await at.facts()).seats[0].left


async def test_the_one_in_turn_leaves_and_nobody_waits(playing):
    at, (_, bikram) = playing, playing.people
    await bikram.slash("marriage leave")
    await at.shows("**Asha** draws next")
    assert "You have already left this table" in (await bikram.slash("marriage leave")).message.text
    after = await at.facts()
    assert after.table.host_id == at.people[0].id
    assert len(replay_checked(after.events).seats[1].cards) == HAND_SIZE


async def test_coming_back_during_the_deal_takes_the_seat_back(playing):
    at, (asha, bikram) = playing, playing.people
    await bikram.slash("marriage leave")
    await at.shows("**Asha** draws next")
    panel = (await bikram.slash("marriage hand")).message
    assert "Welcome back" in panel.text
    await at.shows("Left:", absent=True)
    await play_by_buttons(asha, 2)
    assert (await next_panel(bikram)).button(DRAW)
    assert len(replay_checked((await at.facts()).events).seats[1].cards) == HAND_SIZE


async def test_the_last_person_closes_the_table_and_the_deal_is_dismissed(playing):
    at, (asha, bikram) = playing, playing.people
    await bikram.slash("marriage leave")
    assert "You were the last person" in (await asha.slash("marriage leave")).message.text
    closed = await at.shows("This table is closed")
    assert "Everybody left the table" in closed.text
    after = await at.facts()
    assert after.table.status == "closed"
    assert [row.net for row in after.results] == [0, 0]
    assert after.deadlines == []
    for person in (asha, bikram):
        assert "You have no seat at a table yet" in (await person.slash("marriage leave")).message.text


@pytest.mark.shuffled
async def test_a_lone_person_leaves_the_computers(discord, bot):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await next_panel(asha)
    await asha.slash("marriage leave")
    await asha.wait_for(lambda: "This table is closed" in asha.look(table).text)
    assert "checks out" in (await asha.slash("verify", table=1, deal=1)).message.text


async def test_between_deals_the_seat_goes_and_the_next_deal_is_without_it(discord, bot, arrange):
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    arrange(
        WINNING, " ".join(DULL_FACES[3:]), " ".join(DULL_FACES[:18]), up="KD", stock="QC QD QH QS 10C 10D"
    )
    table = await open_table(asha, bikram, chandra)
    await asha.press(START, message=table)
    await asyncio.gather(*map(play_by_buttons, (asha, bikram, chandra)))
    await asha.wait_for(lambda: asha.look(table).button(NEXT), PATIENCE)
    first = {row.person_id: row.net for row in (await facts(bot)).results}

    await press_tool(asha, table, LEAVE)
    after = await facts(bot)
    assert (after.table.status, after.table.host_id) == ("between", bikram.id)
    assert (await asha.slash("marriage play")).message.text.count("Table 2") == 1
    await chandra.press(NEXT, message=table)
    arrange("2H 4H", "2S 4S", up="KD")
    await bikram.press(NEXT, message=table)
    await bikram.wait_for(lambda: "Deal 2" in text_in_dm(bikram))
    now = await facts(bot)
    assert [(seat.seat, seat.person_id) for seat in now.seats] == [(0, bikram.id), (1, chandra.id)]
    assert now.table.dealer == 0  # Bikram was to deal, and still is
    snapshot = await bot.bot.services.tables.snapshot(1)
    assert snapshot.totals == (first[bikram.id], first[chandra.id])
    assert "Deal 2" in (await chandra.press(HAND, message=table)).message.text


async def test_one_of_two_leaves_between_deals_and_a_computer_takes_the_seat(discord, bot, quick):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asyncio.gather(play_by_buttons(asha), play_by_buttons(bikram))
    await asha.wait_for(lambda: asha.look(table).button(NEXT))
    net = (await facts(bot)).results[0].net
    await press_tool(bikram, table, LEAVE)
    await asha.press(NEXT, message=table)
    await asha.wait_for(lambda: "Deal 2" in text_in_dm(asha))
    seats = (await facts(bot)).seats
    assert (seats[0].person_id, seats[1].person_id, seats[1].name) == (asha.id, None, "Laxmi")
    assert (await bot.bot.services.tables.snapshot(1)).totals == (net, 0)


async def test_who_left_between_deals_may_think_again(discord, bot, quick):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asyncio.gather(play_by_buttons(asha), play_by_buttons(bikram))
    await asha.wait_for(lambda: asha.look(table).button(NEXT))
    await press_tool(bikram, table, LEAVE)
    await bikram.press(NEXT, message=table)
    assert not (await facts(bot)).seats[1].left
    await asha.press(NEXT, message=table)
    await until(lambda: "Deal 2" in text_in_dm(bikram))
    await asha.wait_for(lambda: asha.look(table).button(NEXT) is None)
