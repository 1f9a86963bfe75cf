"""A whole deal's traffic against Discord's own description; every other test here is judged so as well, where it is set."""

import asyncio

from tests.e2e.players import (
    HAND,
    NEXT,
    RULES,
    START,
    open_table,
    play_by_buttons,
    play_by_typing,
    press_tool,
)
from tests.playground.openapi import description, judge


async def test_a_deals_traffic_is_what_discord_describes(discord, bot, quick):
    description()
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await press_tool(asha, table, RULES)
    await asha.press(START, message=table)
    await asha.press(HAND, message=table)
    await asyncio.gather(play_by_buttons(asha), play_by_typing(bikram, table))
    await asha.press(NEXT, message=await asha.sees("won deal 1"))
    await bikram.slash("help")
    assert len(discord.recorder.entries) > 20
    await discord.recorder.quiet()
    assert judge(discord.recorder) == []
