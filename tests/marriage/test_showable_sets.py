"""The sets offered for a show are all that the rules allow, however they are found."""

from itertools import combinations

import pytest

from marriage.actions import TakeDiscard
from marriage.apply import replay
from marriage.cards import Cards, sort_cards
from marriage.decide import start
from marriage.groups import is_primary
from marriage.rules import preset
from marriage.shuffle import DealSeed
from marriage.strategy.showable_sets import best_show, may_show, sets_to_add, showable_sets
from marriage.view import view
from tests.marriage.dealing import Script, arranged, expose, groups_of, show


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"primary_trial": True},
        {"master_card": "always", "man_cards": 6},
        {"master_card": "always_primary", "primary_trial": True},
    ],
)
def test_every_three_cards_that_the_rules_know_are_found(options):
    rules = preset("wikipedia", **options)
    for number in range(6):
        deal = replay(start(rules, 5, 0, DealSeed(number.to_bytes(32, "big"), "1", 1)))
        for seat in range(5):
            seen = view(deal, seat)
            hand = sort_cards(seen.own.concealed or ())
            known = {three for three in combinations(hand, 3) if is_primary(three, rules)}
            assert {group for group in showable_sets(seen) if len(group) == 3} == known


HAND = "AS 2S 3S 5H 5H 5H 7C 8C 9C 2D 3D 4D JS QS KS 9H 9D KD QC 4H 10D"


def to_show(*, exposed: str = "") -> Script:
    """Return a deal before the discard from a hand with five pure sets."""
    table = Script(arranged(HAND, "", stock="8H QD"))
    if exposed:
        table.do(expose(exposed), seat=0)
    return table.close_window().draw()


def groups(text: str) -> tuple[Cards, ...]:
    return tuple(map(sort_cards, groups_of(text)))


def test_sets_are_added_until_three_are_chosen() -> None:
    seen = to_show().view(0)
    two = groups("AS 2S 3S | 7C 8C 9C")
    assert set(sets_to_add(seen, two)) == set(groups("5H 5H 5H | 2D 3D 4D | JS QS KS"))
    assert sets_to_add(seen, groups("AS 2S 3S | 7C 8C 9C | 2D 3D 4D")) == ()
    assert may_show(seen, groups("AS 2S 3S | 7C 8C 9C | 2D 3D 4D"))
    assert not may_show(seen, two)


@pytest.mark.parametrize(
    "chosen", ["AS 2S 3S | AS 2S 3S", "9H 9D KD", "AS 2S 3S | 7C 8C 9C | 2D 3D 4D | JS QS KS"]
)
def test_what_the_hand_does_not_hold_or_is_too_much_is_completed_to_no_show(chosen: str) -> None:
    seen = to_show().view(0)
    assert sets_to_add(seen, groups(chosen)) == ()
    assert best_show(seen, groups(chosen)) is None
    assert not may_show(seen, groups(chosen))


def test_after_the_show_there_is_nothing_to_choose() -> None:
    table = to_show().do(show("AS 2S 3S | 7C 8C 9C | 2D 3D 4D")).cut_to("QD")
    seen = table.view(0)
    assert showable_sets(seen)
    assert sets_to_add(seen, ()) == ()
    assert best_show(seen) is None
    assert not may_show(seen, groups("5H 5H 5H | JS QS KS | 7C 8C 9C"))


def test_exposed_tunnelas_come_first_and_three_of_them_are_a_show() -> None:
    hand = "AS AS AS 2H 2H 2H 3C 3C 3C 4D 4D 4D 6S 8S 10H QH KC 9C 7D JD KD"
    table = Script(arranged(hand, "", stock="8H QD")).do(expose("AS 2H 3C 4D"), seat=0).close_window().draw()
    best = best_show(table.view(0))
    assert best is not None
    assert len(best) == 3
    assert set(best) < set(groups("AS AS AS | 2H 2H 2H | 3C 3C 3C | 4D 4D 4D"))
    assert may_show(table.view(0), best)
    seen = table.view(0)
    assert set(sets_to_add(seen, ())) == set(groups("AS AS AS | 2H 2H 2H | 3C 3C 3C | 4D 4D 4D"))


def test_a_card_that_was_taken_freely_need_not_be_shown() -> None:
    table = Script(arranged(HAND, "", up="8H")).close_window().do(TakeDiscard())
    assert may_show(table.view(0), groups("AS 2S 3S | 7C 8C 9C | 2D 3D 4D"))
