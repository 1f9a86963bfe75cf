"""Buttons pressed by the wrong person, too late, twice, or never offered: each is answered and changes nothing."""

import asyncio
import re

import pytest

from data.transaction import ReadTransaction
from marriage.events import Drew
from playground.person import CannotDoError
from tests.e2e.forging import answered_with, button, forge, press_blindly, repeat, select
from tests.e2e.looking import at_rest, facts
from tests.e2e.players import (
    BEST_FIRST,
    CARD_BUTTON,
    CLOSE,
    COMPUTER,
    DRAW,
    HAND,
    MANAGE,
    MORE,
    NEXT,
    READY,
    RULES,
    SIT,
    START,
    VERBS,
    discards,
    move_of,
    next_panel,
    open_table,
    panel_in_dm,
    play_by_buttons,
    press_in_dm,
    press_tool,
    two_playing,
)

NO_SEAT = "You have no seat at table 1"
CARD = re.compile(r"(?:10|[2-9AJQK])[♠♥♦♣]")


def move_offered(panel):
    """The button of a move that a hand's panel offers."""
    return next(VERBS[label] for label in BEST_FIRST if move_of(panel, label))


@pytest.fixture
async def drawing(discord, bot, dull):
    return await two_playing(discord)


async def test_those_without_a_seat_are_told_so(discord, bot, quick):
    asha, chandra = discord.person("asha"), discord.person("chandra")
    table = await open_table(asha, computers=1)
    before = await facts(bot)
    more = (await chandra.press(MORE, message=table)).message
    assert [label for label in (READY, COMPUTER, MANAGE, RULES) if more.button(label)] == [RULES]
    leave = forge(chandra, button("mr1:leave:1:1"))
    ready, computer = forge(chandra, button("mr1:ready:1:1")), forge(chandra, button("mr1:computer:1:1"))
    for message, label, told in (
        (table, START, NO_SEAT),
        (leave, "Forged", NO_SEAT),
        (ready, "Forged", NO_SEAT),
        (computer, "Forged", "Only the host"),
    ):
        answer = await chandra.press(label, message=message)
        assert told in chandra.last().text
        assert chandra.last().ephemeral
        assert answer.type == 4
    assert await facts(bot) == before

    await asha.press(START, message=table)
    await next_panel(asha)
    before = await at_rest(bot)
    answer = await chandra.press(HAND, message=table)
    assert answer.message.ephemeral
    assert "You have no seat at table 1" in answer.message.text
    assert "What it is about" in (await press_tool(chandra, table, RULES)).message.text
    assert await facts(bot) == before
    assert not asha.find("You have no seat")

    await play_by_buttons(asha)
    await asha.wait_for(lambda: asha.look(table).button(NEXT), timeout=30)
    before = await facts(bot)
    for message, label in ((table, NEXT), (forge(chandra, button("mr1:close:1:9")), "Forged")):
        answer = await chandra.press(label, message=message)
        assert "You have no seat at table 1" in answer.message.text
    more = (await chandra.press(HAND, message=table)).message
    assert "You have no seat at table 1" in more.text
    assert more.buttons[0].label == SIT
    assert not more.button(CLOSE)
    assert await facts(bot) == before


async def test_a_hand_cannot_be_pressed_by_another(discord, bot, drawing):
    asha, bikram, table = drawing
    mine = (await asha.press(HAND, message=table)).message
    with pytest.raises(CannotDoError):
        await bikram.press(DRAW, message=mine)
    assert bikram.find("Your hand") is None
    before = await facts(bot)
    draw = mine.button(DRAW).custom_id
    forged = forge(bikram, button(draw))
    answer = await bikram.press(draw, message=forged)
    assert answer.message.ephemeral
    assert "It is not your turn" in answer.message.text
    assert await facts(bot) == before


