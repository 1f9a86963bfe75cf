"""What people type and press, read as cards, groups and numbers; what cannot be read is said back harmlessly."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import UnexpectedInputError, UserError
from bot.interactions.choices import expose_numbered, read_card, read_groups
from marriage.actions import ExposeTunnelas
from marriage.cards import CARDS, UNKNOWN, Card, parse_cards
from marriage.legal import tunnelas
from marriage.rules import preset
from marriage.view import view
from tests.marriage.dealing import Script, arranged


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("5H", "5H"),
        ("5h", "5H"),
        (" 10c ", "10C"),
        ("tc", "10C"),
        ("Q♠", "QS"),
        ("10♦", "10D"),
        ("man", "MAN"),
    ],
)
def test_cards_as_people_write_them(typed: str, card: str):
    assert read_card(typed) == Card.parse(card)


@given(st.sampled_from([card for card in CARDS if card != UNKNOWN]))
def test_every_card_is_read_from_its_own_name(card: Card):
    assert read_card(str(card)) == card


@given(st.text(max_size=4_000))
def test_any_other_text_is_refused_in_harmless_words(text: str):
    try:
        card = read_card(text)
    except UserError as sorry:
        said = sorry.values["text"]
        assert (
            0 < len(regex.findall(r"\X", said)) <= 2 * 30 + 2
        )  # each letter escaped, and direction marks around the text
        assert not regex.search(r"(?<!\\)[*_`~|]|[<>\n]|@(everyone|here)", said)
    else:
        assert card in CARDS[:-1]


def test_the_sign_of_an_unknown_card_is_no_card():
    with pytest.raises(UserError):
        read_card("??")


@pytest.mark.parametrize(
    ("typed", "groups"),
    [
        ("3S 4S 5S, 6H 6H 6H, QS KS AS", ("3S 4S 5S", "6H 6H 6H", "QS KS AS")),
        ("3♠ 4♠ 5♠", ("3S 4S 5S",)),
        (" , ,", ()),
        ("", ()),
        ("5H,,5H", ("5H", "5H")),
    ],
)
def test_groups_are_parted_by_commas(typed: str, groups: tuple[str, ...]):
    assert read_groups(typed) == tuple(map(parse_cards, groups))


def test_one_bad_card_spoils_the_groups():
    with pytest.raises(UserError) as sorry:
        read_groups("3S 4S 5S, 6H 6H nonsense")
    assert sorry.value.values["text"] == "nonsense"


def test_tunnelas_are_exposed_by_their_numbers_and_no_others():
    seen = view(Script(arranged("5H 5H 5H 8C 8C 8C", "", rules=preset("pagat"))).state, 0)
    first, *_, last = held = tunnelas(seen)
    assert expose_numbered("0")(seen) == ExposeTunnelas((first,))
    assert expose_numbered(f"0-{len(held) - 1}")(seen) == ExposeTunnelas((first, last))
    for argument in (str(len(held)), f"0-{len(held)}", "x", ""):
        with pytest.raises(UnexpectedInputError):
            expose_numbered(argument)(seen)
