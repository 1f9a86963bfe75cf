"""Each pod meets in its own thread, where each player is mentioned once, even without direct messages."""

import pytest

from bot.league.agenda import opens_at
from bot.league.ruling_events import moved
from bot.people import NamedPerson
from bot.words.texts import card_name, texts
from marriage.cards import CARDS
from playground.person import CannotDoError, Person
from playground.shown import Shown
from tests.bot.league.house import start_anyhow
from tests.e2e.looking import published
from tests.e2e.players import JOIN as SIT_DOWN
from tests.e2e.players import say
from tests.e2e.seasons import JOIN, Circle, start_league

NAMES = ("asha", "bikram", "chandra", "deepa", "ekta", "firoz", "gita", "hari")


async def drawn(discord, start_bot, clock, names=NAMES, **settings) -> Circle:
    """A round of pods of four; Bikram accepts no direct messages."""
    people = [discord.person(name) for name in names]
    people[1].close_dms()
    bot = await start_bot(clock=clock)
    circle = Circle(bot, clock, people)
    signup = await circle.open("Autumn", "1, 2, 3", confirm_hours=0, **settings)
    for person in people:
        await person.press(JOIN, message=signup)
    await start_league(people[0])
    await circle.sees("Play your match until")
    await published(bot)
    return circle


def calls(person: Person, channel) -> list[Shown]:
    """Return the messages of a channel that notify this person."""
    return [message for message in person.messages(channel) if person.user.name in message.pinged]


async def test_a_player_who_cannot_be_added_in_time_is_added_to_the_thread_of_the_pod_later(
    discord, start_bot, clock, monkeypatch
):
    """Nobody has a seat yet."""
    monkeypatch.setattr("bot.delivery.table_message.ADDING_S", 0.3)
    chandra = discord.person("chandra")
    discord.faults.fail(rf"/thread-members/{chandra.id}$", method="PUT", status=500)
    circle = await drawn(discord, start_bot, clock)
    seen = await circle.view()
    [pod] = [pod for pod in seen.pods_of(1) if chandra in circle.named(pod.players, seen)]
    [thread] = [one for one in discord.world.threads() if one.id == seen.tables[pod.id].thread_id]
    await chandra.wait_for(lambda: chandra.id in thread.members)
    assert len(discord.world.threads()) == 2


async def test_each_pod_has_a_thread_with_its_players_alone(discord, start_bot, clock):
    circle = await drawn(discord, start_bot, clock)
    asha, bikram, *_ = circle.people
    threads = discord.world.threads()
    assert len(threads) == 2
    assert all(thread.is_private_thread for thread in threads)
    assert not any("A league's match" in message.text for message in asha.messages("marriage"))
    seen = await circle.view()
    for pod in seen.pods_of(1):
        table = seen.tables[pod.id]
        [thread] = [thread for thread in threads if thread.id == table.thread_id]
        players = circle.named(pod.players, seen)
        assert {player.id for player in players} == set(thread.members) - {discord.world.bot.id}
        assert thread.name == f"{seen.plain_title} · pod {pod.id}"
        for player in players:
            [call] = calls(player, thread)
            assert "A league's match" in call.text
            told = player.dm()
            assert (player is bikram) == (not told)
            assert player is bikram or f"/{thread.id}/{table.message_id}" in told[-1].text
    round_post = asha.find("Play your match until", "marriage")
    assert round_post is not None
    assert all(f"/{thread.id}/" in round_post.text for thread in threads)

    checked = (await asha.slash("league-staff check")).message.text
    assert (
        "take no direct messages from me, so I mention them at their tables or in the league's channel: Bikram"
        in checked
    )
    answer = await asha.slash("league propose", when="in 5h")
    pod = next(pod for pod in seen.pods_of(1) if seen.by_person[bikram.id] in pod.players)
    if seen.by_person[asha.id] not in pod.players:
        proposer = circle.named(pod.players, seen)
        other = next(person for person in proposer if person is not bikram)
        answer = await other.slash("league propose", when="in 5h")
    assert "You propose" in answer.message.text
    thread = next(thread for thread in threads if thread.id == seen.tables[pod.id].thread_id)
    await bikram.wait_for(lambda: len(calls(bikram, thread)) == 2)
    assert "I cannot write to you directly" in calls(bikram, thread)[-1].text
    table = seen.tables[pod.id].message_id
    assert "Bikram" in (await bikram.press(SIT_DOWN, message=bikram.look(table))).message.text


async def test_a_substitute_is_let_into_the_thread(discord, start_bot, clock):
    circle = await drawn(discord, start_bot, clock)
    asha, gone, late = circle.people[0], circle.people[-1], discord.person("indu")
    seen = await circle.view()
    [pod] = [pod for pod in seen.pods_of(1) if seen.by_person[gone.id] in pod.players]
    [thread] = [thread for thread in discord.world.threads() if thread.id == seen.tables[pod.id].thread_id]
    assert late.id not in thread.members
    assert gone.id in thread.members
    panel = await asha.slash(
        "league-staff substitute", pod=pod.id, player=gone.user, substitute=late.user, reason="ill today"
    )
    await asha.press(say("league.enact"), message=panel.message)
    await late.wait_for(lambda: late.id in thread.members)
    await gone.wait_for(lambda: gone.id not in thread.members)
    answer = await late.press(SIT_DOWN, message=late.look(seen.tables[pod.id].message_id))
    assert "Indu" in answer.message.text


