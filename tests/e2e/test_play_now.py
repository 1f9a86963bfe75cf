"""**Play now**: from `/marriage play` to one's first turn in two presses, and from other places in one."""

import re

import pytest

from bot.words.texts import texts
from data.transaction import WriteTransaction
from tests.e2e.forging import (
    press_forged,
    press_late,
)
from tests.e2e.looking import facts
from tests.e2e.players import (
    CLOSE,
    DRAW,
    JOIN,
    LEAVE,
    MORE,
    NEXT,
    READY,
    REFRESH,
    START,
    button_in_dm,
    discards,
    is_over,
    open_settings,
    open_table,
    panel_in_dm,
    play_by_buttons,
    press_in_dm,
    press_tool,
    text_in_dm,
)
from tests.marriage.dealing import DULL_FACES

say = texts()
PLAY_NOW = say("button.play_now")


async def names(bot, table=1):
    return [seat.name for seat in (await facts(bot, table)).seats]


async def test_two_presses_lead_to_the_first_turn_against_three_computers(discord, bot, arrange):
    arrange(" ".join(DULL_FACES[:21]), "", "", "")
    asha = discord.person("asha")
    presses = len(discord.world.interactions)
    table = (await asha.slash("marriage play")).message
    started = await asha.press(START, message=table)
    (hand,) = await asha.wait_for(lambda: started.followups)
    assert len(discord.world.interactions) - presses == 2
    assert hand.ephemeral
    assert "Your hand" in hand.text
    drawing = re.compile("mr1:draw:")
    await asha.wait_for(lambda: button_in_dm(asha, drawing))
    after = await facts(bot)
    assert after.table.status == "playing"
    assert [seat.name for seat in after.seats] == ["Asha", "Laxmi", "Durga", "Shanti"]
    await asha.wait_for(lambda: not asha.look(table).button(START))
    assert len(discord.world.interactions) - presses == 2


async def test_a_number_of_computers_begins_with_the_command_itself(discord, bot):
    asha = discord.person("asha")
    answer = await asha.slash("marriage play", computers=1, deals=3, clock="fast")
    assert not answer.message.ephemeral
    (hand,) = await asha.wait_for(lambda: answer.followups)
    assert hand.ephemeral
    assert "Your hand" in hand.text
    after = await facts(bot)
    assert (after.table.status, len(after.seats)) == ("playing", 2)
    assert (after.table.options.deals, after.table.options.pace) == (3, "fast")
    assert {message.id for message in asha.messages()} == {answer.message.id, hand.id}


async def test_the_hand_beside_the_new_table_lives_before_it_is_pressed(discord, start_bot, arrange):
    await start_bot(answer_edits_m=13)
    arrange(" ".join(DULL_FACES[:21]), "", "", "")
    asha = discord.person("asha")
    answer = await asha.slash("marriage play", computers=3)
    (hand,) = await asha.wait_for(lambda: answer.followups)
    assert not hand.button(REFRESH)
    await asha.wait_for(lambda: asha.look(hand).button(DRAW))
    drawn = (await asha.press(DRAW, message=hand)).message
    assert drawn.id == hand.id
    assert discards(drawn)
    assert not drawn.button(REFRESH)


async def test_without_computers_the_options_hold_for_the_table_that_waits(discord, bot):
    asha = discord.person("asha")
    table = (await asha.slash("marriage play", computers=0, deals=2, clock="slow")).message
    assert "Match of **2** deals · Slow" in table.text
    assert (await facts(bot)).table.status == "lobby"


async def test_the_clock_is_completed_and_read_by_its_name_too(discord, bot):
    asha = discord.person("asha")
    offers = await asha.autocomplete("marriage play", focused="clock", clock="corr")
    assert [offer["value"] for offer in offers] == ["daily"]
    await asha.slash("marriage play", clock=say("pace.slow").upper())
    assert (await facts(bot)).table.options.pace == "slow"


async def test_a_clock_that_there_is_not_opens_no_table(discord, bot):
    answer = await discord.person("asha").slash("marriage play", clock="hourglass")
    assert "There is no such clock" in answer.message.text
    assert (
        "You have no seat at a table yet"
        in (await discord.person("asha").slash("marriage hand")).message.text
    )


