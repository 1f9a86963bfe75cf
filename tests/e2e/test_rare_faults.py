"""Rare Discord faults over the wire: other refusals of direct messages, a block, people who leave."""

from tests.e2e.costs import at_rest
from tests.e2e.looking import facts, published
from tests.e2e.players import (
    DRAW,
    HAND,
    NEXT,
    START,
    next_panel,
    open_table,
    panel_in_dm,
    play_by_buttons,
    press_in_dm,
)
from tests.e2e.running import MovableClock
from tests.e2e.test_faults import EDITS, two_playing
from tests.waiting import until


async def in_time(bot, clock, step_s, condition):
    """Wait until the condition holds; advance the clock by `step_s` whenever the bot only waits."""

    async def is_so() -> bool:
        await at_rest(bot, clock)
        if condition():
            return True
        due = await bot.store.read(lambda db: db.deadlines.soonest(1))
        if all(row.due_at > clock.now() for row in due):
            bot.later(clock, step_s)
        return False

    await until(is_so, timeout=60)


async def test_a_person_with_whom_no_server_is_shared_plays_at_the_table(discord, bot, dull):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    sends = rf"/channels/{asha.dm_channel.id}/messages$"
    discord.faults.fail(sends, method="POST", status=403, code=50278, times=99)
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await play_by_buttons(bikram, 2)
    await published(bot)
    panel = (await asha.press(HAND, message=table)).message
    assert "do not take direct messages from me" in panel.text
    await asha.press(DRAW, message=panel)
    await published(bot)
    assert (await facts(bot)).events[-1].event == "drew"
    assert len(discord.recorder.requests("POST", f"/channels/{asha.dm_channel.id}/messages")) == 1


async def test_a_person_whose_account_is_unknown_is_sent_no_second_message(discord, bot, dull):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    discord.faults.fail("/users/@me/channels", method="POST", status=404, code=10013, times=99)
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await published(bot)
    panel = (await bikram.press(HAND, message=table)).message
    assert "do not take direct messages from me" in panel.text
    await bikram.press(DRAW, message=panel)
    await published(bot)
    assert (await facts(bot)).events[-1].event == "drew"
    assert len(discord.recorder.requests("POST", "/users/@me/channels")) == 2  # once for each person


async def test_direct_messages_that_are_opened_too_fast_come_later(discord, start_bot, dull):
    clock = MovableClock()
    bot = await start_bot(clock=clock)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    discord.faults.fail("/users/@me/channels", method="POST", status=403, code=40003, times=2)
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    panel = (await asha.press(HAND, message=table)).message
    assert panel.ephemeral
    await until(lambda: len(discord.recorder.requests("POST", "/users/@me/channels")) >= 2)

    await in_time(bot, clock, 61, lambda: panel_in_dm(asha) and panel_in_dm(bikram))
    await published(bot)


async def test_a_block_before_discord_is_waited_for_like_an_error(discord, start_bot, dull):
    """A 429 without Discord's proxy header comes from the firewall in front; discord.py raises it at once."""
    clock = MovableClock()
    bot = await start_bot(clock=clock)
    asha, _, table = await two_playing(discord)
    blocked = discord.faults.fail(
        EDITS, method="PATCH", status=429, headers={"Via": ""}, body={"message": "blocked"}, times=2
    )
    await press_in_dm(asha, DRAW)
    assert (await facts(bot)).events[-1].event == "drew"

    await in_time(bot, clock, 5, lambda: blocked.times == 0 and "**Asha** has drawn" in asha.look(table).text)
    await published(bot)


async def test_a_player_who_leaves_the_server_holds_nobody_up(discord, start_bot, quick):
    clock = MovableClock()
    bot = await start_bot(clock=clock)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await next_panel(bikram)
    discord.world.remove_member(bikram.user)

    await in_time(bot, clock, 61, lambda: asha.look(table).button(NEXT) is not None)
    await published(bot)
