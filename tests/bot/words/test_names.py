"""Names that people choose, made safe: the cases that have broken other bots, and any text at all."""

import unicodedata

import pytest
import regex
from discord.utils import escape_markdown, escape_mentions
from hypothesis import given
from hypothesis import strategies as st

from bot.table.flow.computers import MOUNTAINS, TEMPERS
from bot.words.names import echoed, person_name, seat_name, shown_name
from data.names import LONGEST, clean_name
from render.words import speaking

FALLBACK = "Player 3"
ZWJ = "\u200d"


@pytest.mark.parametrize(
    ("given", "cleaned"),
    [
        ("Asha", "Asha"),
        (f"राम{ZWJ}प्रसाद", f"राम{ZWJ}प्रसाद"),
        (f"क्{ZWJ}ष", f"क्{ZWJ}ष"),
        ("देवी", "देवी"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("@\u202eeveryone", "@everyone"),
        ("a\u202eb\u2066c\u2069", "abc"),
        ("\u200b\u200b\u200b", FALLBACK),
        ("\u3164", FALLBACK),
        ("", FALLBACK),
        (" \t\n ", FALLBACK),
        ("\U000e0041\U000e0042", FALLBACK),
        ("<@123>", "‹@123›"),
        ("<t:0:R>", "‹t:0:R›"),
        ("</x:1>", "‹/x:1›"),
        ("https://a.example", "httpsa.example"),
        ("https::////a.example", "httpsa.example"),
        ("a  \n b", "a b"),
        ("e\u0301", "é"),
        ("a\u00adb\u034fc", "abc"),
        ("x" * 60, "x" * LONGEST),
        ("देवी" * 20, "देवी" * (LONGEST // 2)),
        ("\x00\x07bell", "bell"),
        (f"a{ZWJ}b", "ab"),
        ("\ue000private", "private"),
    ],
)
def test_cleaned(given: str, cleaned: str):
    assert clean_name(given, FALLBACK) == cleaned


def test_stacked_marks_are_cut():
    cleaned = clean_name("Z" + "\u0316" * 5 + "algo", FALLBACK)
    assert cleaned.count("\u0316") == 3
    assert cleaned.endswith("algo")
    apart = clean_name("Z" + "\u0316" * 3 + "://" + "\u0316" * 3, FALLBACK)
    assert apart == "Z" + "\u0316" * 3


def test_markdown_is_shown_not_obeyed():
    assert shown_name("**bold** _x_ `code` ~~no~~ ||spoiler||") == (
        r"\*\*bold\*\* \_x\_ \`code\` \~\~no\~\~ \|\|spoiler\|\|"
    )


def test_a_name_written_from_the_right_leaves_the_figures_beside_it_where_they_are():
    assert shown_name("محمد") == "\u2068محمد\u2069"
    assert shown_name("देवी") == "देवी"
    assert clean_name("\u2068محمد\u2069", FALLBACK) == "محمد"


MIXED = st.text(alphabet=st.sampled_from("aक् \u200d\u200c\u202e<:/>\u0301\u0316👩🚀*_`"), max_size=60)


@given(st.text(max_size=200) | MIXED)
def test_any_text_becomes_a_short_plain_name(text: str):
    name = clean_name(text, FALLBACK)
    assert name
    assert len(regex.findall(r"\X", name)) <= LONGEST
    assert name == name.strip() == unicodedata.normalize("NFC", name)
    assert not set(name) & set("<>\n\r\t\u202e\u2066\u200b\u3164")
    assert clean_name(name, FALLBACK) == name
    assert "://" not in name
    assert not regex.search(r"[\p{Mn}\p{Me}]{5}", name)
    kinds = {unicodedata.category(sign) for sign in name if sign not in "\u200c\u200d"}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def test_a_person_without_a_name_is_called_by_number_in_the_current_language():
    assert person_name(7, "Asha") == "Asha"
    assert person_name(1_234_567, "\u200b") == "Player 567"
    with speaking("ne"):
        assert person_name(1_234_567) == "खेलाडी 567"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("5X", "5X"),
        ("देवी ५", "देवी ५"),
        ("**all** <@1>", r"\*\*all\*\* ‹@1›"),
        (" \u200b\n", "?"),
        ("x" * 5_000, "x" * 30),
    ],
)
def test_what_was_typed_is_said_back_harmlessly(typed: str, said: str):
    assert echoed(typed) == said


@pytest.mark.parametrize("name", ["Asha 2", "player3x1", "a_b_c", "1. one", "@everyone", "# head", "- item"])
def test_a_plain_name_is_shown_as_discord_would_show_it_escaped(name: str):
    assert shown_name(name) == escape_mentions(escape_markdown(name))


@pytest.mark.parametrize("name", [*TEMPERS, *MOUNTAINS])
def test_a_computer_is_called_in_the_readers_language(name):
    assert seat_name(None, name) == f"{name} (bot)"
    for language in ("ne", "hi"):
        with speaking(language):
            called = seat_name(None, name)
            assert clean_name(called, "?") == called
            assert all("\u0900" <= sign <= "\u097f" or sign in " ()" for sign in called)


def test_people_keep_their_names_and_unknown_computers_theirs():
    with speaking("ne"):
        assert seat_name(7, "Makalu") == "Makalu"
        assert seat_name(-7, "Makalu") == "Makalu"
        assert seat_name(None, "Everest") == "Everest"