FORGED_BUTTONS = (
    "mr1:nonsense:1:5",
    "mr1:draw:999999999999999999:1",
    "mr1:draw:9999999999999999999999:1",
    "mr1:draw:-1:5",
    "mr1:draw:१:५",
    "mr1:draw:1:5:",
    "mr1:draw:1:5:more:parts",
    "mr1:draw:1",
    "mr1:DRAW:1:5",
    "mr1:draw:1:5\n",
    "mr2:draw:1:5",
    "join",
    "'; DROP TABLE seat; --",
    "{0.__class__}",
    "mr1:start:2:0",
    "mr1:close:1:5",
    "mr1:join:1:999999999999999999",
    "mr1:pick-discard:1:5",
    "mr1:discard:1:5",
    "mr1:discard:1:5:AS",
    "mr1:discard:1:5:MASTER",
    "mr1:discard:1:5:nonsense",
    "mr1:pick-cut:1:5",
)
FORGED_SELECTS = (
    ("mr1:pick-discard:1:{revision}", "no card"),
    ("mr1:pick-discard:1:{revision}", "??"),
    ("mr1:pick-discard:1:{revision}", "MASTER"),
    ("mr1:pick-expose:1:{revision}", "AS"),
    ("mr1:pick-cut:1:{revision}", "१२"),
    ("mr1:pick-cut:1:{revision}", "-1"),
    ("mr1:pick-cut:1:{revision}", "9" * 90),
    ("mr1:pick-nothing:1:{revision}", "5"),
    ("mr1:rules:1:{revision}", "5"),
)


async def test_forged_buttons_are_answered_and_change_nothing(discord, bot, drawing):
    asha, _, _ = drawing
    before = await facts(bot)
    for custom_id in FORGED_BUTTONS:
        answer = await asha.press(custom_id, message=forge(asha, button(custom_id)))
        assert (answer.type, answer.message.ephemeral) == (4, True), custom_id
        assert answer.message.text
        assert await facts(bot) == before, custom_id


async def test_forged_selects_are_answered_and_change_nothing(discord, bot, drawing):
    asha, _, _ = drawing
    before = await facts(bot)
    for template, value in FORGED_SELECTS:
        custom_id = template.format(revision=before.table.revision)
        answer = await asha.choose(custom_id, [value], message=forge(asha, select(custom_id, value)))
        assert (answer.type, answer.message.ephemeral) == (4, True), (custom_id, value)
        assert answer.message.text
        assert await facts(bot) == before, (custom_id, value)


async def test_a_menu_from_which_nothing_was_chosen_shows_the_hand_again(discord, bot, drawing):
    asha, _, _ = drawing
    before = await facts(bot)
    custom_id = f"mr1:pick-discard:1:{before.table.revision}"
    menu = {**select(custom_id, "AS"), "min_values": 0}
    answer = await asha.choose(custom_id, [], message=forge(asha, menu))
    assert answer.message.files[-1].alt.startswith("Your hand")
    assert await facts(bot) == before


async def test_a_press_on_a_message_that_shows_no_such_button_changes_nothing(discord, bot, drawing):
    asha, _, table = drawing
    before = await facts(bot)
    discord.interactions.deadline = 0.3
    interaction = await press_blindly(asha, table, f"mr1:draw:1:{before.table.revision}")
    discord.forgiven += interaction.state == "failed"
    assert await facts(bot) == before


async def test_a_move_pressed_in_public_puts_no_hand_in_public(discord, bot, drawing):
    asha, bikram, _ = drawing
    revision = (await facts(bot)).table.revision
    draw, refresh = f"mr1:draw:1:{revision}", f"mr1:refresh:1:{revision}"
    for custom_id in (refresh, draw):
        forged = forge(asha, button(custom_id))
        answer = await asha.press(custom_id, message=forged)
        assert answer.message.ephemeral
        assert answer.message.files[-1].alt.startswith("Your hand")
        assert asha.look(forged).text == ""
    assert discards(answer.message)
    assert not any(message.ephemeral or "Your hand" in message.text for message in bikram.messages())


async def test_a_stale_button_gets_the_present_state(discord, bot, drawing):
    asha, _, table = drawing
    ephemeral = (await asha.press(HAND, message=table)).message
    in_dm = panel_in_dm(asha)
    await asha.press(DRAW, message=in_dm)
    before = await facts(bot)
    answer = await asha.press(DRAW, message=ephemeral)
    assert "The table has moved on since that button appeared" in answer.message.text
    assert answer.message.id == ephemeral.id
    assert discards(answer.message)
    assert await facts(bot) == before


