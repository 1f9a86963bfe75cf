"""Languages: each person reads their own, and shared messages use the server's."""

import asyncio
import re

import pytest

from bot.words.texts import catalogue
from tests.e2e.forging import button, forge
from tests.e2e.looking import published
from tests.e2e.players import (
    next_panel,
    open_table,
    panel_in_dm,
    play_by_buttons,
    press_tool,
    text_in_dm,
)

ENGLISH, NEPALI, HINDI = (catalogue(language) for language in ("en", "ne", "hi"))
DEVANAGARI = re.compile("[\u0900-\u097f]")


async def speaks(person, language):
    """Choose a language as a person does; the panel answers in it at once."""
    panel = (await person.slash("settings")).message
    answer = await person.choose(re.compile("mr1:pick-language:"), [language], message=panel)
    assert catalogue(language)("settings.title") in answer.message.text
    return answer.message


async def server_speaks(owner, language):
    panel = (await owner.slash("setup show")).message
    await owner.choose("mr1:pick-guild-language:0:0", [language], message=panel)


async def test_nepali_plays_a_deal_at_an_english_table(discord, bot, quick):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await speaks(asha, "ne")
    table = await open_table(bikram, asha)
    assert ENGLISH("button.start") in [button.label for button in table.buttons]
    assert not DEVANAGARI.search(table.text)

    again = await asha.press(ENGLISH("button.join"), message=table)
    assert again.message.ephemeral
    assert again.message.text == NEPALI("sorry.already_seated")

    await bikram.press(ENGLISH("button.start"), message=table)
    hand = await asha.wait_for(lambda: panel_in_dm(asha))
    assert hand.button(NEPALI("button.pile"))
    shown = (await asha.slash("marriage hand")).message
    assert shown.ephemeral
    assert shown.button(NEPALI("button.pile"))
    assert (await bikram.slash("marriage hand")).message.button(ENGLISH("button.pile"))

    await asyncio.gather(play_by_buttons(asha), play_by_buttons(bikram))
    await published(bot)
    await asha.wait_for(lambda: NEPALI("hand.over") in text_in_dm(asha))
    await bikram.wait_for(lambda: ENGLISH("hand.over") in text_in_dm(bikram))
    assert not DEVANAGARI.search(asha.look(table).text)


async def test_a_table_speaks_the_language_that_its_players_share(discord, bot):
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    await speaks(asha, "ne")
    await speaks(bikram, "ne")
    table = (await asha.slash("marriage play")).message
    assert NEPALI("table.title", table=1) in table.text
    await bikram.press(NEPALI("button.join"), message=table)
    await asha.wait_for(lambda: "Bikram" in asha.look(table).text)
    assert NEPALI("table.title", table=1) in asha.look(table).text
    await chandra.press(NEPALI("button.join"), message=table)
    await asha.wait_for(lambda: ENGLISH("table.title", table=1) in asha.look(table).text)
    await press_tool(chandra, table, ENGLISH("button.leave"))
    await asha.wait_for(lambda: NEPALI("table.title", table=1) in asha.look(table).text)


