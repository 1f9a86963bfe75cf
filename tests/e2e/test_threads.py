"""Tables with a thread, which is made, filled, deleted, locked or archived; and tables without one."""

import asyncio
from itertools import count
from unittest.mock import AsyncMock

import pytest

from bot.delivery.discord_calls import RetryLaterError
from bot.delivery.threads import Threads
from bot.people import NamedPerson
from bot.table.core.change import TableTransaction
from bot.table.hosting import Actor
from league.times import HOUR
from marriage.decide import decide, start
from marriage.state import Phase
from marriage.view import view
from tests.bot.league.house import hurried, start_anyhow
from tests.e2e.forging import press_forged
from tests.e2e.looking import facts, published
from tests.e2e.players import (
    CLOSE,
    DRAW,
    HAND,
    JOIN,
    MANAGE,
    NEXT,
    START,
    next_panel,
    open_table,
    play_by_buttons,
    press_in_dm,
    press_tool,
    say,
    text_in_dm,
)
from tests.marriage.dealing import actor
from tests.waiting import until

PRESSES = count(10**17)
"""Numbers of interactions for what the services do."""
OWN_THREAD = say("manage.thread_off")


async def in_lobby(discord, *names, private=False):
    people = [discord.person(name) for name in names]
    table = await open_table(*people)
    host = people[0]
    panel = (await press_tool(host, table, MANAGE)).message
    panel = (await host.press(OWN_THREAD, message=panel)).message
    await host.wait_for(lambda: "in a thread of this table" in host.look(table).text)
    if private:
        await host.press(say("manage.private_off"), message=panel)
    return people, table


def the_thread(discord):
    [thread] = discord.world.threads()
    return thread


@pytest.fixture
async def playing(discord, bot, dull):
    """A table in a thread at which Bikram is to draw and Asha waits."""
    people, sign = await in_lobby(discord, "asha", "bikram")
    asha, bikram = people
    await asha.press(START, message=sign)
    await asha.wait_for(lambda: discord.world.threads())
    thread = the_thread(discord)
    table = await asha.sees("**Bikram** draws next", thread)
    await next_panel(bikram)
    await published(bot)
    return asha, bikram, sign, thread, table


async def draws_and_discards(person):
    await person.press(DRAW, message=await next_panel(person))
    await play_by_buttons(person, 1)


async def test_a_table_comes_into_its_thread_at_once_however_new_it_is(discord, bot, dull, monkeypatch):
    monkeypatch.setattr("bot.delivery.table_message.ANSWERED_BY_MS", HOUR)
    people, sign = await in_lobby(discord, "asha", "bikram")
    await people[0].press(START, message=sign)
    await people[0].wait_for(lambda: discord.world.threads())
    assert await people[0].sees("**Bikram** draws next", the_thread(discord))


async def test_with_the_deal_the_table_gets_a_thread_and_a_sign_that_leads_there(discord, bot, playing):
    asha, bikram, sign, thread, table = playing
    assert (thread.id, thread.name, thread.parent.name) == (sign.id, "Marriage · Table 1", "marriage")
    assert {asha.id, bikram.id} <= set(thread.members)
    seen = asha.look(sign)
    assert f"<#{thread.id}>" in seen.text
    assert not seen.buttons
    row = (await facts(bot)).table
    assert (row.thread_id, row.sign_id) == (thread.id, sign.id)
    panel = (await bikram.press(HAND, message=table)).message
    assert panel.ephemeral
    assert f"/{thread.id}/{table.id})" in panel.text
    await asha.wait_for(lambda: f"/{thread.id}" in text_in_dm(asha))
    await draws_and_discards(bikram)
    await asha.wait_for(lambda: "**Asha** draws next" in asha.look(table).text)
    assert "Only the host" not in asha.look(sign).text


async def test_a_table_is_found_from_within_its_thread(discord, playing):
    asha, _, _, thread, _ = playing
    asha.go(thread)
    assert "Your hand" in (await asha.slash("marriage hand")).message.text
    listed = (await asha.slash("marriage tables")).message
    assert f"<#{thread.id}>" in listed.text


