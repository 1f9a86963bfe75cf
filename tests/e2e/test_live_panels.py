"""A press makes a hand in the channel live: it changes automatically, and a turn is two presses."""

import asyncio
import gc
import re

import discord as library
import pytest

from bot.lanes import GATHERING_S
from tests.e2e.costs import at_rest, paid
from tests.e2e.looking import facts, published, turned_away
from tests.e2e.players import (
    DRAW,
    HAND,
    NEXT,
    REFRESH,
    START,
    act,
    button_in_dm,
    discards,
    is_asked,
    is_over,
    least_useful,
    next_panel,
    open_settings,
    open_table,
    panel_in_dm,
    press_tool,
    say,
    text_in_dm,
    throw,
)
from tests.waiting import SLOW_DEADLINE, until

LIVE = {"answer_edits_m": 13, "watching_edit_ms": 4_000, "seen_hand_s": 120}
RICH = "2S 3S 4S 5S 7H 7H 7H 9D 10D JD 4H 6C 8C QC KC 3D 5D KS JS 9S 5C"
POOR = "2D 4D 6D 8D QD KD 2H 4H 6H 8H 10H QH 2C 4C 6C 8C 10C QC AS 6S 10S"
ASLEEP, WAITS = say("hand.asleep"), say("hand.wait", name="Bikram")


@pytest.fixture
def window_s():
    return 0


@pytest.fixture
def watching_s():
    return 4


@pytest.fixture
async def running(start_bot, clock, window_s, watching_s):
    live = LIVE | {"watching_edit_ms": watching_s * 1_000}
    return await start_bot(clock=clock, **live, tunnela_window_s=window_s)


@pytest.fixture
async def table(discord, running, arrange):
    """A table of Asha and Bikram who play in the channel; Bikram is to draw, and Asha's panel waits."""
    arrange(RICH, POOR, up="KD", stock="AD 2C AH 3C JC")
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    return table


@pytest.fixture
async def panels(discord, table):
    """The panels of both in the channel."""
    people = discord.person("asha"), discord.person("bikram")
    return [(await person.press(HAND, message=table)).message for person in people]


async def nothing_to_edit(running):
    """Wait until every panel shows the current state."""
    live = running.bot.delivery.live

    def idle() -> bool:
        noted = (live._asked.next_at, live._watching.next_at)
        waits = live._changed or any(at is not None for at in noted)
        return not waits and not any(live._is_busy(key) for key in live._panels)

    await asyncio.sleep(2 * GATHERING_S)  # the longest time for which the worker gathers changes
    await until(idle, timeout=SLOW_DEADLINE)


async def turn(person, panel):
    """Draw and discard; return the number of presses."""
    before = len(person.services.world.interactions)
    drawn = (await person.press(DRAW, message=panel)).message
    await throw(person, drawn, least_useful(discards(drawn)))
    return len(person.services.world.interactions) - before


async def test_a_turn_in_the_channel_is_two_presses(discord, panels):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    mine, theirs = panels
    for person, panel in [(bikram, theirs), (asha, mine)] * 3:
        await person.wait_for(lambda panel=panel, person=person: person.look(panel).button(DRAW))
        assert await turn(person, panel) == 2
    assert not asha.look(mine).button(REFRESH)


async def test_no_pressed_message_is_kept_once_its_press_is_answered(discord, panels, running):
    """A thousand of them take thirty megabytes."""
    asha, bikram = discord.person("asha"), discord.person("bikram")
    for person, panel in zip((bikram, asha), reversed(panels), strict=True):
        await person.wait_for(lambda panel=panel, person=person: person.look(panel).button(DRAW))
        await turn(person, panel)
    answers = running.bot.delivery.publisher.tracker._answers
    kept = [each for answer in answers.values() for each in held_by(answer.interaction)]
    assert kept
    assert not any(isinstance(each, library.Message) for each in kept)


def held_by(interaction: library.Interaction) -> list[object]:
    """Return an interaction and all objects reachable from it that the library makes per interaction."""
    found: list[object] = []
    left: list[object] = [interaction]
    while left:
        each = left.pop()
        is_of_one = type(each).__module__.startswith(
            ("discord.interactions", "discord.message", "discord.webhook")
        )
        if is_of_one and not any(each is known for known in found):
            found.append(each)
            left += gc.get_referents(each)
    return found


async def test_a_turn_by_direct_message_is_two_presses(discord, table):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await next_panel(bikram)
    for person in (bikram, asha) * 3:
        panel = await person.wait_for(
            lambda person=person: button_in_dm(person, DRAW) and panel_in_dm(person)
        )
        assert not panel.button(REFRESH)
        assert await turn(person, panel) == 2


