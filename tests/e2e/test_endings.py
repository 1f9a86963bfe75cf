"""Deals without a winner: votes, staff, forgotten tables, and channels in which the bot may not write."""

import asyncio

import pytest

from data.preferences import GuildSettings, Pace
from tests.e2e.pacing import timed
from tests.e2e.players import (
    DRAW,
    HAND,
    NEXT,
    START,
    next_panel,
    open_settings,
    open_table,
    panel_in_dm,
    play_by_buttons,
    press_in_dm,
    say,
    text_in_dm,
)
from tests.e2e.test_faults import put_off
from tests.waiting import until

QUIT, END_DEAL, AGREE, REFUSE = (say(f"button.{key}") for key in ("quit", "end_deal", "agree", "refuse"))
NOTHING = "nobody scores, nobody pays"


@pytest.fixture
async def playing(discord, start_bot, dull):
    """Bikram is to draw; Asha waits."""
    at = await timed(discord, start_bot, Pace.NORMAL, "asha", "bikram")
    await at.through_window()
    await at.shows("**Bikram** draws next")
    await next_panel(at.people[1])
    return at


async def asked(at):
    """Asha has requested the end of the deal."""
    asha, _ = at.people
    menu = (await asha.press(QUIT, message=at.table)).message
    answer = (await asha.press(END_DEAL, message=menu)).message
    assert "two minutes" in answer.text
    return await at.shows("**Asha** would like to end this deal")


async def test_a_vote_that_all_agree_to_ends_the_deal_without_points(playing):
    at, (asha, bikram) = playing, playing.people
    vote = await asked(at)
    assert "Waiting for **Bikram**" in vote.text
    assert NOTHING in vote.text
    assert "The deal is over" in (await bikram.press(AGREE, message=vote)).message.text
    shown = await at.shows("Deal 1 is dismissed")
    assert "Everybody present agreed" in shown.text
    after = await at.facts()
    assert (after.table.status, after.table.ended) == ("between", "vote")
    assert [row.net for row in after.results] == [0, 0]
    assert [event.event for event in after.events[-2:]] == ["dismissed", "settled"]
    assert not any(seat.ending for seat in after.seats)
    assert set(await at.due()) == {"between"}
    await asha.press(NEXT, message=at.table)
    await bikram.press(NEXT, message=at.table)
    await at.shows("Tunnelas first")
    assert (await at.facts()).table.ended is None


async def test_one_refusal_is_enough(playing):
    at, (_, bikram) = playing, playing.people
    vote = await asked(at)
    assert "play goes on" in (await bikram.press(REFUSE, message=vote)).message.text
    shown = await at.shows("would like to end", absent=True)
    assert shown.button(AGREE) is None
    assert (await at.facts()).table.status == "playing"
    assert not any(seat.ending for seat in (await at.facts()).seats)


async def test_a_vote_runs_out_after_two_minutes_and_its_buttons_with_it(discord, start_bot, dull):
    at = await timed(discord, start_bot, Pace.SLOW, "asha", "bikram")
    await at.through_window()
    vote = await asked(at)
    old = vote.button(AGREE).custom_id
    at.later(121)
    await at.shows("would like to end", absent=True)
    await asked(at)
    second = at.people[0].look(at.table).button(AGREE).custom_id
    assert old != second
    assert (await at.facts()).table.status == "playing"


async def test_a_move_goes_on_while_a_vote_is_open(playing):
    at, (_, bikram) = playing, playing.people
    panel = panel_in_dm(bikram)
    await asked(at)
    assert "I did nothing" not in (await bikram.press(DRAW, message=panel)).message.text
    assert "vote" in await at.due()


async def test_who_is_away_is_not_asked(discord, start_bot, dull):
    at = await timed(discord, start_bot, Pace.FAST, "asha", "bikram")
    await at.through_window()
    await asked(at)
    at.later(31)  # Bikram is away, so no one can refuse
    await at.shows("Deal 1 is dismissed")