async def test_when_the_table_closes_sign_and_thread_tell_the_end_and_the_thread_is_put_away(
    discord, bot, quick
):
    people, sign = await in_lobby(discord, "asha", "bikram")
    asha, _ = people
    await asha.press(START, message=sign)
    await asyncio.gather(*map(play_by_buttons, people))
    thread = the_thread(discord)
    table = await asha.wait_for(
        lambda: next((message for message in asha.messages(thread) if message.button(NEXT)), None)
    )
    assert not thread.archived
    await press_tool(asha, table, CLOSE)
    await asha.wait_for(lambda: thread.archived)
    await asha.wait_for(lambda: "closed after 1 deal" in asha.look(sign).text)
    assert "closed after 1 deal" in asha.look(table).text
    assert not asha.look(sign).buttons or not asha.look(sign).button(NEXT)
    await published(bot)
    assert not thread.locked


@pytest.mark.parametrize("told", [True, False])
async def test_from_a_deleted_thread_the_table_goes_on_in_the_channel(
    discord, bot, playing, told, monkeypatch
):
    """This holds whether Discord sends the deletion or the bot notices it when it writes."""
    asha, bikram, sign, thread, _ = playing
    if not told:
        monkeypatch.setattr(bot.bot.services.pauses, "place_gone", AsyncMock())
    before = {row.kind: row.due_at for row in (await facts(bot)).deadlines}
    discord.world.delete_channel(thread)
    if not told:
        await draws_and_discards(bikram)
    table = await asha.sees("The table's thread was deleted", "marriage")
    assert table.id != sign.id
    await asha.wait_for(lambda: f"/{table.id})" in asha.look(sign).text)
    after = await facts(bot)
    assert (after.table.thread_id, after.table.thread_lack) == (None, "deleted")
    if told:
        assert "**Bikram** draws next" in table.text
        assert {row.kind: row.due_at for row in after.deadlines} == before
        await bikram.wait_for(lambda: f"/{thread.id}" not in text_in_dm(bikram))
        await draws_and_discards(bikram)
    await asha.wait_for(lambda: "**Asha** draws next" in asha.look(table).text)


async def test_a_deleted_channel_takes_the_thread_along_and_pauses_the_table(discord, bot, playing):
    _, bikram, _, thread, _ = playing
    discord.world.delete_channel(thread.parent)
    await bikram.wait_for(lambda: "Paused" in text_in_dm(bikram))
    bikram.go("general")
    assert "now plays in this channel" in (await bikram.slash("marriage resume")).message.text
    await bikram.sees("**Bikram** draws next", "general")


async def test_an_archived_thread_is_opened_by_the_next_move(discord, bot, playing):
    asha, bikram, _, thread, table = playing
    discord.world.archive(thread)
    await draws_and_discards(bikram)
    await asha.wait_for(lambda: not thread.archived)
    new = await asha.sees("**Asha** draws next", thread)
    assert new.id != table.id
    await asha.wait_for(lambda: "has moved here" in asha.look(table).text)
    assert (await facts(bot)).table.thread_id == thread.id


async def test_from_a_locked_thread_the_table_moves_into_the_channel(discord, bot, playing):
    asha, bikram, sign, thread, _ = playing
    discord.world.archive(thread, locked=True)
    await draws_and_discards(bikram)
    new = await asha.sees("The table's thread was locked", "marriage")
    await asha.wait_for(lambda: "has moved here](" in asha.look(sign).text)
    await asha.wait_for(lambda: "**Asha** draws next" in asha.look(new).text)
    await draws_and_discards(asha)
    await asha.wait_for(lambda: "**Bikram** draws next" in asha.look(new).text)


@pytest.mark.parametrize(
    "lost", ["CREATE_PUBLIC_THREADS", "CREATE_PRIVATE_THREADS", "SEND_MESSAGES_IN_THREADS"]
)
async def test_without_permission_the_table_stays_and_names_what_is_missing(discord, bot, dull, lost):
    people, table = await in_lobby(discord, "asha", "bikram", private="PRIVATE" in lost)
    discord.world.deny("marriage", lost)
    asha = people[0]
    await asha.press(START, message=table)
    wanted = say(f"permission.{lost.lower()}")
    await asha.wait_for(lambda: f"because I don't have these permissions: {wanted}." in asha.look(table).text)
    await asha.wait_for(lambda: "**Bikram** draws next" in asha.look(table).text)
    assert discord.world.threads() == []


