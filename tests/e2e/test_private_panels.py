"""Private panels about a table close, with a plain message, when their purpose is over."""

import asyncio

from tests.e2e.looking import facts, published
from tests.e2e.players import (
    JOIN,
    MANAGE,
    MORE,
    NEXT,
    READY,
    START,
    TABLE_RULES,
    open_table,
    play_by_buttons,
    press_tool,
    say,
)
from tests.e2e.running import MovableClock
from tests.e2e.test_languages import speaks

BEGUN, OVER, ASLEEP = "The first deal has begun", "so this panel is closed", "This panel has expired"


def closed(person, panel, words):
    """Return the panel once it contains these words; only the way to open it again is left in it."""
    now = person.look(panel)
    return now if words in now.text else None


async def test_the_rules_close_when_the_deal_begins(discord, start_bot):
    await start_bot(answer_edits_m=13)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    rules = (await press_tool(asha, table, TABLE_RULES)).message
    assert rules.selects
    more = (await bikram.press(MORE, message=table)).message
    await asha.press(START, message=table)
    for person, panel in ((asha, rules), (bikram, more)):
        now = await person.wait_for(lambda person=person, panel=panel: closed(person, panel, BEGUN))
        assert (now.selects, [button.label for button in now.buttons]) == ([], [MORE])
    again = (await asha.press(MORE, message=rules)).message
    assert again.id == rules.id
    assert not again.button(TABLE_RULES)


async def test_they_stay_open_while_others_come_and_the_rules_change(discord, start_bot):
    bot = await start_bot(answer_edits_m=13)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha)
    manage = (await press_tool(asha, table, MANAGE)).message
    rules = (await press_tool(asha, table, TABLE_RULES)).message
    await bikram.press(JOIN, message=table)
    await asha.choose(say("manage.computer"), ["easy"], message=manage)
    assert asha.look(rules).selects
    assert asha.look(manage).selects
    assert len((await facts(bot)).seats) == 3


async def test_they_close_in_the_language_of_their_reader(discord, start_bot):
    await start_bot(answer_edits_m=13)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await speaks(asha, "ne")
    table = await open_table(bikram, asha)
    more = (await asha.press(MORE, message=table)).message
    await bikram.press(START, message=table)
    await asha.wait_for(lambda: closed(asha, more, "पहिलो बाजी सुरु भयो"))


async def test_a_deal_that_begins_behind_more_shows_the_hand_there(discord, start_bot):
    await start_bot(answer_edits_m=13)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await bikram.press(START, message=table)
    more = (await asha.press(MORE, message=table)).message
    hand = (await asha.press(READY, message=more)).message
    assert hand.id == more.id
    assert "Your hand" in hand.text
    other = (await bikram.press(MORE, message=table)).message
    assert "Your hand" in asha.look(more).text
    assert other.button(say("button.rules"))


async def test_what_is_offered_between_two_deals_closes_with_the_next_one(discord, start_bot, quick):
    await start_bot(answer_edits_m=13)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asyncio.gather(play_by_buttons(asha), play_by_buttons(bikram))
    await asha.wait_for(lambda: asha.look(table).button(NEXT))
    more = (await asha.press(MORE, message=table)).message
    assert more.button(say("button.close"))
    for person in (asha, bikram):
        await person.press(NEXT, message=table)
    await asha.wait_for(lambda: closed(asha, more, OVER))


async def test_a_panel_goes_to_sleep_before_it_cannot_be_changed_any_more(discord, start_bot):
    clock = MovableClock()
    bot = await start_bot(clock=clock, answer_edits_m=13, lobby_expiry_m=120)
    asha = discord.person("asha")
    table = await open_table(asha)
    more = (await asha.press(MORE, message=table)).message
    await published(bot)
    bot.later(clock, 12 * 60)
    await published(bot)
    assert not closed(asha, more, ASLEEP)
    bot.later(clock, 40)
    await asha.wait_for(lambda: closed(asha, more, ASLEEP))
    assert (await asha.press(MORE, message=more)).message.button(TABLE_RULES)
