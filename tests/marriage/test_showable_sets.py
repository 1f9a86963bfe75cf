"""The sets to choose from for a show are all that the rules know, however they are looked for."""

from itertools import combinations

import pytest

from marriage.apply import replay
from marriage.cards import sort_cards
from marriage.decide import start
from marriage.groups import is_primary
from marriage.rules import preset
from marriage.shuffle import DealSeed
from marriage.strategy.showable_sets import showable_sets
from marriage.view import view


@pytest.mark.parametrize("options", [{}, {"primary_trial": True}, {"master_card": "always", "man_cards": 6}])
def test_every_three_cards_that_the_rules_know_are_found(options):
    rules = preset("wikipedia", **options)
    for number in range(6):
        deal = replay(start(rules, 5, 0, DealSeed(number.to_bytes(32, "big"), "1", 1)))
        for seat in range(5):
            seen = view(deal, seat)
            hand = sort_cards(seen.own.concealed or ())
            known = {three for three in combinations(hand, 3) if is_primary(three, rules)}
            assert {group for group in showable_sets(seen) if len(group) == 3} == known
