"""The message catalogues: every word that the code asks for is there, and nothing else. Cards go by name or emoji."""

import ast
import asyncio
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import discord
import pytest
from jinja2 import Environment, nodes

from bot.ui.items import Button, Press, Select, row
from bot.ui.panel import name_cards, panel, text
from bot.words.rules import refusal_words
from bot.words.texts import (
    CATALOGUES,
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
from data.preferences import choices
from marriage.actions import Show
from marriage.cards import CARDS, MAN, UNKNOWN, Card, parse_cards, sort_cards
from marriage.errors import IllegalActionError, Refusal
from marriage.maal import Role
from marriage.moves import Shower, require_show
from marriage.rules import Rules
from marriage.sheet import What
from render.words import Messages, load, own_messages, speaking
from tests.bot.emojis import cards_as_emojis, emojis_of_cards

ROOT = Path(__file__).parents[3]
ENGLISH = catalogue("en")
LANGUAGES = sorted(path.stem for path in CATALOGUES.glob("*.toml"))
KEYS = ENGLISH.keys()
SECTIONS = {key.partition(".")[0] for key in KEYS}
SPEAKERS = {"texts", "Sorry", "apologise"}
LONGEST_TEXT, LONGEST_BYTES = 3_300, 10_000
PICTURES = frozenset({"sign"})
"""Groups without words: the same in every language."""
NOT_YET: frozenset[str] = frozenset()
"""Keys that are new in English and still untranslated."""


def sources(*rooms: str) -> Iterator[ast.AST]:
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            yield from ast.walk(ast.parse(path.read_bytes()))


def places(key: str, language: str = "en") -> set[str]:
    return opened(catalogue(language).template(key))


def opened(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name is not None}


def templates() -> Iterator[nodes.Template]:
    """Return every Jinja page, parsed."""
    for path in sorted((ROOT / "bot").rglob("templates/*.html")):
        yield Environment(autoescape=True).parse(path.read_text(encoding="utf-8"))


def literal_keys() -> set[str]:
    """Return every string of the code and the templates that looks like a key."""
    constants = {str(node.value) for node in sources("bot", "cogs") if isinstance(node, ast.Constant)}
    constants |= {str(node.value) for page in templates() for node in page.find_all(nodes.Const)}
    keys = {value for value in constants if re.fullmatch(r"[a-z_]+\.[a-z_]*[a-z]", value)}
    return {key for key in keys if key.partition(".")[0] in SECTIONS}


def built_prefixes() -> set[str]:
    """Return the prefixes of keys that the code completes at run time."""
    joined = (
        node.values[0] for node in sources("bot", "cogs") if isinstance(node, ast.JoinedStr) and node.values
    )
    starts = {str(part.value) for part in joined if isinstance(part, ast.Constant)}
    concatenated = (node.nodes[0] for page in templates() for node in page.find_all(nodes.Concat))
    starts |= {str(part.value) for part in concatenated if isinstance(part, nodes.Const)}
    return {
        start for start in starts if "." in start and start.partition(".")[0] in SECTIONS and " " not in start
    }


def calls() -> Iterator[tuple[str, set[str]]]:
    """Return every call that names its key and all its values: the key and the value names."""
    for node in sources("bot", "cogs"):
        if not isinstance(node, ast.Call) or any(keyword.arg is None for keyword in node.keywords):
            continue
        speaker = node.func.func if isinstance(node.func, ast.Call) else node.func
        if not isinstance(speaker, ast.Name) or speaker.id not in SPEAKERS:
            continue
        for argument in node.args[:2]:
            options = [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument]
            for option in options:
                if isinstance(option, ast.Constant) and option.value in KEYS:
                    yield option.value, {keyword.arg for keyword in node.keywords if keyword.arg}


def template_calls() -> Iterator[tuple[str, set[str]]]:
    """Return the same for the templates."""
    for call in (call for page in templates() for call in page.find_all(nodes.Call)):
        if isinstance(call.node, nodes.Name) and call.node.name in SPEAKERS:
            key = call.args[0]
            if isinstance(key, nodes.Const):
                yield key.value, {keyword.key for keyword in call.kwargs}


def test_every_key_of_the_code_is_in_the_catalogue():
    assert literal_keys() - KEYS - {f"{room}.{file}" for room, file in _modules()} == set()


def _modules() -> Iterator[tuple[str, str]]:
    for room in ("bot", "cogs"):
        yield from ((room, path.stem) for path in (ROOT / room).rglob("*.py"))


def test_every_key_of_the_catalogue_is_used():
    used = literal_keys()
    prefixes = tuple(built_prefixes())
    assert {key for key in KEYS if key not in used and not key.startswith(prefixes)} == set()


def test_every_call_fills_the_places_of_its_message():
    found = [*calls(), *template_calls()]
    assert len(found) > 60
    wrong = {(key, *given) for key, given in found if not places(key) <= given}
    assert wrong == set()


@cache
def refusals() -> tuple[tuple[set[str], set[str | None]], ...]:
    """Return every refusing call of the game: all names in it, and the names of its details."""
    return tuple(
        ({ast.unparse(part) for part in ast.walk(node)}, {keyword.arg for keyword in node.keywords})
        for node in sources("marriage")
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "IllegalActionError"
    )


@pytest.mark.parametrize("refusal", Refusal)
def test_every_refusal_has_its_sentence(refusal: Refusal):
    named = [details for parts, details in refusals() if f"Refusal.{refusal.name}" in parts]
    assert all(places(f"illegal.{refusal}") <= details for details in named)
    details = {name: parse_cards("5H 10C") for name in places(f"illegal.{refusal}")}
    words = refusal_words(IllegalActionError(refusal, **details), ENGLISH)
    assert words
    assert "Card" not in words
    assert "<" not in words


@pytest.mark.parametrize("primary_trial", [False, True])
@pytest.mark.parametrize("master_card", choices(Rules, "master_card"))
def test_the_refusal_of_a_set_that_is_not_pure_says_where_the_master_card_may_stand_in(
    master_card: str, primary_trial: bool
):
    rules = Rules.model_validate({"master_card": master_card, "primary_trial": primary_trial})
    groups = tuple(map(parse_cards, ("3S 4S 9H", "6H 6H 6H", "7C 8C 9C")))
    shower = Shower(sort_cards(card for group in groups for card in group), (), None, rules, players=2)
    with pytest.raises(IllegalActionError) as refused:
        require_show(shower, Show(groups))
    words = refusal_words(refused.value, ENGLISH)
    assert ("one rank in different suits" in words) == primary_trial
    assert ("only the master card may stand in" in words) == rules.master_in_sequences
    assert words.endswith("stand in, in a run.") == (
        rules.master_in_sequences and not rules.master_in_tunnelas
    )
    assert words.endswith("in any of them.") == rules.master_in_trials
    keys = {language: refusal_words(refused.value, catalogue(language)) for language in LANGUAGES}
    assert len(set(keys.values())) == len(LANGUAGES)


@pytest.mark.parametrize("role", Role)
def test_every_role_has_its_name(role: Role):
    assert f"role.{role}" in ENGLISH


@pytest.mark.parametrize("what", What)
def test_everything_that_scores_has_its_name(what: What):
    assert f"what.{what}" in ENGLISH


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_follows_the_english_one(language: str):
    messages = own_messages(CATALOGUES, language)
    assert messages.keys() - KEYS == set(), "not in English: left over from a key that was renamed or removed"
    wrong = {key: message for key, message in messages.items() if opened(message) != places(key)}
    assert wrong == {}, "other places than the English message"


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_said_in_every_language(language: str):
    worded = {key for key in KEYS if key.partition(".")[0] not in PICTURES}
    missing = sorted(worded - own_messages(CATALOGUES, language).keys() - NOT_YET)
    assert missing == [], (
        f"say these in bot/words/messages/{language}.toml as well, or list them in NOT_YET for now"
    )


def test_no_key_waits_for_words_that_are_there():
    """A key must leave the list when every language has it, or when the key is gone."""
    said = set.intersection(*(set(own_messages(CATALOGUES, language)) for language in LANGUAGES))
    assert NOT_YET & (said | (NOT_YET - KEYS)) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_fits_into_a_message(language: str):
    messages = {key: catalogue(language).template(key) for key in KEYS}
    for key, message in messages.items():
        assert len(message) <= LONGEST_TEXT, key
        assert len(message.encode()) <= LONGEST_BYTES, key


def test_what_a_language_lacks_is_said_in_english(tmp_path: Path):
    (tmp_path / "en.toml").write_text('[a]\nb = "Both"\nc = "Only English"\n')
    (tmp_path / "ne.toml").write_text('[a]\nb = "दुवै"\n')
    nepali = load(tmp_path, "ne")
    assert (nepali("a.b"), nepali("a.c"), nepali.language) == ("दुवै", "Only English", "ne")
    with pytest.raises(KeyError):
        nepali("a.d")


def test_values_are_never_read_as_templates():
    messages = Messages({"a.b": "Hello {name}"})
    assert messages("a.b", name="{0.__class__} {name}") == "Hello {0.__class__} {name}"


def test_a_missing_key_and_a_missing_language_are_errors():
    with pytest.raises(KeyError):
        ENGLISH("no.such_key")
    with pytest.raises(FileNotFoundError), speaking("xx"):
        texts()
    assert texts().language == ENGLISH.language


def test_every_card_has_a_name():
    names = [card_name(card, ENGLISH) for card in CARDS if card != UNKNOWN]
    assert len(set(names)) == 54
    assert names[9] == "10♠"
    assert card_name(MAN, ENGLISH) == "Man"
    assert card_name(MAN, catalogue("hi")) == "मैन"


def test_a_number_chooses_the_word_after_it():
    messages = Messages({"a.b": "{count} {count:deal|deals}, {place:>3}"})
    said = [messages("a.b", count=count, place=7) for count in (0, 1, 2)]
    assert said == ["0 deals,   7", "1 deal,   7", "2 deals,   7"]


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
    """Return a task's text for a card if these emojis are known."""
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