async def test_spectators_and_players_who_are_away_have_no_vote(discord, start_bot, dull):
    at = await timed(discord, start_bot, Pace.FAST, "asha", "bikram")
    await at.through_window()
    chandra = discord.person("chandra")
    vote = await asked(at)
    assert "You have no seat at table 1" in (await chandra.press(AGREE, message=vote)).message.text
    assert "You have no seat at table 1" in (await chandra.press(QUIT, message=vote)).message.text
    assert (await at.facts()).table.status == "playing"


@pytest.mark.shuffled
async def test_a_lone_person_ends_the_deal_at_once_and_it_checks_out(discord, bot):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await next_panel(asha)
    assert "The deal is over" in (await asha.slash("marriage end")).message.text
    await asha.wait_for(lambda: asha.look(table).button(NEXT))
    assert "no deal in progress" in (await asha.slash("marriage end")).message.text
    assert "checks out" in (await asha.slash("verify", table=1, deal=1)).message.text


async def test_a_double_click_on_end_deal_ends_the_deal_and_not_the_match(discord, bot):
    asha = discord.person("asha")
    table = (await asha.slash("marriage play", computers=2, deals=5)).message
    menu = (await asha.press(QUIT, message=table)).message
    await asyncio.gather(*(asha.press(END_DEAL, message=menu) for _ in range(2)))
    told = {message.text for message in asha.messages() if message.ephemeral}
    assert any("The deal is over" in text for text in told)
    assert any("The table has moved on" in text for text in told)
    assert not (await bot.store.read(lambda db: db.matches.latest(1))).is_over


async def test_staff_end_a_table_with_a_reason_that_is_kept(playing):
    at = playing
    chandra = at.discord.person("chandra")
    at.discord.world.grant(chandra.user, "MANAGE_GUILD")
    assert "give a reason" in (await chandra.slash("marriage end", table=1)).message.text
    answer = await chandra.slash("marriage end", table=1, reason="They asked me to")
    assert "Table 1 is closed" in answer.message.text
    closed = await at.shows("This table is closed")
    assert "The server's staff ended it" in closed.text
    after = await at.facts()
    assert [row.net for row in after.results] == [0, 0]
    assert after.deadlines == []
    [act] = await at.bot.store.read(lambda db: db.staff_log.latest(after.table.guild_id, 10))
    assert (act.person_id, act.act, act.table_id) == (chandra.id, "end", 1)
    assert act.reason == "They asked me to"
    again = await chandra.slash("marriage end", table=1, reason="Once more")
    assert "This table is closed" in again.message.text


async def test_the_staff_role_is_enough_and_nobody_else_is(playing):
    at = playing
    chandra, devi = at.discord.person("chandra"), at.discord.person("devi")
    role = at.discord.world.grant(chandra.user)
    guild_id = (await at.facts()).table.guild_id
    refused = await devi.slash("marriage end", reason="I do not like it")
    assert "Only this server's staff" in refused.message.text
    refused = await chandra.slash("marriage end", reason="Not yet")
    assert "Only this server's staff" in refused.message.text
    await at.bot.store.write(
        lambda db: db.guilds.set_settings(guild_id, GuildSettings(staff_role_id=role.id))
    )
    assert (await at.facts()).table.status == "playing"
    await chandra.slash("marriage end", reason="Now I may")
    await at.shows("This table is closed")


async def test_staff_at_the_table_do_not_rule_on_it(playing):
    at, (_, bikram) = playing, playing.people
    at.discord.world.grant(bikram.user, "MANAGE_GUILD")
    refused = await bikram.slash("marriage end", reason="I am losing")
    assert "another member of the staff has to rule on it" in refused.message.text
    await bikram.slash("marriage leave")
    refused = await bikram.slash("marriage end", reason="I am losing", table=1)
    assert "another member of the staff has to rule on it" in refused.message.text
    after = await at.facts()
    assert after.table.status == "playing"
    assert await at.bot.store.read(lambda db: db.staff_log.latest(after.table.guild_id, 10)) == []


