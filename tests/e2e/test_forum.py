"""A league in a forum channel: the season and each pod have posts, and staff hear what the forum lacks."""

from playground.model import FORUM, Channel
from tests.e2e.looking import published
from tests.e2e.players import JOIN as SIT_DOWN
from tests.e2e.players import say
from tests.e2e.seasons import JOIN, Circle, start_league

NAMES = ("asha", "bikram", "chandra", "deepa", "ekta", "firoz", "gita", "hari")
FORM = {
    "name": "Autumn",
    "format": [say("league.format_pods")],
    "numbers": "2, 2, 3",
    "rotations": ["4 deals at four seats, 3 at three"],
}


def posts(discord, words: str) -> list[Channel]:
    """Return the forum's posts with these words in their names."""
    return [post for post in discord.world.threads(discord.world.channel("pods")) if words in post.name]


def refusals(discord, code: int) -> list[object]:
    """Return the responses with this error code."""
    answers = [entry.response for entry in discord.recorder.entries]
    return [answer for answer in answers if isinstance(answer, dict) and answer.get("code") == code]


async def opened(discord, start_bot, clock) -> Circle:
    """Open a league from a person's post in a forum; its staff then read the season's post."""
    discord.world.add_channel("pods", FORUM)
    people = [discord.person(name) for name in NAMES]
    bot = await start_bot(clock=clock)
    circle = Circle(bot, clock, people)
    asha = circle.staff
    asha.go(asha.post("pods", "Shall we play?"))
    await asha.slash("league-staff season create")
    await asha.submit(FORM)
    circle.season = (await bot.bot.services.leagues.find(bot.bot.guilds[0].id, "Autumn")).id
    for setting in ("account_days", "server_days", "confirm_hours"):
        await asha.slash(
            "league-staff season settings", setting=setting, value="0", league=str(circle.season)
        )
    [post] = await asha.wait_for(lambda: posts(discord, "Season: Autumn"))
    asha.go(post)
    return circle


async def drawn(discord, start_bot, clock) -> Circle:
    """A league of two pods in a forum."""
    circle = await opened(discord, start_bot, clock)
    signup = await circle.sees("Sign up until")
    for person in circle.people:
        await person.press(JOIN, message=signup)
    await start_league(circle.staff, league=str(circle.season))
    await circle.sees("Play your match until")
    await published(circle.running)
    return circle


async def test_each_pod_and_the_season_have_a_post(discord, start_bot, clock):
    circle = await drawn(discord, start_bot, clock)
    asha = circle.staff
    [home] = posts(discord, "Season")
    assert asha.look(home.id).button(JOIN) is not None
    assert len(posts(discord, "pod")) == 2
    seen = await circle.view()
    for pod in seen.pods_of(1):
        table = seen.tables[pod.id]
        [post] = posts(discord, f"Autumn · pod {pod.id}")
        assert (table.thread_id, table.channel_id) == (post.id, seen.row.channel_id)
        players = circle.named(pod.players, seen)
        assert {player.id for player in players} <= set(post.members)
        for player in players:
            [call] = [told for told in player.messages(post) if player.user.name in told.pinged]
            assert "A league's match" in call.text
    told = (await circle.sees("Play your match")).text
    assert all(f"/{post.id}/" in told for post in posts(discord, "pod"))
    assert "All is well" in (await asha.slash("league-staff check")).message.text
    await circle.play_round(1)
    await circle.sees("after round 1")
    await circle.check()


async def test_a_post_that_is_gone_is_opened_anew(discord, start_bot, clock):
    circle = await drawn(discord, start_bot, clock)
    asha = circle.staff
    seen = await circle.view()
    pod = next(pod for pod in seen.pods_of(1) if seen.by_person[asha.id] in pod.players)
    [gone] = posts(discord, f"pod {pod.id}")
    discord.world.delete_channel(gone)
    [post] = await asha.wait_for(lambda: posts(discord, f"pod {pod.id}"))
    table = await asha.sees("A league's match", post)
    assert "Asha" in (await asha.press(SIT_DOWN, message=table)).message.text

    [home] = posts(discord, "Season")
    asha.go(post)
    discord.world.delete_channel(home)
    await asha.slash("league propose", when="in 5h")
    await circle.play_round(1)
    [anew] = await asha.wait_for(lambda: posts(discord, "Season"))
    await asha.sees("after round 1", anew)


async def test_a_forum_that_requires_tags_or_refuses_posts_is_told(discord, start_bot, clock):
    circle = await opened(discord, start_bot, clock)
    asha, forum = circle.staff, discord.world.channel("pods")
    forum.requires_tag = True
    discord.world.publish("channel_update", forum)
    checked = (await asha.slash("league-staff check")).message.text
    assert "requires a tag in every post" in checked
    assert f"<#{forum.id}>" in checked
    assert "requires a tag" in (await asha.slash("league-staff season open")).message.text
    for person in circle.people[:4]:
        await person.press(JOIN, message=await circle.sees("Sign up until"))
    await start_league(asha, league=str(circle.season))
    await asha.wait_for(lambda: refusals(discord, 40067))
    assert posts(discord, "pod") == []
    forum.requires_tag = False
    discord.world.publish("channel_update", forum)
    circle.running.later(clock, 60)
    [post] = await asha.wait_for(lambda: posts(discord, "pod"))
    await asha.sees("A league's match", post)
    discord.world.deny("pods", "SEND_MESSAGES", "SEND_MESSAGES_IN_THREADS")
    checked = (await asha.slash("league-staff check")).message.text
    assert "Create Posts" in checked
    assert "Send Messages in Threads" in checked
    discord.world.allow("pods", "SEND_MESSAGES")
    assert (
        "because I don't have these permissions: Send Messages in Threads"
        in (await asha.slash("league-staff season open")).message.text
    )
    discord.world.allow("pods", "SEND_MESSAGES_IN_THREADS")
    assert "All is well" in (await asha.slash("league-staff check")).message.text


async def test_a_league_moves_into_a_forum_with_its_waiting_tables(discord, start_bot, clock):
    people = [discord.person(name) for name in NAMES[:4]]
    circle = Circle(await start_bot(clock=clock), clock, people)
    await circle.open("Autumn", "1, 2, 3", confirm_hours=0, tables="channel")
    await circle.press(JOIN, "Sign up until", people)
    await start_league(circle.staff)
    await circle.sees("Play your match until")
    discord.world.add_channel("pods", FORUM)
    asha = circle.staff
    asha.go(asha.post("pods", "Here we are"))
    await asha.slash("league-staff season here", league=str(circle.season))
    [post] = await asha.wait_for(lambda: posts(discord, "pod 1"))
    await asha.sees("A league's match", post)
    [home] = await asha.wait_for(lambda: posts(discord, "Season"))
    await asha.sees("Play your match until", home)
