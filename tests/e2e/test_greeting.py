"""The bot greets a server that it joins, once, in a channel in which it may write."""

import pytest

from bot.words.texts import catalogue
from data.outbox_keys import GreetingKey
from league.times import HOUR
from tests.e2e.looking import published
from tests.e2e.players import open_setup, panel_in_dm, say
from tests.e2e.running import MovableClock
from tests.waiting import until

TITLE = "## Namaste!"


async def joins(discord, bot) -> None:
    """Remove the bot from the server and add it again, and wait until its greeting has arrived."""
    discord.world.kick_bot()
    await until(lambda: bot.bot.get_guild(discord.world.guild.id) is None)
    discord.world.invite_bot()
    await until(lambda: bot.bot.get_guild(discord.world.guild.id) is not None)

    async def is_noted() -> bool:
        return (await bot.store.read(lambda db: db.guilds.settings(discord.world.guild.id))).greeted

    await until(is_noted)
    await published(bot)


def greetings(person) -> dict[str, list]:
    """Return the greetings in each channel that a person sees."""
    found = {
        place.name: [message for message in person.messages(place) if TITLE in message.text]
        for place in person.services.actions.channels(person.user)
        if place.type == 0
    }
    return {name: messages for name, messages in found.items() if messages}


async def test_it_greets_once_in_the_channel_where_members_are_welcomed(discord, bot):
    asha, guild = discord.person("asha"), discord.world.guild
    guild.system_channel_id = discord.world.channel("general").id
    await joins(discord, bot)
    [(name, [greeting])] = greetings(asha).items()
    assert name == "general"
    for command in ("marriage play", "daily", "learn"):
        assert f"</{command}:" in greeting.text
    await joins(discord, bot)
    assert [len(found) for found in greetings(asha).values()] == [1]


async def test_its_button_deals_to_whoever_presses_it(discord, bot):
    bikram = discord.person("bikram")
    await joins(discord, bot)
    [[greeting]] = greetings(bikram).values()
    answer = await bikram.press(say("button.play_now"), message=greeting)
    assert "Marriage · Table 1" in answer.message.text
    await bikram.wait_for(lambda: panel_in_dm(bikram) or answer.followups)


async def test_where_it_may_not_write_it_greets_in_the_first_channel_where_it_may(discord, bot):
    asha, world = discord.person("asha"), discord.world
    world.guild.system_channel_id = world.channel("general").id
    places = sorted((place for place in asha_channels(asha)), key=lambda place: place.position)
    world.deny("general", "SEND_MESSAGES")
    world.deny(places[0], "VIEW_CHANNEL", who=world.bot)
    await joins(discord, bot)
    free = [place for place in places[1:] if place.name != "general"]
    assert list(greetings(asha)) == [free[0].name]


def asha_channels(person):
    return [place for place in person.services.actions.channels(person.user) if place.type == 0]


async def test_it_stays_silent_where_it_may_write_nowhere(discord, bot):
    asha, world = discord.person("asha"), discord.world
    for place in asha_channels(asha):
        world.deny(place, "SEND_MESSAGES")
    before = len(discord.recorder.requests("POST", "/messages"))
    await joins(discord, bot)
    assert greetings(asha) == {}
    assert len(discord.recorder.requests("POST", "/messages")) == before


async def test_a_greeting_that_is_due_while_the_bot_starts_waits_for_the_servers(discord, start_bot):
    clock = MovableClock()
    running, asha = await start_bot(clock=clock), discord.person("asha")
    await running.store.write(
        lambda db: db.outbox.ask(GreetingKey(discord.world.guild.id), clock.now() + HOUR)
    )
    await running.stop()
    clock.forward(3600 + 60)
    running = await start_bot(clock=clock)
    await published(running)
    assert [len(found) for found in greetings(asha).values()] == [1]


@pytest.mark.parametrize("language", ["ne", "hi"])
async def test_it_speaks_the_language_of_the_server(discord, bot, language):
    asha = discord.person("asha")
    await asha.choose("mr1:pick-guild-language:0:0", [language], message=await open_setup(asha))
    await joins(discord, bot)
    title = catalogue(language).template("greeting.words").splitlines()[0]
    assert any(title in message.text for place in asha_channels(asha) for message in asha.messages(place))