async def test_the_host_is_told_at_once_what_a_thread_would_need(discord, bot):
    asha = discord.person("asha")
    table = await open_table(asha)
    discord.world.deny("marriage", "CREATE_PUBLIC_THREADS")
    panel = (await press_tool(asha, table, MANAGE)).message
    told = (await asha.press(OWN_THREAD, message=panel)).message
    assert "I don't have these permissions: Create Public Threads" in told.text
    assert (await facts(bot)).table.options.thread


async def test_a_server_with_too_many_threads_plays_in_the_channel(discord, bot, dull):
    people, table = await in_lobby(discord, "asha", "bikram")
    discord.faults.fail(r"/threads$", method="POST", status=400, code=160006)
    await people[0].press(START, message=table)
    await people[0].wait_for(lambda: "as many open threads" in people[0].look(table).text)


@pytest.mark.parametrize(
    ("status", "code"),
    [(404, 10007), (404, 10013), (403, 50013)],
    ids=["unknown member", "unknown user", "forbidden"],
)
async def test_a_player_who_cannot_be_added_to_the_thread_finds_it_by_its_link(
    discord, bot, dull, status, code
):
    (asha, bikram), sign = await in_lobby(discord, "asha", "bikram")
    refused = discord.faults.fail(
        rf"/thread-members/{bikram.id}$", method="PUT", status=status, code=code, times=99
    )
    await asha.press(START, message=sign)
    await asha.wait_for(lambda: discord.world.threads())
    thread = the_thread(discord)
    await asha.sees("**Bikram** draws next", thread)
    await published(bot)
    assert refused.times == 98, "it is not tried again"
    assert asha.id in thread.members
    assert bikram.id not in thread.members
    assert f"<#{thread.id}>" in bikram.look(sign).text
    await draws_and_discards(bikram)
    await asha.sees("**Asha** draws next", thread)


@pytest.mark.parametrize("private", [False, True])
async def test_a_player_who_cannot_be_added_for_a_while_hides_no_table_and_opens_no_second_thread(
    discord, bot, dull, monkeypatch, private
):
    monkeypatch.setattr("bot.delivery.table_message.ADDING_S", 0.5)
    people, sign = await in_lobby(discord, "asha", "bikram", private=private)
    asha, bikram = people
    failing = discord.faults.fail(rf"/thread-members/{bikram.id}$", method="PUT", status=500, times=10_000)
    await asha.press(START, message=sign)
    await asha.wait_for(lambda: discord.world.threads())
    thread = the_thread(discord)
    await asha.sees("**Bikram** draws next", thread)
    assert asha.id in thread.members
    assert bikram.id not in thread.members
    failing.times = 0
    await asha.wait_for(lambda: bikram.id in thread.members, timeout=40)
    assert discord.world.threads() == [thread]


async def test_a_private_table_gets_a_private_thread_for_its_players_and_who_comes_later(
    discord, bot, dull, monkeypatch
):
    people, sign = await in_lobby(discord, "asha", "bikram", private=True)
    asha, bikram = people
    await asha.press(START, message=sign)
    await asha.wait_for(lambda: discord.world.threads() and the_thread(discord).messages)
    thread = the_thread(discord)
    assert thread.is_private_thread
    assert {asha.id, bikram.id} <= set(thread.members)
    await asha.wait_for(lambda: f"<#{thread.id}>" in asha.look(sign).text)
    assert "open to its players only" in asha.look(sign).text
    assert sign.id != thread.id
    chandra = discord.person("chandra")
    assert chandra.find("Tunnelas first", "marriage") is None

    for person in people:
        await person.slash("marriage end")
    assert "is private. Ask **Asha**" in (await press_forged(chandra, "mr1:accept:1:0")).text

    async def amend(tx: TableTransaction) -> None:
        db = await tx.database()
        await db.people.keep(chandra.id, "Chandra", 0)
        await db.guests.set_standing(1, chandra.id, "invited")

    await bot.bot.services.tables.amend(1, amend)
    assert "You sit at [table 1]" in (await press_forged(chandra, "mr1:accept:1:0")).text
    assert chandra.id not in thread.members
    monkeypatch.setattr("bot.table.flow.seating.start", start)
    for person in people:
        await bot.bot.services.play.next_deal(1, person.id, person.id)
    await chandra.wait_for(lambda: chandra.id in thread.members)
    assert await next_panel(chandra)


