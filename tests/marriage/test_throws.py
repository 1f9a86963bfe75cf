"""What players without plans throw in single positions: learners, and greedy ones that do not count outs."""

from dataclasses import replace
from typing import Any

import pytest

from marriage.actions import CutTiplu, Discard, DrawStock, ExposeTunnelas, Finish, Show
from marriage.cards import parse_cards
from marriage.strategy.discards import Lean
from marriage.strategy.players import BeginnerPlayer, GreedyPlayer, Player
from marriage.view import View
from tests.marriage.dealing import Script
from tests.marriage.example_hands import (
    LAID,
    PAIRS,
    PRIMARY,
    SEVEN,
    begun,
    one_from_the_finish,
    script,
)

BEGINNER = BeginnerPlayer()
NEIGHBOURS = "AS 3S 6S 8S JS KS AH 3H 6H 8H JH KH AD 3D 6D 8D JD KD AC 3C"
"""Each has one neighbour, which is two ranks away, and no two make a pair."""


def thrown(player: Player, seen: View) -> str:
    action = player.choose(seen)
    assert isinstance(action, Discard)
    return str(action.card)


def holding(cards: str, drawn: str, **options: Any) -> View:
    return begun(cards, "", stock=drawn, **options).draw().view(0)


# Learners


@pytest.mark.parametrize(
    ("others", "card"), [("4C JC", "JC"), ("4C 7C", "7C"), ("JC 7C", "7C"), ("QS QS", "AS")]
)
def test_a_beginner_throws_the_card_with_the_fewest_neighbours_and_then_the_lowest(
    others: str, card: str
) -> None:
    """Two cards of a suit are neighbours if they are at most two ranks apart."""
    one, other = others.split()
    assert thrown(BEGINNER, holding(f"{NEIGHBOURS} {one}", other)) == card


def test_for_a_novice_only_the_next_rank_is_a_neighbour() -> None:
    novice = BeginnerPlayer(near=1)
    assert thrown(novice, holding(f"{NEIGHBOURS} 4C", "JC")) == "AS"
    assert thrown(
        novice, holding("AS 2S 4S 5S 7S 8S 10S JS AH 2H 4H 5H 7H 8H 10H JH AD 2D 4D 5D 8D", "7D")
    ) == ("AS")


def test_another_suit_has_no_neighbours() -> None:
    assert thrown(BEGINNER, holding(f"{NEIGHBOURS} 4C", "8C")) == "8C"


def test_a_beginner_keeps_man_cards_and_a_novice_throws_them() -> None:
    seen = holding(f"{NEIGHBOURS} 4C", "MAN", man_cards=2)
    assert thrown(BEGINNER, seen) == "AS"
    assert thrown(BeginnerPlayer(keeps_wilds=False), seen) == "MAN"


def test_two_man_cards_are_neighbours_of_each_other_only() -> None:
    seen = holding(f"{NEIGHBOURS} MAN", "MAN", man_cards=2)
    assert thrown(BeginnerPlayer(keeps_wilds=False), seen) == "AS"


def after_groups(tiplu: str) -> View:
    """Return what seat 0 sees before its throw: only 9H has no neighbour in its hand."""
    hand = f"{PRIMARY} 4S 5S QH KH 6D 7D 8D 2C 3C 10C JC 9H"
    return begun(hand, "", stock="5S").draw().do(LAID).cut_to(tiplu).view(0)


def test_a_beginner_keeps_wild_cards_after_a_show_by_groups() -> None:
    assert thrown(BEGINNER, after_groups("2S")) == "9H"
    assert thrown(BEGINNER, after_groups("9S")) == "QH"
    assert thrown(BeginnerPlayer(keeps_wilds=False), after_groups("9S")) == "9H"


def after_dublees(**options: Any) -> Script:
    """Return a deal in which seat 0 has shown seven dublees. In its hand only QC and JD have no neighbour."""
    return begun(f"{PAIRS} 3C 5C 7S 9S JD 3H 5H", "", stock="QC", **options).draw().do(SEVEN)


def test_after_a_show_by_dublees_a_beginner_keeps_maal_but_no_jokers() -> None:
    """Under QD the other queens are wild, but a wild card replaces nothing in a pair."""
    assert thrown(BEGINNER, after_dublees().cut_to("QD").view(0)) == "QC"
    assert thrown(BEGINNER, after_dublees().cut_to("QS").view(0)) == "JD"


def test_before_it_knows_the_tiplu_a_beginner_keeps_nothing_after_dublees() -> None:
    assert thrown(BEGINNER, after_dublees(same_turn_finish=False).view(0)) == "JD"


def test_a_beginner_commits_no_throw_foul() -> None:
    """A joker may not be thrown to the next player once both have seen the tiplu."""
    seen = after_dublees(foul="next", throw_foul=True).cut_to("QD").view(0)
    seen = replace(seen, seats=(seen.own, replace(seen.seats[1], seen=True)))
    assert thrown(BEGINNER, seen) == "7S"


def test_a_beginner_draws_even_if_it_could_show_with_the_discard() -> None:
    seen = begun("AS 2S 5H 5H 5H 7C 8C 9C", "", up="3S").view(0)
    assert BEGINNER.choose(seen) == DrawStock()


def test_a_beginner_exposes_all_its_tunnelas() -> None:
    assert BEGINNER.choose(script("5H 5H 5H", "").view(0)) == ExposeTunnelas(parse_cards("5H"))


def test_a_beginner_shows_cuts_and_finishes_as_soon_as_it_can() -> None:
    hand = f"{PRIMARY} 2D 3D 4D JS QS KS 9H 9S 9C AH 2H 3H"
    table = begun(hand, "", stock="JC").draw()
    for kind in (Show, CutTiplu, Finish):
        action = BEGINNER.choose(table.view(0))
        assert isinstance(action, kind)
        table.do(action)


# Greedy players


def test_a_greedy_player_throws_what_leaves_most_outs_if_it_counts_them() -> None:
    """Without AD 60 cards finish, but without 8H only 41, although it has fewer neighbours in hand."""
    seen = one_from_the_finish("9S").draw().view(0)
    assert thrown(GreedyPlayer(), seen) == "AD"
    assert thrown(GreedyPlayer(count_outs=False), seen) == "8H"


def test_a_greedy_player_throws_a_safe_card_if_it_is_careful() -> None:
    """The next player threw 2D, and 6S is as useless."""
    hand = f"{PRIMARY} AH 2H 3H JS QS KS 8D 9D 10H JH AC 2D"
    table = script(hand, "", dealer=0, stock="2D 6S 4C").close_window().pass_turn().draw()
    seen = table.do(LAID).cut_to("4C").view(0)
    assert thrown(GreedyPlayer(), seen) == "6S"
    assert thrown(GreedyPlayer(lean=Lean.SAFE), seen) == "2D"
