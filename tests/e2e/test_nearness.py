"""The table's message stays near the bottom: it is reposted after talk or time, and only one is live."""

import pytest

from bot.delivery.discord_calls import FAR
from tests.e2e.looking import facts, published
from tests.e2e.players import (
    DRAW,
    HAND,
    JOIN,
    START,
    next_panel,
    open_table,
    play_by_buttons,
    press_in_dm,
    press_tool,
)

MOVED = "Table 1 has moved here"


@pytest.fixture
async def running(start_bot, clock):
    return await start_bot(clock=clock)


@pytest.fixture
async def playing(discord, running, dull):
    """A deal in which Bikram is to draw and Asha waits."""
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asha.wait_for(lambda: "**Bikram** draws next" in asha.look(table).text)
    await next_panel(bikram)
    await published(running)
    return asha, bikram, table


def talk(person, count=FAR):
    for number in range(count):
        person.say(f"how are you, {number}?", "marriage")


def live(person):
    """Return the messages of the table with enabled controls."""
    return [
        message for message in person.messages("marriage") if not message.ephemeral and message.button(HAND)
    ]


async def goes_down(asha, old):
    """Return the table's new message, once the old one is closed with a link to it."""
    await asha.wait_for(lambda: MOVED in asha.look(old).text)
    [new] = live(asha)
    assert new.id > old.id
    assert f"/{new.id})" in asha.look(old).text
    assert not asha.look(old).buttons
    return new


async def test_in_a_busy_channel_the_table_comes_down_with_the_next_news(playing, running, clock):
    asha, bikram, table = playing
    talk(asha)
    running.later(clock, 121)
    await press_in_dm(bikram, DRAW)
    new = await goes_down(asha, table)
    assert "**Bikram** has drawn" in new.text
    await bikram.press(HAND, message=new)
    await play_by_buttons(bikram, 1)
    await asha.wait_for(lambda: "**Asha** draws next" in asha.look(new).text)
    assert [message.id for message in live(asha)] == [new.id]


async def test_a_few_words_do_not_move_the_table(playing, running, clock):
    asha, bikram, table = playing
    talk(asha, FAR - 1)
    running.later(clock, 121)
    await press_in_dm(bikram, DRAW)
    await asha.wait_for(lambda: "**Bikram** has drawn" in asha.look(table).text)


async def test_it_is_asked_seldom_how_far_up_the_table_is(discord, playing, running, clock):
    asha, bikram, table = playing
    talk(asha)
    asked = len(discord.recorder.requests("GET", "/messages"))
    await press_in_dm(bikram, DRAW)
    await asha.wait_for(lambda: "**Bikram** has drawn" in asha.look(table).text)
    assert len(discord.recorder.requests("GET", "/messages")) == asked
    assert asked <= 1


async def test_before_it_is_an_hour_old_the_table_is_posted_anew(discord, playing, running, clock):
    asha, bikram, table = playing
    running.later(clock, 51 * 60)
    await press_in_dm(bikram, DRAW)
    await goes_down(asha, table)


async def test_an_old_message_that_discord_lets_nobody_edit_is_deleted(discord, playing, running, clock):
    asha, bikram, table = playing
    running.later(clock, 61 * 60)
    discord.faults.fail(rf"/messages/{table.id}$", method="PATCH", status=400, code=30046, times=99)
    await press_in_dm(bikram, DRAW)
    await asha.wait_for(lambda: table.id not in [message.id for message in asha.messages()])
    assert len(live(asha)) == 1


async def test_an_old_message_that_cannot_be_closed_is_tried_and_told_once(
    discord, playing, running, clock, watch
):
    _, bikram, table = playing
    path = f"/messages/{table.id}"
    running.later(clock, 61 * 60)
    discord.faults.fail(path, method="PATCH", status=400, code=50035, times=99)
    await press_in_dm(bikram, DRAW)
    await published(running)
    await play_by_buttons(bikram, 1)
    running.later(clock, 3_600)
    await published(running)
    assert [request.status for request in discord.recorder.requests("PATCH", path)].count(400) == 1
    (told,) = watch.expect("outbox.refused")
    assert "Traceback" not in told


async def test_an_old_button_still_answers_and_the_old_message_leads_on(discord, playing, running, clock):
    asha, bikram, table = playing
    held = discord.faults.hold(rf"/messages/{table.id}$", method="PATCH")
    talk(asha)
    running.later(clock, 121)
    await press_in_dm(bikram, DRAW)
    await held.reached()  # the new message is there, the old one is not closed yet
    new = max(live(asha), key=lambda message: message.id)
    assert new.id != table.id
    panel = (await asha.press(HAND, message=table)).message
    assert panel.ephemeral
    assert f"/{new.id})" in panel.text
    held.release()
    assert (await goes_down(asha, table)).id == new.id


async def test_a_press_that_came_too_late_for_the_old_message_acts_and_closes_it(discord, running):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha)
    discord.faults.fail(rf"/messages/{table.id}$", method="PATCH", status=503, times=1_000)
    talk(asha)
    await press_tool(asha, table, "Manage table")
    await asha.press("Hints: on")
    new = await asha.wait_for(lambda: lobbies(asha, 2))
    await bikram.press(JOIN, message=table)
    assert MOVED in asha.look(table).text
    await asha.wait_for(lambda: "**Bikram**" in asha.look(new[-1]).text)
    assert [seat.name for seat in (await facts(running)).seats] == ["Asha", "Bikram"]


def lobbies(person, count):
    found = [message for message in person.messages() if not message.ephemeral and message.button(JOIN)]
    return found if len(found) == count else None
