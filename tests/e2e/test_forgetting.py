"""Being forgotten, over the wire: it is no way around what limits a person."""

import pytest

from tests.bot.league.house import start_anyhow
from tests.e2e.looking import facts, published
from tests.e2e.players import JOIN, LEAVE, MANAGE, act, open_table, say
from tests.e2e.running import MovableClock
from tests.e2e.seasons import DAY, Circle
from tests.e2e.seasons import JOIN as SIGN_UP
from tests.e2e.test_daily import play, tries

ENACT = say("league.enact")


@pytest.fixture
def clock() -> MovableClock:
    """Shows noon at first, so that no midnight comes by itself."""
    clock = MovableClock()
    clock.forward((DAY // 2 - clock.now() // 1000) % DAY)
    return clock


async def be_forgotten(person) -> str:
    """Press through `/privacy`; what it ends with."""
    policy = (await person.slash("privacy")).message
    question = (await person.press(say("privacy.forget"), message=policy)).message
    return (await person.press(say("privacy.yes"), message=question)).message.text


async def test_there_is_one_attempt_a_day_however_often_somebody_is_forgotten(discord, start_bot, clock):
    running = await start_bot(clock=clock)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await asha.slash("setup daily", timezone="UTC", post_in=discord.world.channel("general"))
    await play(asha, (await asha.slash("daily")).message)
    begun = (await bikram.slash("daily")).message
    await act(bikram, begun)
    for person in (asha, bikram):
        for _ in range(2):
            await be_forgotten(person)
            refused = (await person.slash("daily")).message
            assert "You have had your attempt at today's deal" in refused.text
            assert not refused.files
    assert len(await tries(running)) == 2

    chandra = discord.person("chandra")
    await play(chandra, (await chandra.slash("daily")).message)
    running.later(clock, DAY)
    [board] = await chandra.wait_for(lambda: chandra.messages("general"))
    assert "`  1` **Chandra** · " in board.text
    assert "And 2 more" in board.text
    assert "Asha" not in board.text
    assert "Player" not in board.text
    assert "one attempt" in (await asha.slash("daily")).message.text


async def test_being_forgotten_gives_no_new_tables_nor_challenges(discord, start_bot, clock):
    running = await start_bot(clock=clock, tables_per_person_h=3, challenges_per_person_h=1)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    challenge = (await asha.user_command("Challenge to Marriage", bikram)).message
    await asha.press(LEAVE, message=challenge)
    await be_forgotten(asha)
    again = (await asha.user_command("Challenge to Marriage", bikram)).message
    assert "You have challenged 1 people within an hour" in again.text
    await asha.press(LEAVE, message=(await asha.slash("marriage play")).message)
    await be_forgotten(asha)
    assert (await asha.slash("marriage play")).message.button(JOIN)
    await be_forgotten(asha)  # which leaves the table
    refused = (await asha.slash("marriage play")).message
    assert refused.ephemeral
    assert "You have opened 3 tables within an hour" in refused.text
    running.later(clock, 3601)
    assert (await asha.slash("marriage play")).message.button(JOIN)


async def test_being_forgotten_lifts_no_block(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    panel = (await asha.press(MANAGE, message=table)).message
    await asha.choose(say("manage.block"), [bikram], message=panel)
    await be_forgotten(bikram)
    await bikram.press(JOIN, message=table)
    assert bikram.find("The host has blocked you from table 1")
    assert [seat.name for seat in (await facts(bot)).seats] == ["Asha"]
    panel = (await asha.press(MANAGE, message=table)).message
    assert panel.select(say("manage.unblock")) is None
    refused = (await asha.choose(say("manage.invite"), [bikram], message=panel)).message
    assert "**Bikram** is blocked from this table" in refused.text
    for label in ("block", "unblock"):
        people = [bikram] if label == "block" else ["Bikram"]
        panel = (await asha.choose(say(f"manage.{label}"), people, message=panel)).message
    await bikram.press(JOIN, message=table)
    assert [seat.name for seat in (await facts(bot)).seats] == ["Asha", "Bikram"]


async def test_who_is_forgotten_leaves_the_season_and_comes_into_its_next_one_only(
    discord, start_bot, clock, monkeypatch
):
    monkeypatch.setattr("bot.table.play.start", start_anyhow)
    running = await start_bot(clock=clock)
    people = [discord.person(name) for name in ("asha", "bikram", "chandra", "deepa", "ekta")]
    circle = Circle(running, clock, people)
    signup = await circle.open("Autumn", "2, 2, 3", confirm_hours=0)
    await circle.press(SIGN_UP, "Sign up until", people)
    early = people[-1]
    await be_forgotten(early)
    assert await circle.press(SIGN_UP, "Sign up until", [early]) == [say("league.joined")]

    await circle.draw(1)
    late = people[1]
    await be_forgotten(late)
    await published(running)
    seen = await circle.view()
    assert [own.withdrawn for own in seen.season.members.values() if not own.plays] != []
    told = (await late.press(SIGN_UP, message=signup)).message.text
    assert say("league.forgotten_out", league="Autumn") in told
    async with running.store.read() as reader:
        assert await reader.person(late.id) is None
    await circle.check()
