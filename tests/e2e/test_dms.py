"""The hand by direct message: if it is closed, gone or back, play continues by the table's button."""

import asyncio

import pytest

from data.transaction import ReadTransaction
from tests.e2e.looking import published, turned_away
from tests.e2e.players import (
    DRAW,
    HAND,
    NEXT,
    START,
    act,
    discards,
    is_asked,
    next_panel,
    open_table,
    panel_in_dm,
    play_by_buttons,
    play_by_typing,
    press_tool,
    say,
)

REMATCH = say("button.rematch")


async def test_with_closed_messages_a_deal_is_played_at_the_table(discord, bot, quick):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    asha.close_dms()
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    playing = asyncio.create_task(play_by_buttons(bikram))
    await turned_away(asha)
    await published(bot)
    panel = (await asha.press(HAND, message=table)).message
    assert panel.ephemeral
    assert "do not take direct messages from me" in panel.text
    while not asha.look(table).button(NEXT):
        if is_asked(panel):
            panel = (await act(asha, panel)).panel
            continue
        await asha.wait_for(
            lambda: "Asha** draws next" in asha.look(table).text or asha.look(table).button(NEXT)
        )
        panel = (await asha.press(HAND, message=table)).message
    await playing
    assert asha.dm() == []
    assert len(discord.recorder.requests("POST", f"/channels/{asha.dm_channel.id}/messages")) == 1


async def test_the_next_table_tries_the_messages_again(discord, bot, quick):
    asha = discord.person("asha")
    asha.close_dms()
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    panel = (await asha.press(HAND, message=table)).message
    await turned_away(asha)
    asha.close_dms(closed=False)
    await play_by_typing(asha, table)
    assert asha.dm() == []
    await press_tool(asha, table, "Close table")
    assert panel is not None

    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    panel = await next_panel(asha)
    assert "do not take direct messages from me" not in panel.text


async def test_open_messages_say_nothing_about_closed_ones(discord, bot):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await next_panel(asha)
    panel = (await asha.press(HAND, message=table)).message
    assert "closed" not in panel.text


async def test_a_deleted_hand_comes_again(discord, bot, dull):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    first = await asha.wait_for(lambda: panel_in_dm(asha))
    discord.world.delete_message(first.message)
    await play_by_buttons(bikram, 2)
    again = await next_panel(asha)
    assert again.id != first.id
    assert len(asha.dm()) == 1
    await asha.press(DRAW, message=again)
    await asha.wait_for(lambda: discards(panel_in_dm(asha)))


OPENED = ("POST", "/users/@me/channels")


async def test_a_channel_is_opened_once_for_all_runs_of_the_bot(discord, start_bot, dull):
    bot = await start_bot()
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    first = await asha.wait_for(lambda: panel_in_dm(asha))
    await bikram.wait_for(lambda: panel_in_dm(bikram))
    await bot.stop()
    bot = await start_bot()
    before = len(discord.recorder.requests(*OPENED))
    assert before == 2
    discord.world.delete_message(first.message)
    await play_by_buttons(bikram, 2)
    again = await next_panel(asha)
    assert again.id != first.id
    await published(bot)
    assert len(discord.recorder.requests(*OPENED)) == before


@pytest.mark.parametrize(("status", "code"), [(404, 10003), (403, 50007), (403, 50001)])
async def test_a_channel_that_discord_refuses_is_opened_anew_once(discord, bot, dull, status, code):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    first = await asha.wait_for(lambda: panel_in_dm(asha))
    await published(bot)
    sends = rf"/channels/{asha.dm_channel.id}/messages$"
    discord.faults.fail(sends, method="POST", status=status, code=code)
    discord.world.delete_message(first.message)
    before = len(discord.recorder.requests("POST", f"/channels/{asha.dm_channel.id}/messages"))
    await play_by_buttons(bikram, 2)
    again = await next_panel(asha)
    assert again.id != first.id
    await published(bot)
    sent = len(discord.recorder.requests("POST", f"/channels/{asha.dm_channel.id}/messages"))
    assert sent == before + 2

    async def read(db: ReadTransaction) -> None:
        assert await db.people.direct_channel(asha.id) == asha.dm_channel.id
        assert (await db.people.get(asha.id)).dms_open

    await bot.store.read(read)
