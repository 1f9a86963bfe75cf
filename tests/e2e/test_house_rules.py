"""House rules over the wire: where they apply, how they are chosen, and how they are cleared."""

import pytest

from bot.words.texts import texts
from marriage.rules import PRESETS, preset
from tests.e2e.looking import facts
from tests.e2e.players import (
    LEAVE,
    TABLE_RULES,
    action_rows,
    open_setup,
    open_table,
    press_tool,
    write_rules,
)

say = texts()
CLEAR = say("button.clear_house")
OURS = preset("kidnap", alter=True)


async def save(person, whose):
    """Save the rules of a table as house rules, and leave it; return the answer."""
    table = await open_table(person)
    await write_rules(person, table, "alter=yes", preset="kidnap")
    panel = (await press_tool(person, table, TABLE_RULES)).message
    told = (await person.press(say(f"button.save_{whose}"), message=panel)).message
    await press_tool(person, table, LEAVE)
    return told


@pytest.fixture
async def asha(discord, bot):
    """The owner of the server."""
    return discord.person("asha")


async def rules_of(bot, table):
    return (await facts(bot, table)).table.rules


async def test_a_person_sees_their_house_rules_among_their_settings_and_clears_them(bot, asha):
    assert not (await asha.slash("settings")).message.button(CLEAR)
    await save(asha, "mine")
    panel = (await asha.slash("settings")).message
    assert "Your house rules: **Kidnap**; Alter counts as maal; As many deals as you like · " in panel.text
    panel = (await asha.press(CLEAR, message=panel)).message
    assert "house rules" not in panel.text
    assert not panel.button(CLEAR)
    await asha.slash("marriage play")
    assert await rules_of(bot, 2) == PRESETS["pagat"]


async def test_a_table_says_whose_house_rules_it_has_as_soon_as_they_are_kept(bot, asha):
    table = await open_table(asha)
    await write_rules(asha, table, "alter=yes", preset="kidnap")
    await asha.wait_for(lambda: "Kidnap" in asha.look(table).text)
    house = say("lobby.house_host", host="Asha")
    assert house not in asha.look(table).text
    panel = (await press_tool(asha, table, TABLE_RULES)).message
    await asha.press(say("button.save_mine"), message=panel)
    await asha.wait_for(lambda: house in asha.look(table).text)


async def test_setup_shows_the_house_rules_of_the_server_and_clears_them(discord, bot, asha):
    await save(asha, "server")
    panel = await open_setup(asha, "tables")
    assert "The house rules of this server: **Kidnap**; Alter counts as maal" in panel.text
    bikram = discord.person("bikram")
    table = (await bikram.slash("marriage play")).message
    assert await rules_of(bot, 2) == OURS
    panel = (await asha.press(CLEAR, message=panel)).message
    assert not panel.button(CLEAR)
    assert "New tables: **Simple**" in panel.text
    await press_tool(bikram, table, LEAVE)
    await bikram.slash("marriage play")
    assert await rules_of(bot, 3) == PRESETS["pagat"]
    log = (await asha.slash("setup log")).message.text
    assert "Rules: Kidnap" in log


async def test_a_preset_chosen_in_setup_takes_their_place(bot, asha, discord):
    await save(asha, "server")
    panel = await open_setup(asha, "tables")
    panel = (await asha.choose("mr1:pick-guild-preset:0:0", ["murder"], message=panel)).message
    assert not panel.button(CLEAR)
    await discord.person("bikram").slash("marriage play")
    assert await rules_of(bot, 2) == PRESETS["murder"]


async def test_everything_in_setup_is_named_after_what_it_sets(asha):
    panels = [await open_setup(asha, subject) for subject in ("server", "tables", "boards")]
    names = [select.placeholder for panel in panels for select in panel.selects[1:]]
    assert len(set(names)) == len(names) == 6
    assert names[2:5] == ["Language of this server…", "Rules of new tables…", "Clock of new tables…"]
    assert names[5] == "A channel for the weekly board…"
    assert all(action_rows(panel) <= 5 for panel in panels)
    assert [option["value"] for option in panels[0].selects[0].options] == ["server", "tables", "boards"]


async def test_personal_house_rules_come_before_the_servers_and_a_named_choice_before_both(bot, asha):
    await save(asha, "server")
    table = (await asha.slash("marriage play")).message
    await write_rules(asha, table, "", preset="murder")
    panel = (await press_tool(asha, table, TABLE_RULES)).message
    await asha.press(say("button.save_mine"), message=panel)
    await press_tool(asha, table, LEAVE)
    offered = await asha.autocomplete("marriage play", focused="rules")
    assert [offer["name"] for offer in offered][:3] == [
        "House rules of this server",
        "My own house rules",
        "Simple",
    ]
    for number, (chosen, wanted) in enumerate(
        (
            ({}, PRESETS["murder"]),
            ({"rules": "server"}, OURS),
            ({"rules": "full kathmandu"}, PRESETS["kathmandu"]),
            ({"rules": "mine"}, PRESETS["murder"]),
        ),
        3,
    ):
        table = (await asha.slash("marriage play", **chosen)).message
        assert await rules_of(bot, number) == wanted
        await press_tool(asha, table, LEAVE)


async def test_house_rules_that_there_are_not_open_no_table(asha, bot):
    for name in ("mine", "server", "monopoly"):
        told = (await asha.slash("marriage play", rules=name)).message
        assert "I know no rules with that name" in told.text
    assert "No table is open" in (await asha.slash("marriage tables")).message.text


async def test_a_league_begins_with_the_house_rules_of_its_server_and_keeps_its_own(bot, asha):
    await save(asha, "server")
    await asha.slash("league-staff season create")
    await asha.submit({"name": "Autumn"})
    panel = await open_setup(asha, "tables")
    await asha.press(CLEAR, message=panel)
    season = await bot.store.read(lambda db: db.seasons.get(1))
    assert season.rules == OURS
