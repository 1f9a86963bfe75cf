"""Two leagues at once in a channel: a command finds the right one, or asks and continues."""

from tests.e2e.players import say
from tests.e2e.seasons import JOIN, Circle

WHICH, ENACT = say("league.which_pick"), say("league.enact")


async def test_a_command_finds_the_league_of_its_author_or_asks(discord, start_bot, clock):
    asha, bikram = people = [discord.person(name) for name in ("asha", "bikram")]
    bot = await start_bot(clock=clock)
    for name in ("Autumn", "Spring"):
        signup = await Circle(bot, clock, people).open(name, "3, 7, 10", "pods")
        await asha.press(JOIN, message=signup)
        if name == "Autumn":
            await bikram.press(JOIN, message=signup)

    answer = (await bikram.slash("league next")).message
    assert "What's next · Autumn" in answer.text
    assert "You have signed up" in answer.text

    asked = (await asha.slash("league next")).message
    assert "Which league? 2" in asked.text
    for name in ("Autumn", "Spring"):
        assert f"What's next · {name}" in (await asha.choose(WHICH, [name], message=asked)).message.text

    asked = (await asha.slash("league-staff pause", reason="a festival")).message
    answer = await asha.choose(WHICH, ["Autumn"], message=asked)
    assert "paused" in answer.message.text.lower()
    assert (await bot.bot.services.leagues.view(1)).season.paused_at is None
    assert "Done, and announced" in (await asha.press(ENACT, message=answer.message)).message.text
    assert (await bot.bot.services.leagues.view(1)).season.paused_at is not None
    assert (await bot.bot.services.leagues.view(2)).season.paused_at is None

    asked = (await asha.slash("league propose", when="tomorrow 8pm")).message
    assert "no match" in (await asha.choose(WHICH, ["Spring"], message=asked)).message.text

    await bot.stop()
    await start_bot(clock=clock)
    gone = (await asha.choose(WHICH, ["Spring"], message=asked)).message
    assert "give it again" in gone.text
