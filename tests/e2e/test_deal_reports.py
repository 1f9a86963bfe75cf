"""A member reports a deal over the wire, staff look at it and answer, and the member is notified."""

import pytest

from tests.bot.league.house import start_anyhow
from tests.e2e.forging import button, forge, press_blindly
from tests.e2e.players import say
from tests.e2e.seasons import JOIN, Circle

FOR_STAFF, NOTHING = say("dealreport.for_staff"), say("dealreport.dismiss")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("bot.table.flow.seating.start", start_anyhow)


async def test_a_deal_is_reported_looked_at_and_answered(discord, start_bot, clock):
    asha, bikram, *_ = people = [discord.person(name) for name in ("asha", "bikram", "chandra", "deepa")]
    circle = Circle(await start_bot(clock=clock), clock, people)
    signup = await circle.open("Autumn", "3, 7, 3", confirm_hours=0, tables="channel")
    for person in people:
        await person.press(JOIN, message=signup)
    await circle.draw(1)
    await circle.play_round(1)

    stranger = discord.person("ekta")
    assert "Only players of a league" in (await stranger.slash("report deal", reason="odd")).message.text
    told = await bikram.slash("report deal", reason="They always knew", deal=2)
    assert told.message.ephemeral
    assert "deal 2 of pod 1" in told.message.text
    assert "already" in (await bikram.slash("report deal", reason="Once more", deal=2)).message.text
    call = await circle.sees("is reported to the staff")
    assert "They always knew" not in call.text
    assert "Bikram" not in call.text

    assert "Only this server's staff" in (await bikram.press(FOR_STAFF, message=call)).message.text
    shown = (await asha.press(FOR_STAFF, message=call)).message
    assert shown.ephemeral
    assert "Bikram" in shown.text
    assert "They always knew" in shown.text
    replay = (await asha.press(say("dealreport.replay"), message=shown)).message
    assert replay.ephemeral
    refused = (await asha.press(NOTHING, message=shown)).message
    assert "another member of the staff has to answer" in refused.text
    discord.world.grant(stranger.user, "MANAGE_GUILD")
    seen = (await stranger.press(FOR_STAFF, message=call)).message
    assert [file.filename for file in seen.files] == ["deal-1-2.json"]
    replay = (await stranger.press(say("dealreport.replay"), message=seen)).message
    assert "only those who played" not in replay.text
    assert replay.selects, "the steps and the seats of the deal"
    other = (await stranger.slash("marriage replay", table=1, deal=1)).message
    assert "only those who played" in other.text, "nobody reported that deal"
    await stranger.press(NOTHING, message=seen)
    assert "Answered" in (await stranger.submit({"answer": "We looked at every turn"})).message.text
    await bikram.wait_for(lambda: any("We looked at every turn" in message.text for message in bikram.dm()))
    await asha.wait_for(lambda: "they have answered" in asha.look(call).text)
    custom_id = f"mr1:deal-report:{circle.season}:1"  # the event that opened the season
    await press_blindly(asha, forge(asha, button(custom_id)), custom_id)
    await asha.wait_for(lambda: "no longer exists" in asha.last().text)
    await circle.check()