async def test_players_who_are_exchanged_change_threads_and_see_no_board_in_the_former_one(
    discord, start_bot, clock, monkeypatch
):
    monkeypatch.setattr("bot.table.flow.seating.start", start_anyhow)
    names = (*NAMES, "indu", "jaya", "kiran", "lila")
    circle = await drawn(discord, start_bot, clock, names, duplicate="yes")
    seen = await circle.view()
    one, two, _ = seen.pods_of(1)
    [goes], [comes] = (circle.named(pod.players[:1], seen) for pod in (one, two))
    table, thread = seen.tables[one.id], thread_of(discord, seen, one)
    await goes.press(SIT_DOWN, message=goes.look(table.message_id))
    read = goes.look(table.message_id)
    staff, services = NamedPerson(circle.staff.id, "Asha"), circle.running.bot.services
    preview = await services.rulings.prepare(
        circle.season,
        staff,
        "they asked",
        lambda season, _, __: moved(season, one.players[0], None, two.players[0]),
    )
    await services.rulings.enact(circle.season, preview.draft, staff, 4_242)
    await circle.rest()
    await published(circle.running)
    seen = await circle.view()
    one, two, _ = seen.pods_of(1)
    for pod in (one, two):
        members = set(thread_of(discord, seen, pod).members) - {discord.world.bot.id}
        assert members == {person.id for person in circle.named(pod.players, seen)}
    await circle.play_pod(seen, one, circle.named(one.players, seen))
    await circle.rest()
    await published(circle.running)
    with pytest.raises(CannotDoError):
        goes.look(read.id)
    thread.members[goes.id] = thread.members[comes.id]  # as staff who manage threads
    shown = goes.look(table.message_id)
    told = " ".join([shown.text, *(str(file.alt) for file in shown.files)])
    assert "score sheet stays hidden" in told
    assert not [card for card in CARDS if card.is_pack and card_name(card, texts()) in told]


def thread_of(discord, seen, pod):
    """Return the thread of a pod's table."""
    [thread] = [thread for thread in discord.world.threads() if thread.id == seen.tables[pod.id].thread_id]
    return thread


async def test_a_league_may_keep_its_tables_in_its_channel(discord, start_bot, clock):
    circle = await drawn(discord, start_bot, clock, tables="channel")
    assert discord.world.threads() == []
    asha, bikram, *_ = circle.people
    tables = [message for message in asha.messages("marriage") if "A league's match" in message.text]
    assert len(tables) == 2
    for person in (asha, bikram):
        assert len(calls(person, "marriage")) == 1


async def test_where_no_thread_can_be_opened_the_pods_meet_in_the_channel(discord, start_bot, clock):
    discord.world.deny("marriage", "CREATE_PRIVATE_THREADS")
    circle = await drawn(discord, start_bot, clock)
    asha, bikram, *_ = circle.people
    assert discord.world.threads() == []
    assert len(calls(bikram, "marriage")) == 1
    checked = (await asha.slash("league-staff check")).message.text
    assert "Create Private Threads" in checked


async def test_no_shows_and_a_pause_are_told_by_direct_message_or_else_by_a_mention(
    discord, start_bot, clock
):
    circle = await drawn(discord, start_bot, clock)
    asha, bikram, *_ = circle.people
    asked = await asha.slash("league-staff pause", reason="a festival", league="1")
    assert "I tell all members" in asked.message.text
    await asha.press(say("league.enact"), message=asked.message)
    await circle.rest()
    for person in circle.people:
        told = [message for message in person.dm() if "has been paused since" in message.text]
        assert len(told) == (person is not bikram)
    [call] = [message for message in calls(bikram, "marriage") if "is paused" in message.text]
    assert "I cannot write to you directly" in call.text
    asked = await asha.slash("league-staff resume", reason="over", league="1")
    await asha.press(say("league.enact"), message=asked.message)
    await circle.until(lambda seen: seen.season.rounds[1].due)
    for person in circle.people:
        told = [message for message in person.dm() if "counts as a no-show for you" in message.text]
        assert len(told) == (person is not bikram)
    assert len([call for call in calls(bikram, "marriage") if "counts as a no-show" in call.text]) == 1


async def test_a_computer_takes_the_seat_of_somebody_who_does_not_come(discord, start_bot, clock):
    circle = await drawn(discord, start_bot, clock, missing="computer")
    seen = await circle.view()
    pod = seen.pods_of(1)[0]
    *there, missing = circle.named(pod.players, seen)
    table = await there[0].wait_for(lambda: there[0].look(seen.tables[pod.id].message_id))
    for person in there:
        await person.press(SIT_DOWN, message=table)
    await circle.until(lambda view: view.season.rounds[1].due)
    seen = await circle.view()
    assert seen.season.pods[pod.id].table == seen.tables[pod.id].id, "the match has begun"
    assert circle.named(seen.season.pods[pod.id].missed, seen) == [missing]
    seats = await circle.running.store.read(lambda db: db.tables.seats(seen.tables[pod.id].id))
    assert [seat.person_id for seat in seats].count(None) == 1
    [computer] = [seat.name for seat in seats if seat.person_id is None]
    table = await there[0].wait_for(lambda: there[0].look(seen.tables[pod.id].message_id))
    await there[0].wait_for(lambda: computer in there[0].look(table).text)


async def test_who_takes_no_direct_messages_is_mentioned_in_the_channel_when_a_check_in_opens(
    discord, start_bot, clock
):
    circle = await drawn(discord, start_bot, clock, rounds=2)
    bikram = circle.people[1]
    assert not [call for call in calls(bikram, "marriage") if "asks whether you play" in call.text]
    await circle.until(lambda seen: opens_at(seen.row, seen.season, 2))
    [call] = [call for call in calls(bikram, "marriage") if "asks whether you play in round 2" in call.text]
    assert call.pinged == ["bikram"]
