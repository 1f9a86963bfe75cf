"""The parts that all commands share: reading requests, sentences for what is wrong, options and tables."""

import io
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pydantic import Field, ValidationError

from marriage.cards import MASTER, parse_cards
from marriage.cli.command import (
    LARGEST,
    CardList,
    Request,
    WithRules,
    lines,
    option_value,
    parse,
    read_request,
    read_text,
    require_deck,
    sentence,
    table,
    whole_number,
    width,
)
from marriage.rules import preset
from tests.marriage.cli_calls import run


class Asked(Request):
    cards: CardList = ()
    numbers: dict[str, int] = Field(default_factory=dict)


def refused(**keys: Any) -> str:
    with pytest.raises(ValidationError) as caught:
        Asked.model_validate(keys)
    return sentence(caught.value)


def test_a_text_is_read_whole_and_one_too_large_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "deal"
    file.write_bytes(b"x" * LARGEST)
    assert read_text(str(file)) == "x" * LARGEST
    file.write_bytes(b"x" * (LARGEST + 1))
    with pytest.raises(ValueError, match="the request is too large; the most is 1 MiB"):
        read_text(str(file))


def test_no_more_of_a_request_is_read_than_is_needed_to_refuse_it(monkeypatch: pytest.MonkeyPatch) -> None:
    given = io.BytesIO(b"x" * (2 * LARGEST))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(given))
    with pytest.raises(ValueError, match="too large"):
        read_request("-")
    assert given.tell() == LARGEST + 1


@pytest.mark.parametrize("more", [-1, 0, 1, 2, LARGEST - 1, LARGEST, LARGEST + 1, LARGEST + 2, 2 * LARGEST])
@pytest.mark.parametrize("last", [b"next", b"X"])
def test_a_line_too_long_is_cut_off_and_the_next_one_is_whole(more: int, last: bytes) -> None:
    first = b"x" * (LARGEST + more)
    assert list(lines(io.BytesIO(first + b"\n" + last))) == [first[: LARGEST + 1], last]


def test_a_line_keeps_its_blanks_but_not_its_end() -> None:
    assert list(lines(io.BytesIO(b" a \t\r\n\r\n b X\n"))) == [b" a \t", b"", b" b X"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b" ", "the request is empty; it must be a JSON object"),
        (b'{"a": 123456789012345678901}', "the request has a number of too many digits"),
        (b"[" * 200_000, "the request is nested too deeply"),
        (b'{"a":\n x}', r"the request is not JSON: Expecting value \(line 2, column 2\)"),
        (b'{"a": 1, "b": 2, "b": 3}', "the key 'b' stands twice"),
    ],
)
def test_the_sentences_of_requests_that_cannot_be_read(given: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=r"\A" + said + r"\Z"):
        parse(given)


def test_three_faults_are_told_and_the_others_counted() -> None:
    assert refused(a=1, b=1, c=1) == "; ".join(f"there is no key '{key}'" for key in "abc")
    assert refused(a=1, b=1, c=1, d=1).endswith("there is no key 'c'; and 1 more")


def test_a_sentence_has_at_most_400_characters() -> None:
    assert sentence(ValueError("x" * 400)) == "x" * 400
    assert sentence(ValueError("x" * 401)) == "x" * 400 + "…"


def test_a_long_key_is_cut_off_after_40_characters() -> None:
    key = "k" * 41
    assert refused(**{key: 1}) == f"there is no key '{key[:40]}'"
    assert refused(numbers={key: "x"}).startswith(f"numbers.{key[:40]}: must be")
    with pytest.raises(ValueError, match=f"there is no preset '{key[:40]}'; "):
        WithRules(preset=key).rules()


def test_a_card_list_has_at_most_160_cards() -> None:
    assert len(Asked.model_validate({"cards": "2S " * 160}).cards) == 160
    assert refused(cards="2S " * 161) == "cards: there are never more than 160 cards"


def test_a_card_is_told_by_its_first_20_characters() -> None:
    assert refused(cards="y" * 21).startswith(f"cards: '{'y' * 20}' is no card")


def test_the_deck_has_a_master_card_only_where_it_is_played() -> None:
    require_deck(Counter([MASTER]), None, preset("pagat", master_card="always"))
    require_deck(Counter(parse_cards("2S 2S 2S")), None, preset("pagat"))
    with pytest.raises(ValueError, match="MASTER: 1 of it, but these rules have 0"):
        require_deck(Counter([MASTER]), None, preset("pagat"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", True),
        ("true", True),
        ("no", False),
        ("false", False),
        ("9999", 9999),
        ("10000", "10000"),
        ("off", "off"),
        ("²", "²"),
        ("-1", "-1"),
    ],
)
def test_the_value_of_an_option_is_yes_or_no_a_small_number_or_a_word(text: str, value: object) -> None:
    assert (option_value(text), type(option_value(text))) == (value, type(value))


def test_an_option_is_split_at_its_first_equals_sign() -> None:
    asked = run("arrange", "--hand", "2S", "--option", "a=b=c")
    assert "there is no key 'a'" in asked.err


def test_a_whole_number_has_at_most_nine_digits() -> None:
    assert whole_number("deals", "999999999") == 999_999_999
    with pytest.raises(ValueError, match="--deals takes a number, not '1000000000'"):
        whole_number("deals", "1000000000")


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("Asha", 4),
        ("आशा", 3),
        ("e\u0301", 1),
        ("a\u20dd", 1),
        ("a\u200db", 2),
        ("中", 2),
        ("\uff21", 2),
        ("ｱ", 1),
    ],
)
def test_the_width_of_a_text_is_that_of_a_terminal(text: str, columns: int) -> None:
    """Marks and joiners take no column, wide characters two."""
    assert width(text) == columns


def test_columns_are_as_wide_as_their_content() -> None:
    rows = [("name", "n"), ("中中中", 10), ("e\u0301", 5)]
    assert table(rows, frozenset({1})).splitlines() == ["name     n", "中中中  10", "e\u0301        5"]
