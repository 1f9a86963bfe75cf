"""Settings of a server: who may change them, their effects, what is missing, and what was done."""

import pytest

from bot.words.texts import texts
from marriage.rules import PRESETS
from playground.person import CannotDoError
from tests.e2e.forging import press_blindly
from tests.e2e.looking import facts
from tests.e2e.players import (
    JOIN,
    open_setup,
    open_table,
    press_tool,
)

say = texts()
CHANNEL, ROLE, THREADS = say("setup.channel"), say("setup.role"), say("setup.threads_off")


KINDS = {"channel": 8, "role": 6}
"""The types of selects for Discord objects; those for texts are of type 3."""


@pytest.fixture
def manager(discord, bot):
    return discord.person("asha")  # the owner of the server


async def settings_of(bot, discord):
    return await bot.store.read(lambda db: db.guilds.settings(discord.world.guild.id))


async def test_new_tables_take_what_the_server_likes(discord, bot, manager):
    panel = (await manager.slash("setup show")).message
    assert panel.ephemeral
    general = discord.world.channel("general")
    await manager.choose(CHANNEL, [general], message=panel)
    await manager.choose("mr1:pick-guild-language:0:0", ["en"], message=panel)
    panel = await open_setup(manager, "tables")
    await manager.choose("mr1:pick-guild-preset:0:0", ["kathmandu"], message=panel)
    await manager.choose("mr1:pick-guild-pace:0:0", ["slow"], message=panel)
    panel = (await manager.press(THREADS, message=panel)).message
    assert f"Channel for tables: **<#{general.id}>**" in panel.text
    assert "New tables: **Full Kathmandu** · As many deals as you like · Slow: 5 minutes a move" in panel.text
    settings = await settings_of(bot, discord)
    assert (settings.language, settings.threads) == ("en", True)

    bikram = discord.person("bikram")
    refused = (await bikram.slash("marriage play")).message
    assert f"tables are opened in <#{general.id}>" in refused.text
    bikram.go("general")
    await bikram.slash("marriage play")
    table = (await facts(bot)).table
    assert (table.rules, table.options.pace, table.options.thread) == (PRESETS["kathmandu"], "slow", True)

    panel = (await manager.choose(CHANNEL, [], message=await open_setup(manager))).message
    assert "Channel for tables: **any channel**" in panel.text
    assert "Table 2" in (await discord.person("chandra").slash("marriage play")).message.text


async def test_others_are_refused_even_if_they_see_the_command(discord, bot, manager):
    bikram = discord.person("bikram")
    with pytest.raises(CannotDoError, match="offered no"):
        await bikram.slash("setup show")
    command = next(command for command in discord.world.commands.values() if command.name == "setup")
    command.data["default_member_permissions"] = None  # the server shows it to everyone
    for name in ("show", "check", "log"):
        told = (await bikram.slash(f"setup {name}")).message
        assert told.ephemeral
        assert re_any(told.text, "Only people who may manage this server", "Only this server's staff")
        assert told.selects == []

    panel = (await manager.slash("setup show")).message
    for verb, value in (("channel", str(discord.world.channel("league").id)), ("preset", "gambiter")):
        custom_id = f"mr1:pick-guild-{verb}:0:0"
        await press_blindly(bikram, panel, custom_id, component_type=KINDS.get(verb, 3), values=[value])
    await press_blindly(bikram, panel, "mr1:guild-threads:0:0:on")
    assert await settings_of(bot, discord) == type(await settings_of(bot, discord))()


def re_any(text, *wanted):
    return any(words in text for words in wanted)


async def test_odd_choices_change_nothing(discord, bot, manager):
    panel = (await manager.slash("setup show")).message
    for verb, value in (
        ("channel", "१२"),
        ("role", "9" * 90),
        ("preset", "monopoly"),
        ("pace", "instant"),
        ("language", "tlh"),
    ):
        custom_id = f"mr1:pick-guild-{verb}:0:0"
        panel = await open_setup(manager, "tables" if verb in {"preset", "pace"} else "server")
        await press_blindly(manager, panel, custom_id, component_type=KINDS.get(verb, 3), values=[value])
        assert "out of date" in manager.last().text
    settings = await settings_of(bot, discord)
    assert settings == type(settings)()


