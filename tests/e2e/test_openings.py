"""The answer to `/marriage play` becomes the table's one message, even if late or if its sender ends."""

import asyncio
import re

import pytest

from bot.errors import RepeatedInteractionError
from bot.table.lobby import Lobby
from cogs.table.replies import TableReplies
from tests.e2e.players import (
    HAND,
    JOIN,
    START,
    say,
)
from tests.gates import hold_after, hold_before
from tests.waiting import SLOW_DEADLINE

CALLBACK = re.compile(r"/callback$")
BY_TOKEN = r"/webhooks/"


def of_tables(person):
    """Return the messages that everyone sees."""
    return [message for message in person.messages() if not message.ephemeral]


async def test_an_answer_that_is_slow_is_the_tables_message(discord, start_bot, monkeypatch):
    """The message is found before it is ready, and its outdated content is then updated."""
    asha, bikram = discord.person("asha"), discord.person("bikram")
    running = await start_bot()
    gate = hold_before(monkeypatch, TableReplies, "show_table")
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0)
    opening = asyncio.create_task(asha.slash("marriage play"))
    await gate.reached()
    shown = await asha.wait_for(
        lambda: next((table for table in of_tables(asha) if table.buttons), None), timeout=SLOW_DEADLINE
    )
    await bikram.press(JOIN, message=shown)
    gate.open()
    await opening
    await bikram.wait_for(lambda: "**Bikram**" in bikram.look(shown).text)
    assert [message.id for message in of_tables(asha)] == [shown.id]
    assert (await running.bot.services.tables.get(1)).row.message_id == shown.id


async def test_an_interaction_that_arrives_twice_opens_one_table_and_is_answered_with_it(
    discord, bot, monkeypatch
):
    """For example, a shard changes its process meanwhile: no one hears that they already have a seat."""
    asha, repeated = discord.person("asha"), asyncio.Event()
    open_once = Lobby.open

    async def noted(*given, **named):
        try:
            return await open_once(*given, **named)
        except RepeatedInteractionError:
            repeated.set()
            raise

    monkeypatch.setattr(Lobby, "open", noted)
    gate = hold_after(monkeypatch, Lobby, "open")
    opening = asyncio.create_task(asha.slash("marriage play"))
    await gate.reached()
    discord.world.publish("interaction_create", next(iter(discord.world.interactions.values())))
    await repeated.wait()
    gate.open()
    table = (await opening).message
    assert table.button(START)
    assert [message.id for message in of_tables(asha)] == [table.id]


@pytest.fixture(params=["thinking", "table"])
def lose(request, discord, monkeypatch):
    """A function after which Discord loses the answer to one of the next requests of a slow opening."""

    def losing():
        monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0)
        if request.param == "thinking":
            discord.faults.fail(CALLBACK.pattern, method="POST", status=502, done=True)
        else:
            monkeypatch.setattr("bot.interactions.reply.ANSWER_TIMEOUT_S", 2.5)  # as outside of tests
            discord.faults.fail("/messages/@original$", method="PATCH", status=503, times=2)

    return losing


async def opened_at_once(asha, chandra):
    """Wait for the table that is dealt at once; check that only its host is shown their hand."""
    (table,) = await chandra.wait_for(
        lambda: [shown for shown in of_tables(chandra) if shown.buttons], timeout=SLOW_DEADLINE
    )
    hand = (await asha.press(HAND, message=table)).message
    assert hand.ephemeral
    assert "Your hand" in hand.text
    assert not any(file.alt.startswith("Your hand") for shown in chandra.messages() for file in shown.files)
    assert not any("Your hand" in shown.text for shown in chandra.messages())


async def test_a_table_dealt_at_once_shows_nobody_the_hosts_hand_when_its_answer_is_lost(discord, bot, lose):
    asha, chandra = discord.person("asha"), discord.person("chandra")
    lose()
    await asha.slash("marriage play", computers=3, wait=False)
    await opened_at_once(asha, chandra)


async def test_play_now_shows_nobody_the_hosts_hand_when_its_answer_is_lost(discord, bot, lose):
    asha, chandra = discord.person("asha"), discord.person("chandra")
    helped = (await asha.slash("help")).message
    lose()
    await asha.press(say("button.play_now"), message=helped, wait=False)
    await opened_at_once(asha, chandra)
