"""The board of the week over the wire: once, on the server's Monday morning, in the chosen channel."""

import asyncio
from datetime import date, timedelta

import pytest

from bot.words.texts import texts
from data.outbox_keys import WeekPostKey
from league.times import utc
from tests.e2e.looking import published
from tests.e2e.players import (
    CLOSE,
    NEXT,
    START,
    is_over,
    open_setup,
    open_table,
    panel_in_dm,
    play_by_buttons,
    press_tool,
)
from tests.e2e.running import MovableClock
from tests.waiting import until

say = texts()
HOUR_S = 3600
DAY_S = 24 * HOUR_S
WEEKLY, OFF = say("setup.weekly_channel"), say("setup.weekly_off")
TITLE = "Last week: Points"


@pytest.fixture
def clock() -> MovableClock:
    """A clock that starts at noon on a Sunday, in UTC."""
    clock = MovableClock()
    now = utc(clock.now())
    since_sunday = (now.isoweekday() % 7) * DAY_S + now.hour * HOUR_S + now.minute * 60 + now.second
    clock.forward(7 * DAY_S + DAY_S // 2 - since_sunday)
    return clock


@pytest.fixture
async def played(discord, start_bot, clock, quick):
    """The bot, after Asha has won a deal against Bikram on this Sunday."""
    running = await start_bot(clock=clock)
    await plays(discord.person("asha"), discord.person("bikram"))
    return running


async def plays(asha, bikram) -> None:
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    for person in (asha, bikram):
        await person.wait_for(lambda who=person: (hand := panel_in_dm(who)) and not is_over(hand))
    await asyncio.gather(play_by_buttons(asha), play_by_buttons(bikram))
    table = await asha.wait_for(lambda: next((one for one in asha.messages() if one.button(NEXT)), None))
    await press_tool(asha, table, CLOSE)


async def set_up(manager, channel, timezone="UTC"):
    """Have the board posted in this channel; return the panel of the settings."""
    await manager.slash("setup daily", timezone=timezone)
    return (await manager.choose(WEEKLY, [channel], message=await open_setup(manager, "boards"))).message


def boards(person, channel="general"):
    return [message for message in person.messages(channel) if TITLE in message.text]


async def tried(running, clock) -> None:
    """Wait until nothing is due; the next week's post still waits."""

    async def nothing_is_due() -> bool:
        return not await running.store.read(lambda db: db.outbox.due(clock.now(), 1))

    await until(nothing_is_due, timeout=20)


async def waiting(running) -> list[date]:
    """Return the Mondays whose boards are requested."""
    found = await running.store.read(lambda db: db.outbox.due(2**60, 100))
    return [date.fromordinal(row.key.monday) for row in found if isinstance(row.key, WeekPostKey)]


async def test_it_comes_once_on_monday_morning_of_the_server_whatever_restarts(
    discord, start_bot, clock, played
):
    asha, general = discord.person("asha"), discord.world.channel("general")
    panel = await set_up(asha, general, "Asia/Kathmandu")
    assert f"in <#{general.id}> every Monday at 9:00 (Asia/Kathmandu)" in panel.text
    assert "I cannot post it" not in panel.text
    played.later(clock, 15 * HOUR_S)  # 3:00 in UTC, 8:45 in Nepal
    await tried(played, clock)
    assert boards(asha) == []
    await played.stop()
    clock.forward(HOUR_S)
    running = await start_bot(clock=clock)
    await asha.wait_for(lambda: boards(asha))
    await tried(running, clock)
    [board] = boards(asha)
    monday = utc(clock.now()).date()
    assert f"{monday - timedelta(7)} – {monday - timedelta(1)}" in board.text
    assert "`  1.` **Asha** · " in board.text
    assert "`  2.` **Bikram** · " in board.text
    assert board.pinged == []
    assert await waiting(running) == [monday + timedelta(7)]

    await set_up(asha, general, "America/New_York")  # there it is not 9 yet on this Monday
    running.later(clock, DAY_S)
    await tried(running, clock)
    assert len(boards(asha)) == 1

    running.later(clock, 7 * DAY_S)
    await tried(running, clock)
    assert len(boards(asha)) == 1  # no one has played in that week
    assert await waiting(running) == [monday + timedelta(14)]


async def test_the_button_shows_the_board_of_the_present_week(discord, clock, played):
    asha = discord.person("asha")
    await set_up(asha, discord.world.channel("general"))
    played.later(clock, DAY_S)
    await asha.wait_for(lambda: boards(asha))
    shown = (await asha.press(say("board.this_week"), message=boards(asha)[0])).message
    assert shown.ephemeral
    assert "Points, this week" in shown.text


async def test_it_is_turned_off_and_an_outage_of_days_leaves_it_out(discord, start_bot, clock, played):
    asha, general = discord.person("asha"), discord.world.channel("general")
    panel = await set_up(asha, general)
    await played.stop()
    clock.forward(3 * DAY_S)
    running = await start_bot(clock=clock)
    await tried(running, clock)
    assert boards(asha) == []
    assert len(await waiting(running)) == 1
    await plays(asha, discord.person("bikram"))
    panel = await open_setup(asha, "boards")
    panel = (await asha.press(OFF, message=panel)).message
    assert "is not posted" in panel.text
    assert not panel.button(OFF)
    running.later(clock, 7 * DAY_S)
    await published(running)
    assert boards(asha) == []
    log = (await asha.slash("setup log")).message.text
    assert f"The weekly board is posted in: <#{general.id}>" in log
    assert "The weekly board is posted in: no channel" in log


async def test_a_channel_that_is_deleted_turns_it_off(discord, start_bot, clock, played):
    asha, guild = discord.person("asha"), discord.world.guild
    await set_up(asha, discord.world.channel("general"))

    async def is_off() -> bool:
        return (await played.store.read(lambda db: db.guilds.settings(guild.id))).weekly_channel_id is None

    assert not await is_off()
    discord.world.delete_channel("general")
    await until(is_off)
    assert "is not posted" in (await open_setup(asha, "boards")).text


async def test_a_channel_that_was_deleted_while_the_bot_was_away_turns_it_off_too(
    discord, start_bot, clock, played
):
    asha, guild = discord.person("asha"), discord.world.guild
    await set_up(asha, discord.world.channel("general"))
    await played.stop()
    discord.world.delete_channel("general")
    clock.forward(DAY_S)
    running = await start_bot(clock=clock)

    async def is_off() -> bool:
        return (await running.store.read(lambda db: db.guilds.settings(guild.id))).weekly_channel_id is None

    await until(is_off)


async def test_missing_permissions_are_said_and_it_comes_once_they_are_there(discord, clock, played, watch):
    asha = discord.person("asha")
    discord.world.deny("general", "SEND_MESSAGES")
    panel = await set_up(asha, discord.world.channel("general"))
    assert "because I don't have these permissions: Send Messages" in panel.text
    played.later(clock, DAY_S)
    wire = discord.recorder
    path = f"/channels/{discord.world.channel('general').id}/messages"
    await until(lambda: any(entry.status == 403 for entry in wire.requests("POST", path)))
    discord.world.allow("general", "SEND_MESSAGES")
    assert "I cannot post it" not in (await open_setup(asha, "boards")).text
    played.later(clock, HOUR_S)
    await asha.wait_for(lambda: boards(asha))


async def test_who_is_forgotten_is_taken_off_a_board_that_was_posted(discord, clock, played):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await set_up(asha, discord.world.channel("general"))
    played.later(clock, DAY_S)
    await asha.wait_for(lambda: boards(asha))
    await played.bot.services.forgetting.forget(bikram.user.id)
    await asha.wait_for(lambda: "Bikram" not in boards(asha)[0].text)
    assert "**Asha**" in boards(asha)[0].text


@pytest.mark.parametrize("size", [{"guilds": 2}])
async def test_it_is_not_posted_into_another_server(discord, clock, played):
    """A server may still have a channel that an earlier version let it choose."""
    asha, guild = discord.person("asha"), discord.world.guild
    await set_up(asha, discord.world.channel("general"))
    place = next(place for place in discord.world.channels.values() if place.guild not in {None, guild})
    settings = await played.store.read(lambda db: db.guilds.settings(guild.id))
    forged = settings.model_copy(update={"weekly_channel_id": place.id})
    await played.store.write(lambda db: db.guilds.set_settings(guild.id, forged))
    played.later(clock, DAY_S)
    await tried(played, clock)
    assert asha.messages(place) == []
    assert (await played.store.read(lambda db: db.guilds.settings(guild.id))).weekly_channel_id is None
