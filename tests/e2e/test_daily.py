"""The deal of the day over the wire: the same cards for everyone, one attempt, secret until midnight."""

import re

import pytest
from sqlalchemy import select

from bot.interactions.reply import Reply
from bot.words.texts import Languages, texts
from data.outbox_keys import DailyReminderKey
from data.preferences import GuildSettings
from data.schema.core import OUTBOX_PENDING, outbox
from data.transaction import ReadTransaction
from playground.shown import Shown
from tests.e2e.forging import button, forge, press_forged
from tests.e2e.looking import SEAL, facts, published, shuffles, turned_away
from tests.e2e.players import act, is_asked, open_settings
from tests.e2e.running import MovableClock
from tests.e2e.test_other_servers import channel_in
from tests.gates import busy, fail
from tests.waiting import until

say = texts()
DAY_S = 24 * 3600
REMIND, NO_REMINDER = say("button.remind_day"), say("button.remind_day_off")


def alts(shown) -> list[str]:
    """Return the alt texts of a message's pictures: the table, and the hand below it."""
    return [file.alt for file in shown.files]


async def play(person, panel: Shown) -> list[Shown]:
    """Play in the player's panel until the deal is over; returns every panel that was shown."""
    shown = [panel]
    while is_asked(panel):
        panel = (await act(person, panel)).panel
        shown.append(panel)
        assert panel.ephemeral
        assert len(shown) < 200
    assert "The board comes" in panel.text
    return shown


async def tries(running):
    return await running.store.read(lambda db: db.boards.daily_attempts(1))


@pytest.fixture
async def bot(start_bot, clock):
    return await start_bot(clock=clock)


