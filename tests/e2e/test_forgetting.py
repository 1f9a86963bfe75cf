"""Being forgotten, over the wire, does not bypass a person's limits."""

import asyncio

import pytest

from tests.bot.league.house import start_anyhow
from tests.e2e.looking import facts, published
from tests.e2e.players import (
    CLOSE,
    JOIN,
    LEAVE,
    MANAGE,
    NEXT,
    START,
    act,
    open_table,
    play_by_buttons,
    press_tool,
    say,
)
from tests.e2e.running import MovableClock
from tests.e2e.seasons import DAY, Circle
from tests.e2e.seasons import JOIN as SIGN_UP
from tests.e2e.test_daily import play, tries
from tests.e2e.test_threads import in_lobby, the_thread
from tests.waiting import SLOW_DEADLINE, until

ENACT, AGREE = say("league.enact"), say("league.agree")


@pytest.fixture
def clock() -> MovableClock:
    """A clock that starts at noon, so that midnight does not come by itself."""
    clock = MovableClock()
    clock.forward((DAY // 2 - clock.now()) % DAY / 1000)
    return clock


async def be_forgotten(person) -> None:
    """Press through `/privacy`, and wait until it is done."""
    policy = (await person.slash("privacy")).message
    question = (await person.press(say("privacy.forget"), message=policy)).message
    answer = (await person.press(say("privacy.yes"), message=question)).message
    ends = {say("privacy.forgotten"), say("privacy.nothing")}
    await person.wait_for(lambda: person.look(answer).text in ends)


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
            assert "You have already had your attempt at today's deal" in refused.text
            assert not refused.files
    assert len(await tries(running)) == 2

    chandra = discord.person("chandra")
    await play(chandra, (await chandra.slash("daily")).message)
    running.later(clock, DAY / 1000)
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
    await press_tool(asha, challenge, LEAVE)
    await be_forgotten(asha)
    again = (await asha.user_command("Challenge to Marriage", bikram)).message
    assert "You have challenged 1 people within an hour" in again.text
    await press_tool(asha, (await asha.slash("marriage play")).message, LEAVE)
    await be_forgotten(asha)
    assert (await asha.slash("marriage play")).message.button(JOIN)
    await be_forgotten(asha)  # this also leaves the table
    refused = (await asha.slash("marriage play")).message
    assert refused.ephemeral
    assert "You have opened 3 tables within an hour" in refused.text
    running.later(clock, 3601)
    assert (await asha.slash("marriage play")).message.button(JOIN)


async def test_being_forgotten_lifts_no_block(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    panel = (await press_tool(asha, table, MANAGE)).message
    await asha.choose(say("manage.block"), [bikram], message=panel)
    await be_forgotten(bikram)
    await bikram.press(JOIN, message=table)
    assert bikram.find("The host has blocked you from table 1")
    assert [seat.name for seat in (await facts(bot)).seats] == ["Asha"]
    panel = (await press_tool(asha, table, MANAGE)).message
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
    monkeypatch.setattr("bot.table.flow.seating.start", start_anyhow)
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
    assert [member.withdrawn for member in seen.season.members.values() if not member.plays] != []
    told = (await late.press(SIGN_UP, message=signup)).message.text
    assert say("league.forgotten_out", league="Autumn") in told
    assert await running.store.read(lambda db: db.people.get(late.id)) is None
    await circle.check()


async def test_messages_that_named_somebody_forgotten_are_edited_where_they_stand(
    discord, start_bot, clock, monkeypatch
):
    """These are a closed table, a daily board, a home game, the staff's reasons, and a season's round."""
    monkeypatch.setattr("bot.table.flow.seating.start", start_anyhow)
    running = await start_bot(clock=clock)
    people = [discord.person(name) for name in ("asha", "bikram", "chandra")]
    asha, bikram, _ = people
    general = discord.world.channel("general")
    await asha.slash("setup daily", timezone="UTC", post_in=general)
    await play(bikram, (await bikram.slash("daily")).message)
    closed = await open_table(*people)
    panel = (await press_tool(asha, closed, MANAGE)).message
    await asha.choose(say("manage.kick"), ["Bikram"], message=panel)
    await press_tool(asha, closed, LEAVE)
    circle = Circle(running, clock, people)
    signup = await circle.open("Autumn", "1, 2, 3", confirm_hours=0, tables="channel")
    await circle.press(SIGN_UP, "Sign up until", people)
    await circle.draw(1)
    drawn = await circle.sees("Play your match until")
    table = await circle.sees("A league's match")
    await circle.play_round(1)
    await circle.rest()
    score = (await asha.slash("score new", players="Asha, Bikram, Chandra")).message
    await asha.press(say("button.score_deal"), message=score)
    await asha.submit({"winner": ["Bikram"], "maal": "Bikram: 5"})
    await published(running)
    running.later(clock, DAY / 1000)
    [board] = await asha.wait_for(lambda: asha.messages("general"))
    await asha.wait_for(lambda: "This table is closed" in asha.look(table).text)
    await published(running)
    public = [score, signup, drawn, table, board]
    assert [("Bikram" in asha.look(message).text) for message in public] == [True] * len(public)
    assert "Bikram" in str([file.alt for file in asha.look(score).files])
    before = [len(asha.messages(channel)) for channel in (None, "general")]
    await be_forgotten(bikram)
    await published(running)
    for message in public:
        assert "Bikram" not in asha.look(message).text
        assert "Bikram" not in str([file.alt for file in asha.look(message).files])
    everything = [*asha.messages(), *asha.messages("general")]
    assert [
        message.text for message in everything if "Bikram" in message.text and not message.ephemeral
    ] == []
    assert [len(asha.messages(channel)) for channel in (None, "general")] == before
    assert "Bikram" not in (await asha.slash("setup log")).message.text


async def test_messages_of_a_season_that_are_on_their_way_meanwhile_name_nobody_forgotten(
    discord, start_bot, clock, monkeypatch
):
    """The first of them was drawn before."""
    monkeypatch.setattr("bot.table.flow.seating.start", start_anyhow)
    running = await start_bot(clock=clock)
    people = [discord.person(name) for name in ("asha", "bikram", "chandra")]
    asha, bikram, _ = people
    circle = Circle(running, clock, people)
    await circle.open("Autumn", "1, 2, 3", confirm_hours=0, tables="channel")
    await circle.press(SIGN_UP, "Sign up until", people)
    await circle.draw(1)
    slow = discord.faults.hold(rf"/channels/{asha.channel.id}/messages$", method="POST")
    seen = await circle.view()
    [pod] = seen.pods_of(1)
    await circle.play_pod(seen, pod, people)
    running.bot.services.scheduler.wake()
    await slow.reached()
    await be_forgotten(bikram)
    slow.release()
    await circle.sees("Autumn is over")
    await circle.rest()
    running.bot.delivery.amendments.wake()
    await published(running)
    public = [message.text for message in asha.messages() if not message.ephemeral]
    assert [text for text in public if "Bikram" in text] == []


async def test_the_event_of_a_match_whose_time_has_come_names_nobody_forgotten(discord, start_bot, clock):
    people = [discord.person(name) for name in ("asha", "bikram", "chandra", "deepa")]
    bot = await start_bot(clock=clock)
    circle = Circle(bot, clock, people)
    await circle.open("Autumn", "1, 2, 3", confirm_hours=0)
    await circle.press(SIGN_UP, "Sign up until", people)
    await circle.draw(1)
    await people[0].slash("league propose", when="in 10h")
    for person in people[1:]:
        await person.wait_for(lambda member=person: any("Proposed" in sent.text for sent in member.dm()))
        await person.press(AGREE, message=person.dm()[-1])
    events = discord.world.guild.events
    await people[0].wait_for(lambda: events)
    [event] = events.values()
    before = dict(event.data)
    [time] = (await bot.bot.services.leagues.view(1)).times.values()
    bot.later(clock, (time.proposal.at - clock.now()) / 1000 + 60)
    await circle.rest()
    assert "Bikram" in before["description"]
    await be_forgotten(people[1])
    await people[0].wait_for(lambda: "Bikram" not in events[event.id].data["description"])
    kept = events[event.id].data
    assert all(kept[name] == before[name] for name in ("scheduled_start_time", "scheduled_end_time"))


async def test_the_keeper_of_a_home_game_is_edited_out_of_it(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    score = (await asha.slash("score new", players="Mum, Dad")).message
    assert f"Kept by <@{asha.id}>." in bikram.look(score).text
    await be_forgotten(asha)
    await published(bot)
    assert "Kept by –." in bikram.look(score).text


async def test_a_home_game_that_was_renamed_shows_no_former_name_in_older_messages(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    first = (await asha.slash("score new", players="Asha, Bikram")).message
    second = (await asha.slash("score sheet")).message
    await asha.press(say("button.score_names"), message=second)
    await asha.submit({"names": "Asha, B"})
    bot.bot.delivery.amendments.wake()
    await published(bot)
    for message in (first, second):
        assert "Bikram" not in bikram.look(message).text


async def test_the_guest_of_a_lobby_is_edited_out_of_it(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha)
    panel = (await press_tool(asha, table, MANAGE)).message
    panel = (await asha.press(say("manage.private_off"), message=panel)).message
    await asha.choose(say("manage.invite"), [bikram], message=panel)
    await published(bot)
    assert "Bikram" in asha.look(table).text
    await be_forgotten(bikram)
    await published(bot)
    public = [message for message in asha.messages("marriage") if not message.ephemeral]
    assert [message.text for message in public if "Bikram" in message.text] == []


async def test_the_log_of_the_staff_names_nobody_forgotten(discord, bot):
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    table = await open_table(bikram, chandra)
    panel = (await press_tool(asha, table, MANAGE)).message
    await asha.choose(say("manage.kick"), ["Chandra"], message=panel)
    assert "removed a player at table 1: Chandra" in (await asha.slash("setup log")).message.text
    await be_forgotten(chandra)
    text = (await asha.slash("setup log")).message.text
    assert "removed a player at table 1: Player" in text
    assert "Chandra" not in text


@pytest.mark.parametrize("is_closed", [True, False])
async def test_the_last_hands_of_the_others_are_edited(discord, bot, quick, is_closed):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asyncio.gather(*map(play_by_buttons, (asha, bikram)))
    table = await asha.wait_for(
        lambda: next((message for message in asha.messages("marriage") if message.button(NEXT)), None)
    )
    if is_closed:
        await press_tool(asha, table, CLOSE)
    await published(bot)
    assert said_to(asha).count("Bikram") > 1
    pictures = [len(message.files) for message in asha.dm()]
    await be_forgotten(bikram)
    await published(bot)
    assert said_to(asha).count("Bikram") == 0
    assert said_to(asha).count("Player") > 1
    assert [len(message.files) for message in asha.dm()] == pictures


def said_to(person) -> str:
    """Return all that the direct messages of a person say, in words and for screen readers."""
    return "\n".join(message.text + str([file.alt for file in message.files]) for message in person.dm())


async def test_a_table_in_an_archived_thread_is_edited_and_the_thread_put_away_again(discord, bot, quick):
    people, sign = await in_lobby(discord, "asha", "bikram")
    asha, bikram = people
    await asha.press(START, message=sign)
    await asyncio.gather(*map(play_by_buttons, people))
    thread = the_thread(discord)
    table = await asha.wait_for(
        lambda: next((message for message in asha.messages(thread) if message.button(NEXT)), None)
    )
    await press_tool(asha, table, CLOSE)
    await asha.wait_for(lambda: thread.archived)
    await published(bot)
    assert "Bikram" in asha.look(table).text
    await be_forgotten(bikram)
    await published(bot)
    for message in (table, sign):
        assert "closed after 1 deal" in asha.look(message).text
        assert "Bikram" not in asha.look(message).text
    assert thread.archived


async def test_a_message_that_cannot_be_edited_now_is_edited_later_and_one_that_is_gone_never(
    discord, start_bot, clock
):
    running = await start_bot(clock=clock)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    kept, gone = [
        (await asha.slash("score new", players="Asha, Bikram", channel=discord.world.channel(place))).message
        for place in ("marriage", "general")
    ]
    await bikram.slash("daily")  # so that Bikram is known here
    discord.world.delete_message(gone.message)
    failure = discord.faults.fail(f"/messages/{kept.id}", method="PATCH", status=400, code=30046)
    await be_forgotten(bikram)

    def is_tried() -> bool:  # no wake-up if the answers were noted only after Bikram was forgotten
        running.bot.delivery.amendments.wake()
        return failure.times == 0

    await until(is_tried, SLOW_DEADLINE)
    running.later(clock, 60)
    running.bot.delivery.amendments.wake()
    await published(running)
    assert "Bikram" not in asha.look(kept).text
    assert "Player" in asha.look(kept).text
    assert asha.messages("general") == []
