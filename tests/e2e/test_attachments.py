"""An unchanged picture is not sent again: an edit keeps the message's attachments."""

import pytest

from playground.recorder import RecordedRequest
from playground.server import Playground
from tests.e2e.looking import published
from tests.e2e.players import (
    SIT,
    press_tool,
)
from tests.e2e.test_changing import short
from tests.e2e.test_match import open_match, play

__all__ = ["short"]
pytestmark = pytest.mark.usefixtures("short")


def edits(discord: Playground, message_id: int, since: int) -> list[RecordedRequest]:
    """Return the edits of a message after that entry, by the bot itself or as answers to presses."""
    shown = [entry for entry in discord.recorder.entries if entry.n > since and entry.status < 300]
    return [
        entry for entry in shown if str(message_id) in entry.path or str(message_id) in str(entry.response)
    ]


async def between_deals(discord, people):
    """Return a table between two deals, with the score sheet as its picture and two free seats."""
    table = await open_match(3, *people, computers=1)
    return await play(table, *people)


async def test_an_edit_of_words_alone_sends_no_file(discord, start_bot):
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    bot = await start_bot()
    table = await between_deals(discord, (asha, bikram))
    await published(bot)
    (before,) = asha.look(table).message.attachments
    last = discord.recorder.entries[-1].n
    await press_tool(chandra, table, SIT)
    await asha.wait_for(lambda: "**Chandra** (0)" in asha.look(table).text)
    await published(bot)
    (after,) = asha.look(table).message.attachments
    assert after.id == before.id
    changed = edits(discord, table.id, last)
    assert changed
    assert [entry.files for entry in changed] == [{}] * len(changed)


async def test_nor_does_it_after_a_restart(discord, start_bot):
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    bot = await start_bot()
    table = await between_deals(discord, (asha, bikram))
    await published(bot)
    await bot.stop()
    last = discord.recorder.entries[-1].n
    bot = await start_bot()
    await press_tool(chandra, table, SIT)
    await asha.wait_for(lambda: "**Chandra** (0)" in asha.look(table).text)
    await published(bot)
    changed = edits(discord, table.id, last)
    assert changed
    assert [entry.files for entry in changed] == [{}] * len(changed)


async def test_a_file_that_is_not_there_any_more_is_sent(discord, start_bot):
    """Another file was attached meanwhile, for example by another process, without notice to this one."""
    asha, bikram, chandra = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    bot = await start_bot()
    table = await between_deals(discord, (asha, bikram))
    await published(bot)
    (before,) = asha.look(table).message.attachments
    known = bot.bot.services.attached._known
    known[table.id] = tuple(type(file)(file.id + 1, file.name) for file in known[table.id])
    await press_tool(chandra, table, SIT)
    await asha.wait_for(lambda: "**Chandra** (0)" in asha.look(table).text)
    await published(bot)
    (after,) = asha.look(table).message.attachments
    assert after.filename == before.filename
