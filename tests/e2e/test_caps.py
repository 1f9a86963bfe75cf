"""Limits: tables per channel, tables per hour and home games per day by one person; and servers that remove the bot."""

import pytest

from bot.interactions.permissions import is_unseen
from bot.league.leagues import Founding
from bot.people import NamedPerson
from bot.scorekeeping.scorekeeper import MOST_OPENED
from cogs.server.setup_commands import COMPARE_S
from data.errors import StoreUnavailableError
from data.ids import ChannelId, InteractionId
from data.preferences import GuildSettings, Pace
from league.ids import GuildId, PersonId
from league.settings import default_settings
from marriage.rules import PRESETS
from tests.e2e.looking import facts
from tests.e2e.players import (
    DRAW,
    JOIN,
    LEAVE,
    NEXT,
    START,
    next_panel,
    open_table,
    press_in_dm,
    press_tool,
    say,
)
from tests.e2e.test_faults import EDITS
from tests.waiting import until

AGREE = say("button.agree")


async def opens_and_leaves(person):
    """Open a table and leave it; return the answer if it was refused."""
    answer = (await person.slash("marriage play")).message
    if answer.ephemeral:
        return answer.text
    await press_tool(person, answer, LEAVE)
    return None


async def test_a_person_opens_so_many_tables_an_hour(discord, start_bot, clock):
    bot = await start_bot(clock=clock, tables_per_person_h=2)
    asha = discord.person("asha")
    for _ in range(2):
        assert await opens_and_leaves(asha) is None
    assert "You have opened 2 tables within an hour" in await opens_and_leaves(asha)
    assert await opens_and_leaves(discord.person("bikram")) is None
    bot.later(clock, 3601)
    assert await opens_and_leaves(asha) is None


async def test_a_person_begins_so_many_home_games_a_day(discord, start_bot, clock):
    bot = await start_bot(clock=clock)
    asha, bikram = discord.person("asha"), discord.person("bikram")

    async def begins_and_ends(person) -> str | None:
        """Begin a home game and end it; return the answer if it was refused."""
        answer = (await person.slash("score new", players="Asha, Bina")).message
        if answer.ephemeral:
            return answer.text
        await person.press(say("button.score_close"), message=answer)
        return None

    for _ in range(MOST_OPENED):
        assert await begins_and_ends(asha) is None
    assert f"You have begun {MOST_OPENED} home games" in (await begins_and_ends(asha) or "")
    assert await begins_and_ends(bikram) is None
    bot.later(clock, 24 * 3600 + 1)
    assert await begins_and_ends(asha) is None


async def test_a_channel_holds_so_many_tables(discord, start_bot):
    await start_bot(tables_per_channel=1)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = (await asha.slash("marriage play")).message
    refused = (await bikram.slash("marriage play")).message
    assert "This channel already has 1 table" in refused.text
    bikram.go("general")
    assert (await bikram.slash("marriage play")).message.button(JOIN)
    await press_tool(asha, table, LEAVE)
    assert (await asha.slash("marriage play")).message.button(JOIN)


async def test_a_person_challenges_so_many_people_an_hour(discord, start_bot):
    await start_bot(challenges_per_person_h=1)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = (await asha.user_command("Challenge to Marriage", bikram)).message
    await press_tool(asha, table, LEAVE)
    refused = (await asha.user_command("Challenge to Marriage", bikram)).message
    assert refused.ephemeral
    assert "You have challenged 1 people within an hour" in refused.text
    assert not refused.pinged
    assert (await asha.slash("marriage play")).message.button(JOIN)


async def test_only_a_paused_table_moves_and_only_where_it_could_be_opened(discord, start_bot, dull):
    bot = await start_bot(tables_per_channel=1)
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    await asha.press(START, message=await open_table(asha, bikram))
    await next_panel(bikram)
    theirs = await open_table(chandra.go("general"))
    asha.go("general")

    async def resumed() -> str:
        return (await asha.slash("marriage resume")).message.text

    assert "Table 1 is not paused" in await resumed()
    discord.world.deny("marriage", "SEND_MESSAGES", "VIEW_CHANNEL", who=discord.world.bot)
    await press_in_dm(bikram, DRAW)
    await until_kinds(bot, {"paused"})
    assert "This channel already has 1 table" in await resumed()
    await press_tool(chandra, theirs, LEAVE)
    only = await choose_channel(bot, discord.world.add_channel("cards"))
    assert f"tables are opened in <#{only.id}>" in await resumed()
    await choose_channel(bot, None)
    assert "Table 1 now plays in this channel" in await resumed()
    await until_kinds(bot, {"turn", "mention"})
    assert "Table 1 is not paused" in await resumed()


