"""People forge presses and choices about the tables and channels of another server, there or in direct messages."""

import pytest

from data.preferences import GuildSettings
from playground.model import Channel, Guild
from playground.person import Person
from playground.server import Playground
from tests.e2e.forging import button, forge, press_blindly, press_forged, select
from tests.e2e.looking import facts, published
from tests.e2e.players import START, next_panel, open_table, play_by_buttons, say, write_rules
from tests.e2e.seasons import Circle

OTHER_SERVER = say("sorry.other_server", table=1)
NOT_AT_TABLE = say("sorry.not_at_table", table=1)


@pytest.fixture
def size():
    return {"guilds": 2}


def channel_in(discord: Playground, guild: Guild, name: str) -> Channel:
    return next(
        place for place in discord.world.channels.values() if place.guild is guild and place.name == name
    )


@pytest.fixture
def mallory(discord) -> Person:
    """The manager of the second server, in a channel there."""
    mallory, second = discord.person("mallory"), list(discord.world.guilds.values())[1]
    discord.world.grant(mallory.user, "MANAGE_GUILD", guild=second)
    return mallory.go(channel_in(discord, second, "marriage"))


async def test_no_lobby_is_governed_from_another_server(discord, bot, mallory):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await open_table(asha, bikram)
    before = await facts(bot)
    for custom_id in ("mr1:manage:1:1", "mr1:switch:1:1:private-on", "mr1:table-rules:1:1", "mr1:join:1:1"):
        assert OTHER_SERVER in (await press_forged(mallory, custom_id)).text
    for custom_id, value in (
        ("mr1:pick-kick:1:1", str(bikram.id)),
        ("mr1:pick-rule:1:1:pace", "fast"),
        ("mr1:pick-computer:1:1", "steady"),
    ):
        message = forge(mallory, select(custom_id, value))
        assert OTHER_SERVER in (await mallory.choose(custom_id, [value], message=message)).message.text
    assert await facts(bot) == before


async def test_no_foul_is_ruled_from_another_server(discord, bot, dull, mallory):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await write_rules(asha, table, "foul=each")
    await asha.press(START, message=table)
    await next_panel(bikram)
    before = await facts(bot)
    assert OTHER_SERVER in (await press_forged(mallory, "mr1:rule-foul:1:1:1-0-looked")).text
    assert await facts(bot) == before


@pytest.mark.parametrize(("name", "kind"), [("channel", 8), ("weekly", 8), ("role", 6)])
async def test_a_server_chooses_no_channel_and_no_role_of_another(discord, bot, mallory, name, kind):
    first, second = discord.world.guilds.values()
    places = {8: channel_in(discord, first, "general"), 6: discord.world.grant("asha", guild=first)}
    custom_id = f"mr1:pick-guild-{name}:0:0"
    message = forge(mallory, {"type": kind, "custom_id": custom_id, "min_values": 0, "max_values": 1})
    await press_blindly(mallory, message, custom_id, component_type=kind, values=[str(places[kind].id)])
    assert say("error.out_of_date") in mallory.last().text
    assert await bot.store.read(lambda db: db.guilds.settings(second.id)) == GuildSettings()


async def test_those_at_the_table_leave_it_from_another_server_but_govern_it_at_home(discord, bot, mallory):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await open_table(asha, bikram)
    asha.go(mallory.channel)
    bikram.go(mallory.channel)
    assert OTHER_SERVER in (await press_forged(asha, "mr1:switch:1:1:private-on")).text
    await bikram.press("Forged", message=forge(bikram, button("mr1:leave-there:1:0")))
    assert [seat.name for seat in (await bot.bot.services.tables.snapshot(1)).seats] == ["Asha"]


async def test_in_direct_messages_a_stranger_reaches_no_table_and_no_list_of_a_league(
    discord, start_bot, clock, mallory
):
    bot, asha = await start_bot(clock=clock), discord.person("asha")
    table = await open_table(asha)
    await asha.press(say("preset_name.kathmandu"), message=table)
    await Circle(bot, clock, [asha]).open("Autumn", "2, 7, 10", team_size=2)
    mallory.go(mallory.dm_channel)
    before = await facts(bot)
    for custom_id in ("join:1:1", "accept:1:1", "table-more:1:1", "manage:1:1", "how-we-play:1:1:pagat"):
        assert NOT_AT_TABLE in (await press_forged(mallory, f"mr1:{custom_id}")).text
    for custom_id in ("league-next:1:0", "league-all:1:0:people", "league-team:1:0"):
        assert say("sorry.server_only") in (await press_forged(mallory, f"mr1:{custom_id}")).text
    assert say("preset_name.kathmandu") not in (await press_forged(mallory, "mr1:rules:1:0")).text
    assert await facts(bot) == before
    asha.go(asha.dm_channel)
    assert say("preset_name.kathmandu") in (await press_forged(asha, "mr1:rules:1:0")).text


async def test_a_profile_is_shown_to_others_only_in_a_server_where_its_person_has_played(
    discord, bot, quick, mallory
):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await published(bot)
    for place, words in ((mallory.channel, "profile.none"), (mallory.dm_channel, "profile.own_only")):
        mallory.go(place)
        tab = forge(mallory, button(f"mr1:profile:0:0:{asha.id}-computers"), private=True)
        assert (await mallory.slash("profile", player=asha.user)).message.text == say(words)
        assert (await mallory.press("Forged", message=tab)).message.text == say(words)
    chandra = discord.person("chandra")
    figures = say("profile.figures_computers", deals=1)
    assert figures in (await chandra.slash("profile", player=asha.user)).message.text
    for place in (asha.channel, asha.dm_channel):
        asha.go(place)
        assert figures in (await asha.slash("profile")).message.text
        assert figures in (await asha.slash("profile", public=True)).message.text


async def test_the_name_of_one_server_is_shown_in_no_other(discord, bot, quick):
    """At work, where she never plays, her nickname is her full name."""
    asha, chandra = discord.person("asha"), discord.person("chandra")
    here, second = asha.channel, list(discord.world.guilds.values())[1]
    asha.user.nick = "Ashu"
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await published(bot)
    asha.user.nick = "Dr Asha Sharma"
    asha.go(channel_in(discord, second, "marriage"))
    await asha.slash("score new", players="Mum, Dad")
    asha.user.nick = None
    asha.go(asha.dm_channel)
    own = (await asha.slash("profile")).message
    asha.go(here)
    told = (await chandra.slash("profile", player=asha.user)).message
    board = (await chandra.slash("leaderboard")).message
    for message in (told, board):
        assert "Ashu" in message.text + str([file.alt for file in message.files])
    for message in (own, told, board):
        assert "Sharma" not in message.text + str([file.alt for file in message.files])
    row = await bot.store.directory.person(asha.id)
    assert row.names.general == (asha.user.global_name or asha.user.name)


async def test_no_stranger_learns_from_a_refused_profile_whom_the_bot_knows(discord, bot, quick, mallory):
    asha, unknown = discord.person("asha"), discord.person("chandra")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await published(bot)
    await asha.press(say("settings.listed_on"), message=(await asha.slash("settings")).message)
    for place, words in ((mallory.channel, "profile.none"), (mallory.dm_channel, "profile.own_only")):
        mallory.go(place)
        for person in (asha, unknown):
            assert (await mallory.slash("profile", player=person.user)).message.text == say(words)
    assert (await unknown.slash("profile", player=asha.user)).message.text == say("profile.hidden")
