"""The bot or its session goes away during a deal and comes back. `tests/processes` kills the bot."""

from tests.e2e.players import DRAW, START, act, discards, next_panel, open_table, throw


async def in_the_middle(discord):
    """A deal of one person and a computer in which the person is to discard in their second turn."""
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    turns = 0
    while turns < 2:
        panel = await next_panel(asha)
        turns += panel.button(DRAW) is not None
        panel = (await act(asha, panel)).panel
    assert discards(panel)
    return asha, table, panel


async def test_the_bot_here_closes_and_goes_on_in_the_middle(discord, start_bot, dull):
    first = await start_bot()
    asha, _, panel = await in_the_middle(discord)
    await first.stop()
    second = await start_bot()
    assert second.bot is not first.bot
    await throw(asha, panel, discards(panel)[0])
    assert (await next_panel(asha)).button(DRAW)


async def test_a_session_resumed_or_begun_anew_misses_no_press(discord, start_bot, dull):
    await start_bot()
    asha, _, panel = await in_the_middle(discord)
    discord.gateway.drop()
    shown = await throw(asha, panel, discards(panel)[0])
    assert "I did nothing" not in shown.text
    discord.gateway.invalidate()
    await discord.bot_ready("marriage")
    await asha.press(DRAW, message=await next_panel(asha))