async def choose_channel(bot, channel):
    """Let the server of the tables allow them in this channel only; in any for None."""
    (guild,) = bot.bot.guilds
    chosen = GuildSettings(channel_id=channel and channel.id)
    await bot.store.write(lambda db: db.guilds.set_settings(guild.id, chosen))
    return channel


async def test_a_table_leaves_the_only_channel_for_tables_once_that_is_gone(discord, start_bot, dull):
    bot = await start_bot(tables_per_channel=1)
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    await asha.press(START, message=await open_table(asha, bikram))
    await next_panel(bikram)
    theirs = await open_table(chandra.go("general"))
    await choose_channel(bot, discord.world.channel("marriage"))
    discord.world.delete_channel("marriage")
    await until_kinds(bot, {"paused"})
    asha.go("general")
    assert "This channel already has 1 table" in (await asha.slash("marriage resume")).message.text
    await press_tool(chandra, theirs, LEAVE)
    assert "Table 1 now plays in this channel" in (await asha.slash("marriage resume")).message.text
    await until_kinds(bot, {"turn", "mention"})


async def test_a_chosen_channel_that_is_gone_keeps_no_table_from_any_other(discord, bot, dull):
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    await asha.press(START, message=await open_table(asha, bikram))
    await next_panel(bikram)
    await choose_channel(bot, discord.world.channel("marriage"))
    for gone, there in (("marriage", "general"), ("general", "league")):
        discord.world.delete_channel(gone)
        await until_kinds(bot, {"paused"})
        moved = await asha.go(there).slash("marriage resume")
        assert "Table 1 now plays in this channel" in moved.message.text
        await until_kinds(bot, {"turn", "mention"})
    assert (await chandra.go("league").slash("marriage play")).message.button(JOIN)


async def kinds(bot):
    return {row.kind for row in (await facts(bot)).deadlines}


@pytest.fixture
async def playing(discord, start_bot, clock, dull):
    bot = await start_bot(clock=clock)
    people = [discord.person(name) for name in ("asha", "bikram")]
    table = await open_table(*people)
    await people[0].press(START, message=table)
    await people[0].wait_for(lambda: "**Bikram** draws next" in people[0].look(table).text)
    await next_panel(people[1])
    return bot, *people, table


async def until_kinds(bot, wanted):
    async def so():
        return await kinds(bot) == wanted

    await until(so, timeout=30)


async def test_a_server_that_takes_the_bot_back_goes_on_where_it_was(discord, playing):
    bot, asha, bikram, table = playing
    discord.world.kick_bot()
    await until_kinds(bot, {"paused"})
    discord.world.invite_bot()
    await until_kinds(bot, {"turn", "mention"})
    await press_in_dm(bikram, DRAW)
    await asha.wait_for(lambda: "**Bikram** has drawn" in asha.look(table).text)


async def test_a_server_that_is_unavailable_for_a_while_is_not_taken_for_lost(discord, playing):
    bot, asha, bikram, table = playing
    outage = discord.faults.fail(EDITS, method="PATCH", status=503, times=99)
    discord.world.publish("guild_away", discord.world.guild)
    await until(lambda: bot.bot.get_guild(discord.world.guild.id).unavailable)
    await press_in_dm(bikram, DRAW)
    assert (await facts(bot)).events[-1].event == "drew"
    assert "paused" not in await kinds(bot)
    outage.times = 0
    discord.world.publish("guild_available", discord.world.guild)
    await asha.wait_for(lambda: "**Bikram** has drawn" in asha.look(table).text)


async def test_a_server_that_does_not_take_it_back_leaves_no_table_open(discord, playing, clock):
    bot, *_ = playing
    discord.world.kick_bot()
    await until_kinds(bot, {"paused"})
    bot.later(clock, 7 * 24 * 3600 + 1)
    await until_kinds(bot, set())
    table = (await facts(bot)).table
    assert (table.status, table.ended) == ("closed", "abandoned")


@pytest.fixture
async def between(playing, discord):
    """The first deal is over, and the match waits for the next one."""
    bot, asha, bikram, table = playing
    await asha.slash("marriage end")
    await asha.wait_for(lambda: asha.look(table).button(AGREE))
    await bikram.press(AGREE, message=table)
    await asha.wait_for(lambda: asha.look(table).button(NEXT))
    await until_kinds(bot, {"between"})
    return playing


