"""Help by situation and the pages of the rules, over the wire."""

import re

import pytest

from bot.panels.learning.rules_book import TOPICS
from playground.person import CannotDoError
from tests.e2e.players import (
    RULES,
    open_table,
    press_tool,
    say,
)

ON, BACK = say("list.on"), say("list.back")
TOPIC, PAGE = say("situation.choose"), say("lesson.choose")


async def test_help_answers_by_situation_with_commands_to_click(discord, bot):
    asha = discord.person("asha")
    shown = (await asha.slash("help")).message
    assert shown.ephemeral
    commands = {command.name: command.id for command in discord.world.commands.values()}
    assert f"</marriage play:{commands['marriage']}>" in shown.text
    for topic in TOPICS:
        answer = await asha.choose(TOPIC, [topic], message=shown)
        assert answer.message.id == shown.id
        assert answer.message.text.startswith("## ")
        ids = set(re.findall(r"</[a-z ]+:([0-9]+)>", answer.message.text))
        assert ids <= {str(command) for command in commands.values()}
    assert say("situation.staff") in asha.look(shown).text


async def test_the_mentions_are_known_after_a_restart_too(discord, start_bot):
    running = await start_bot()
    await running.stop()
    await start_bot()
    assert "</marriage play:" in (await discord.person("asha").slash("help")).message.text


async def test_the_pages_of_the_rules_are_turned_over(discord, bot):
    asha = discord.person("asha")
    page = (await asha.slash("marriage rules")).message
    assert page.ephemeral
    assert page.button(BACK).disabled
    with pytest.raises(CannotDoError):
        await asha.press(BACK, message=page)
    titles = [page.text.split("\n")[0]]
    while not page.button(ON).disabled:
        assert page.files == [] or page.files[0].alt
        page = (await asha.press(ON, message=page)).message
        titles.append(page.text.split("\n")[0])
    assert len(set(titles)) == 9
    page = (await asha.press(BACK, message=page)).message
    assert page.text.startswith(titles[-2])
    page = (await asha.choose(PAGE, ["0"], message=page)).message
    assert page.text.startswith(titles[0])
    assert "rules: Simple" in page.text


async def test_the_rules_are_those_of_the_preset_that_is_named(discord, bot):
    asha = discord.person("asha")
    page = (await asha.slash("marriage rules", preset="kathmandu")).message
    page = (await asha.choose(PAGE, ["7"], message=page)).message
    assert "Murder" in page.text
    assert "Full Kathmandu" in page.text
    page = (await asha.press(BACK, message=page)).message
    assert "laid marriage" in page.text


async def test_a_table_explains_its_own_rules_to_anybody(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha)
    page = (await press_tool(bikram, table, RULES)).message
    assert page.ephemeral
    assert page.id != table.id
    page = (await bikram.press(ON, message=page)).message
    assert "clockwise" in page.text
    assert asha.look(table).text == table.text
