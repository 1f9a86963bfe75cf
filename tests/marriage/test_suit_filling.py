"""The way to a show, suit by suit: the quick search of one suit against the general search."""

import random

import pytest

from marriage.bits import ONE, pack
from marriage.cards import CARDS, FACES, PACKS, sort_cards
from marriage.rules import PRESETS
from marriage.solver import Hand
from marriage.solver.cover import cover
from marriage.solver.hand import more, show_question
from marriage.solver.question import Question
from marriage.solver.suits import fill, outs_to_show, show_holes
from tests.marriage.hands import deck


@pytest.mark.parametrize("cards", range(1, 13))
def test_a_suit_fills_what_the_general_search_fills(cards: int) -> None:
    chance = random.Random(cards)
    for _ in range(40):
        suit = [card for card in CARDS[:13] for _ in range(PACKS)]
        chance.shuffle(suit)
        hand, live = pack(suit[:cards]), pack(suit[cards : cards + chance.randrange(40 - cards)])
        for groups, filled in enumerate(fill(hand, live)):
            found = cover(Question(hand=hand, primary=groups, total=3 * groups, live=live))
            assert found is not None
            assert filled == 3 * groups - found.holes


def test_outs_to_a_show_are_the_cards_that_bring_it_nearer() -> None:
    chance, rules = random.Random(5), PRESETS["pagat"]
    for _ in range(30):
        cards = deck(rules)
        chance.shuffle(cards)
        hand = Hand(sort_cards(cards[:21]), dead=tuple(cards[21:60]))
        asked, left = show_question(hand, rules), hand.left(rules)
        holes = show_holes(asked)
        if not holes:
            continue
        nearer = [
            (face, left[face])
            for face in range(FACES)
            if left[face] and show_holes(more(asked, CARDS[face], hand.wilds)) < holes
        ]
        assert list(outs_to_show(asked, left, holes - 1)) == nearer
        assert all(asked.live & 3 * ONE[face] for face, _ in nearer)