@pytest.fixture
async def private_match(discord, bot, monkeypatch):
    """A private table in its thread after its first deal, which Asha, Bikram and Chandra have played."""
    monkeypatch.setattr("bot.table.flow.seating.start", start_anyhow)
    people, sign = await in_lobby(discord, "asha", "bikram", "chandra", private=True)
    await people[0].press(START, message=sign)
    await asyncio.gather(*map(play_by_buttons, people))
    await published(bot)
    thread = the_thread(discord)
    assert {person.id for person in people} <= set(thread.members)
    return people, thread


async def next_deal(bot, *people):
    """Let these people ask for the next deal."""
    for person in people:
        await bot.bot.services.play.next_deal(1, person.id, next(PRESSES))
    assert (await facts(bot)).table.status == "playing"
    await published(bot)


async def test_who_has_left_a_private_table_reads_none_of_its_later_deals(discord, bot, private_match):
    (asha, bikram, chandra), thread = private_match
    staff = discord.person("deepa")
    thread.members[staff.id] = thread.members[asha.id]  # they came by themselves
    await bot.bot.services.leaving.leave(1, chandra.id, next(PRESSES))
    await published(bot)
    assert chandra.id in thread.members, "they may still come back"
    await next_deal(bot, asha, bikram)
    assert {asha.id, bikram.id, staff.id} == set(thread.members) - {discord.world.bot.id}
    assert thread not in chandra.actions.channels(chandra.user)


async def test_who_has_left_a_private_table_and_is_invited_again_stays_in_its_thread(bot, private_match):
    (asha, bikram, chandra), thread = private_match
    await bot.bot.services.leaving.leave(1, chandra.id, next(PRESSES))
    guest, host = NamedPerson(chandra.id, "Chandra"), Actor(NamedPerson(asha.id, "Asha"))
    await bot.bot.services.hosting.invite(1, host, [guest], next(PRESSES))
    await next_deal(bot, asha, bikram)
    assert chandra.id in thread.members
    await bot.bot.services.hosting.forget(1, host, chandra.id, "invited", next(PRESSES))
    await published(bot)
    assert chandra.id not in thread.members


async def test_who_leaves_the_bench_of_a_private_table_or_is_blocked_there_leaves_its_thread_at_once(
    bot, private_match
):
    (asha, bikram, chandra), thread = private_match
    services, host = bot.bot.services, Actor(NamedPerson(asha.id, "Asha"))
    await services.changing.sit_out(1, bikram.id, next(PRESSES))
    await services.changing.sit_out(1, chandra.id, next(PRESSES))
    await services.changing.sit_down(1, NamedPerson(bikram.id, "Bikram"), next(PRESSES))
    await next_deal(bot, asha, bikram)
    assert chandra.id in thread.members, "they have kept their place"
    await services.hosting.block(1, host, NamedPerson(chandra.id, "Chandra"), next(PRESSES))
    await published(bot)
    assert chandra.id not in thread.members
    await services.hosting.forget(1, host, chandra.id, "blocked", next(PRESSES))
    await services.changing.sit_down(1, NamedPerson(chandra.id, "Chandra"), next(PRESSES))
    await published(bot)
    thread.members[chandra.id] = thread.members[asha.id]
    await services.leaving.leave(1, chandra.id, next(PRESSES))
    await published(bot)
    assert chandra.id not in thread.members


