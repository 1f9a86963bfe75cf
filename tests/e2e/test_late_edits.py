"""Unanswered edits, which Discord applies after newer ones: no one may keep the older state."""

import re

from tests.e2e.looking import published
from tests.e2e.players import (
    DRAW,
    HAND,
    START,
    discards,
    next_panel,
    open_settings,
    open_table,
    panel_in_dm,
    press_in_dm,
    say,
    set_match,
    throw,
)

TURN = say("hand.wait", name="Bikram")


def edits_of(discord, panel):
    """Return the path of edits of a panel by the token of the press that it answers."""
    by_token = discord.interactions._by_token
    token = next(token for token, made in by_token.items() if made.response is panel.message)
    return rf"/webhooks/\d+/{re.escape(token)}/messages/@original$"


async def held_back(discord, path):
    """Hold the next request of this path until it is released; let later ones pass."""
    held = discord.faults.hold(path, method="PATCH")
    await held.reached()
    discord.faults.holds.remove(held)
    return held


async def turn(person, panel):
    drawn = (await person.press(DRAW, message=panel)).message
    await throw(person, drawn, discards(drawn)[0])


def buttons_in_dm(person):
    """Return the button labels of the hand in direct messages; one names the card on the pile."""
    return [button.label for button in panel_in_dm(person).buttons]


async def test_a_late_edit_by_token_is_made_good(discord, start_bot, dull):
    await start_bot(answer_edits_m=13)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    mine, theirs = [(await person.press(HAND, message=table)).message for person in (asha, bikram)]
    await bikram.wait_for(lambda: bikram.look(theirs).button(DRAW))
    drawn = (await bikram.press(DRAW, message=theirs)).message
    late = await held_back(discord, edits_of(discord, mine))
    await throw(bikram, drawn, discards(drawn)[0])
    await asha.wait_for(lambda: asha.look(mine).button(DRAW))
    late.release()
    await asha.wait_for(lambda: TURN in asha.look(mine).text)
    await asha.wait_for(lambda: asha.look(mine).button(DRAW))


async def test_a_late_edit_of_a_message_is_made_good(discord, bot, dull):
    """The hand is in words, because Discord rejects an edit that keeps a changed hand's picture."""
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await asha.press(say("settings.words_off"), message=await open_settings(asha, "cards"))
    table = await open_table(asha, bikram)
    await set_match(asha, table, 1, pace="none")
    await asha.press(START, message=table)
    panel = await next_panel(bikram)
    hand = await asha.wait_for(lambda: panel_in_dm(asha))
    await turn(bikram, panel)
    late = await held_back(discord, f"/channels/{asha.dm_channel.id}/messages/{hand.id}$")
    await turn(asha, (await asha.press(HAND, message=table)).message)
    await press_in_dm(bikram, DRAW)
    await throw(bikram, panel_in_dm(bikram), discards(panel_in_dm(bikram))[0])
    await asha.wait_for(lambda: panel_in_dm(asha).button(DRAW), timeout=600)
    newest = buttons_in_dm(asha)
    late.release()
    await asha.wait_for(lambda: buttons_in_dm(asha) != newest)
    await asha.wait_for(lambda: buttons_in_dm(asha) == newest)
    await published(bot)