async def test_a_table_that_everybody_forgot_ends_by_itself(discord, start_bot, dull):
    at = await timed(discord, start_bot, Pace.FAST, "asha", "bikram", computer_pause_ms=60_000)
    await at.through_window()
    at.later(31)
    await at.shows("Away: **Bikram**")
    assert "abandoned" not in await at.due()
    at.later(61)
    await at.shows("**Asha** draws next")
    at.later(31)
    await at.shows("Away: **Asha, Bikram**")
    due = (await at.due())["abandoned"]
    assert 590_000 < due - at.clock.now() <= 600_000
    at.later(601)
    closed = await at.shows("This table is closed")
    assert "Nobody was left at the table" in closed.text
    assert [row.net for row in (await at.facts()).results] == [0, 0]


async def test_one_who_comes_back_keeps_the_table_open(discord, start_bot, dull):
    at = await timed(discord, start_bot, Pace.FAST, "asha", "bikram", computer_pause_ms=60_000)
    await at.through_window()
    asha, bikram = at.people
    await asha.slash("marriage leave")
    at.later(31)
    await at.shows("Away: **Bikram**")
    assert "abandoned" in await at.due()
    await bikram.press(HAND, message=at.table)
    assert "abandoned" not in await at.due()


async def test_clocks_stand_while_the_table_cannot_be_shown(playing):
    at, (asha, bikram) = playing, playing.people
    panel = panel_in_dm(bikram)
    at.discord.world.deny("marriage", "SEND_MESSAGES", "VIEW_CHANNEL", who=at.discord.world.bot)
    await bikram.press(DRAW, message=panel)

    async def paused():
        return set(await at.due()) == {"paused"}

    await until(paused)
    for person in (asha, bikram):
        await person.wait_for(lambda waiting=person: "⏸️ Paused: in <#" in text_in_dm(waiting))
        await person.wait_for(
            lambda waiting=person: (
                "I don't have these permissions: View Channel, Send Messages" in text_in_dm(waiting)
            )
        )
    await asha.wait_for(lambda: "It is **Bikram**'s turn when play resumes." in text_in_dm(asha))
    refreshed = (await press_in_dm(asha, say("button.refresh"))).message
    assert "trying to show the table again" in refreshed.text
    assert "Paused" in refreshed.text
    at.later(3600)
    assert not any(seat.away for seat in (await at.facts()).seats)
    asha.go("general")
    moved = await asha.slash("marriage resume")
    assert "Table 1 now plays in this channel" in moved.message.text
    again = await asha.sees("**Bikram** has drawn and discards next")
    assert again.message.channel.name == "general"

    async def resumed():
        return set(await at.due()) == {"turn", "mention"}

    await until(resumed)
    await play_by_buttons(bikram, 1)
    await asha.wait_for(lambda: "**Asha** draws next" in asha.look(again).text)


async def test_a_paused_table_goes_on_by_itself_once_it_may(playing):
    at, (_, bikram) = playing, playing.people
    panel = panel_in_dm(bikram)
    at.discord.world.deny("marriage", "SEND_MESSAGES", "VIEW_CHANNEL", who=at.discord.world.bot)
    await bikram.press(DRAW, message=panel)

    async def paused():
        return set(await at.due()) == {"paused"}

    await until(paused)
    at.discord.world.allow("marriage", "SEND_MESSAGES", "VIEW_CHANNEL", who=at.discord.world.bot)
    await at.shows("**Bikram** has drawn")

    async def resumed():
        return set(await at.due()) == {"turn", "mention"}

    await until(resumed)
    await play_by_buttons(bikram, 1)
    await at.shows("**Asha** draws next")


