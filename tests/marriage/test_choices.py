"""What greedy players and the master choose in single positions where they agree."""

from typing import Any

import pytest

from marriage.actions import (
    Action,
    CutTiplu,
    Discard,
    DrawStock,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.cards import MAN, Card, parse_cards
from marriage.strategy.master import MasterPlayer
from marriage.strategy.players import GreedyPlayer, Player
from tests.marriage.dealing import Script
from tests.marriage.example_hands import (
    LAID,
    PAIRS,
    PRIMARY,
    SEVEN,
    SINGLES,
    begun,
    one_from_the_finish,
    script,
)

ALIKE = pytest.mark.parametrize("player", [GreedyPlayer(), MasterPlayer()], ids=["greedy", "master"])
SIX_PAIRS = "2S 2S 4H 4H 6C 6C 8D 8D 10S 10S QH QH"
OTHERS = "3C 5D 7S 9H JD 4S AC KC 10H"
"""Cards that make no pair and no group with the six pairs."""


def taken(player: Player, deal: Script) -> bool:
    action = player.choose(deal.view(0))
    assert isinstance(action, TakeDiscard | DrawStock)
    return isinstance(action, TakeDiscard)


# After a show by groups


@ALIKE
@pytest.mark.parametrize(
    ("up", "expected"),
    [("AC", True), ("QS", True), ("7H", False)],
    ids=["a wild card's neighbour", "a single's neighbour", "no neighbour"],
)
def test_it_takes_a_card_that_lets_it_finish(player: Player, up: str, expected: bool) -> None:
    assert taken(player, one_from_the_finish(up)) is expected


@ALIKE
def test_it_takes_a_wild_card_only_where_the_rules_let_it(player: Player) -> None:
    assert not taken(player, one_from_the_finish("4H"))
    assert taken(player, one_from_the_finish("4H", seen_pickup_wild="allow"))


@ALIKE
def test_with_the_last_card_it_finishes(player: Player) -> None:
    deal = one_from_the_finish("QS").do(TakeDiscard())
    assert isinstance(player.choose(deal.view(0)), Finish)


# Dublees


@ALIKE
@pytest.mark.parametrize(
    ("up", "expected"), [("3C", True), ("4H", False), ("9S", False)], ids=["pair", "third", "single"]
)
def test_with_six_pairs_it_takes_what_makes_the_seventh(player: Player, up: str, expected: bool) -> None:
    assert taken(player, begun(f"{SIX_PAIRS} {OTHERS}", "", up=up)) is expected


@ALIKE
def test_with_six_pairs_it_throws_a_single_card(player: Player) -> None:
    action = player.choose(begun(f"{SIX_PAIRS} {OTHERS}", "", stock="6S").draw().view(0))
    assert isinstance(action, Discard)
    assert action.card not in parse_cards(SIX_PAIRS)


def test_how_many_pairs_are_enough_is_a_habit() -> None:
    five = f"{SIX_PAIRS} {OTHERS}".replace("QH QH", "QH KH")
    bold = GreedyPlayer(dublees_from=(21, 21, 5))
    assert taken(bold, begun(five, "", up="3C"))
    assert not taken(GreedyPlayer(), begun(five, "", up="3C"))


def test_whoever_collects_pairs_throws_the_lowest_single_card() -> None:
    """Any of them may still be paired. For groups 5D goes, which has fewer neighbours."""
    five = f"{SIX_PAIRS} {OTHERS}".replace("QH QH", "QH KH")
    seen = begun(five, "", stock="6S").draw().view(0)
    assert GreedyPlayer(dublees_from=(21, 21, 5)).choose(seen) == Discard(Card.parse("4S"))
    assert GreedyPlayer().choose(seen) == Discard(Card.parse("5D"))


@ALIKE
def test_where_it_must_show_at_once_it_takes_what_makes_the_seventh_pair(player: Player) -> None:
    deal = begun(f"{SIX_PAIRS} {OTHERS}", "", up="3C", unseen_pickup="show_only")
    assert taken(player, deal)
    shown = player.choose(deal.do(TakeDiscard()).view(0))
    assert isinstance(shown, ShowDublees)
    assert Card.parse("3C") in shown.faces


@ALIKE
@pytest.mark.parametrize("options", [{"dublee": False}, {"dublee_min_players": 3}])
def test_where_dublees_are_not_played_it_collects_none(player: Player, options: dict[str, Any]) -> None:
    assert not taken(player, begun(f"{SIX_PAIRS} {OTHERS}", "", up="3C", **options))
    eight = begun(f"{PAIRS} 3C 3C 5D 7S 9H JD KC", "", stock="KH", **options).draw()
    assert isinstance(player.choose(eight.view(0)), Discard)


@ALIKE
def test_with_seven_pairs_and_no_groups_it_shows_them(player: Player) -> None:
    deal = begun(f"{PAIRS} {SINGLES}", "", stock="JC").draw()
    assert player.choose(deal.view(0)) == SEVEN


@ALIKE
def test_with_seven_pairs_it_rather_shows_groups(player: Player) -> None:
    groups = "2S 3S 4S 2D 3D 4D 7H 8H 9H"
    deal = begun(f"{groups} 2S 3S 4S 2D 3D 4D 7H KC JC QS AH 5C", "", stock="6S").draw()
    assert isinstance(player.choose(deal.view(0)), Show)


@ALIKE
def test_with_eight_pairs_it_shows_dublees_rather_than_groups_and_finishes_at_once(player: Player) -> None:
    groups = "2S 3S 4S 2D 3D 4D 7H 8H 9H"
    deal = begun(f"{groups} 2S 3S 4S 2D 3D 4D 7H 8H JC QS AH 5C", "", stock="6S").draw()
    for kind in (ShowDublees, CutTiplu, FinishDublees):
        action = player.choose(deal.view(0))
        assert isinstance(action, kind)
        deal.do(action)


@ALIKE
@pytest.mark.parametrize("pickup", ["free", "show_only"])
@pytest.mark.parametrize(("up", "expected"), [("5D", True), ("9C", False)])
def test_after_a_show_by_dublees_it_takes_only_what_makes_the_eighth(
    player: Player, pickup: str, up: str, expected: bool
) -> None:
    deal = begun(f"{PAIRS} {SINGLES}", "", stock=f"JC {up} 6C", unseen_pickup=pickup)
    deal.draw().do(SEVEN).cut_to("6C").throw("JC").pass_turn()
    assert taken(player, deal) is expected
    if expected:
        assert isinstance(player.choose(deal.do(TakeDiscard()).view(0)), FinishDublees)


@ALIKE
@pytest.mark.parametrize("joker_dublee", [True, False])
def test_two_man_cards_are_the_seventh_pair_only_by_a_rule(player: Player, joker_dublee: bool) -> None:
    hand, rules = (
        f"{SIX_PAIRS} {OTHERS}".replace("10H", "MAN"),
        {"man_cards": 2, "joker_dublee": joker_dublee},
    )
    deal = begun(hand, "", up="MAN", **rules)
    assert taken(player, deal) is joker_dublee
    if joker_dublee:
        shown = player.choose(deal.do(TakeDiscard()).view(0))
        assert isinstance(shown, ShowDublees)
        assert MAN in shown.faces


# Shows by groups


TWO_SETS = "5C 6C 7C 9H 10H JH"
DULL = "2D 2H 4D 4S 6S 8D 8C QD QC KS KD 3H"
"""Cards that make no pure set with each other or with the two."""


@ALIKE
@pytest.mark.parametrize(("up", "expected"), [("3S", True), ("9S", False)], ids=["the third set", "nothing"])
@pytest.mark.parametrize("pickup", ["free", "show_only"])
def test_it_takes_what_lets_it_show(player: Player, pickup: str, up: str, expected: bool) -> None:
    deal = begun(f"{TWO_SETS} AS 2S {DULL} 10C", "", up=up, unseen_pickup=pickup)
    assert taken(player, deal) is expected
    if expected:
        shown = player.choose(deal.do(TakeDiscard()).view(0))
        assert isinstance(shown, Show)
        assert parse_cards("AS 2S 3S") in shown.groups


@pytest.mark.parametrize(
    ("player", "expected"),
    [
        (GreedyPlayer(), True),
        (GreedyPlayer(takes_for_show=True), False),
        (GreedyPlayer(uses_pile=False), False),
        (MasterPlayer(), False),
        (MasterPlayer(takes_for_show=False), True),
    ],
)
def test_before_a_show_it_takes_for_the_finish_unless_it_takes_for_the_show(
    player: Player, expected: bool
) -> None:
    """8S makes a set of 8C and 8D, but not a pure one."""
    assert taken(player, begun(f"{TWO_SETS} AS 2S {DULL} 10C", "", up="8S")) is expected


@ALIKE
def test_a_hand_that_can_show_already_takes_what_brings_the_finish_nearer(player: Player) -> None:
    hand = f"{TWO_SETS} AS 2S 3S {DULL}"
    assert taken(player, begun(hand, "", up="3D"))
    assert not taken(player, begun(hand, "", up="JS"))


@ALIKE
def test_a_hand_that_can_show_already_takes_nothing_where_it_would_have_to_lay_it(player: Player) -> None:
    """8H, which goes with 9H and 10H, also goes with 8C and 8D."""
    hand = f"{TWO_SETS} AS 2S 3S {DULL}"
    assert taken(player, begun(hand, "", up="8H"))
    assert not taken(player, begun(hand, "", up="8H", unseen_pickup="show_only"))


LONERS = "AS 4S 7S 10S AD 4D 7D 10D AH 4H AC 10C 6C 10H 7H"
"""Cards of which no two are in one pure set, except with cards of the two sets."""


@ALIKE
def test_it_takes_a_second_copy_only_while_the_third_may_still_come(player: Player) -> None:
    assert taken(player, begun(f"{TWO_SETS} {LONERS}", "", up="AS"))
    gone = script(f"{TWO_SETS} {LONERS}", "", dealer=0, up="AS", stock="AS").close_window().pass_turn()
    assert not taken(player, gone)


@ALIKE
def test_having_shown_it_cuts(player: Player) -> None:
    deal = begun(PRIMARY, "", stock="JC").draw().do(LAID)
    assert player.choose(deal.view(0)) == CutTiplu()


@ALIKE
@pytest.mark.parametrize(("at_once", "kind"), [(True, Finish), (False, Discard)])
def test_it_finishes_in_the_turn_of_its_show_where_the_rules_let_it(
    player: Player, at_once: bool, kind: type[Action]
) -> None:
    hand = f"{PRIMARY} 2D 3D 4D JS QS KS 9H 9S 9C AH 2H 3H"
    deal = begun(hand, "", stock="JC", same_turn_finish=at_once).draw().do(LAID)
    if at_once:
        deal.cut_to("6S")
    assert isinstance(player.choose(deal.view(0)), kind)
