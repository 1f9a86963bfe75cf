"""What holds for every hand: more cards never hurt, and suits and direction do not matter."""

import random
from itertools import permutations

import pytest

from marriage.cards import CARDS, FACES, face, sort_cards
from marriage.rules import Rules
from marriage.solver import Hand, arrange, distance, rough_distance, show_distance
from marriage.solver.cover import cover
from marriage.solver.hand import finish_question, holes, less, more, show_question
from tests.marriage.hands import KINDS, deck, draw

PAGAT = Rules()
PLUS = Rules(group_size="three_plus")
ODD = Rules(primary_trial=True, man_cards=2, master_card="always")
LAID = (CARDS[:3],) * 3
MAPS = [(suits, mirrored) for suits in permutations(range(4)) for mirrored in (False, True)]


def moved(card, suits, mirrored):
    if not card.is_pack:
        return card
    return face(suits[card.suit], (13 - card.rank) % 13 if mirrored else card.rank)


def moved_hand(hand, suits, mirrored):
    def all_moved(cards):
        return sort_cards(moved(card, suits, mirrored) for card in cards)

    tiplu = None if hand.tiplu is None else moved(hand.tiplu, suits, mirrored)
    return Hand(all_moved(hand.concealed), laid=hand.laid, tiplu=tiplu, dead=all_moved(hand.dead))


@pytest.mark.parametrize("rules", [PAGAT, ODD], ids=["pagat", "odd"])
def test_the_48_symmetries_change_no_answer(rules):
    chance = random.Random(48)
    assert len(MAPS) == 48
    for number in range(6):
        tiplu = chance.choice(CARDS[:FACES])
        drawn = draw(KINDS[number % len(KINDS)], 22, tiplu, chance, rules)
        dead = tuple(card for card in CARDS[:FACES] if drawn.count(card) + (card == tiplu) < 3)[::2]
        for hand in (Hand(drawn, dead=dead), Hand(drawn, tiplu=tiplu, dead=dead)):
            answers = {
                (show_distance(other, rules), distance(other, rules))
                for other in (moved_hand(hand, *where) for where in MAPS)
            }
            assert len(answers) == 1
        seen = Hand(drawn[:13], laid=LAID, tiplu=tiplu)
        asked = finish_question(seen, rules)
        natural = {
            holes(finish_question(moved_hand(seen, *where), rules)._replace(live=asked.live))
            for where in MAPS
        }
        assert natural == {holes(asked)}


@pytest.mark.parametrize("rules", [PAGAT, PLUS, ODD], ids=["pagat", "plus", "odd"])
def test_one_card_more_brings_a_hand_nearer_by_one_at_most(rules):
    chance = random.Random(1)
    for number in range(60):
        tiplu = chance.choice(CARDS[:FACES])
        kind = KINDS[number % len(KINDS)]
        unseen = Hand(draw(kind, 21, tiplu, chance, rules))
        seen = Hand(draw(kind, 12, tiplu, chance, rules), laid=LAID, tiplu=tiplu)
        for hand, asked in ((unseen, show_question(unseen, rules)), (seen, finish_question(seen, rules))):
            before = holes(asked)
            others = deck(rules)
            for card in hand.concealed:
                others.remove(card)
            for card in chance.sample(others, 4):
                richer = more(asked, card, hand.wilds)
                assert before - 1 <= holes(richer) <= before
                assert holes(less(richer, card, hand.wilds)) == before


@pytest.mark.parametrize("rules", [PAGAT, PLUS, ODD], ids=["pagat", "plus", "odd"])
def test_a_show_is_never_further_than_a_finish_nor_a_finish_than_its_estimate(rules):
    chance = random.Random(2)
    for number in range(20):
        hand = Hand(draw(KINDS[number % len(KINDS)], 22, CARDS[7], chance, rules), dead=(CARDS[7],))
        assert show_distance(hand, rules) <= distance(hand, rules) <= rough_distance(hand, rules)


@pytest.mark.parametrize("rules", [PAGAT, PLUS, ODD], ids=["pagat", "plus", "odd"])
def test_yes_or_no_agrees_with_how_far(rules):
    chance = random.Random(3)
    for number in range(40):
        tiplu = chance.choice(CARDS[:FACES])
        kind = KINDS[number % len(KINDS)]
        hand = Hand(draw(kind, 13, tiplu, chance, rules), laid=LAID, tiplu=tiplu)
        asked = finish_question(hand, rules)
        least = holes(asked)
        for most in range(6):
            assert (cover(asked, at_most=most) is not None) == (least <= most)


def test_the_same_question_has_the_same_answer():
    chance = random.Random(4)
    for kind in KINDS:
        hand = draw(kind, 22, CARDS[0], chance, PAGAT)
        shuffled = tuple(chance.sample(hand, 22))
        assert arrange(Hand(hand), PAGAT) == arrange(Hand(shuffled), PAGAT)