async def test_a_hand_by_direct_message_keeps_the_language_of_its_server_when_it_is_pressed(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await server_speaks(asha, "ne")
    await asha.press(re.compile("mr1:start:"), message=table)
    hand = await bikram.wait_for(lambda: panel_in_dm(bikram))
    assert hand.button(NEPALI("button.more"))
    opened = (await bikram.press(NEPALI("button.more"), message=hand)).message
    assert opened.button(NEPALI("button.group"))


async def test_a_home_game_speaks_the_language_that_its_keepers_share(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await speaks(asha, "ne")
    game = (await asha.slash("score new", players="Asha, Hari, Sita", preset="kathmandu")).message
    assert NEPALI("score.title") in game.text
    assert NEPALI("preset_name.kathmandu") in game.text
    await asha.press(NEPALI("button.score_close"), message=game)

    both = (await asha.slash("score new", players="Asha, Hari, Sita", keeper=bikram)).message
    assert ENGLISH("score.title") in both.text  # Bikram's language is the server's


async def test_computers_have_names_in_the_readers_language_and_one_in_exports(discord, bot, quick):
    asha = discord.person("asha")
    await speaks(asha, "ne")
    table = (await asha.slash("marriage play")).message
    more = (await asha.press(NEPALI("button.more"), message=table)).message
    await asha.press(NEPALI("button.computer"), message=more)
    start, called = NEPALI("button.start"), NEPALI("computer.Laxmi")
    await asha.wait_for(lambda: called in asha.look(table).text)
    assert called in asha.look(table).text
    await asha.press(start, message=table)
    hand = await next_panel(asha)
    assert called in str(hand.files[0].alt)
    assert "Laxmi" not in str(hand.files[0].alt)
    await play_by_buttons(asha)
    await published(bot)
    shown = asha.look(table)
    assert called in shown.text
    assert called in str(shown.files[0].alt)
    assert "Laxmi" not in shown.text + str(shown.files[0].alt)
    assert called in (await asha.slash("history")).message.text
    assert called in (await asha.slash("marriage replay")).message.text
    await speaks(asha, "en")
    assert "Laxmi" in (await asha.slash("history")).message.text
    assert "Laxmi" in (await asha.slash("marriage replay")).message.text
    await speaks(asha, "ne")
    exported = (await asha.slash("export deals")).message
    [rows] = [file.content.decode("utf-8-sig") for file in exported.files if file.filename == "deals.csv"]
    assert "Laxmi" in rows


async def test_everybody_reads_the_language_of_the_server(discord, bot):
    asha = discord.person("asha")  # the owner of the server
    await server_speaks(asha, "hi")
    table = await open_table(asha)
    start = HINDI("button.start")
    table = asha.look(table)
    assert HINDI("table.title", table=1) in table.text
    assert [button.label for button in table.buttons][2:4] == [HINDI("button.join"), start]
    await asha.press(start, message=table)
    hand = await next_panel(asha)
    assert hand.button(HINDI("button.pile")), "who has not chosen reads the server's"
    await speaks(asha, "en")
    assert (await asha.slash("marriage hand")).message.button(ENGLISH("button.pile"))
    await asha.wait_for(lambda: asha.look(table).button(HINDI("button.hand")))


async def test_discord_in_hindi_is_answered_in_hindi_by_message_too(discord, bot):
    asha = discord.person("asha")
    asha.user.locale = "hi"
    table = (await asha.slash("marriage play")).message
    refused = await asha.press(ENGLISH("button.join"), message=table)
    assert refused.message.text == HINDI("sorry.already_seated")
    await press_tool(asha, table, HINDI("button.computer"))
    await asha.wait_for(lambda: HINDI("table.title", table=1) in asha.look(table).text)
    await asha.press(HINDI("button.start"), message=table)
    assert (await next_panel(asha)).button(HINDI("button.pile"))


@pytest.mark.parametrize("locale", ["en-US", "en-GB", "de", "fr"])
async def test_other_discords_are_answered_in_english(discord, bot, locale):
    asha = discord.person("asha")
    asha.user.locale = locale
    assert ENGLISH("settings.title") in (await asha.slash("settings")).message.text


async def test_an_own_choice_outweighs_discord_and_server(discord, bot):
    asha = discord.person("asha")
    await server_speaks(asha, "hi")
    asha.user.locale = "hi"
    await speaks(asha, "ne")
    assert NEPALI("sorry.no_table_yet") == (await asha.slash("marriage hand")).message.text


async def test_an_unknown_button_is_answered_in_the_language_of_who_presses_it(discord, bot):
    asha = discord.person("asha")
    await speaks(asha, "ne")
    for custom_id in ("mr0:of-an-older-bot:1:1", "mr1:no-such-verb:1:1"):
        answer = await asha.press(custom_id, message=forge(asha, button(custom_id)))
        assert answer.message.text == NEPALI("error.out_of_date")


async def test_the_language_stays_over_a_restart(discord, start_bot):
    first = await start_bot()
    asha = discord.person("asha")
    await speaks(asha, "ne")
    await first.stop()
    await start_bot()
    assert NEPALI("sorry.no_table_yet") == (await asha.slash("marriage hand")).message.text


async def test_a_discord_in_hindi_is_offered_commands_in_hindi(discord, bot):
    marriage = next(command for command in discord.world.commands.values() if command.name == "marriage")
    play = next(option for option in marriage.data["options"] if option["name"] == "play")
    assert DEVANAGARI.search(play["name_localizations"]["hi"])
    assert DEVANAGARI.search(play["description_localizations"]["hi"])
    asha = discord.person("asha")
    asha.user.locale = "hi"
    table = (await asha.slash("marriage play")).message
    assert ENGLISH("table.title", table=1) in table.text


async def test_a_board_for_everybody_speaks_the_servers_language(discord, bot):
    asha = discord.person("asha")
    await server_speaks(asha, "hi")
    await speaks(asha, "ne")
    assert NEPALI("board.empty_people") in (await asha.slash("leaderboard")).message.text
    shown = (await asha.slash("leaderboard", public=True)).message
    assert not shown.ephemeral
    assert HINDI("board.empty_people") in shown.text