async def test_a_button_of_an_earlier_deal_does_nothing(discord, bot, quick):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await next_panel(asha)
    old = (await asha.press(HAND, message=table)).message
    await play_by_buttons(asha)
    await asha.wait_for(lambda: asha.look(table).button(NEXT), timeout=30)
    before = await facts(bot)
    answer = await asha.press(move_offered(old), message=old)
    assert "No deal is in progress" in answer.message.text or "I did nothing" in answer.message.text
    assert await facts(bot) == before
    await asha.press(NEXT, message=table)
    await next_panel(asha)
    before = await facts(bot)
    panel = (await asha.press(HAND, message=table)).message
    offered = panel.button(move_offered(panel)).custom_id.split(":")
    forged = forge(asha, button(":".join([*offered[:3], "7", *offered[4:]])))
    answer = await asha.press("Forged", message=forged)
    assert "I did nothing" in answer.message.text
    assert await facts(bot) == before


async def test_a_double_click_moves_once(discord, bot, drawing):
    asha, _, _ = drawing
    panel = panel_in_dm(asha)
    before = await facts(bot)
    first, second = await asyncio.gather(asha.press(DRAW, message=panel), asha.press(DRAW, message=panel))
    after = await facts(bot)
    assert after.table.revision == before.table.revision + 1
    assert len(after.events) == len(before.events) + 1
    assert isinstance(after.events[-1], Drew)
    assert {first.type, second.type} == {7}
    assert discards(asha.look(panel))


async def test_a_double_click_at_the_table_counts_once(discord, bot):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    answers = await asyncio.gather(*[asha.press(START, message=table) for _ in range(3)])
    assert [answer.interaction.state for answer in answers] == ["acknowledged"] * 3

    async def read(db: ReadTransaction) -> None:
        assert (await db.tables.get(1)).deal_no == 1
        assert len([event for event in await db.deals.events(1, 1) if event.event == "dealt"]) == 1

    await bot.store.read(read)
    assert asha.look(table).button(HAND)


async def test_the_same_interaction_delivered_again_is_answered_once(discord, bot, drawing):
    asha, _, table = drawing
    answer = await press_in_dm(asha, DRAW)
    before = await facts(bot)
    await discord.recorder.quiet()  # the first answer has arrived
    again = asyncio.create_task(answered_with(discord, f"{answer.interaction.id}/"))
    await asyncio.sleep(0)
    repeat(discord, answer.interaction)
    entry = await again
    assert entry.response["code"] == 40060
    assert await facts(bot) == before
    assert asha.look(table).button(HAND)


async def test_the_same_interaction_delivered_twice_at_once_moves_once(discord, bot, drawing):
    asha, _, _ = drawing
    panel = panel_in_dm(asha)
    before = await facts(bot)
    pressing = asyncio.create_task(asha.press(DRAW, message=panel))
    await asyncio.sleep(0)
    interaction = next(reversed(discord.world.interactions.values()))
    assert interaction.state == "waiting"
    repeat(discord, interaction)
    await pressing
    await asha.press(MORE, message=panel)
    after = await facts(bot)
    assert len(after.events) == len(before.events) + 1
    assert after.table.revision == before.table.revision + 1


async def test_pressing_join_again_says_so(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    before = await facts(bot)
    await bikram.press("Join", message=table)
    assert "You already have a seat at this table" in bikram.last().text
    assert await facts(bot) == before


async def test_custom_ids_name_no_person_and_cards_only_to_their_holder(discord, bot, drawing):
    asha, _, table = drawing
    panel = (await press_in_dm(asha, DRAW)).message
    for shown in (panel, asha.look(table)):
        ids = [component.custom_id for component in (*shown.buttons, *shown.selects)]
        others = [custom_id for custom_id in ids if shown is not panel or not CARD_BUTTON.match(custom_id)]
        assert others
        assert all(re.fullmatch(r"mr1:[a-z-]+:1:\d+", custom_id) for custom_id in others)
        assert all(re.fullmatch(r"[0-9a-f]{16}\.png", file.filename) for file in shown.files)
