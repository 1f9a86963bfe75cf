"""Other parts of a league's life, over the wire: agreed times, home games, the archive, the next season."""

from datetime import timedelta

from data.outbox_keys import CalendarEventKey
from data.season_posts import CalendarPost
from data.transaction import ReadTransaction
from league.times import local
from tests.e2e.forging import button, forge, press_blindly
from tests.e2e.looking import published
from tests.e2e.players import say
from tests.e2e.running import MovableClock
from tests.e2e.seasons import JOIN, Circle, start_league
from tests.waiting import until

ZONE = say("settings.zone")
AGREE, RIGHT = say("league.agree"), say("league.report_right")
NAMES = ("asha", "bikram", "chandra", "deepa")
DEALS = "24 -8 -8 -8\n" * 4
FORGED = (
    "league-join:99:0",
    "league-in:1:77",
    "league-out:1:1",
    "league-always:99:0",
    "league-seat:1:1:99999999999999999999",
    "league-seat:99:1:1",
    "league-confirm:1:99:1",
    "league-object:1:1:x",
    "league-agree:1:99:5",
    "league-next:99:0",
    "league-enact:1:99",
    "deal-report:1:99",
    "deal-report-answer:99:1:1",
    "settings:0:0:secrets",
    "league-standings:1:99999:77",
    "league-division:1:99",
    "league-older:0:99:on",
    "league-all:1:0:pods-77",
    "league-all:99:0:people-0",
    "league-list:1:99999:pods-1",
    "league-list:1:0:secrets-1",
)


KATHMANDU, PERTH = "Asia/Kathmandu", "Australia/Perth"


async def test_from_an_agreed_time_to_the_next_season(discord, start_bot, clock):
    asha, *others = people = [discord.person(name) for name in NAMES]
    bot = await start_bot(clock=clock)
    signup = await Circle(bot, clock, people).open("Autumn", "1, 2, 3", confirm_hours=0)
    for person in people:
        await person.press(JOIN, message=signup)
    assert "not drawn yet" in (await asha.slash("league pods")).message.text
    await start_league(asha)
    drawn = await asha.sees("Play your match until")
    [thread] = await asha.wait_for(discord.world.threads)
    table = await asha.sees("A league's match", thread)

    assert "no time zone" in (await asha.slash("settings", timezone="Mars/Olympus")).message.text
    offers = await asha.autocomplete("settings", focused="timezone", timezone="kathm")
    assert [offer["value"] for offer in offers] == [KATHMANDU]
    panel = (await asha.slash("settings", timezone="asia/kathmandu")).message
    assert panel.select(ZONE).chosen == [KATHMANDU]
    await asha.choose(ZONE, [PERTH], message=panel)
    unread = (await asha.slash("league propose", when="soon", league="1")).message
    assert PERTH in unread.text
    await asha.slash("league propose", when="tomorrow 8pm", league="1")
    [proposed] = (await bot.bot.services.leagues.view(1)).times.values()
    tomorrow = local(clock.now(), PERTH) + timedelta(days=1)
    assert local(proposed.proposal.at, PERTH) == tomorrow.replace(hour=20, minute=0, second=0, microsecond=0)
    assert not discord.world.guild.events
    for person in others:
        await person.wait_for(
            lambda member=person: any("Proposed" in message.text for message in member.dm())
        )
        answer = await person.press(AGREE, message=person.dm()[-1])
    assert "You will be reminded" in answer.message.text
    await asha.wait_for(lambda: discord.world.guild.events)
    [event] = discord.world.guild.events.values()
    assert event.data["name"] == "Autumn · pod 1"
    assert str(table.message.id) in event.data["entity_metadata"]["location"]
    assert "All is well" in (await asha.slash("league-staff check")).message.text

    await asha.slash("league report")
    answer = await asha.submit({"deals": "24 -8 -8"})
    assert "takes 4 deals" in answer.message.text
    for _ in range(2):
        await asha.slash("league report")
        answer = await asha.submit({"deals": DEALS})
    assert "Reported" in answer.message.text
    await published(bot)  # the second report, in the place of the first
    report = await asha.sees("was played with real cards")
    assert "own report" in (await asha.press(RIGHT, message=report)).message.text
    stranger = discord.person("ekta")
    assert "not your pod" in (await stranger.press(RIGHT, message=report)).message.text
    for person in others:
        answer = await person.press(RIGHT, message=report)
    assert "the result counts" in answer.message.text
    over = await asha.sees("Autumn is over")
    assert "with real cards" in asha.look(drawn).text
    await asha.wait_for(lambda: not discord.world.guild.events)
    assert over.text

    archive = (await stranger.slash("league archive")).message
    assert "won by" in archive.text
    picked = (await stranger.choose(say("league.archive_pick"), ["1"], message=archive)).message
    assert "The season ended" in picked.text
    assert "staff" in (await stranger.slash("league-staff season next")).message.text.lower()
    assert "Autumn 2 is open" in (await asha.slash("league-staff season next")).message.text
    await others[0].wait_for(
        lambda: any("Will you play again?" in message.text for message in others[0].dm())
    )
    invitation = others[0].dm()[-1]
    assert "you are in" in (await others[0].press(JOIN, message=invitation)).message.text.lower()

    before = await _events(bot)
    for forged in FORGED:
        custom_id = f"mr1:{forged}"
        message = forge(stranger, button(custom_id))
        interaction = await press_blindly(stranger, message, custom_id)
        assert interaction.state != "waiting", forged
    assert await _events(bot) == before


async def test_an_event_that_is_due_while_the_bot_starts_waits_for_the_servers(
    discord, start_bot, monkeypatch
):
    clock = MovableClock()
    people = [discord.person(name) for name in ("asha", "bikram", "chandra", "deepa")]
    circle = Circle(await start_bot(clock=clock), clock, people)
    await circle.open("Autumn", "3, 7, 3", confirm_hours=0, tables="channel")
    await circle.press(JOIN, "Sign up until", people)
    await circle.draw(1)
    await people[0].slash("league propose", when="in 10h")
    for person in people[1:]:
        await person.wait_for(
            lambda member=person: any("Proposed" in message.text for message in member.dm())
        )
        await person.press(AGREE, message=person.dm()[-1])
    await published(circle.running)
    [pod] = (await circle.view()).times
    assert discord.world.guild.events
    running, guild = circle.running, discord.world.guild
    guild.events.clear()
    key = CalendarEventKey(circle.season, CalendarPost(pod))
    await running.store.write(lambda db: db.outbox.ask(key, clock.now()))
    with monkeypatch.context() as starting:
        starting.setattr(running.bot, "get_guild", lambda _id: None)
        starting.setattr(running.bot, "is_ready", lambda: False)
        running.bot.delivery.outbox.wake()

        async def was_tried() -> bool:
            due_at = await running.store.read(lambda db: db.outbox.next_at())
            return due_at is None or due_at > clock.now()

        await until(was_tried)
    running.later(clock, 3600)
    await published(running)
    [event] = guild.events.values()
    assert event.data["name"] == "Autumn · pod 1"


async def _events(bot) -> int:
    """Count the events of all seasons."""

    async def read(db: ReadTransaction) -> int:
        return sum([len(await db.seasons.events(season)) for season in (1, 2)])

    return await bot.bot.services.store.read(read)
