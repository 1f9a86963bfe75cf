"""Cards as application emojis: uploaded during play, kept up to date, and replaced if refused by Discord."""

import asyncio
from typing import Any

import discord as library
import pytest

from bot.delivery.card_emojis import CardEmojiUploads, Done
from bot.rest import point_at_server
from bot.settings import Settings
from bot.words.texts import KnownEmojis, emoji_name
from marriage.cards import CARDS, Card
from playground.model import Emoji
from render.mini_card import DRAWING, mini_card
from tests.e2e.looking import published
from tests.e2e.players import DRAW, START, next_panel, open_table, play_by_buttons
from tests.waiting import until

EMOJIS = r"/applications/\d+/emojis$"
FIVE = Card.parse("5H")


def names(discord) -> list[str]:
    return sorted(emoji.name for emoji in discord.world.emojis.values())


def all_names(drawing: int = DRAWING) -> list[str]:
    return sorted(emoji_name(card, drawing) for card in CARDS)


def add(discord, name: str, content: bytes = b"\x89PNG\r\n\x1a\n") -> Emoji:
    """Add an emoji before the bot looks."""
    emoji = Emoji(discord.world.ids.new(), name, content, "image/png")
    discord.world.emojis[emoji.id] = emoji
    return emoji


def add_all(discord, drawing: int = DRAWING) -> None:
    for card in CARDS:
        add(discord, emoji_name(card, drawing))


def requests(discord, method: str) -> list[Any]:
    return [entry for entry in discord.recorder.entries if entry.method == method and "/emojis" in entry.path]


async def all_there(running) -> None:
    await until(lambda: running.bot.services.card_emojis.by_card, timeout=30)


async def look(discord) -> Done:
    """Look as a separate process would, as far as Discord can tell."""
    async with library.Client(intents=library.Intents(guilds=True)) as client:
        await client.login(discord.token)
        return await CardEmojiUploads(client, KnownEmojis()).look()


async def test_all_cards_are_uploaded_beside_the_first_answers_and_used_again(discord, start_bot):
    hold = discord.faults.hold(EMOJIS, method="POST")
    bot = await start_bot(card_emojis=True)
    await hold.reached()
    asha = discord.person("asha")
    assert (await asha.slash("marriage play")).message.button("Join")
    assert not bot.bot.services.card_emojis.by_card
    hold.release()
    await all_there(bot)
    assert names(discord) == all_names()
    assert {emoji.content for emoji in discord.world.emojis.values()} == {mini_card(card) for card in CARDS}
    await bot.stop()
    again = await start_bot(card_emojis=True)
    await all_there(again)
    assert len(requests(discord, "POST")) == len(CARDS)
    assert requests(discord, "DELETE") == []


async def test_older_drawings_are_replaced_and_emojis_of_others_stay(discord, start_bot):
    add_all(discord, DRAWING + 1)
    older = add(discord, emoji_name(FIVE, DRAWING))
    foreign = [add(discord, name) for name in ("logo", "tiplu_logo_v1", "tiplu_10_of_clubs")]
    bot = await start_bot(card_emojis=True)
    await all_there(bot)
    assert requests(discord, "POST") == []
    assert len(discord.world.emojis) == len(CARDS) + len(foreign) + 1
    assert older.id in discord.world.emojis  # no older than this bot's own drawing
    await bot.stop()
    for emoji in [emoji for emoji in discord.world.emojis.values() if emoji not in foreign]:
        del discord.world.emojis[emoji.id]
    old = [add(discord, emoji_name(card, 1)) for card in CARDS]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.delivery.card_emojis.DRAWING", 2)
        patch.setattr("bot.delivery.card_emojis.emoji_name", lambda card: emoji_name(card, 2))
        newer = await start_bot(card_emojis=True)
        await all_there(newer)
        await until(lambda: len(requests(discord, "DELETE")) == len(old))
        await until(lambda: not any(emoji.id in discord.world.emojis for emoji in old))
    assert names(discord) == sorted([*all_names(2), *(emoji.name for emoji in foreign)])


