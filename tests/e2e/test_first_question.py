"""The first lobby of a server asks how people play, and the server remembers the answer."""

from marriage.rules import PRESETS
from tests.e2e.forging import press_forged
from tests.e2e.looking import facts
from tests.e2e.players import JOIN, LEAVE, MORE, START, open_setup, open_table, press_tool, say

SIMPLE, KATHMANDU = say("preset_name.pagat"), say("preset_name.kathmandu")
ASKED = "How do you play here?"


async def server_rules(discord, bot):
    return (await bot.store.read(lambda db: db.guilds.settings(discord.world.guild.id))).rules


async def test_a_server_is_asked_once_and_remembers(discord, bot):
    bikram, chandra = discord.person("bikram"), discord.person("chandra")
    table = await open_table(bikram)
    assert ASKED in table.text
    assert [button.label for button in table.buttons] == [SIMPLE, KATHMANDU, JOIN, START, MORE]
    chosen = (await bikram.press(KATHMANDU, message=table)).message
    assert ASKED not in chosen.text
    assert "Rules: **Full Kathmandu**" in chosen.text
    assert [button.label for button in chosen.buttons] == [JOIN, START, LEAVE, MORE]
    assert (await facts(bot)).table.rules == PRESETS["kathmandu"] == await server_rules(discord, bot)

    other = await open_table(chandra)
    assert ASKED not in other.text
    assert "Rules: **Full Kathmandu**" in other.text
    assert "New tables: **Full Kathmandu**" in (await open_setup(discord.person("asha"), "tables")).text


async def test_the_usual_rules_can_be_the_answer(discord, bot):
    bikram = discord.person("bikram")
    chosen = (await bikram.press(SIMPLE, message=await open_table(bikram))).message
    assert ASKED not in chosen.text
    assert await server_rules(discord, bot) == PRESETS["pagat"]


async def test_who_starts_without_an_answer_is_asked_at_the_next_table(discord, bot):
    bikram = discord.person("bikram")
    table = await open_table(bikram)
    await bikram.press(START, message=table)
    assert (await facts(bot)).table.rules == PRESETS["pagat"]
    assert await server_rules(discord, bot) is None
    assert ASKED in (await open_table(discord.person("chandra"))).text


async def test_only_the_host_answers_and_only_with_what_is_asked(discord, bot):
    bikram, chandra = discord.person("bikram"), discord.person("chandra")
    table = await open_table(bikram, chandra)
    told = (await chandra.press(KATHMANDU, message=table)).message
    assert "Only the host, **Bikram**, can change that" in told.text
    assert say("error.out_of_date") in (await press_forged(bikram, "mr1:how-we-play:1:1:murder")).text
    assert await server_rules(discord, bot) is None
    await bikram.press(START, message=table)
    assert "A deal is in progress" in (await press_forged(bikram, "mr1:how-we-play:1:1:kathmandu")).text
    assert await server_rules(discord, bot) is None


async def test_a_later_answer_at_another_table_holds_for_that_table_alone(discord, bot):
    bikram, chandra = discord.person("bikram"), discord.person("chandra")
    first, second = await open_table(bikram), await open_table(chandra)
    await bikram.press(KATHMANDU, message=first)
    await chandra.press(SIMPLE, message=second)
    assert await server_rules(discord, bot) == PRESETS["kathmandu"]
    assert (await facts(bot, 2)).table.rules == PRESETS["pagat"]


async def test_a_host_who_is_not_asked_answers_for_their_table_alone(discord, bot):
    bikram = discord.person("bikram")
    table = (await bikram.slash("marriage play", rules="gambiter")).message
    assert ASKED not in table.text
    await press_forged(bikram, "mr1:how-we-play:1:1:kathmandu")
    assert (await facts(bot)).table.rules == PRESETS["kathmandu"]
    assert await server_rules(discord, bot) is None
    assert ASKED in (await open_table(discord.person("chandra"))).text


async def test_who_is_asked_leaves_behind_more(discord, bot):
    bikram = discord.person("bikram")
    table = await open_table(bikram)
    await press_tool(bikram, table, LEAVE)
    assert (await facts(bot)).table.status == "closed"