async def test_with_cards_drawn_by_themselves_a_turn_is_one_press(discord, table):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    first = await next_panel(bikram)
    for person in (asha, bikram):
        settings = await open_settings(person, "playing")
        await person.choose(say("settings.draw"), ["always"], message=settings)
    await turn(bikram, first)  # Bikram's turn had come before
    for person in (asha, bikram) * 3:
        panel = await person.wait_for(lambda person=person: (p := panel_in_dm(person)) and discards(p) and p)
        assert not panel.button(DRAW)
        before = len(discord.world.interactions)
        await throw(person, panel, least_useful(discards(panel)))
        assert len(discord.world.interactions) == before + 1


@pytest.mark.parametrize("window_s", [20])
@pytest.mark.parametrize("watching_s", [60], ids=["longer than a busy machine takes for an edit"])
async def test_those_who_only_watch_see_it_later(discord, panels, running, clock, window_s, watching_s):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    mine, theirs = panels
    await nothing_to_edit(running)
    running.later(clock, window_s + 10)
    await bikram.wait_for(lambda: bikram.look(theirs).button(DRAW))
    assert WAITS not in asha.look(mine).text
    running.later(clock, watching_s)
    await asha.wait_for(lambda: WAITS in asha.look(mine).text)


async def test_hands_played_in_the_channel_cost_no_edits_of_direct_messages(discord, panels, running, clock):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    mine, theirs = panels
    await at_rest(running, clock)
    before = len(discord.recorder.entries)
    for person, panel in [(bikram, theirs), (asha, mine)] * 2:
        await person.wait_for(lambda panel=panel, person=person: person.look(panel).button(DRAW))
        await turn(person, panel)
        running.later(clock, 5)
        await at_rest(running, clock)
    dms = {f"/channels/{person.dm_channel.id}/" for person in (asha, bikram)}
    assert not [entry for entry in paid(discord, before) if any(dm in entry.path for dm in dms)]


async def test_refresh_is_there_once_the_token_runs_out(discord, panels, running, clock):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    mine, theirs = panels
    await bikram.wait_for(lambda: bikram.look(theirs).button(DRAW))
    running.later(clock, 12 * 60)
    await turn(bikram, theirs)
    running.later(clock, 5)
    await asha.wait_for(lambda: asha.look(mine).button(DRAW))
    running.later(clock, 31)
    asleep = await asha.wait_for(lambda: (p := asha.look(mine)).button(REFRESH) and p)
    assert ASLEEP in asleep.text
    drawn = (await asha.press(DRAW, message=mine)).message
    assert discards(drawn)
    assert ASLEEP not in drawn.text
    assert not drawn.button(REFRESH)
    await throw(asha, drawn, least_useful(discards(drawn)))
    await bikram.wait_for(lambda: bikram.look(theirs).button(DRAW))


async def test_a_token_that_discord_takes_no_longer_is_no_revoked_token_of_the_bot(
    discord, panels, running, clock
):
    """Discord answers such an edit with 401, as if the bot's own token had been revoked."""
    asha, bikram = discord.person("asha"), discord.person("bikram")
    _, theirs = panels
    await bikram.wait_for(lambda: bikram.look(theirs).button(DRAW))
    for interaction in discord.interactions._by_token.values():
        interaction.created -= discord.interactions.token_life
    await turn(bikram, theirs)

    def refused() -> list[tuple[str, str]]:
        answers = [(entry.path, entry.response or {}) for entry in discord.recorder.requests("PATCH")]
        return [path for path, answer in answers if answer.get("code") == 50027]

    await until(refused, timeout=SLOW_DEADLINE)
    for _ in range(3):
        running.later(clock, 10)
        await nothing_to_edit(running)
    assert len(refused()) == len(set(refused()))  # no token is tried again
    again = (await asha.press(DRAW, message=(await asha.press(HAND)).message)).message
    await throw(asha, again, least_useful(discards(again)))
    await bikram.wait_for(lambda: bikram.look(theirs).button(DRAW))


@pytest.mark.parametrize(
    ("status", "code"), [(401, 50027), (404, 10015), (500, 0)], ids=["refused", "unknown", "discord fails"]
)
async def test_a_panel_that_cannot_be_edited_leaves_it_to_the_direct_message(discord, table, status, code):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await next_panel(bikram)
    await asha.wait_for(lambda: panel_in_dm(asha))
    mine, theirs = [(await person.press(HAND, message=table)).message for person in (asha, bikram)]
    token = next(
        token for token, made in discord.interactions._by_token.items() if made.response is mine.message
    )
    discord.faults.fail(
        rf"/webhooks/\d+/{re.escape(token)}/", method="PATCH", status=status, code=code, times=99
    )
    await turn(bikram, theirs)
    await asha.wait_for(lambda: button_in_dm(asha, DRAW), timeout=20)


async def test_messages_that_are_tried_again_bring_the_hand_at_once(discord, running, arrange):
    arrange(RICH, POOR, up="KD", stock="AD 2C AH 3C JC")
    asha, bikram = discord.person("asha"), discord.person("bikram")
    asha.close_dms()
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await turned_away(asha)
    await published(running)
    asha.close_dms(closed=False)
    panel = (await asha.press(HAND, message=table)).message
    answer = (await press_tool(asha, panel, say("button.retry-dms"))).message
    assert say("hand.dms_tried") in answer.text
    await asha.wait_for(lambda: panel_in_dm(asha), timeout=5)