async def test_two_processes_at_once_upload_each_emoji_once(discord):
    await point_at_server(
        Settings(_env_file=None, discord_token=discord.token, discord_api_url=discord.api_url)
    )
    done = await asyncio.gather(look(discord), look(discord))
    assert names(discord) == all_names()
    assert all(found.found + found.uploaded == len(CARDS) for found in done)


@pytest.mark.parametrize("fault", [{"status": 503}, {"status": 429, "retry_after": 0.01}])
async def test_an_outage_is_waited_for(discord, start_bot, fault, monkeypatch):
    monkeypatch.setattr("bot.delivery.card_emojis.backoff_ms", lambda _attempts: 1)
    discord.faults.fail(EMOJIS, method="POST", times=7, **fault)
    bot = await start_bot(card_emojis=True)
    await all_there(bot)
    assert names(discord) == all_names()


async def test_without_the_right_cards_are_named(discord, start_bot, watch):
    discord.faults.fail(EMOJIS, status=403, code=50001, times=99)
    bot = await start_bot(card_emojis=True)
    await until(lambda: any("card_emojis.refused" in warning for warning in watch.warnings))
    asha, bikram = discord.person("asha"), discord.person("bikram")
    await open_table(asha, bikram)
    assert not bot.bot.services.card_emojis.by_card


@pytest.fixture
async def playing(discord, start_bot, dull):
    """Asha is to draw in a deal, and cards are shown by emojis."""
    add_all(discord)
    bot = await start_bot(card_emojis=True)
    await all_there(bot)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await play_by_buttons(bikram, 2)
    panel = await next_panel(asha)
    return bot, asha, bikram, table, panel


def emojis_in(components: list[Any]) -> list[str]:
    """Return the names of all custom emojis of buttons and options."""
    found: list[str] = []
    for part in components:
        options = part.get("options") or []
        found += [held["emoji"]["name"] for held in (part, *options) if (held.get("emoji") or {}).get("id")]
        found += emojis_in(part.get("components") or [])
    return found


async def test_cards_are_emojis_in_choices_and_in_text(discord, playing):
    _, asha, _, table, panel = playing
    drawn = (await asha.press(DRAW, message=panel)).message
    assert "<:tiplu_" in drawn.text
    assert set(emojis_in(drawn.message.components)) <= set(all_names())
    assert emojis_in(drawn.message.components)
    await asha.wait_for(lambda: "<:tiplu_" in asha.look(table).text)


async def test_a_deleted_emoji_costs_no_answer_and_comes_back(discord, playing):
    bot, asha, _, _, panel = playing
    for emoji in list(discord.world.emojis.values()):
        del discord.world.emojis[emoji.id]
    drawn = (await asha.press(DRAW, message=panel)).message
    assert drawn.button("10♠")
    assert not emojis_in(drawn.message.components)
    assert "<:tiplu_" not in drawn.text
    await until(lambda: names(discord) == all_names(), timeout=30)
    await all_there(bot)
    await asha.press("10♠", message=drawn)
    await published(bot)
    ids = {emoji.id for emoji in bot.bot.services.card_emojis.by_card.values()}
    assert ids == set(discord.world.emojis)


async def test_the_set_is_looked_at_seldom_where_nothing_is_missing(discord, playing, monkeypatch):
    """Discord now and then refuses an emoji that it has."""
    bot, *_ = playing
    before = len(requests(discord, "GET"))
    bot.bot.services.card_emojis.refused.set()
    await until(lambda: len(requests(discord, "GET")) == before + 1)
    bot.bot.services.card_emojis.refused.set()
    await published(bot)
    assert len(requests(discord, "GET")) == before + 1
    assert bot.bot.services.card_emojis.by_card
