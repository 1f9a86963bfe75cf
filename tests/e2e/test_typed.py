"""Typed commands with cards not held, invalid shows, and malicious text."""

import re
from dataclasses import replace

import pytest

from bot.table.core.table import MENTION
from marriage.events import Discarded
from playground.person import CannotDoError
from tests.e2e.looking import facts
from tests.e2e.players import (
    DRAW,
    START,
    discards,
    next_panel,
    open_table,
    panel_in_dm,
    play_by_buttons,
    press_in_dm,
)

NASTY = (
    "@everyone",
    "<@1> <@&2> <#3> </x:4> <t:0:R>",
    "**bold** __under__ `code` ||spoiler|| # head",
    "[a](https://example.org) https://example.org",
    "\u202e\u2066reversed\u2069",
    "\x00\x1b[31mred",
    "🂡🃏👩‍👩‍👧‍👦",
    "राम १२ 五",
    "{0} {key} %s %(x)s",
    "5H; DROP TABLE seat",
    "A" * 4000,
    ("5H " * 1300).strip(),
    "💣" * 2000,
)
UNSAFE = re.compile(r"@everyone|<[@#/t]|\*\*bold|https?://|\u202e|\u2066|\x00|\x1b|`code`|\|\|")


@pytest.fixture
async def holding(discord, bot, dull):
    """A deal in which Asha, second to act, has drawn and is to discard; Bikram waits."""
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await play_by_buttons(bikram, 2)
    await asha.press(DRAW, message=await next_panel(asha))
    return asha, bikram


async def refused(bot, person, command, **options):
    """Return the text of a refusal, asserting that it changes nothing except the time of a mention."""
    before = await but_for_mentions(bot)
    answer = await person.slash(command, **options)
    assert answer.type in (4, 5)
    assert answer.message.ephemeral
    assert answer.message.pinged == []
    assert await but_for_mentions(bot) == before
    return answer.message.text


async def but_for_mentions(bot):
    """Return the table's facts without mentions.

    A person who types is not silent, so the time for a mention may be postponed.
    """
    now = await facts(bot)
    return replace(now, deadlines=[due for due in now.deadlines if due.kind != MENTION])


async def test_a_card_that_is_not_held_or_no_card_is_not_thrown(discord, bot, holding):
    asha, bikram = holding
    held = set(discards(panel_in_dm(asha)))
    absent = next(card for card in ("2S", "2H", "AS", "KS") if card not in held)
    assert "You do not have" in await refused(bot, asha, "marriage discard", card=absent)
    assert "You do not have A♠" in await refused(bot, asha, "marriage discard", card="as")
    assert "You do not have" in await refused(bot, asha, "marriage discard", card="MAN")
    for text in ("", "1S", "11H", "KX", "5", "??"):
        assert "is not a card" in await refused(bot, asha, "marriage discard", card=text or " ")
    assert "not your turn" in await refused(bot, bikram, "marriage discard", card="4S")
    assert "not your turn" in await refused(bot, bikram, "marriage draw")
    assert "already drawn" in await refused(bot, asha, "marriage draw")
    assert "already drawn" in await refused(bot, asha, "marriage take")


async def test_shows_and_finishes_that_are_none_are_refused(discord, bot, holding):
    asha, _ = holding
    held = discards(panel_in_dm(asha))
    three = " ".join(held[:3])
    for sets, words in (
        ("", "You cannot show yet"),
        (three, "exactly three pure sets, and you named 1"),
        (f"{three},{' '.join(held[3:6])}", "you named 2"),
        (f"{' '.join(held[0:3])},{' '.join(held[3:6])},{' '.join(held[6:9])}", "is not a pure set"),
        (f"{held[0]} {held[0]} {held[0]} {held[0]},{three},{three}", "You do not have"),
        ("AS 2S 3S, AS 2S 3S, AS 2S 3S", "You do not have"),
        ("AS 2S 3S, bogus, AS", "is not a card"),
        (",,,", "exactly three pure sets, and you named 0"),
        ("AS, AS, AS", "You do not have"),
    ):
        assert words in await refused(bot, asha, "marriage show", **({"sets": sets} if sets else {})), sets
    assert "seven dublees" in await refused(bot, asha, "marriage show", dublees=True)
    assert "have not shown yet" in await refused(bot, asha, "marriage finish")
    assert "no tiplu for you to cut" in await refused(bot, asha, "marriage cut", place=5)
    assert "is over" in await refused(bot, asha, "marriage tunnela", card="2S")
    assert "is over" in await refused(bot, asha, "marriage tunnela")
    for place in (0, -1, 161, 2**53):
        with pytest.raises(CannotDoError):
            await asha.slash("marriage cut", place=place)