@pytest.fixture
def clock() -> MovableClock:
    """A clock that starts at noon, so that midnight does not come by itself."""
    clock = MovableClock()
    clock.forward((DAY_S // 2 - clock.now() // 1000) % DAY_S)
    return clock


async def test_two_people_play_the_same_deal_and_read_the_board_after_midnight(discord, start_bot, clock):
    running = await start_bot(clock=clock)
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    channel = discord.world.channel("general")
    told = (await asha.slash("setup daily", timezone="Asia/Kathmandu", post_in=channel)).message
    assert "Asia/Kathmandu" in told.text

    first = (await asha.slash("daily")).message
    assert first.ephemeral
    assert "one attempt" in first.text
    short = first.text.partition("Fair shuffle ✓ `")[2].partition("`")[0]
    more = (await asha.press(say("button.more"), message=first)).message
    commitment = SEAL.search(await shuffles(asha, more))[1]
    first = (await asha.press(say("button.back"), message=more)).message
    assert commitment.startswith(short)
    assert len(short) == 4
    second = (await bikram.slash("daily")).message
    assert [alt.replace("Bikram", "Asha") for alt in alts(second)] == alts(first)
    assert f"`{short}`" in second.text

    alone = await play(asha, first)
    same = await play(bikram, second)
    assert [alts(message) for message in same] == [alts(message) for message in alone]
    told = [message.text.partition("\n**Today so far")[0] for message in (alone[-1], same[-1])]
    assert told[0] == told[1]
    await published(running)
    assert [*asha.dm(), *bikram.dm()] == []
    again = (await asha.slash("daily")).message
    assert alts(again) == alts(alone[-1])
    assert [button.label for button in again.buttons] == [
        say("button.share_day"),
        REMIND,
        say("button.play_now"),
    ]
    assert "Today so far: place 1 of 2" in again.text
    assert "`  1` **Asha** · " in again.text
    assert "`  1` **Bikram** · " in again.text
    assert len(await tries(running)) == 2

    begun = (await chandra.slash("daily")).message
    await act(chandra, begun)
    for table in (1, 2):
        assert "still playing" in (await asha.slash("verify", table=table, deal=1)).message.text
        assert "still playing" in (await asha.slash("marriage replay", table=table, deal=1)).message.text
    assert "still in progress" in (await asha.slash("verify", table=3, deal=1)).message.text
    assert "No day is over yet" in (await asha.slash("daily", show="board")).message.text
    assert asha.messages("general") == []

    running.later(clock, DAY_S)
    await asha.wait_for(lambda: asha.messages("general"))
    [board] = asha.messages("general")
    lines = board.text.split("\n")
    assert "Deal of the day · 20" in lines[0]
    assert "`  1` **Asha** · " in board.text
    assert "`  1` **Bikram** · " in board.text
    assert "ahead of 50%" in board.text
    assert "**Chandra** · not finished" in board.text
    assert (await asha.slash("daily", show="board")).message.text == board.text
    month = (await asha.slash("daily", show="month")).message.text
    assert "ahead of 50%" in month or "nothing to compare yet" in month  # a month may have just begun
    shared = await running.store.read(lambda db: db.boards.get_set(1))
    row = await running.store.read(lambda db: db.boards.get(1, 1))
    assert row.secret.commitment(shared.rules) == commitment
    assert row.seed.hex() in await shuffles(bikram, board)
    checked = (await chandra.slash("verify", table=1, deal=1)).message
    assert "daily" not in checked.text
    assert "still playing" not in checked.text
    assert (await bikram.slash("marriage replay", table=3, deal=1)).message.files

    following = (await asha.slash("daily")).message
    assert alts(following)[-1] != alts(first)[-1]
    assert is_asked(following)


async def test_a_result_is_shared_once_without_a_card(discord, start_bot, clock, monkeypatch, watch):
    await start_bot(clock=clock)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    panel = (await play(asha, (await asha.slash("daily")).message))[-1]
    with monkeypatch.context() as patch:  # a try that fails does not use it up
        patch.setattr(Languages, "words_for", busy)
        tried = (await asha.press(say("button.share_day"), message=panel)).message
    assert tried.text == say("error.busy")
    with monkeypatch.context() as patch:
        patch.setattr(Reply, "show", fail)
        tried = (await asha.press(say("button.share_day"), message=panel)).message
    assert "nothing was lost" in tried.text
    watch.expect("interaction.failed")
    shared = (await asha.press(say("button.share_day"), message=panel)).message
    assert not shared.ephemeral
    seen = bikram.look(shared).text
    assert "Deal of the day" in seen
    assert "Asha" in seen
    assert not re.search("[♠♥♦♣]|[0-9JQKA][SHDC]", seen)
    assert sum(seen.count(square) for square in "⬜🟨🟦🟩⬛") > 1
    again = (await asha.press(say("button.share_day"), message=panel)).message
    assert "already" in again.text
    [attempt] = [message for message in bikram.messages() if "Deal of the day" in message.text]
    assert attempt.id == shared.id


async def test_a_result_is_not_shared_where_its_player_may_not_write(discord, bot):
    bikram = discord.person("bikram")
    panel = (await play(bikram, (await bikram.slash("daily")).message))[-1]
    discord.world.deny("marriage", "SEND_MESSAGES", who="bikram")
    refused = (await bikram.press(say("button.share_day"), message=panel)).message
    assert refused.text == say("sorry.share_not_here")
    assert refused.ephemeral


async def test_the_end_tells_the_days_in_a_row_and_the_place_so_far_and_no_one_who_is_not_listed(
    discord, start_bot, clock
):
    running = await start_bot(clock=clock)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    panel = (await play(asha, (await asha.slash("daily")).message))[-1]
    assert "Today so far: place 1 of 1" in panel.text
    assert "in a row" not in panel.text
    running.later(clock, DAY_S)
    panel = (await play(asha, (await asha.slash("daily")).message))[-1]
    assert "🔥 2 days in a row" in panel.text
    page = (await bikram.slash("settings")).message
    await bikram.press(say("settings.listed_on"), message=page)
    panel = (await play(bikram, (await bikram.slash("daily")).message))[-1]
    assert "of 2" in panel.text
    panel = (await asha.slash("daily")).message
    assert "of 1" in panel.text
    assert "Bikram" not in panel.text


@pytest.mark.parametrize("size", [{"guilds": 2}])
async def test_who_plays_only_the_deal_of_the_day_has_a_profile_in_their_server(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    panel = (await asha.slash("daily")).message
    assert (await bikram.slash("profile", player=asha.user)).message.text == say("profile.none")
    assert "## Asha" in (await asha.slash("profile", public=True)).message.text
    await play(asha, panel)
    shown = (await bikram.slash("profile", player=asha.user)).message
    assert "## Asha" in shown.text
    home, (_, second) = bikram.channel, discord.world.guilds.values()
    bikram.go(channel_in(discord, second, "marriage"))
    assert (await bikram.slash("profile", player=asha.user)).message.text == say("profile.none")
    bikram.go(home)
    await asha.press(say("settings.listed_on"), message=(await asha.slash("settings")).message)
    assert (await bikram.slash("profile", player=asha.user)).message.text == say("profile.none")
    assert (await asha.slash("profile", public=True)).message.text == say("profile.hidden")


async def waiting(running) -> int:
    """Count the waiting reminders."""

    async def read(db: ReadTransaction) -> int:
        found = await db.outbox._execute(select(outbox.c.kind).where(OUTBOX_PENDING))
        return list(found.scalars()).count(DailyReminderKey.kind)

    return await running.store.read(read)


async def ask_for_reminder(person) -> Shown:
    """Play today's deal and press **Remind me tomorrow**."""
    panel = (await play(person, (await person.slash("daily")).message))[-1]
    return (await person.press(REMIND, message=panel)).message


async def test_a_reminder_comes_a_day_later_once_even_over_a_restart(discord, start_bot, clock):
    running = await start_bot(clock=clock)
    asha = discord.person("asha")
    panel = await ask_for_reminder(asha)
    assert say("daily.reminder_comes") in panel.text
    assert panel.button(NO_REMINDER)
    assert not panel.button(REMIND)
    running.later(clock, DAY_S - 3600)
    await asha.slash("daily", show="month")
    assert asha.dm() == []
    await running.stop()
    clock.forward(3600 + 60)
    running = await start_bot(clock=clock)
    await asha.wait_for(asha.dm)
    await published(running)
    [reminder] = asha.dm()
    assert "deal of the day waits" in reminder.text
    assert "in a row" not in reminder.text
    running.later(clock, DAY_S)
    await asha.slash("daily", show="month")
    await published(running)
    assert len(asha.dm()) == 1


async def test_who_has_begun_the_new_deal_is_not_reminded_but_of_the_next_one(discord, start_bot, clock):
    running = await start_bot(clock=clock)
    asha = discord.person("asha")
    await ask_for_reminder(asha)
    running.later(clock, DAY_S - 3600)
    again = (await play(asha, (await asha.slash("daily")).message))[-1]
    assert say("daily.reminder_comes") in again.text
    running.later(clock, 3600)

    async def first_is_left_out() -> bool:
        return await waiting(running) == 1

    await until(first_is_left_out)
    assert asha.dm() == []
    running.later(clock, DAY_S - 3600)
    await asha.wait_for(asha.dm)
    await published(running)
    [reminder] = asha.dm()
    assert "your 2 days in a row go on" in reminder.text


async def test_reminders_end_by_a_press_in_the_reminder_in_the_hand_or_in_the_settings(
    discord, start_bot, clock
):
    running = await start_bot(clock=clock)
    asha = discord.person("asha")
    await ask_for_reminder(asha)
    running.later(clock, DAY_S)
    await asha.wait_for(asha.dm)
    [reminder] = asha.dm()
    await asha.press(NO_REMINDER, message=reminder)
    assert say("daily.reminder_off") in asha.look(reminder).text
    panel = (await play(asha, (await asha.slash("daily")).message))[-1]
    assert panel.button(REMIND)
    assert await waiting(running) == 0
    panel = (await asha.press(REMIND, message=panel)).message
    panel = (await asha.press(NO_REMINDER, message=panel)).message
    assert say("daily.reminder_comes") not in panel.text
    await asha.press(REMIND, message=panel)
    page = await open_settings(asha, "messages")
    await asha.press(say("settings.daily_reminders_on"), message=page)
    running.later(clock, DAY_S)
    await asha.slash("daily", show="month")
    await published(running)
    assert [message.id for message in asha.dm()] == [reminder.id]


async def test_closed_direct_messages_are_noted_and_told_at_the_next_deal(discord, start_bot, clock):
    running = await start_bot(clock=clock)
    asha = discord.person("asha")
    asha.close_dms()
    await ask_for_reminder(asha)
    running.later(clock, DAY_S)
    await turned_away(asha)
    await published(running)
    panel = (await play(asha, (await asha.slash("daily")).message))[-1]
    assert say("daily.reminder_closed") in panel.text
    assert asha.dm() == []


async def test_who_was_forgotten_is_not_reminded_and_nobody_asks_for_another(discord, start_bot, clock):
    running = await start_bot(clock=clock)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await ask_for_reminder(asha)
    message = forge(bikram, button("mr1:remind-day:1:1"), private=True)
    assert say("daily.nothing_to_remind") in (await bikram.press("Forged", message=message)).message.text
    await running.bot.services.forgetting.forget(asha.user.id)
    running.later(clock, DAY_S)
    await published(running)
    assert [*asha.dm(), *bikram.dm()] == []


async def test_it_survives_a_restart_and_every_tool_works(discord, start_bot, clock):
    running = await start_bot(clock=clock)
    asha = discord.person("asha")
    panel = (await asha.slash("daily")).message
    panel = (await act(asha, panel)).panel
    assert panel.button(say("button.hint")) is None  # a hint would earn a place by itself
    more = (await asha.press(say("button.more"), message=panel)).message
    grouping = (await asha.press(say("button.group"), message=more)).message
    assert grouping.select(say("hand.pin"))
    await running.stop()
    running = await start_bot(clock=clock)
    panel = (await asha.slash("daily")).message
    assert "one attempt" not in panel.text
    panel = (await act(asha, panel)).panel
    await play(asha, panel)
    assert [attempt.finished for attempt in await tries(running)] == [True]


async def test_it_is_no_table_for_others_and_blocks_none(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await asha.slash("daily")
    before = await facts(bot)
    assert "No table is open" in (await bikram.slash("marriage tables")).message.text
    verbs = (
        "join",
        "computer",
        "start",
        "ready",
        "next",
        "close",
        "leave",
        "hand",
        "draw",
        "refresh",
        "hint",
    )
    for verb in (*verbs, "leave-deal", "end-deal", "agree", "rematch"):
        message = forge(bikram, button(f"mr1:{verb}:1:{before.table.revision}"), private=True)
        answer = await bikram.press("Forged", message=message)
        assert not answer.message.files
    for verb in ("leave-deal", "end-deal"):
        message = forge(asha, button(f"mr1:{verb}:1:{before.table.revision}"), private=True)
        assert "cannot be left or ended" in (await asha.press("Forged", message=message)).message.text
    assert await facts(bot) == before
    assert "Table 2" in (await asha.slash("marriage play")).message.text
    await published(bot)
    assert asha.dm() == []


async def test_an_old_button_changes_nothing(discord, bot):
    asha = discord.person("asha")
    first = (await asha.slash("daily")).message
    second = (await asha.slash("daily")).message
    await act(asha, second)
    before = await facts(bot)
    stale = (await act(asha, first)).panel
    assert "moved on" in stale.text
    assert await facts(bot) == before


async def test_a_day_that_nobody_asked_for_in_a_channel_is_told_to_those_who_ask(discord, start_bot, clock):
    running = await start_bot(clock=clock)
    asha = discord.person("asha")
    await play(asha, (await asha.slash("daily")).message)
    running.later(clock, DAY_S)

    async def released() -> bool:
        return (
            await running.store.read(lambda db: db.boards.last_daily_set(discord.world.guild.id)) is not None
        )

    await until(released)
    await published(running)
    assert "**Asha** · " in (await asha.slash("daily", show="board")).message.text


async def test_odd_settings_are_refused(discord, bot):
    asha = discord.person("asha")
    assert "no time zone" in (await asha.slash("setup daily", timezone="Mars/Olympus")).message.text
    assert "no time zone" not in (await asha.slash("setup daily", timezone="asia/kathmandu")).message.text
    offers = await asha.autocomplete("setup daily", focused="timezone", timezone="kathm")
    assert [offer["value"] for offer in offers] == ["Asia/Kathmandu"]
    general = discord.world.channel("general")
    assert f"<#{general.id}>" in (await asha.slash("setup daily", post_in=general)).message.text
    assert "no channel" in (await asha.slash("setup daily", off=True)).message.text


@pytest.mark.parametrize("size", [{"guilds": 2}])
async def test_the_board_is_not_posted_into_another_server(discord, start_bot, clock):
    """A server may still have a channel that an earlier version let it choose."""
    running, asha, guild = await start_bot(clock=clock), discord.person("asha"), discord.world.guild
    await act(asha, (await asha.slash("daily")).message)
    place = next(place for place in discord.world.channels.values() if place.guild not in {None, guild})
    forged = GuildSettings(daily_channel_id=place.id)
    await running.store.write(lambda db: db.guilds.set_settings(guild.id, forged))
    running.later(clock, DAY_S)

    async def is_over() -> bool:
        return "Deal of the day" in (await asha.slash("daily", show="board")).message.text

    await until(is_over)
    await published(running)
    assert asha.messages(place) == []


async def test_an_attempt_that_no_board_lists_is_for_its_player_alone(discord, start_bot, clock):
    running = await start_bot(clock=clock)
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    await asha.slash("setup daily", post_in=discord.world.channel("general"))
    for person in (bikram, asha):
        await play(person, (await person.slash("daily")).message)
    page = (await bikram.slash("settings")).message
    await bikram.press(say("settings.listed_on"), message=page)
    running.later(clock, DAY_S)
    [board] = await asha.wait_for(lambda: asha.messages("general"))
    assert "Bikram" not in board.text
    hidden = (await chandra.slash("marriage replay", table=1, deal=1)).message
    assert hidden.text == say("sorry.replay_attempt")
    assert not hidden.files
    assert (
        say("sorry.verify_hidden", table=1, deal=1) == (await chandra.slash("verify", table=1)).message.text
    )
    assert (await chandra.slash("marriage replay", table=2, deal=1)).message.files
    own = (await bikram.slash("marriage replay", table=1, deal=1)).message
    assert own.files
    moving = (await bikram.press(say("button.animated"), message=own)).message
    posted = (await bikram.press(say("button.share"), message=moving)).message
    assert (await chandra.press(say("button.replay"), message=posted)).message.files
    assert "Seed" in (await chandra.slash("verify", table=1)).message.text
    chandra.go(chandra.dm_channel)
    elsewhere = (await press_forged(chandra, "mr1:replay:1:1")).text
    assert elsewhere == say("sorry.replay_none", table=1)


async def test_an_attempt_has_one_deal(discord, start_bot, clock):
    running, asha = await start_bot(clock=clock), discord.person("asha")
    await asha.slash("setup daily", post_in=discord.world.channel("general"))
    await play(asha, (await asha.slash("daily")).message)
    running.later(clock, DAY_S)
    await asha.wait_for(lambda: asha.messages("general"))
    for deal in (2, 99):
        shown = (await asha.slash("marriage replay", table=1, deal=deal)).message
        assert shown.text == say("sorry.replay_none", table=1)


async def test_a_days_deal_is_shared_by_its_own_player_alone(discord, start_bot, clock):
    running = await start_bot(clock=clock)
    asha, chandra = discord.person("asha"), discord.person("chandra")
    await asha.slash("setup daily", post_in=discord.world.channel("general"))
    await play(asha, (await asha.slash("daily")).message)
    running.later(clock, DAY_S)
    await asha.wait_for(lambda: asha.messages("general"))
    seen = (await chandra.slash("marriage replay", table=1, deal=1)).message
    moving = (await chandra.press(say("button.animated"), message=seen)).message
    assert moving.button(say("button.share")) is None
    forged = forge(chandra, button("mr1:share-replay:1:1:0-all"), private=True)
    assert (await chandra.press("Forged", message=forged)).message.text == say("sorry.replay_stays")
    own = (await asha.slash("marriage replay", table=1, deal=1)).message
    moving = (await asha.press(say("button.animated"), message=own)).message
    posted = (await asha.press(say("button.share"), message=moving)).message
    assert not posted.ephemeral
    assert "Shared by Asha" in posted.text
