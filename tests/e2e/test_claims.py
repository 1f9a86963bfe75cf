"""Claims at a table where a wrong one is a foul: players who type their own sets must confirm first."""

import pytest

from marriage.apply import replay
from marriage.events import ClaimFailed, Showed
from tests.e2e.looking import facts
from tests.e2e.players import DRAW, START, next_panel, open_table, play_by_buttons, write_rules

RIGHT = "AS 2S 3S, 5S 6S 7S, 9S 10S JS"
WRONG = "AS 2S 3S, 5S 6S 7S, 9S 10S AH"


@pytest.fixture
async def asha(discord, bot, quick):
    """Asha has drawn and could show; a wrong claim costs the hand."""
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await write_rules(asha, table, "foul=next foul_points=15 false_claim=foul")
    await asha.press(START, message=table)
    await play_by_buttons(bikram, 2)
    await asha.press(DRAW, message=await next_panel(asha))
    return asha


@pytest.mark.parametrize("sets", [RIGHT, WRONG])
async def test_the_question_does_not_tell_whether_the_claim_is_right(bot, asha, sets):
    before = await facts(bot)
    answer = await asha.slash("marriage show", sets=sets)
    assert answer.message.ephemeral
    assert "Are you sure of A♠ 2♠ 3♠" in answer.message.text
    assert "kills your hand" in answer.message.text
    assert await facts(bot) == before


async def test_a_claim_that_is_sure_and_right_is_a_show(bot, asha):
    await asha.slash("marriage show", sets=RIGHT, sure=True)
    assert isinstance((await facts(bot)).events[-1], Showed)


async def test_a_claim_that_is_sure_and_wrong_kills_the_hand_and_the_other_plays_on(discord, bot, asha):
    await asha.slash("marriage show", sets=WRONG, sure=True)
    assert any(isinstance(event, ClaimFailed) and event.seat == 0 for event in (await facts(bot)).events)
    bikram = discord.person("bikram")
    await play_by_buttons(bikram, 2)
    await asha.sees("**Bikram** draws next.")
    await bikram.slash("marriage draw")
    held = replay((await facts(bot)).events).seats[1].cards
    await bikram.slash("marriage show", sets=" ".join(map(str, held[:3])), sure=True)
    await asha.sees("a foul of **15** is owed to the winner of the next deal.")


async def test_what_the_bot_finds_is_right_and_needs_no_question(bot, asha):
    await asha.slash("marriage show")
    assert isinstance((await facts(bot)).events[-1], Showed)