async def test_the_staff_role_looks_after_tables_but_not_after_the_settings(discord, bot, manager):
    bikram, chandra = discord.person("bikram"), discord.person("chandra")
    role = discord.world.grant("bikram")
    command = next(command for command in discord.world.commands.values() if command.name == "setup")
    command.data["default_member_permissions"] = None
    panel = (await manager.slash("setup show")).message
    panel = (await manager.choose(ROLE, [role], message=panel)).message
    assert f"<@&{role.id}>" in panel.text

    assert "Only people who may manage" in (await bikram.slash("setup show")).message.text
    assert "I have everything I need" in (await bikram.slash("setup check")).message.text
    table = await open_table(chandra)
    assert (await press_tool(bikram, table, "Manage table")).message.selects
    await bikram.press("Private: off")
    log = (await bikram.slash("setup log")).message
    lines = log.text.split("\n")[1:]
    assert "**Bikram** switched an option at table 1: Private: on" in lines[0]
    assert f"**Asha** changed the settings: Role of the table staff: <@&{role.id}>" in lines[1]
    assert not log.message.mention_roles


async def test_everybodys_role_makes_nobody_staff(discord, bot, manager):
    command = next(command for command in discord.world.commands.values() if command.name == "setup")
    command.data["default_member_permissions"] = None
    panel = (await manager.slash("setup show")).message
    await manager.choose(ROLE, [discord.world.guild.everyone], message=panel)
    told = (await discord.person("bikram").slash("setup log")).message
    assert "Only this server's staff" in told.text


async def test_the_check_names_what_is_missing_and_what_it_is_for(discord, bot, manager):
    assert "I have everything I need" in (await manager.slash("setup check")).message.text
    discord.world.deny("marriage", "ATTACH_FILES", "READ_MESSAGE_HISTORY")
    checked = (await manager.slash("setup check")).message.text
    assert "**Attach Files** · without it there are no pictures" in checked
    assert "**Read Message History** · without it I cannot update" in checked
    assert "Send Messages" not in checked
    assert "Threads are off" in checked


async def test_the_check_looks_at_the_channel_for_tables_and_at_threads_too(discord, bot, manager):
    panel = (await manager.slash("setup show")).message
    general = discord.world.add_channel("cards")
    await manager.choose(CHANNEL, [general], message=panel)
    await manager.press(THREADS, message=await open_setup(manager, "tables"))
    discord.world.deny("cards", "SEND_MESSAGES", "CREATE_PUBLIC_THREADS")
    discord.world.deny("marriage", "SEND_MESSAGES_IN_THREADS")
    checked = (await manager.slash("setup check")).message.text
    here, _, there = checked.partition(f"<#{general.id}>")
    assert "tables work, but not their threads" in here
    assert "**Send Messages in Threads**" in here
    assert "**Send Messages** · without it I cannot post" in there
    assert "**Create Public Threads**" in there

    discord.world.delete_channel(general)
    assert "is gone, or I cannot see it" in (await manager.slash("setup check")).message.text


@pytest.mark.parametrize("is_there", [False, True])
async def test_the_settings_say_that_the_channel_for_tables_is_gone_or_unseen(
    discord, bot, manager, is_there
):
    cards = discord.world.add_channel("cards")
    panel = (await manager.choose(CHANNEL, [cards], message=await open_setup(manager))).message
    assert "is gone" not in panel.text
    if is_there:
        discord.world.deny("cards", "VIEW_CHANNEL")
    else:
        discord.world.delete_channel(cards)
    told = (await manager.slash("setup show")).message.text
    assert f"<#{cards.id}>: this channel for tables is gone, or I cannot see it" in told
    assert "Tables are opened in any channel until you choose another one" in told
    assert (await discord.person("chandra").slash("marriage play")).message.button(JOIN)


async def test_the_trail_is_empty_at_first(discord, bot, manager):
    assert "Nothing yet" in (await manager.slash("setup log")).message.text
