"""Staff decide who plays, over the wire: approval by a menu and a button, adding and banning by a command each."""

from tests.e2e.players import say
from tests.e2e.seasons import JOIN, Circle

ENACT = say("league.enact")


async def test_staff_approve_add_and_ban(discord, start_bot, clock):
    asha, bikram, chandra, deepa = people = [
        discord.person(name) for name in ("asha", "bikram", "chandra", "deepa")
    ]
    bot = await start_bot(clock=clock)
    circle = Circle(bot, clock, people)
    signup = await circle.open("Autumn", "2, 7, 10", confirm_hours=0, approval="yes")
    for person in (asha, bikram, chandra):
        assert "staff approve" in (await person.press(JOIN, message=signup)).message.text
    await asha.wait_for(lambda: "Waiting for the staff's approval: 3" in asha.look(signup).text)

    panel = (await asha.slash("league-staff members")).message
    assert "finishes 80 % (0 of 0 matches)" in panel.text
    panel = (await asha.choose(say("league.approve_some"), ["Bikram"], message=panel)).message
    panel = (await asha.press(say("league.approve_all", count=2), message=panel)).message
    assert panel.text.count("· in ·") == 3
    await bikram.wait_for(lambda: any("What's next" in message.text for message in bikram.dm()))

    preview = await asha.slash("league-staff add", player=deepa, reason="she asked me")
    assert "given a place" in preview.message.text
    assert "announced" in (await asha.press(ENACT, message=preview.message)).message.text
    await asha.wait_for(lambda: "**In: 4**" in asha.look(signup).text)

    preview = await asha.slash("league-staff ban", player=chandra, reason="soft play")
    await asha.press(ENACT, message=preview.message)
    await asha.wait_for(lambda: "**In: 3**" in asha.look(signup).text)
    assert "may not play" in (await chandra.press(JOIN, message=signup)).message.text
    assert "soft play" in (await chandra.slash("league log")).message.text

    offered = await asha.autocomplete("league-staff undo", focused="number", number="", reason="x")
    ban = next(choice for choice in offered if "may not play" in choice["name"])
    preview = await asha.slash("league-staff undo", number=ban["value"], reason="a mistake")
    await asha.press(ENACT, message=preview.message)
    await asha.wait_for(lambda: "**In: 4**" in asha.look(signup).text)
    await circle.check()


async def test_members_make_teams_and_are_drawn_apart(discord, start_bot, clock):
    asha, bikram, chandra, deepa = people = [
        discord.person(name) for name in ("asha", "bikram", "chandra", "deepa")
    ]
    bot = await start_bot(clock=clock)
    circle = Circle(bot, clock, people)
    signup = await circle.open("Autumn", "2, 7, 10", confirm_hours=0, team_size=2)
    await circle.press(JOIN, "Sign up until", people)
    panel = (await asha.press(say("team.button"), message=signup)).message
    assert "You are in no team" in panel.text
    await asha.press(say("team.found"), message=panel)
    panel = (await asha.submit({"name": "Tigers"})).message
    assert "Your team: Tigers" in panel.text
    panel = (await asha.choose(say("team.invite"), [bikram, chandra], message=panel)).message
    assert "Invited: Bikram, Chandra" in panel.text

    asked = await bikram.wait_for(
        lambda: next(
            (message for message in bikram.dm() if "invites you to join the team" in message.text), None
        )
    )
    entered = (await bikram.press(say("team.accept", team="Tigers"), message=asked)).message
    assert "Your team: Tigers · Asha, Bikram" in entered.text.replace("*", "")
    panel = (await chandra.press(say("team.button"), message=signup)).message
    refused = (await chandra.press(say("team.accept", team="Tigers"), message=panel)).message
    assert "is full" in refused.text
    assert "Teams" in (await asha.slash("league standings")).message.text
    assert [len(team.members) for team in (await circle.view()).season.teams.values()] == [2]
    assert "You are in no team" in (await deepa.press(say("team.button"), message=signup)).message.text
    await circle.check()
