"""The views that an analysis foresees: they are the ones that the viewer then gets."""

from dataclasses import replace

import pytest

from marriage.actions import TakeDiscard
from marriage.analysis.options import after_discard, after_exposing, after_taking, with_card
from marriage.cards import CARDS, parse_cards
from marriage.rules import preset
from tests.marriage.dealing import Script, arranged, expose
from tests.marriage.example_hands import LAID, PRIMARY, REST, begun, card


def test_the_view_after_a_discard_is_the_one_that_the_viewer_gets() -> None:
    table = begun(PRIMARY, "", stock="4H").draw()
    foreseen = after_discard(table.view(0), card("4H"))
    then = table.throw("4H").view(0)
    assert foreseen.seats == then.seats
    assert foreseen.pile == then.pile


def test_the_view_after_a_discard_shows_what_was_laid() -> None:
    table = begun(f"{PRIMARY} {REST}", "", stock="6C QD").draw().do(LAID).cut_to("QD")
    foreseen = after_discard(table.view(0), card("6C"))
    assert foreseen.seats == table.throw("6C").view(0).seats


@pytest.mark.parametrize("drawn", ["4H", "KS"])
def test_the_view_with_a_card_is_the_one_after_drawing_it(drawn: str) -> None:
    rules = preset("pagat", tunnela_window="own_first_draw")
    table = Script(arranged("5H 5H 5H", "", stock=drawn, rules=rules))
    foreseen = with_card(table.view(0), card(drawn))
    then = table.draw().view(0)
    assert foreseen == replace(then, version=foreseen.version)


def test_an_exposed_tunnela_stays_open_when_a_card_is_drawn() -> None:
    table = Script(arranged("5H 5H 5H", "", stock="4H")).do(expose("5H"), seat=0).close_window()
    foreseen = with_card(table.view(0), card("4H"))
    assert foreseen.seats == table.draw().view(0).seats


def test_a_stock_that_is_used_up_stays_empty() -> None:
    seen = begun("", "").view(0)
    assert with_card(replace(seen, stock_count=1), CARDS[0]).stock_count == 0
    assert with_card(replace(seen, stock_count=0), CARDS[0]).stock_count == 0


def test_the_view_after_taking_is_the_one_that_the_viewer_gets() -> None:
    table = begun(PRIMARY, "", stock="9D JC 2D").pass_turn().pass_turn()
    table.pass_turn()
    foreseen = after_taking(table.view())
    then = table.do(TakeDiscard()).view()
    assert foreseen == replace(then, version=foreseen.version)


def test_the_view_after_exposing_is_the_one_that_the_viewer_gets() -> None:
    table = Script(arranged("5H 5H 5H 6S 6S 6S", ""))
    foreseen = after_exposing(table.view(0), parse_cards("6S 5H"))
    assert foreseen.seats == table.do(expose("6S 5H"), seat=0).view(0).seats