async def test_computers_are_added_only_where_they_are_asked_for(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram, computers=1)
    await asha.press(START, message=table)
    assert await names(bot) == ["Asha", "Bikram", "Durga"]
    await bikram.wait_for(lambda: panel_in_dm(bikram))


async def test_a_friend_who_joins_while_the_host_starts_plays_without_computers(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha)
    alone = asha.look(table).button(START).custom_id
    await bikram.press(JOIN, message=table)
    await press_late(asha, asha.look(table), alone)
    assert await names(bot) == ["Asha", "Bikram"]
    assert (await facts(bot)).table.status == "playing"


async def test_nobody_begins_at_a_table_where_they_do_not_sit(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha)
    told = (await bikram.press(START, message=table)).message
    assert "You have no seat at table 1" in told.text
    assert await names(bot) == ["Asha"]


async def test_a_lobby_has_five_buttons_at_most_and_one_way_to_begin(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha)
    assert [button.label for button in table.buttons][2:] == [JOIN, START, MORE]
    await asha.press(say("preset_name.pagat"), message=table)
    await press_tool(asha, table, LEAVE)
    first = [JOIN, START, LEAVE, MORE]
    for computers in range(4):
        table = await open_table(asha, computers=computers)
        assert [button.label for button in table.buttons] == first
        assert table.button(START).disabled is False
        await press_tool(asha, table, LEAVE)
    challenge = (await bikram.user_command("Challenge to Marriage", discord.person("chandra"))).message
    assert [button.label for button in challenge.buttons] == first
    assert challenge.button(START).disabled


async def test_who_waits_for_an_invited_person_does_not_begin_alone_by_a_forged_press(discord, bot):
    bikram = discord.person("bikram")
    await bikram.user_command("Challenge to Marriage", discord.person("chandra"))
    assert "A deal needs at least 2 players" in (await press_forged(bikram, "mr1:start:1:1:computers")).text
    assert (await facts(bot)).table.status == "lobby"


async def test_play_now_of_an_older_lobby_is_refused_in_words(discord, bot):
    asha = discord.person("asha")
    await open_table(asha)
    assert say("error.out_of_date") in (await press_forged(asha, "mr1:play-now:1:1")).text
    assert (await facts(bot)).table.status == "lobby"


async def test_help_leads_to_a_table_in_one_press(discord, bot):
    asha = discord.person("asha")
    shown = (await asha.slash("help")).message
    answer = await asha.press(PLAY_NOW, message=shown)
    assert not answer.message.ephemeral
    (hand,) = await asha.wait_for(lambda: answer.followups)
    assert hand.ephemeral
    assert "Your hand" in hand.text
    assert await names(bot) == ["Asha", "Laxmi", "Durga", "Shanti"]


async def test_nobody_opens_a_second_table_by_it(discord, bot):
    asha = discord.person("asha")
    shown = (await asha.slash("help")).message
    await asha.press(PLAY_NOW, message=shown)
    told = (await asha.press(PLAY_NOW, message=shown)).message
    assert "You already have a seat at another table" in told.text


@pytest.mark.usefixtures("quick")
async def test_a_table_begun_so_is_played_to_its_end(discord, bot):
    asha = discord.person("asha")
    await asha.slash("marriage play", computers=1)
    await play_by_buttons(asha)
    assert is_over(panel_in_dm(asha))


async def test_who_presses_start_sees_their_hand_at_once(discord, bot):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    answer = await asha.press(START, message=table)
    (hand,) = await asha.wait_for(lambda: answer.followups)
    assert hand.ephemeral
    assert "Your hand" in hand.text


async def test_a_hand_that_came_unasked_goes_once_its_player_plays_in_direct_messages(discord, start_bot):
    await start_bot(answer_edits_m=13)
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    answer = await asha.press(START, message=table)
    (hand,) = await asha.wait_for(lambda: answer.followups)
    await asha.wait_for(lambda: button_in_dm(asha, DRAW))
    await press_in_dm(asha, DRAW)
    left = await asha.wait_for(lambda: not (now := asha.look(hand)).buttons and now)
    assert "is no longer shown in this message" in left.text
    assert not left.files


