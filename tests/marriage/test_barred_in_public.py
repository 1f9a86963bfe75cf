"""What everyone can tell about the pile: a bar is never shown falsely, and reveals no hidden card."""

from dataclasses import replace

import pytest

from marriage.actions import CutTiplu
from marriage.apply import replay
from marriage.cards import Card, parse_cards
from marriage.decide import start
from marriage.legal import is_barred_in_public, may_take
from marriage.rules import PRESETS, preset
from marriage.state import Phase
from marriage.strategy.players import GreedyPlayer
from marriage.view import view
from tests.marriage.dealing import Script, act, actor, arranged, seed, show, show_dublees

EXTRAS = {
    "plain": {},
    "show only": {
        "unseen_pickup": "show_only",
        "man_cards": 6,
        "master_card": "always",
        "joker_dublee": True,
    },
    "no pairs": {
        "unseen_pickup": "show_only",
        "man_cards": 6,
        "dublee": False,
        "master_card": "after_seeing",
    },
    "open tiplu": {"open_tiplu": True, "man_cards": 3, "seen_pickup_wild": "forbid"},
    "allowed": {"seen_pickup_wild": "allow", "man_cards": 3},
}


@pytest.mark.parametrize("extras", EXTRAS)
@pytest.mark.parametrize("name", PRESETS)
def test_a_pile_that_is_barred_for_all_to_see_may_not_be_taken(name: str, extras: str):
    player, free = GreedyPlayer(count_outs=False), 0
    rules = preset(name, **EXTRAS[extras])
    for number in range(2):
        state = replay(start(rules, 4, 0, seed(number)))
        while state.phase is not Phase.OVER:
            mover = actor(state)
            seen = view(state, mover)
            if state.phase is Phase.DRAW:
                free += may_take(seen)
                assert not (is_barred_in_public(view(state, None), mover) and may_take(seen))
            state, _ = act(state, mover, player.choose(seen))
    assert free


def seen_by_groups(**options: object) -> Script:
    """Return a deal in which seat 0 has shown by groups and seen the tiplu 7H, and seat 1 has drawn."""
    hand = "AS 2S 3S 5H 5H 5H 7C 8C 9C 2D 3D 4D JS QS KS 9H 9S 9C AH 2H 3H"
    rules = preset("pagat", direction="clockwise", **options)
    deal = Script(arranged(hand, "7S 7D 8S", dealer=1, stock="6C 7H", rules=rules)).close_window()
    deal.draw().do(show("AS 2S 3S | 5H 5H 5H | 7C 8C 9C"))
    deal.do(CutTiplu(deal.state.stock.index(Card.parse("7H"))))
    return deal.throw("6C").draw()


def test_a_wild_card_of_a_hidden_tiplu_tells_nothing():
    """Seat 0 may not take it; but only seats that have seen know that it is wild."""
    deal = seen_by_groups().throw("7S")
    assert not may_take(deal.view(0))
    assert not is_barred_in_public(view(deal.state, None), 0)


def test_what_is_wild_for_all_to_see_is_barred():
    deal = seen_by_groups(man_cards=3)
    with_man = replace(view(deal.state, None), pile=parse_cards("MAN"), throwers=(1,))
    assert is_barred_in_public(with_man, 0)
    assert not is_barred_in_public(with_man, 1)
    open_tiplu = replace(
        view(deal.state, None), tiplu=Card.parse("7H"), pile=parse_cards("7S"), throwers=(1,)
    )
    assert is_barred_in_public(open_tiplu, 0)


def test_a_face_already_shown_as_a_dublee_is_barred_and_any_other_may_be_the_eighth():
    pairs = "2S 2S 4S 4S 6S 6S 8S 8S 10S 10S 2H 2H 4H 4H"
    rules = preset("pagat", direction="clockwise")
    deal = Script(arranged(pairs, "2S 9D", dealer=1, stock="6C 3C", rules=rules)).close_window()
    deal.draw().do(show_dublees("2S 4S 6S 8S 10S 2H 4H"))
    deal.do(CutTiplu(deal.state.stock.index(Card.parse("3C")))).throw("6C").draw()
    for thrown, barred in (("2S", True), ("9D", False)):
        spectator = replace(view(deal.state, None), pile=parse_cards(thrown), throwers=(1,))
        assert is_barred_in_public(spectator, 0) is barred


def test_an_empty_pile_is_barred():
    deal = seen_by_groups()
    assert is_barred_in_public(replace(view(deal.state, None), pile=(), throwers=()), 1)


@pytest.mark.parametrize(
    ("top", "options", "barred"),
    [
        ("9D", {}, False),
        ("MAN", {}, True),
        ("MAN", {"joker_dublee": True}, False),
        ("MAN", {"joker_dublee": True, "dublee": False}, True),
        ("MAN", {"joker_dublee": True, "dublee_min_players": 3}, True),
        ("MASTER", {}, True),
        ("MASTER", {"master_card": "always"}, False),
        ("MAN", {"unseen_pickup": "free"}, False),
    ],
)
def test_where_only_a_card_to_show_with_may_be_taken_one_of_no_set_is_barred(
    top: str, options: dict[str, object], barred: bool
):
    """A man card makes no pure set, but it makes a dublee if two of them are one.

    A master card makes a set if it is always wild.
    """
    extras = {"unseen_pickup": "show_only", "man_cards": 3, "master_card": "after_seeing"} | options
    table = Script(arranged("", "", rules=preset("pagat", **extras))).close_window()
    spectator = replace(view(table.state, None), pile=parse_cards(top), throwers=(None,))
    assert is_barred_in_public(spectator, 0) is barred