def shown_in_dm(person):
    """Return the text of the hand in direct messages; None for a person who plays in the channel."""
    panel = panel_in_dm(person)
    return None if panel is None else panel.text


async def test_before_the_bot_closes_each_panel_gets_its_button(discord, panels, running, clock, start_bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    mine, theirs = panels
    await bikram.wait_for(lambda: bikram.look(theirs).button(DRAW))
    await at_rest(running, clock)
    dms = {person: shown_in_dm(person) for person in (asha, bikram)}
    await running.stop()
    for person, panel in ((asha, mine), (bikram, theirs)):
        assert ASLEEP in person.look(panel).text
        assert person.look(panel).button(REFRESH)
        assert shown_in_dm(person) == dms[person]
    await start_bot(**LIVE)
    drawn = (await bikram.press(DRAW, message=theirs)).message
    assert discards(drawn)
    assert not drawn.button(REFRESH)
    assert not (await asha.press(REFRESH, message=mine)).message.button(REFRESH)


async def test_of_two_devices_the_older_panel_answers_as_well(discord, panels, table):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    old, theirs = panels
    await bikram.wait_for(lambda: bikram.look(theirs).button(DRAW))
    new = (await asha.press(HAND, message=table)).message
    await turn(bikram, theirs)
    await asha.wait_for(lambda: asha.look(new).button(DRAW))
    assert not asha.look(old).button(DRAW)
    drawn = (await asha.press(DRAW, message=new)).message
    late = (await press_tool(asha, old, say("button.group"))).message
    assert late.select(say("hand.pin"))
    back = (await asha.press(say("button.back"), message=late)).message
    assert discards(back) == discards(drawn)


async def test_a_card_that_has_left_the_hand_is_not_thrown_again(discord, panels, running, table):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    mine, theirs = panels
    await bikram.wait_for(lambda: bikram.look(theirs).button(DRAW))
    await turn(bikram, theirs)
    await asha.wait_for(lambda: asha.look(mine).button(DRAW))
    drawn = (await asha.press(DRAW, message=mine)).message
    other = (await asha.press(HAND, message=table)).message
    thrown = discards(drawn)[0]
    await throw(asha, drawn, thrown)
    before = await facts(running)
    late = await throw(asha, other, thrown)
    assert say("hand.stale") in late.text
    assert await facts(running) == before


async def test_the_result_and_the_next_deal_come_into_the_same_panel(discord, panels, running):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    mine, theirs = panels
    await play_to_the_end([(bikram, theirs), (asha, mine)])
    for person, panel in ((asha, mine), (bikram, theirs)):
        over = await person.wait_for(
            lambda person=person, panel=panel: is_over(p := person.look(panel)) and p
        )
        assert "Your points" in over.text
        assert "won deal 1" in over.text
        assert over.button(NEXT)
    waits = (await asha.press(NEXT, message=mine)).message
    assert waits.button(NEXT).disabled
    await bikram.wait_for(lambda: "Asha" in bikram.look(theirs).text.partition("won deal 1")[2])
    dealt = (await bikram.press(NEXT, message=theirs)).message
    assert "Deal 2" in dealt.text
    await asha.wait_for(lambda: "Deal 2" in asha.look(mine).text)
    assert not is_over(asha.look(mine))


async def test_the_next_deal_comes_into_the_direct_message_that_was_just_pressed(discord, table, running):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    theirs = await next_panel(bikram)
    mine = await asha.wait_for(lambda: panel_in_dm(asha))
    await play_to_the_end([(bikram, theirs), (asha, mine)])
    for person in (asha, bikram):
        over = await person.wait_for(
            lambda person=person: is_over(p := panel_in_dm(person)) and p.button(NEXT) and p
        )
        await person.press(NEXT, message=over)
    for person, panel in ((asha, mine), (bikram, theirs)):
        await person.wait_for(
            lambda person=person: "Deal 2" in text_in_dm(person) and not is_over(panel_in_dm(person))
        )
        assert [message.id for message in person.dm()] == [panel.id]


async def play_to_the_end(panels):
    """Let these people play from their panels until the deal is over."""
    person, panel = panels[0]
    for _ in range(400):
        for person, panel in panels:
            shown = person.look(panel)
            while is_asked(shown):
                shown = (await act(person, shown)).panel
        shown = [person.look(panel) for person, panel in panels]
        if any(is_over(panel) for panel in shown):
            return
        await panels[0][0].wait_for(
            lambda: any(
                is_asked(person.look(panel)) or is_over(person.look(panel)) for person, panel in panels
            )
        )
    raise AssertionError("the deal does not end")
