"""Cards in the text of messages: by their emojis where the process knows them, by their names everywhere else."""

import asyncio
import re

import discord
import pytest

from bot.ui.attachments import name_cards
from bot.ui.items import Button, Press, Select, row
from bot.ui.panel import panel, text
from bot.words.texts import (
    KnownEmojis,
    card_emoji,
    card_name,
    catalogue,
    emoji_name,
    named_cards,
    read_emoji_name,
    show_cards_by,
    shown_card,
    shown_cards,
    texts,
)
from marriage.cards import CARDS, MAN, UNKNOWN, Card, parse_cards
from tests.bot.emojis import cards_as_emojis, emojis_of_cards

TEN = Card.parse("10C")


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_name_is_as_discord_wants_it_and_says_the_card(card: Card):
    name = emoji_name(card, 999)
    assert re.fullmatch(r"[a-z0-9_]{2,32}", name)
    assert read_emoji_name(name) == (card, 999)


def test_a_screen_reader_reads_words():
    assert emoji_name(TEN, 1) == "tiplu_10_of_clubs_v1"
    assert emoji_name(MAN, 1) == "tiplu_man_v1"
    assert emoji_name(UNKNOWN, 1) == "tiplu_back_v1"


@pytest.mark.parametrize(
    "name", ["tiplu", "tiplu_logo_v1", "tiplu_10_of_clubs", "tiplu_10_of_clubs_v0", "10_of_clubs_v1"]
)
def test_emojis_of_others_are_not_ours(name: str):
    assert read_emoji_name(name) is None


async def told(known: KnownEmojis | None) -> str:
    """What a task says of a card where these emojis are known."""
    show_cards_by(known)
    return await asyncio.to_thread(lambda: shown_card(TEN, texts()))


async def test_emojis_are_known_to_the_tasks_and_threads_of_their_bot_alone():
    one, other = KnownEmojis(), KnownEmojis()
    one.by_card = emojis_of_cards()
    said = await asyncio.gather(*(asyncio.create_task(told(known)) for known in (one, other, None)))
    assert said == [f"<:{emoji_name(TEN)}:{one.by_card[TEN].id}>", "10♣", "10♣"]
    assert shown_card(TEN, texts()) == "10♣"


def test_a_catalogue_without_emojis_names_cards():
    with cards_as_emojis() as known:
        shown, plain = texts(), texts().without_emojis()
    assert card_emoji(TEN, shown) == known.by_card[TEN]
    assert card_emoji(TEN, plain) is None
    assert (plain.language, plain("name.man")) == (shown.language, shown("name.man"))
    assert card_name(TEN, shown) == shown_card(TEN, plain) == "10♣"


def test_emojis_in_a_text_are_turned_back_into_names():
    nepali = catalogue("ne")
    with cards_as_emojis():
        said = shown_cards(parse_cards("9C 10C MAN"), catalogue("ne"))
    assert named_cards(f"{said} <:logo:77>", nepali) == f"9♣ 10♣ {nepali('name.man')} <:logo:77>"


def test_a_refused_message_names_its_cards_everywhere():
    press = Press("draw", 1, 1)
    with cards_as_emojis() as known:
        shown = texts()
        option = discord.SelectOption(label="10♣", emoji=card_emoji(TEN, shown))
        made = panel(
            text(f"Throw {shown_card(TEN, shown)}"),
            row(Button(press, "", emoji=card_emoji(MAN, shown)), Button(press, "Rules", emoji="📖")),
            row(Select(Press("pick-card", 1, 1), "Card", [option])),
        )
    name_cards(made.view)
    sent = str(made.view.to_components())
    assert not any(str(emoji.id) in sent for emoji in known.by_card.values())
    assert all(said in sent for said in ("Throw 10♣", f"'label': '{texts()('name.man')}'", "📖"))
