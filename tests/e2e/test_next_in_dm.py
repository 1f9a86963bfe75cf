"""The next deal, requested in a direct message, continues in the message that was pressed."""

import asyncio
import re

import pytest

from tests.e2e.costs import at_rest
from tests.e2e.looking import published
from tests.e2e.players import (
    DRAW,
    NEXT,
    PATIENCE,
    START,
    discards,
    is_asked,
    open_table,
    panel_in_dm,
    play_by_buttons,
    say,
    set_match,
)
from tests.marriage.dealing import start_decided

REMATCH = say("button.rematch")
MINUTE = 60
DEALT = re.compile(r"Deal \*\*2\*\*|Match \*\*2\*\*")


@pytest.fixture
async def running(start_bot, clock, monkeypatch):
    monkeypatch.setattr("bot.table.flow.seating.start", start_decided)
    return await start_bot(clock=clock, answer_edits_m=13, lobby_expiry_m=600)


async def over(discord, running, deals=None):
    """Play a deal of two people by direct message until it is over, and with it a match of one deal."""
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    if deals:
        await set_match(asha, table, deals)
    await asha.press(START, message=table)
    await asyncio.gather(play_by_buttons(asha), play_by_buttons(bikram))
    await asha.wait_for(lambda: asha.look(table).button(REMATCH if deals else NEXT), PATIENCE)
    await published(running)
    return asha, bikram, table


def public(person):
    """Return the text of the table's messages in the channel."""
    return "\n".join(message.text for message in person.messages("marriage"))


def hands(person):
    """Return a person's direct messages with controls."""
    return [message for message in person.dm() if message.buttons or message.selects]


@pytest.mark.parametrize("minutes", [0, 20, 90], ids=["at once", "the token is over", "an old message"])
@pytest.mark.parametrize("label", [NEXT, REMATCH])
async def test_the_pressed_message_becomes_the_hand_of_who_begins_the_deal(
    discord, running, clock, minutes, label
):
    asha, bikram, _ = await over(discord, running, deals=1 if label == REMATCH else None)
    running.later(clock, minutes * MINUTE)
    await bikram.press(label, message=panel_in_dm(bikram))
    pressed = panel_in_dm(asha)
    made = [message.id for message in asha.dm()]
    answer = discord.faults.hold("/callback", method="POST")
    pressing = asyncio.create_task(asha.press(label, message=pressed))
    await asha.wait_for(lambda: DEALT.search(public(asha)))  # before Discord has the answer to the press
    answer.release()
    await pressing
    await at_rest(running, clock)
    assert [message.id for message in asha.dm()] == made
    assert [message.id for message in hands(asha)] == [pressed.id]
    assert "Deal 2" in asha.look(pressed).text
    assert len(hands(bikram)) == 1
    await asha.wait_for(lambda: is_asked(asha.look(pressed)), PATIENCE)
    await asha.press(DRAW, message=pressed)
    assert discards(asha.look(pressed))


async def test_a_deal_that_is_asked_for_at_the_table_takes_the_buttons_off_the_old_hand(
    discord, running, clock
):
    """Discord limits edits of a message this old, so each player gets a new one; only it has buttons."""
    asha, bikram, table = await over(discord, running)
    running.later(clock, 90 * MINUTE)
    old = panel_in_dm(bikram)
    await asha.press(NEXT, message=table)
    await bikram.press(NEXT, message=table)
    await at_rest(running, clock)
    await bikram.wait_for(lambda: [hand.id for hand in hands(bikram)] not in ([], [old.id]), PATIENCE)
    assert old.id not in [hand.id for hand in hands(bikram)]
    assert len(hands(bikram)) == 1


async def test_a_hand_that_discord_lets_nobody_edit_gives_way_to_a_new_one(discord, running, clock):
    asha, bikram, _ = await over(discord, running)
    running.later(clock, 90 * MINUTE)
    await bikram.press(NEXT, message=panel_in_dm(bikram))
    pressed = panel_in_dm(asha)
    await asha.press(NEXT, message=pressed)
    await at_rest(running, clock)
    running.later(clock, 20 * MINUTE)  # so that no token is left
    discord.faults.fail(rf"/messages/{pressed.id}$", method="PATCH", status=400, code=30046, times=99)
    running.later(clock, 2 * MINUTE)  # so that the computer moves for her
    [new] = await asha.wait_for(lambda: [hand for hand in hands(asha) if hand.id != pressed.id], PATIENCE)
    assert [hand.id for hand in hands(asha)] == [new.id]