async def test_of_those_who_are_ready_the_last_sees_their_hand_at_once_and_the_first_by_direct_message(
    discord, bot
):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    first = await press_tool(asha, table, READY)
    last = await bikram.press(START, message=table)
    (hand,) = await bikram.wait_for(lambda: last.followups)
    assert hand.ephemeral
    assert "Your hand" in hand.text
    assert first.followups == []
    await asha.wait_for(lambda: "Your hand" in text_in_dm(asha))


# How well those computers play

CASUAL_QUESTION, YES, STAY = say("hand.stronger"), say("button.stronger_yes"), say("button.stronger_stay")


async def levels(bot, table=1):
    return [seat.computer for seat in (await facts(bot, table)).seats if seat.computer]


async def wins(person, computers=1):
    """Win a deal against so many computers; return the table and the final hand."""
    table = (await person.slash("marriage play", computers=computers)).message
    await person.wait_for(lambda: (hand := panel_in_dm(person)) and not is_over(hand))
    await play_by_buttons(person)
    return table, panel_in_dm(person)


async def closes(person, table):
    """Close a table between two deals."""
    await person.wait_for(lambda: person.look(table).button(NEXT))
    await press_tool(person, table, CLOSE)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("answer", "level"), [(YES, "steady"), (STAY, "casual")])
async def test_the_first_deal_won_against_casual_computers_asks_once_for_stronger_ones(
    discord, bot, answer, level
):
    asha = discord.person("asha")
    table, hand = await wins(asha)
    assert await levels(bot) == ["casual"]
    assert CASUAL_QUESTION in hand.text
    assert CASUAL_QUESTION not in asha.look(table).text
    after = (await asha.press(answer, message=hand)).message
    assert CASUAL_QUESTION not in after.text
    assert say("hand.stronger_chosen", level=say(f"level.{level}")) in after.text
    await closes(asha, table)
    _, hand = await wins(asha)
    assert await levels(bot, 2) == [level]
    assert CASUAL_QUESTION not in hand.text


@pytest.mark.usefixtures("quick")
async def test_who_does_not_answer_is_not_asked_again(discord, bot):
    asha = discord.person("asha")
    table, hand = await wins(asha)
    assert hand.button(YES)
    await closes(asha, table)
    _, hand = await wins(asha)
    assert is_over(hand)
    assert not hand.button(YES)
    assert await levels(bot, 2) == ["casual"]


@pytest.mark.usefixtures("quick")
async def test_a_deal_won_against_other_levels_or_people_asks_nothing(discord, bot):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    assert await levels(bot) == ["steady"]
    assert CASUAL_QUESTION not in panel_in_dm(asha).text


async def test_the_level_can_be_chosen_in_the_settings_before_any_deal(discord, bot):
    asha = discord.person("asha")
    panel = await open_settings(asha, "playing")
    select = panel.select(say("settings.computers"))
    assert select.chosen == ["auto"]
    await asha.choose(say("settings.computers"), ["master"], message=panel)
    await asha.slash("marriage play", computers=2)
    assert await levels(bot) == ["master", "master"]


@pytest.mark.usefixtures("quick")
async def test_the_choice_is_in_the_copy_that_a_person_gets_and_is_forgotten_with_them(discord, bot):
    asha = discord.person("asha")
    table, hand = await wins(asha)
    await asha.press(YES, message=hand)
    (person,) = (await bot.store.read(lambda db: db.privacy.everything_of(asha.user.id)))["person"]
    assert person["settings"]["play_now_level"] == "steady"
    assert person["settings"]["asked_stronger"] == [1, 1]
    await closes(asha, table)

    async def write(db: WriteTransaction) -> None:
        db.changes_everything()
        await db.privacy.forget(asha.user.id, 0, "somebody {number}")

    await bot.store.write(write)
    await asha.slash("marriage play", computers=1)
    assert await levels(bot, 2) == ["casual"]
