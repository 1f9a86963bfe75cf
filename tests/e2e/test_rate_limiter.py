"""A person who presses without pause is asked to slow down, at no cost to the bot and others."""

import asyncio
import gc
from collections import Counter

import pytest
from discord import ui

from bot.interactions.receiver import RateLimiter
from bot.words.texts import catalogue
from data.preferences import PersonSettings
from tests.bot.words.test_languages import statements
from tests.e2e.looking import facts, published
from tests.e2e.players import DRAW, HAND, START, next_panel, open_table, play_by_buttons, say
from tests.waiting import SLOW_DEADLINE

SLOW_DOWN = say("error.slow_down")
BURST = 10


@pytest.fixture
async def hasty(discord, bot, dull):
    """A running deal whose players have pressed nothing for a while; their rate limits' clock then stops."""
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await play_by_buttons(bikram, 2)
    await next_panel(asha)
    await published(bot)
    bot.bot._receiver._rate_limiter = RateLimiter(5, lambda: 1.0)
    return asha, bikram, table


async def test_what_is_beyond_the_share_is_answered_without_work(discord, bot, hasty):
    asha, bikram, table = hasty
    answers = await asyncio.gather(*[asha.press(HAND, message=table) for _ in range(BURST)])
    assert not any(answer.message.text == SLOW_DOWN for answer in answers)
    await bot.bot.in_flight.finished(SLOW_DEADLINE)
    await bot.bot.workers.stop()  # their regular queries are not caused by presses
    before, shown = await facts(bot), asha.look(table).text
    made = statements(bot.store)
    answers = await asyncio.gather(
        *[asha.press(HAND, message=table) for _ in range(30)], *[asha.slash("help") for _ in range(5)]
    )
    assert made == []
    assert Counter(answer.message.text for answer in answers) == {SLOW_DOWN: 35}
    assert all(answer.message.ephemeral and answer.type == 4 for answer in answers)
    assert asha.look(table).text == shown
    assert await facts(bot) == before
    assert "Your hand" in (await bikram.press(HAND, message=table)).message.text


async def test_no_panel_gives_way_and_no_move_is_made(bot, hasty):
    asha, _, table = hasty
    panel = await next_panel(asha)
    await asyncio.gather(*[asha.press(HAND, message=table) for _ in range(BURST)])
    before = await facts(bot)
    answer = await asha.press(DRAW, message=panel)
    assert answer.message.text == SLOW_DOWN
    assert answer.message.id != panel.id
    assert asha.look(panel).text == panel.text
    assert await facts(bot) == before
    bot.bot._receiver._rate_limiter = RateLimiter(5, lambda: 2.0)
    await asha.press(DRAW, message=panel)
    assert len((await facts(bot)).events) == len(before.events) + 1


async def test_who_types_on_gets_an_empty_list(bot, hasty):
    asha, _, table = hasty
    assert await asha.autocomplete("marriage discard", focused="card") != []
    await asyncio.gather(*[asha.press(HAND, message=table) for _ in range(BURST)])
    assert await asha.autocomplete("marriage discard", focused="card") == []


@pytest.mark.parametrize("language", ["ne", "hi"])
async def test_it_is_said_in_their_language(bot, hasty, language):
    asha, _, table = hasty
    await bot.store.write(lambda db: db.people.set_settings(asha.id, PersonSettings(language=language)))
    await asyncio.gather(*[asha.press(HAND, message=table) for _ in range(BURST)])
    answer = await asha.press(HAND, message=table)
    assert answer.message.text == catalogue(language)("error.slow_down")


async def test_the_library_keeps_nothing_of_an_answer(discord, bot, dull):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    await asha.press(START, message=table)
    before = layouts()
    for _ in range(3):
        await asha.press(HAND, message=table)
        await asha.slash("learn")
    await asha.slash("help")
    assert waiting_for_presses() == []
    assert layouts() <= before + 2  # those being sent now


def waiting_for_presses() -> list[str]:
    """Return the library's tasks that wait until a message is too old to be pressed."""
    names = [task.get_coro().__qualname__ for task in asyncio.all_tasks()]
    return [name for name in names if "timeout_task" in name]


def layouts() -> int:
    """Count the message layouts in memory."""
    gc.collect()
    return sum(isinstance(item, ui.LayoutView) for item in gc.get_objects())
