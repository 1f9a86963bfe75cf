"""A league is set up over the wire: with one message, with a sitting without staff, or with a page."""

from tests.e2e.players import say
from tests.e2e.seasons import DAY, IN, JOIN, UNHURRIED, Circle
from tests.waiting import until

NAMES = ("asha", "bikram", "chandra", "deepa")


async def test_a_league_is_open_after_three_presses_and_its_evening_is_played(discord, start_bot, clock):
    asha, *_ = people = [discord.person(name) for name in NAMES]
    bot = await start_bot(clock=clock)
    stranger = discord.person("ekta")
    assert "staff" in (await stranger.slash("league-staff season open")).message.text.lower()

    shown = (await asha.slash("league-staff season open")).message
    assert "Friday night arena" in shown.text
    assert "With 20 sign-ups: 5 tables at once, for 120 minutes" in shown.text
    shown = (await asha.choose(say("wizard.choose"), ["Friday night Swiss"], message=shown)).message
    assert shown.text.count("is drawn") == 4
    opened = (await asha.press(say("wizard.open"), message=shown)).message
    assert "Friday night Swiss is open" in opened.text

    circle = Circle(bot, clock, people, season=1)
    for key in ("account_days", "server_days"):
        await asha.slash("league-staff season settings", setting=key, value="0")
    signup = await circle.sees("Sign up until")
    for person in people:
        await person.press(JOIN, message=signup)
    await asha.wait_for(lambda: "With 4 sign-ups: 1 table a round, 4 rounds" in asha.look(signup).text)
    await circle.until(lambda seen: seen.row.starts_at - 1_800_000)
    await circle.press(say("league.i_am_in"), "Friday night Swiss starts", people)
    await circle.draw(1)
    for number in (1, 2, 3, 4):
        await circle.play_round(number)
        if number < 4:
            await circle.draw(number + 1)
    await circle.check()
    assert (await asha.sees("Friday night Swiss is over")).text
    seen = await circle.view()
    assert seen.row.closed_at - seen.row.starts_at < 3_600_000


async def test_a_league_is_set_up_with_dates_places_and_a_role_in_three_steps(discord, start_bot, clock):
    asha, bikram, chandra = people = [discord.person(name) for name in NAMES[:3]]
    bot = await start_bot(clock=clock)
    role = discord.world.grant(bikram.user)
    shown = (await asha.slash("league-staff season open")).message
    shown = (await asha.choose(say("wizard.choose"), ["Weekly pods"], message=shown)).message
    await asha.press(say("wizard.numbers"), message=shown)
    answers = {"start": "in 3 days", "rounds": "3", "size": ["3 players"], "most": "12"}
    shown = (await asha.submit({**answers, "timezone": "asia/kathmandu"})).message
    assert shown.text.count("is drawn") == 3
    assert "Tables of 3" in shown.text
    assert "places: 12" in shown.text
    assert "Asia/Kathmandu" in shown.text
    await asha.press(say("wizard.name"), message=shown)
    named = {"name": "Dashain Cup", "description": "All are *welcome*", "role": [role], "staff": [role]}
    opened = (await asha.submit(named)).message
    assert "Dashain Cup is open" in opened.text

    circle = Circle(bot, clock, people, season=1)
    signup = await circle.sees("Only for members with the role")
    assert r"All are \*welcome\*" in signup.text
    for key in ("account_days", "server_days"):
        await asha.slash("league-staff season settings", setting=key, value="0")
    assert "only for members with the role" in (await chandra.press(JOIN, message=signup)).message.text

    async def is_in() -> bool:
        return "only for members with the role" not in (await bikram.press(JOIN, message=signup)).message.text

    await until(is_in)
    seen = await circle.view()
    assert seen.row.starts_at - clock.now() <= 3 * 24 * 3_600_000
    desk = (await bikram.slash("league-staff desk")).message.text
    assert desk.startswith("## The desk of Dashain Cup"), "the role is the staff's now"

    await circle.until(lambda seen: seen.row.starts_at - DAY)
    asked = await bikram.wait_for(
        lambda: next((message for message in bikram.dm() if message.button(IN)), None), timeout=UNHURRIED
    )
    bikram.user.roles.remove(role.id)
    assert "only for members with the role" in (await bikram.press(IN, message=asked)).message.text
    bikram.user.roles.append(role.id)
    assert (await bikram.press(IN, message=asked)).message.text == say("league.checked_in")
    discord.world.remove_member(bikram.user)
    assert (await bikram.press(IN, message=asked)).message.text == say("league.not_in_server")
    out = (await bikram.press(say("league.not_this_time"), message=asked)).message
    assert out.text == say("league.checked_out")


async def test_a_season_with_a_public_page_leads_to_it(discord, start_bot, clock, tmp_path, monkeypatch):
    monkeypatch.setattr("bot.history.season_pages.EVERY_S", 0.05)
    asha, bikram = people = [discord.person(name) for name in NAMES[:2]]
    bot = await start_bot(clock=clock, pages_path=tmp_path / "pages", pages_url="https://example.org/leagues")
    signup = await Circle(bot, clock, people).open("Autumn", "3, 7, 10")
    assert "example.org" not in signup.text
    await asha.slash("league-staff season settings", setting="public_page", value="yes")
    link = "(https://example.org/leagues/1/index.html)"
    await asha.wait_for(lambda: link in asha.look(signup).text)
    assert link in (await bikram.slash("league show")).message.text
    await until((tmp_path / "pages" / "1" / "index.html").exists)
    preview = (await asha.slash("league-staff season close", reason="a test")).message
    assert "Rounds that are not drawn any more: 3" in preview.text
    await asha.press(say("league.enact"), message=preview)
    assert link in (await asha.sees("Autumn does not begin")).text


async def test_only_a_role_of_the_server_is_asked_for(discord, start_bot, clock):
    asha, bikram, *_ = people = [discord.person(name) for name in NAMES]
    circle = Circle(await start_bot(clock=clock), clock, people)
    await circle.open("Autumn", "3, 7, 3", confirm_hours=0, tables="channel")
    role = discord.world.grant(bikram.user)
    for typed in ("9" * 3_990, str(asha.id)):
        told = await asha.slash("league-staff season settings", setting="role", value=typed)
        assert say("league.allowed_role") in told.message.text
        assert (await circle.view()).season.settings.role == 0
    await asha.slash("league-staff season settings", setting="role", value=f"<@&{role.id}>")
    assert (await circle.view()).season.settings.role == role.id
