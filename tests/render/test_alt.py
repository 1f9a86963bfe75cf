import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marriage.cards import CARDS, format_cards, parse_cards, sort_cards
from render.alt import hand_alt, seat_names, sheet_alt, table_alt
from render.hand_layout import CardOrder
from render.samples import NAMES, closed_seat, hand_views, own_seat, sample_view, sheet_views, table_views
from tests.render.looking import listed_cards

DECK = [card for card in CARDS[:52] for _ in range(3)] + [CARDS[52]] * 3 + [CARDS[53]]


@given(st.integers(0, 2**32), st.integers(1, 22))
def test_a_hand_is_listed_card_by_card(number: int, count: int) -> None:
    cards = sort_cards(random.Random(number).sample(DECK, count))
    view = sample_view((own_seat(format_cards(cards)), closed_seat()), viewer=0)
    head, _, rest = hand_alt(view).partition(": ")
    assert head == f"Your hand, {count} card{'s' * (count > 1)}"
    listed, _, _ = rest.rstrip(".").partition(". ")
    assert listed_cards(listed) == cards


@pytest.mark.parametrize("name", hand_views())
def test_a_hand_says_everything_the_viewer_has(name: str) -> None:
    view = hand_views()[name]
    sentences = hand_alt(view).rstrip(".").split(". ")
    told = list(listed_cards(sentences[0].partition(": ")[2]))
    for sentence in sentences[1:]:
        for label in ("Shown pairs ", "Shown ", "Tunnela "):
            if sentence.startswith(label):
                told += listed_cards(sentence.removeprefix(label)) * (2 if "pairs" in label else 1)
                break
    assert sort_cards(told) == view.own.cards
    assert ("Tiplu" in hand_alt(view)) == (view.tiplu is not None)
    assert ("Just" in hand_alt(view)) == (view.drawn is not None)


def test_an_exact_hand() -> None:
    assert hand_alt(hand_views()["seen-drawn"]) == (
        "Your hand, 13 cards: Spades 7; Hearts 6 7 8 10 J Q; Diamonds 7 J; Clubs 4 5; Man 1; Master 1. "
        "Just drawn: Master. Shown Spades 2 3 4, Clubs 10 J Q. Tunnela Diamonds 5 5 5, Spades 9 9 9. "
        "Tiplu 7 of Hearts, poplu 8 of Hearts, jhiplu 6 of Hearts, alter 7 of Diamonds, every other 7 a joker."
    )


def test_an_exact_table() -> None:
    assert table_alt(table_views()["play-3"], ("Sita", "Ram", "Hari")) == (
        "Sita discards next. Play goes clockwise, Hari dealt. Stock 63, pile 5, the last cards first: 7 of Clubs (Hari), 4 of Spades (Ram), K of Hearts (Sita), 9 of Diamonds (Hari). "
        "The tiplu is not cut yet. Sita: 22 cards. Ram: 21 cards; Tunnela Diamonds 6 6 6, Spades 9 9 9. "
        "Hari: 21 cards."
    )


def test_an_exact_sheet() -> None:
    assert sheet_alt(sheet_views()["dismissed"], ("Sita", "Ram", "Hari"), (7, -7, 0)) == (
        "Deal dismissed. Nobody scores, nobody pays. Sita, unseen: 0; maal 0, difference 0, finish 0, total +7. "
        "Ram, unseen: 0; maal 0, difference 0, finish 0, total −7. "
        "Hari, unseen: 0; maal 0, difference 0, finish 0, total 0."
    )


@given(st.lists(st.text(max_size=200), min_size=5, max_size=5))
def test_alt_text_has_room_for_any_names(names: list[str]) -> None:
    assert len(table_alt(table_views()["open-5"], names)) <= 1000
    assert len(sheet_alt(sheet_views()["groups"], names[:4], range(4))) <= 1000
    assert all(
        0 < len(name) <= 24 and name.isprintable() for name in seat_names(names) if "\u200d" not in name
    )


def test_the_longest_table_is_not_cut() -> None:
    text = table_alt(table_views()["open-5"], ["W" * 40] * 5)
    assert not text.endswith("…")


def test_a_nameless_seat_has_its_number() -> None:
    assert seat_names(["", "\u202e\n", "Ram"]) == ["Seat 1", "Seat 2", "Ram"]
    assert len(NAMES) == 5


def test_exact_hands_in_other_orders() -> None:
    drawn, seen = hand_views()["drawn"], hand_views()["seen"]
    assert hand_alt(drawn, CardOrder("rank")).startswith(
        "Your hand, 22 cards: A of Hearts; 2 of Spades Hearts; 3 of Spades; 4 of Spades Clubs; "
    )
    assert (
        "; apart Clubs 6. Pure sets Spades 2 3 4, Diamonds 5 6 7, Clubs 4 5 6. Just drawn: 6 of Clubs."
        in (hand_alt(drawn, CardOrder("rank")))
    )
    assert hand_alt(drawn, CardOrder("best")) == (
        "Your hand, 22 cards: Pure sequence Spades 2 3 4; Pure sequence Diamonds 5 6 7; Pure sequence Clubs 4 5 6; "
        "Pure sequence Hearts Q K A; Begun Hearts 10 10; Begun Diamonds J J; Begun Clubs 9 10; "
        "Others: Spades 8 K; Hearts 2; Clubs Q. Pure sets Spades 2 3 4, Diamonds 5 6 7, Clubs 4 5 6. "
        "Just drawn: 6 of Clubs."
    )
    assert hand_alt(drawn, CardOrder("suit", (parse_cards("QH KH"),))).startswith(
        "Your hand, 22 cards: Yours Hearts Q K; Spades 2 3 4 8 K; Hearts A 2 10 10; "
    )
    assert "Sequence Diamonds J Spades 7 Hearts 6" in hand_alt(seen, CardOrder("best"))
    assert "Pure sets" not in hand_alt(seen, CardOrder("best"))
