"""A person who is elsewhere at their turn is mentioned once, and the mention is deleted when they move."""

import re

import pytest

from bot.people import NamedPerson
from data.preferences import Pace
from data.transaction import ReadTransaction
from playground.model import SUPPRESS_NOTIFICATIONS
from tests.e2e.pacing import Timed, timed
from tests.e2e.players import DRAW, HAND, play_by_buttons
from tests.waiting import until

PINGED = re.compile(r"'allowed_mentions': \{[^}]*'users': \[[^\]]")


@pytest.fixture
async def playing(discord, start_bot, dull):
    """A deal in which Bikram is to draw and Asha waits."""
    at = await timed(discord, start_bot, Pace.NORMAL, "asha", "bikram")
    await at.through_window()
    await at.shows("**Bikram** draws next")
    return at


def mentions(person, channel=None):
    """Return the messages with a mention in the person's current channel, or in `channel`."""
    return [message for message in person.messages(channel) if message.pinged]


def direct_mentions(person):
    return [message for message in person.dm() if "It is your turn" in message.text]


def pings(at: Timed) -> list[str]:
    """Return the calls so far that notified someone."""
    return [entry.path for entry in at.discord.recorder.entries if PINGED.search(str(entry.request))]


async def settled(at: Timed) -> None:
    """Wait until everything due is published."""

    async def nothing_waits() -> bool:
        return not await at.bot.store.read(lambda db: db.outbox.due(at.clock.now(), 1))

    await until(nothing_waits)


async def prefer(at: Timed, person, **settings) -> None:
    await at.bot.bot.services.personal.change(NamedPerson(person.id, person.user.name), **settings)


async def test_who_looks_elsewhere_is_mentioned_within_25_seconds_and_the_mention_goes_with_the_move(playing):
    at, (asha, bikram) = playing, playing.people
    at.later(25)
    await asha.wait_for(lambda: mentions(asha))
    [mention] = mentions(asha)
    assert mention.pinged == ["bikram"]
    assert f"/{at.table.id})" in mention.text
    hand = (await bikram.press(HAND, message=mention)).message
    assert hand.ephemeral
    assert hand.button(DRAW)
    await bikram.press(DRAW, message=hand)
    await asha.wait_for(lambda: not mentions(asha))
    table = (await at.facts()).table
    assert (table.mention_id, table.mention_channel_id) == (None, None)
    at.later(60)
    await settled(at)
    assert not mentions(asha)  # never more than one per turn


async def test_a_mention_for_a_turn_that_is_over_is_not_posted(playing):
    at, (asha, bikram) = playing, playing.people
    hold = at.discord.faults.hold(rf"/channels/{asha.channel.id}/messages", method="*")
    await play_by_buttons(bikram, 1)  # the table's message hangs, and others for that place wait
    await hold.reached()
    at.later(60)

    async def asked_for() -> bool:
        async def read(db: ReadTransaction) -> bool:
            return any(row.key.kind == "mention" for row in await db.outbox.due(at.clock.now(), 9))

        return await at.bot.store.read(read)

    await until(asked_for)
    await play_by_buttons(bikram, 1)
    at.discord.faults.clear()
    await settled(at)
    assert not pings(at)


async def test_who_wants_a_direct_message_gets_that(playing):
    at, (asha, bikram) = playing, playing.people
    await prefer(at, bikram, turn_ping_by_dm=True)
    at.later(25)
    await bikram.wait_for(lambda: direct_mentions(bikram))
    assert not mentions(asha)
    hand = await bikram.wait_for(lambda: next((seen for seen in bikram.dm() if seen.button(DRAW)), None))
    await bikram.press(DRAW, message=hand)
    await bikram.wait_for(lambda: not direct_mentions(bikram))


async def test_who_accepts_no_direct_messages_is_mentioned_at_the_table(playing):
    at, (asha, bikram) = playing, playing.people
    await prefer(at, bikram, turn_ping_by_dm=True)
    bikram.close_dms()
    at.later(25)
    await asha.wait_for(lambda: mentions(asha))
    assert not direct_mentions(bikram)


async def test_without_a_clock_the_mention_takes_its_time(discord, start_bot, dull):
    at = await timed(discord, start_bot, Pace.NONE, "asha", "bikram")
    await at.through_window()
    asha, _ = at.people
    await at.shows("**Bikram** draws next")
    at.later(25)
    await asha.wait_for(lambda: mentions(asha))
    assert "Take your time" in mentions(asha)[0].text


@pytest.mark.parametrize("goes_on", [True, False])
async def test_a_mention_that_was_posted_just_before_a_kill_does_not_stay(
    discord, start_bot, path, dull, goes_on
):
    """The message reached Discord, but the bot was gone before it got the response."""
    at = await timed(discord, start_bot, Pace.NORMAL, "asha", "bikram")
    await at.through_window()
    asha, bikram = at.people
    await at.shows("**Bikram** draws next")
    await settled(at)
    hold = discord.faults.hold(rf"/channels/{asha.channel.id}/messages", method="POST")
    at.later(25)
    await hold.reached()
    await at.bot.stop()
    discord.faults.clear()
    await asha.wait_for(lambda: mentions(asha))
    at.clock.forward(1)  # a start takes time
    bot = await start_bot(clock=at.clock)
    again = Timed(discord, bot, at.clock, at.people, at.opened)
    if goes_on:
        await settled(again)
        assert len(mentions(asha)) == 1
    await play_by_buttons(bikram, 1)
    await asha.wait_for(lambda: not mentions(asha))
    await settled(again)
    assert SUPPRESS_NOTIFICATIONS not in [message.message.flags for message in asha.messages()]