async def test_who_came_later_and_is_blocked_after_a_deal_leaves_the_thread_at_once(
    discord, bot, private_match
):
    (asha, bikram, chandra), thread = private_match
    services, host = bot.bot.services, Actor(NamedPerson(asha.id, "Asha"))
    deepa = discord.person("deepa")
    guest = NamedPerson(deepa.id, "Deepa")
    await services.hosting.invite(1, host, [guest], next(PRESSES))
    await services.changing.sit_down(1, guest, next(PRESSES))
    await next_deal(bot, asha, bikram, chandra)
    assert deepa.id in thread.members

    async def play_out(tx: TableTransaction) -> None:
        while tx.state is not None and tx.state.phase is not Phase.OVER:
            seat = actor(tx.state)
            tx.record(decide(tx.state, seat, hurried(view(tx.state, seat))), actor=seat)
        await services.play.follow(tx, [])

    await services.tables.change(1, play_out)
    await services.hosting.block(1, host, guest, next(PRESSES))
    assert deepa.id in {seat.person_id for seat in (await facts(bot)).seats}
    await published(bot)
    assert deepa.id not in thread.members


async def test_who_is_forgotten_leaves_the_thread_of_a_private_table(bot, private_match):
    (asha, bikram, chandra), thread = private_match
    await next_deal(bot, asha, bikram, chandra)
    await bot.bot.services.leaving.leave(1, chandra.id, next(PRESSES))
    await published(bot)
    assert chandra.id in thread.members, "they may still take their seat back"
    assert await bot.bot.services.forgetting.forget(chandra.id)
    await published(bot)
    assert {asha.id, bikram.id} == set(thread.members) - {bot.bot.user.id}


async def test_an_archived_thread_is_opened_to_change_its_members(discord, bot, private_match):
    people, thread = private_match
    for change in (Threads(bot.bot).remove, Threads(bot.bot).add):
        discord.world.archive(thread)
        await change(thread.id, people[2].id)
        assert not thread.archived
        assert (people[2].id in thread.members) == (change.__name__ == "add")


@pytest.mark.parametrize(
    ("status", "code"),
    [(404, 10007), (404, 10013), (403, 50013)],
    ids=["unknown member", "unknown user", "forbidden"],
)
async def test_who_cannot_be_removed_from_the_thread_holds_nothing_up(
    discord, bot, private_match, status, code
):
    (asha, bikram, chandra), thread = private_match
    refused = discord.faults.fail(
        rf"/thread-members/{chandra.id}$", method="DELETE", status=status, code=code, times=99
    )
    await bot.bot.services.leaving.leave(1, chandra.id, next(PRESSES))
    await next_deal(bot, asha, bikram)
    await asha.sees("draws next", thread)
    assert refused.times == 98, "it is not tried again"
    assert chandra.id in thread.members


async def test_a_lost_and_regained_permission_stops_and_restarts_the_clocks_in_a_thread(
    discord, bot, playing
):
    asha, bikram, _, _, table = playing
    discord.world.deny("marriage", "VIEW_CHANNEL")
    await press_in_dm(bikram, DRAW)
    await bikram.wait_for(lambda: "Paused" in text_in_dm(bikram))
    discord.world.allow("marriage", "VIEW_CHANNEL")
    await asha.wait_for(lambda: "**Bikram** has drawn" in asha.look(table).text)
    await until(lambda: no_pause(bot))


async def no_pause(bot):
    return "paused" not in [row.kind for row in (await facts(bot)).deadlines]


async def test_a_thread_that_was_made_just_before_a_crash_is_found_again(discord, bot, dull, monkeypatch):
    people, sign = await in_lobby(discord, "asha", "bikram")
    stumbled = []

    async def stumble(*_):
        if not stumbled:
            stumbled.append(True)
            raise RetryLaterError("as if the bot had died")

    monkeypatch.setattr("bot.delivery.discord_calls.add_to_thread", stumble)
    monkeypatch.setattr("bot.lanes.FIRST_WAIT_MS", 10)
    await people[0].press(START, message=sign)
    await people[0].wait_for(lambda: discord.world.threads() and the_thread(discord).messages)
    assert stumbled
    assert the_thread(discord).id == sign.id


async def test_a_lobby_with_a_thread_to_come_is_an_ordinary_one(discord, bot):
    (asha,), table = await in_lobby(discord, "asha")
    chandra = discord.person("chandra")
    await chandra.press(JOIN, message=table)
    assert "**Chandra**" in asha.look(table).text
    assert discord.world.threads() == []
