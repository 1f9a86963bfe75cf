"""Choosing the sets of a show: all compatible sets are offered in pages, within a message's limits."""

from dataclasses import replace

import pytest

from bot.panels.table.choosing_cards import (
    choosing_words,
    chosen_argument,
    has_choice,
    read_chosen,
    set_rows,
    show_words,
)
from bot.table.core.snapshot import Chosen, ShownHand
from bot.words.texts import texts
from marriage.cards import Cards, parse_cards, sort_cards
from marriage.legal import legal_actions
from marriage.rules import preset
from marriage.strategy.showable_sets import best_show, sets_to_add, showable_sets
from marriage.view import view
from render.hand_layout import CardOrder, lay_out
from tests.marriage.dealing import Script, arranged

LONG = "AS 2S 3S 4S 5S 6S 7S 8S 9S AH 2H 3H 4H 5H 6H 7H 8H 9C 9C 9C KD"
SUIT = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AH 2H 3H 4H 5H 6H 7H 8H"
PAIRS = "2S 2S 4S 4S 6S 6S 8S 8S 10S 10S 2H 2H 4H 4H 6H 6H 8H 8H"


def holding(cards: str, chosen: tuple[Cards, ...] = (), page: int = 0, **options: object) -> ShownHand:
    rules = preset("gambiter", direction="clockwise", **options)
    deal = Script(arranged(cards, "", dealer=1, stock="KC", rules=rules)).close_window().draw()
    seen = view(deal.state, 0)
    hand = ShownHand(seen, legal_actions(seen), lay_out(seen, CardOrder()), (), None, None)
    return replace(hand, chosen=Chosen(chosen, page), best=best_show(seen, chosen))


class Table:
    class table:  # noqa: N801 - stands for the attribute of a snapshot
        id = 7
        revision = 3


def components(hand: ShownHand) -> list[dict]:
    rows = [row.to_component_dict()["components"] for row in set_rows(Table, hand, texts())]
    assert len(rows) <= 5
    assert all(len(row) <= 5 for row in rows)
    found = [component for row in rows for component in row]
    assert len({part["custom_id"] for part in found}) == len(found)
    assert all(len(part["custom_id"]) <= 100 for part in found)
    selects = [part for part in found if part["type"] == 3]
    assert all(1 <= len(part["options"]) <= 25 and part["placeholder"] for part in selects)
    return found


def offered(hand: ShownHand) -> list[Cards]:
    groups = showable_sets(hand.view)
    return [
        groups[int(option["value"])]
        for part in components(hand)
        if part["custom_id"].startswith("mr1:pick-sets")
        for option in part["options"]
    ]


def verbs(hand: ShownHand) -> list[str]:
    return [part["custom_id"].split(":")[1] for part in components(hand) if part["type"] == 2]


@pytest.mark.parametrize("cards", [LONG, SUIT])
def test_every_set_that_goes_with_the_chosen_ones_is_on_one_of_the_pages(cards: str):
    run = (sort_cards(parse_cards("AS 2S 3S 4S")),)
    for chosen in ((), run, (*run, sort_cards(parse_cards("5S 6S 7S")))):
        first = holding(cards, chosen)
        wanted = list(sets_to_add(first.view, chosen))
        found = [group for page in range(3) for group in offered(holding(cards, chosen, page))][: len(wanted)]
        assert found == wanted
        assert ("sets" in verbs(first)) == (len(wanted) > 100 or bool(chosen))
    assert run[0] in offered(holding(cards))


def test_the_chosen_sets_are_in_the_custom_ids():
    chosen = tuple(sort_cards(parse_cards(cards)) for cards in ("AS 2S 3S 4S", "9C 9C 9C"))
    hand = holding(LONG, chosen)
    argument = chosen_argument(hand.view, chosen)
    assert read_chosen(hand.view, argument) == chosen
    assert any(part["custom_id"].endswith(f"-{argument}") for part in components(hand))
    assert read_chosen(hand.view, "x") == read_chosen(hand.view, "9999") == ()


def test_the_best_show_is_named_beside_its_button():
    hand = holding(LONG)
    assert "It would lay down" in (show_words(hand, texts()) or "")
    assert "**Show these** lays" in choosing_words(hand, texts())
    assert "show-sets" in verbs(hand)
    assert show_words(replace(hand, best=None), texts()) is None


def test_seven_of_more_dublees_are_chosen_at_once():
    hand = holding(PAIRS)
    (select,) = (part for part in components(hand) if part["custom_id"].startswith("mr1:pick-dublees"))
    assert (select["min_values"], select["max_values"], len(select["options"])) == (7, 7, 9)
    assert has_choice(hand)
    seven = holding(" ".join(PAIRS.split()[:14]))
    assert not [part for part in components(seven) if part["custom_id"].startswith("mr1:pick-dublees")]


def test_without_a_choice_there_is_none_to_open():
    assert not has_choice(holding("AS 2S 3S 6H 7H 8H 9C 9C 9C KD QS JH"))
    assert has_choice(holding(LONG))
