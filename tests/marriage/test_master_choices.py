"""The master's choices in single positions where it judges better than greedy players."""

import pytest

from marriage.actions import Discard, DrawStock, Show, TakeDiscard
from marriage.cards import Card, Cards, parse_cards
from marriage.solver import Hand, show_distance
from marriage.strategy.before_show import discard_values
from marriage.strategy.discards import Lean, discards
from marriage.strategy.master import SAFETY, MasterPlayer
from marriage.strategy.players import GreedyPlayer
from marriage.view import View
from tests.marriage.dealing import Script
from tests.marriage.example_hands import LAID, PRIMARY, begun, one_from_the_finish, script

MASTER = MasterPlayer()
CAREFUL = MasterPlayer(lean=Lean.SAFE)
NEAR = "5C 6C 7C 9H 10H JH AD AD 4S 5S 10C KC 2H 4H 4D 8D 9S KS 2C JD 6H"
"""Two sequences, and one card missing for the third group."""


# Takes, one card from the finish


@pytest.mark.parametrize(("up", "action"), [("8S", TakeDiscard()), ("9S", DrawStock())])
def test_it_takes_a_card_after_which_many_more_finish(up: str, action: TakeDiscard | DrawStock) -> None:
    """Of the 129 unseen cards 41 finish now: 59 with 8S instead of an AD, and 56 with 9S. 12 % are 15.5 cards."""
    seen = one_from_the_finish(up).view(0)
    assert GreedyPlayer().choose(seen) == DrawStock()
    assert MASTER.choose(seen) == action


def test_how_many_more_must_finish_is_a_habit() -> None:
    seen = one_from_the_finish("8S").view(0)
    assert MasterPlayer(wider=18 / 129).choose(seen) == TakeDiscard()
    assert MasterPlayer(wider=18.1 / 129).choose(seen) == DrawStock()
    assert MasterPlayer(wider=0.999).choose(seen) == DrawStock()


def test_it_leaves_a_second_copy_of_its_only_useless_card_if_the_third_is_gone() -> None:
    hand = f"{PRIMARY} AH 2H 3H JS QS KS 9H 9S 9C 10D JD 2C"
    table = begun(hand, "", up="2C", stock="7S 2C 4C").draw().do(LAID).cut_to("4C").throw("7S").pass_turn()
    assert MASTER.choose(table.view(0)) == DrawStock()


# Dublees


FIVE_PAIRS = "AS AS 4S 4S 8H 8H QH QH 6D 6D 10C"


def test_far_from_a_show_it_collects_dublees_with_five_pairs() -> None:
    table = begun(f"{FIVE_PAIRS} 2H 4D KD JS 6S 9D AC 4C 9S KH", "2S 2S", up="10C")
    seen = table.view(0)
    assert show_distance(Hand.of(seen), seen.rules) >= 2
    assert GreedyPlayer().choose(seen) == DrawStock()
    assert MASTER.choose(seen) == TakeDiscard()
    table.do(TakeDiscard())
    thrown = MASTER.choose(table.view(0))
    assert isinstance(thrown, Discard)
    assert thrown.card not in parse_cards(f"{FIVE_PAIRS} 10C")


def test_with_five_pairs_it_throws_the_lowest_single_card() -> None:
    """Any of them may still be paired. For groups 5D would go, which has fewer neighbours."""
    hand = "2S 2S 4H 4H 6C 6C 8D 8D 10S 10S QH KH 3C 5D 7S 9H JD 4S AC KC 10H"
    seen = begun(hand, "", stock="6S").draw().view(0)
    assert GreedyPlayer().choose(seen) == Discard(Card.parse("5D"))
    assert MASTER.choose(seen) == Discard(Card.parse("4S"))


def test_two_man_cards_in_hand_count_as_a_pair_only_by_a_rule() -> None:
    hand = "2S 2S 4H 4H 6C 6C 8D 8D MAN MAN QH KH 3C 5D 7S 9H JD 4S AC KC 10H"
    pair = begun(hand, "", up="3C", man_cards=2, joker_dublee=True).view(0)
    assert MASTER.choose(pair) == TakeDiscard()
    assert MASTER.choose(begun(hand, "", up="3C", man_cards=2).view(0)) == DrawStock()


def test_near_a_show_it_needs_more_pairs() -> None:
    near = "5C 6C 7C 9H 10H JH AD AD 4S 4S 8H 8H QH QH KS KS 2H 2H 7D JS 10C"
    seen = begun(near, "2S 2S", up="JS").view(0)
    assert show_distance(Hand.of(seen), seen.rules) == 1
    assert MASTER.choose(seen) == TakeDiscard()
    fewer = begun(near.replace("2H 2H", "2H 3D"), "2S 2S", up="JS").view(0)
    assert MASTER.choose(fewer) == DrawStock()