async def test_a_match_waits_if_its_server_removes_the_bot_while_that_is_away(
    discord, between, start_bot, clock
):
    bot, *_ = between
    await bot.stop()
    discord.world.kick_bot()
    bot = await start_bot(clock=clock)
    await until_kinds(bot, {"paused"})
    discord.world.invite_bot()
    await until_kinds(bot, {"between"})


@pytest.mark.parametrize("is_deleted", [True, False])
async def test_a_match_between_two_deals_pauses_once_its_channel_cannot_be_seen(
    discord, between, start_bot, clock, is_deleted
):
    """Nothing is posted then that could fail. A channel may be deleted while the bot is away."""
    bot, *_ = between
    if is_deleted:
        await bot.stop()
        discord.world.delete_channel("marriage")
        bot = await start_bot(clock=clock)
    else:
        discord.world.deny("marriage", "VIEW_CHANNEL")
        (guild,) = bot.bot.guilds
        await until(lambda: is_unseen(guild, discord.world.channel("marriage").id))
        bot.later(clock, COMPARE_S + 1)
    await until_kinds(bot, {"paused"})


async def test_a_match_is_paused_and_resumed_although_the_store_does_not_take_it_at_once(
    discord, between, clock, monkeypatch, watch
):
    bot, *_ = between
    pauses = bot.bot.services.pauses

    async def refuse(*_: object) -> None:
        raise StoreUnavailableError("the disk of the test is full")

    for method, change, before, after in (
        ("server_gone", discord.world.kick_bot, {"between"}, {"paused"}),
        ("try_again", discord.world.invite_bot, {"paused"}, {"between"}),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(pauses, method, refuse)
            change()
            await until(lambda: watch.errors)
            assert await kinds(bot) == before
        watch.expect("the disk of the test is full")
        bot.later(clock, COMPARE_S + 1)
        await until_kinds(bot, after)


async def open_league(discord, bot) -> None:
    place = ChannelId(discord.world.channel("general").id)
    asha = NamedPerson(PersonId(discord.person("asha").user.id), "Asha")
    founding = Founding("Autumn", default_settings("pods"), PRESETS["pagat"], Pace.NONE)
    leagues, guild_id = bot.bot.services.leagues, GuildId(discord.world.guild.id)
    await leagues.create(guild_id, place, asha, founding, InteractionId(1))


async def server_settings(discord, bot) -> GuildSettings:
    return await bot.store.read(lambda db: db.guilds.settings(GuildId(discord.world.guild.id)))


async def test_the_leagues_of_a_server_stand_still_until_it_has_the_bot_back(discord, start_bot):
    """The bot may be removed while it runs, while it begins a new session, or while it is away."""
    bot, world = await start_bot(), discord.world
    await open_league(discord, bot)

    async def stands_still() -> bool:
        return (await server_settings(discord, bot)).lost_at is not None

    async def goes_on() -> bool:
        return not await stands_still()

    world.kick_bot()
    await until(stands_still)
    world.invite_bot()
    await until(goes_on)
    discord.gateway.drop()
    discord.gateway.forget_sessions()
    world.kick_bot()
    await until(stands_still)
    world.invite_bot()
    await until(goes_on)
    await bot.stop()
    world.kick_bot()
    bot = await start_bot()
    await until(stands_still)
    await bot.stop()
    world.invite_bot()
    bot = await start_bot()
    await until(goes_on)


async def test_leagues_go_on_although_the_store_does_not_take_it_at_once(
    discord, start_bot, clock, monkeypatch, watch
):
    bot = await start_bot(clock=clock)
    await open_league(discord, bot)

    async def refuse(*_: object) -> None:
        raise StoreUnavailableError("the disk of the test is full")

    async def is_lost() -> bool:
        return (await server_settings(discord, bot)).lost_at is not None

    async def is_greeted() -> bool:
        return (await server_settings(discord, bot)).greeted

    async def goes_on() -> bool:
        return not await is_lost()

    discord.world.kick_bot()
    await until(is_lost)
    with monkeypatch.context() as patch:
        patch.setattr(bot.bot.services.postponing, "_put_off_if_sound", refuse)
        discord.world.invite_bot()
        await until(is_greeted)
        assert await is_lost()
        await until(lambda: watch.errors)
    watch.expect("the disk of the test is full")
    bot.later(clock, COMPARE_S + 1)
    await until(goes_on)
