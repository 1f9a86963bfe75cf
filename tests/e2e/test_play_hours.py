"""Players enter their play hours over the wire, and are offered times that suit their whole pod."""

from league.times import local
from tests.e2e.players import say
from tests.e2e.seasons import JOIN, NEXT, Circle

HOURS, SAY_HOURS = say("settings.hours"), say("league.say_hours")
KATHMANDU = "Asia/Kathmandu"


async def test_a_pod_is_offered_times_that_suit_all(discord, start_bot, clock):
    asha, bikram, *_ = people = [discord.person(name) for name in ("asha", "bikram", "chandra", "deepa")]
    circle = Circle(await start_bot(clock=clock), clock, people)
    await circle.open("Autumn", "3, 7, 3", confirm_hours=0, tables="channel", timezone=KATHMANDU)
    await circle.press(JOIN, "Sign up until", people)
    await circle.draw(1)
    assert not await asha.autocomplete("league propose", focused="when", when="")

    [told] = await circle.press(NEXT, "Play your match until", [bikram])
    assert "suit all of you" not in told
    asked = await bikram.press(NEXT, message=await circle.sees("Play your match until"))
    panel = (await bikram.press(SAY_HOURS, message=asked.message)).message
    await bikram.choose(HOURS, ["evenings"], message=panel)
    asked = await bikram.press(NEXT, message=await circle.sees("Play your match until"))
    assert asked.message.button(SAY_HOURS) is None
    assert "these times suit all of you" in asked.message.text

    offers = await asha.autocomplete("league propose", focused="when", when="")
    assert len(offers) > 1
    answer = await asha.slash("league propose", when=offers[0]["value"])
    assert "You propose" in answer.message.text
    assert "outside the usual hours" not in answer.message.text
    [proposed] = (await circle.view()).times.values()
    assert local(proposed.proposal.at, KATHMANDU).hour == 19
    answer = await asha.slash("league propose", when="tomorrow 10am")
    assert "outside the usual hours of Bikram" in answer.message.text
    await circle.check()