# Discards


def test_it_tells_all_discards_the_best_first_and_makes_that() -> None:
    seen = begun(NEAR, "", stock="7D").draw().view(0)
    action, ranked = MASTER.considered(seen)
    assert {option.card for option in ranked} == set(seen.hand)
    assert action == MASTER.choose(seen) == Discard(ranked[0].card)


def test_it_tells_no_discards_where_it_makes_none() -> None:
    assert MASTER.considered(begun(NEAR, "", up="2S").view(0)) == (DrawStock(), ())


def test_discards_are_ranked_by_the_distance_to_the_show_and_then_by_worth() -> None:
    seen = begun(NEAR, "", stock="7D").draw().view(0)
    worth = discard_values(seen, seen.hand)
    assert worth is not None
    ranked = MASTER.ranked(seen)
    order = [(option.distance, -worth.get(option.card, 0.0)) for option in ranked]
    assert order == sorted(order)
    assert ranked != discards(seen)
    assert sorted(ranked, key=lambda option: option.card) == sorted(
        discards(seen), key=lambda option: option.card
    )


def test_without_weights_it_ranks_discards_as_greedy_does() -> None:
    seen = begun(NEAR, "", stock="7D").draw().view(0)
    assert MasterPlayer(weights=None).ranked(seen) == discards(seen)


def test_a_careful_one_throws_a_safe_card_after_its_show() -> None:
    """The next player threw 2D, and 6S is as useless."""
    hand = f"{PRIMARY} AH 2H 3H JS QS KS 8D 9D 10H JH AC 2D"
    table = script(hand, "", dealer=0, stock="2D 6S 4C").close_window().pass_turn().draw()
    seen = table.do(LAID).cut_to("4C").view(0)
    assert MASTER.choose(seen) == Discard(Card.parse("6S"))
    assert CAREFUL.choose(seen) == Discard(Card.parse("2D"))


def test_where_it_can_tell_no_worth_it_ranks_discards_as_greedy_does() -> None:
    """Cards of one rank may be a pure set there, so the suits hang together."""
    seen = begun(NEAR, "", stock="7D", primary_trial=True).draw().view(0)
    assert MASTER.ranked(seen) == discards(seen)


def test_after_a_show_it_ranks_discards_as_greedy_does() -> None:
    seen = one_from_the_finish("9S").draw().view(0)
    assert MASTER.ranked(seen) == discards(seen)


def after_a_throw(card: str, **options: object) -> View:
    """Return what seat 0 sees before its discard, after the next player threw this card."""
    table = script(NEAR, "", dealer=0, stock=f"{card} 7D", **options).close_window()
    return table.pass_turn().draw().view(0)


@pytest.mark.parametrize(("points", "card"), [(SAFETY - 0.01, "KC"), (SAFETY + 0.01, "2H")])
def test_a_careful_one_throws_a_safe_card_unless_that_costs_too_much(
    monkeypatch: pytest.MonkeyPatch, points: float, card: str
) -> None:
    """It would throw 2H, and then KC, if neither were safe."""
    worth = {Card.parse("KC"): -points, Card.parse("2H"): 0.0}
    seen = after_a_throw("KC")
    monkeypatch.setattr(
        "marriage.strategy.master.discard_values",
        lambda _, cards, weights: {other: worth.get(other, -9.0) for other in cards},
    )
    assert MASTER.choose(seen) == Discard(Card.parse("2H"))
    assert CAREFUL.choose(seen) == Discard(Card.parse(card))


# Shows


def shown(table: Script) -> set[Cards]:
    action = MASTER.choose(table.view(0))
    assert isinstance(action, Show)
    return set(action.groups)


def test_it_keeps_the_group_that_goes_with_most_other_cards() -> None:
    """The three 9C go with 7C and 8C, while JH, QH and KH go with nothing."""
    hand = "AS 2S 3S 4H 5H 6H 7H JH QH KH 7C 8C 9C 9C 8S JS 2D 3D 3C 4C JC"
    table = begun(hand, "", stock="9C").draw()
    assert shown(table) == set(map(parse_cards, ("AS 2S 3S", "4H 5H 6H", "JH QH KH")))


def test_where_it_must_show_the_taken_card_it_chooses_the_other_groups() -> None:
    """It keeps 4H, which goes with 4D and 4C, rather than 7H."""
    hand = "AS 2S 9C 9C 9C 4H 5H 6H 7H 2D 4D 6D KD JD 8D JC KC 4C QS 7S 8C"
    table = begun(hand, "", up="3S", unseen_pickup="show_only").do(TakeDiscard())
    assert shown(table) == set(map(parse_cards, ("AS 2S 3S", "5H 6H 7H", "9C 9C 9C")))