async def test_a_move_by_direct_message_leaves_a_table_paused_that_cannot_be_shown(playing):
    at, (asha, bikram) = playing, playing.people
    at.discord.world.deny("marriage", "SEND_MESSAGES", "VIEW_CHANNEL", who=at.discord.world.bot)
    await play_by_buttons(bikram, 2)  # draws and discards
    await asha.wait_for(lambda: "Your turn" in text_in_dm(asha))
    await play_by_buttons(asha, 2)
    await bikram.wait_for(lambda: "Your turn" in text_in_dm(bikram))

    async def paused():
        return set(await at.due()) == {"paused"}

    await until(paused)
    at.discord.world.allow("marriage", "SEND_MESSAGES", "VIEW_CHANNEL", who=at.discord.world.bot)
    await at.shows("**Bikram** draws next")
    for person in (asha, bikram):
        await person.wait_for(lambda waiting=person: "Paused" not in text_in_dm(waiting))
    await asha.wait_for(lambda: "It is **Bikram**'s turn." in text_in_dm(asha))


async def test_who_gets_no_hand_by_direct_message_is_told_there_that_the_table_stands_and_goes_on(playing):
    at, (asha, bikram) = playing, playing.people
    settings = await open_settings(asha, "messages")
    await asha.press(say("settings.hands_by_dm_on"), message=settings)
    at.discord.world.delete_channel(at.table.message.channel)
    await asha.wait_for(lambda: "this table's channel is gone" in text_in_dm(asha))
    await bikram.wait_for(lambda: "this table's channel is gone" in text_in_dm(bikram))
    bikram.go("general")
    await bikram.slash("marriage resume")
    await asha.wait_for(lambda: "Play resumes" in text_in_dm(asha))
    await bikram.wait_for(lambda: "Paused" not in text_in_dm(bikram))


async def test_that_the_table_goes_on_is_told_once_although_the_answer_of_discord_was_lost(
    playing, monkeypatch
):
    monkeypatch.setattr("bot.lanes.FIRST_WAIT_MS", 60_000)
    at, (asha, bikram) = playing, playing.people
    settings = await open_settings(asha, "messages")
    await asha.press(say("settings.hands_by_dm_on"), message=settings)
    at.discord.world.delete_channel(at.table.message.channel)
    await asha.wait_for(lambda: "this table's channel is gone" in text_in_dm(asha))
    posts = f"/channels/{asha.dm_channel.id}/messages"
    at.discord.faults.fail(posts, method="POST", done=True)
    bikram.go("general")
    before = len(at.discord.recorder.requests("POST", posts))
    await bikram.slash("marriage resume")
    await until(lambda: put_off(at.bot, at.clock))
    at.later(61)
    await until(lambda: len(at.discord.recorder.requests("POST", posts)) == before + 2)
    assert len([message for message in asha.dm() if "▶️ Play resumes" in message.text]) == 1


async def test_a_match_that_waits_for_its_next_deal_outlasts_the_loss_of_its_server(playing):
    """Meanwhile its players can go on by direct message."""
    at, (asha, bikram) = playing, playing.people
    vote = await asked(at)
    await bikram.press(AGREE, message=vote)
    await asha.wait_for(lambda: "Deal 1 is dismissed" in text_in_dm(asha))
    at.discord.world.kick_bot()

    async def paused():
        return set(await at.due()) == {"paused"}

    await until(paused)
    for person in (asha, bikram):
        await person.wait_for(
            lambda waiting=person: "no longer in this table's server" in text_in_dm(waiting)
        )
    at.later(5 * 3600)
    for person in (asha, bikram):
        await press_in_dm(person, NEXT)
    await asha.wait_for(lambda: "Deal 2" in text_in_dm(asha))
    await until(paused)
    assert (await at.facts()).table.status == "playing"
    at.discord.world.invite_bot()
    await at.shows("Deal **2**")
    await asha.wait_for(lambda: "Paused" not in text_in_dm(asha))
