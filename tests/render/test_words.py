"""The words of pictures and alt texts in every language."""

import ast
import re
import string
from pathlib import Path

import pytest

from marriage.cards import CARDS
from marriage.sheet import Status, What
from marriage.state import ShowKind
from render import words
from render.alt import hand_alt, sheet_alt, table_alt
from render.drawing.text import face_for
from render.hand_layout import HeapKind
from render.hand_picture import draw_hand
from render.samples import NAMES, hand_views, sheet_views, table_views
from render.sheet_picture import draw_sheet
from render.table_picture import draw_table
from render.words import load, own_messages, speaking
from tests.render.looking import opened

ENGLISH = load(words.CATALOGUES, "en")
KEYS = ENGLISH.keys()
LANGUAGES = sorted(path.stem for path in words.CATALOGUES.glob("*.toml"))
OTHERS = [language for language in LANGUAGES if language != "en"]
WRITTEN_IN_DEVANAGARI = {"hi", "ne"}
ROOM = Path(words.__file__).parent
LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


def places(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_key_with_its_places(language: str) -> None:
    own = own_messages(words.CATALOGUES, language)
    assert sorted(ENGLISH.keys() ^ own.keys()) == []
    assert {key for key in own if places(own[key]) != places(ENGLISH.template(key))} == set()


def test_every_key_is_used_and_every_used_key_is_there() -> None:
    sections = {key.partition(".")[0] for key in KEYS}
    literal: set[str] = set()
    begun: set[str] = set()
    for path in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Constant) and re.fullmatch(r"[a-z]+\.[a-z_]*[a-z]", str(node.value)):
                literal.add(str(node.value))
            elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                begun.add(str(node.values[0].value))
    asked = {key for key in literal if key.partition(".")[0] in sections}
    assert asked - KEYS == set()
    begun = {start for start in begun if start.partition(".")[0] in sections and "." in start}
    assert {key for key in KEYS - asked if not key.startswith(tuple(begun))} == set()


def test_whatever_has_a_name_has_it_in_the_catalogue() -> None:
    unnamed = (HeapKind.SUIT, HeapKind.RANK, HeapKind.REST, HeapKind.ORDERED)
    kinds = {f"heap.{kind}" for kind in HeapKind if kind not in unnamed}
    assert kinds | {f"item.{what}" for what in What} <= ENGLISH.keys()
    assert {f"status.{status}" for status in Status} | {
        f"alt.shown_{kind}" for kind in ShowKind
    } <= ENGLISH.keys()
    assert len({words.suit_name(card) for card in CARDS}) == 4 + 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_can_be_drawn(language: str) -> None:
    letters = {letter for text in own_messages(words.CATALOGUES, language).values() for letter in text}
    assert {letter for letter in letters if letter.isprintable() and face_for(letter) is None} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_alt_text_is_whole_in_its_language(language: str) -> None:
    names = [f"({number})" for number in range(5)]
    with speaking(language):
        told = [hand_alt(view) for view in hand_views().values()]
        told += [table_alt(view, names[: len(view.seats)]) for view in table_views().values()]
        told += [
            sheet_alt(view, names[: len(view.sheet.lines)], range(len(view.sheet.lines)))
            for view in sheet_views().values()
            if view.sheet
        ]
    devanagari = language in WRITTEN_IN_DEVANAGARI
    assert all(len(text) <= 1000 and text.endswith("।" if devanagari else ".") for text in told)
    assert [text for text in told if devanagari and LATIN_WORD.search(text)] == []


@pytest.mark.parametrize("language", OTHERS)
def test_pictures_are_drawn_in_the_language_that_is_spoken(language: str) -> None:
    view, sheet, hand = table_views()["play-3"], sheet_views()["groups"], hand_views()["seen-drawn"]
    count = len(sheet.sheet.lines) if sheet.sheet else 0
    english = (draw_table(view, NAMES[:3]), draw_sheet(sheet, NAMES[:count]), draw_hand(hand))
    with speaking(language):
        own = (draw_table(view, NAMES[:3]), draw_sheet(sheet, NAMES[:count]), draw_hand(hand))
    for one, other in zip(english, own, strict=True):
        assert one.alt != other.alt
        assert opened(one).convert("RGB").tobytes() != opened(other).convert("RGB").tobytes()
        assert (one.width, one.height) == (other.width, other.height)