async def test_the_face_just_taken_is_not_thrown(discord, bot, arrange):
    arrange("2S 4S 6S", "2H 4H 6H", up="KD", stock="8C 8D")
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await next_panel(bikram)
    await press_in_dm(bikram, "Take K♦")
    assert "just taken K♦" in await refused(bot, bikram, "marriage discard", card="KD")
    await bikram.slash("marriage discard", card="4H")
    assert (await facts(bot)).events[-1] == Discarded(seat=1, card=(await facts(bot)).events[-1].card)
    await asha.sees("Bikram discarded 4♥")


async def test_odd_text_is_never_obeyed_nor_said_back(discord, bot, holding):
    asha, _ = holding
    for text in NASTY:
        for command, option in (
            ("marriage discard", "card"),
            ("marriage show", "sets"),
            ("marriage tunnela", "card"),
        ):
            words = await refused(bot, asha, command, **{option: text})
            said = words.split("### Your hand")[0]
            assert 0 < len(said) < 400, (command, text[:40])
            assert not UNSAFE.search(said), (command, text[:40], said)
        offers = await asha.autocomplete("marriage discard", focused="card", card=text)
        assert offers == []


async def test_commands_of_people_without_a_table_say_what_to_do(discord, bot):
    asha = discord.person("asha")
    for command, options in (
        ("hand", {}),
        ("draw", {}),
        ("take", {}),
        ("discard", {"card": "5H"}),
        ("show", {}),
        ("cut", {}),
        ("finish", {}),
        ("tunnela", {}),
    ):
        answer = await asha.slash(f"marriage {command}", **options)
        assert answer.message.ephemeral
        assert "You have no seat at a table yet" in answer.message.text
    assert await asha.autocomplete("marriage discard", focused="card") == []
    assert await asha.autocomplete("marriage tunnela", focused="card") == []
    assert "three-pack rummy" in (await asha.slash("help")).message.text
    assert "What it is about" in (await asha.slash("marriage rules")).message.text


async def test_commands_before_a_deal_say_so(discord, bot):
    asha = discord.person("asha")
    await open_table(asha)
    for command, options in (("hand", {}), ("draw", {}), ("discard", {"card": "5H"}), ("finish", {})):
        assert "No deal is in progress" in await refused(bot, asha, f"marriage {command}", **options)


async def test_a_table_is_not_opened_in_direct_messages(discord, bot):
    asha = discord.person("asha")
    await asha.slash("help")
    asha.go(asha.dm_channel)
    answer = await asha.slash("marriage play")
    assert "You can only do that in a server's channel" in answer.message.text
    answer = await asha.slash("marriage hand")
    assert "You have no seat at a table yet" in answer.message.text


async def test_names_are_shown_without_harm(discord, bot, dull):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    bikram.user.global_name = "@everyone **x** \u202e<@1> https://a.b `y`"
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await play_by_buttons(bikram, 2)
    await next_panel(asha)
    shown = asha.look(table)
    assert shown.pinged == []
    assert not shown.message.mention_everyone
    assert "\u202e" not in shown.text
    assert "<@1>" not in shown.text
    assert "https://" not in shown.text
    assert r"\*\*x\*\*" in shown.text


async def test_nothing_the_bot_sends_may_ping(discord, bot, holding):
    asha, _ = holding
    await asha.slash("marriage hand")
    sent = [
        entry.request.get("data", entry.request)
        for entry in discord.recorder.entries
        if entry.method in ("POST", "PATCH") and isinstance(entry.request, dict)
    ]
    messages = [payload for payload in sent if "components" in payload]
    assert len(messages) > 10
    assert [
        message for message in messages if any(message.get("allowed_mentions", {"parse": "all"}).values())
    ] == []
