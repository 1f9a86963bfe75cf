"""The distances of hands that can be checked by eye, and of many at once."""

import random
from collections import Counter

import pytest

from marriage.cards import CARDS, Card, parse_cards, sort_cards
from marriage.rules import Rules
from marriage.solver import (
    NEVER,
    Hand,
    distance,
    show_distance,
)
from marriage.solver.cover import cover
from marriage.solver.hand import question
from tests.marriage.hands import deck, draw

PAGAT = Rules()
PLUS = Rules(group_size="three_plus")
TRIALS = Rules(primary_trial=True)
ALWAYS = Rules(master_card="always", man_cards=2)
JACK = Card.parse("JC")
LAID = tuple(map(parse_cards, ("AS 2S 3S", "9D 9D 9D", "10H JH QH")))


def cards(text):
    return sort_cards(parse_cards(text))


# Distances


@pytest.mark.parametrize(
    ("text", "rules", "holes"),
    [
        ("3S 4S 5S QH KH AH 6D 6D 8D KC KS 9C", PAGAT, 1),
        ("3S 4S 5S QH KH AH KC KS KD 9C 2D", PAGAT, 2),
        ("3S 4S 5S QH KH AH KC KS KD 9C 2D", TRIALS, 0),
        ("3S 4S 5S QH KH AH 6D 8D MASTER", Rules(master_card="after_seeing"), 1),
        ("3S 4S 5S QH KH AH 6D 8D MASTER", ALWAYS, 0),
        ("3S 4S 5S QH KH AH 6D 6D MASTER", ALWAYS, 1),
        ("3S 4S 5S QH KH AH 6D 7D MAN MAN", ALWAYS, 1),
        ("3S 4S 5S 6S 7S 8S 9S 10S JS", PAGAT, 0),
        ("AS KS 2S", PAGAT, 6),
    ],
)
def test_the_distance_to_a_show(text, rules, holes):
    assert show_distance(Hand(cards(text)), rules) == holes


def test_a_pair_is_no_hope_when_all_that_complete_it_have_gone():
    hand = cards("3S 4S 5S QH KH AH 6D 7D")
    gone = parse_cards("5D 5D 5D 8D 8D 8D")
    assert show_distance(Hand(hand), PAGAT) == 1
    assert show_distance(Hand(hand, dead=gone[:-1]), PAGAT) == 1
    assert show_distance(Hand(hand, dead=gone), PAGAT) == 2


def test_cards_that_no_groups_can_make_up_never_finish():
    seven = parse_cards("AS 2S 3S 4S 5S 6S 7S")
    six = parse_cards("AH 2H 3H 4H 5H 6H")
    hand = Hand(parse_cards("9C 9C"), laid=(seven, seven, six), tiplu=JACK)
    assert distance(hand, PLUS) == NEVER


def test_before_seeing_nothing_is_wild_but_what_always_is():
    hand = Hand(cards("3S 4S 5S QH KH AH 6D 6D 6D 2C 3C 4C 5H 6H 7H 9S 9D 9C JD JS KC 8H"))
    assert distance(hand, PAGAT) == 1
    assert distance(Hand(hand.concealed, tiplu=JACK), PAGAT) == 0


# Figures


def share(hits, total):
    return 100 * hits / total


def test_how_many_primary_groups_are_dealt():
    chance = random.Random(19)
    deals = 2_000
    most = Counter()
    for _ in range(deals):
        hand = Hand(sort_cards(chance.sample(deck(PAGAT), 21)))
        asked = question(hand, PAGAT, 9)
        most[
            sum(cover(asked._replace(primary=n, total=3 * n), at_most=0) is not None for n in (1, 2, 3))
        ] += 1
    for number, percent in {0: 13.6, 1: 38.1, 2: 34.7, 3: 13.6}.items():
        assert share(most[number], deals) == pytest.approx(percent, abs=2.5)


def test_how_far_random_hands_are():
    chance = random.Random(6)
    hands = 700
    show, known, unknown, seen = [], [], [], []
    for _ in range(hands):
        shuffled = chance.sample(deck(PAGAT), 23)
        held, tiplu = sort_cards(shuffled[:22]), shuffled[22]
        show.append(show_distance(Hand(held), PAGAT))
        known.append(distance(Hand(held, tiplu=tiplu), PAGAT))
        unknown.append(distance(Hand(held), PAGAT))
        seen.append(distance(Hand(sort_cards(shuffled[:13]), laid=LAID, tiplu=tiplu), PAGAT))
    for distances, mean in ((show, 1.36), (known, 2.76), (unknown, 4.29), (seen, 2.35)):
        assert sum(distances) / hands == pytest.approx(mean, abs=0.12)
    assert share(show.count(0), hands) == pytest.approx(19.0, abs=4)
    assert share(seen.count(0), hands) == pytest.approx(2.4, abs=1.5)
    assert share(known.count(0), hands) == pytest.approx(0.5, abs=0.8)


@pytest.mark.parametrize(
    ("kind", "shows", "finishes"), [("wilds", 40, 16), ("suit", 100, 99), ("block", 97, 47.5)]
)
def test_how_many_hard_hands_show_and_finish(kind, shows, finishes):
    chance = random.Random(1)
    hands = 150
    showing = finishing = 0
    for _ in range(hands):
        tiplu = chance.choice(CARDS[:52])
        hand = Hand(draw(kind, 22, tiplu, chance, PAGAT), tiplu=tiplu)
        showing += show_distance(hand, PAGAT) == 0
        finishing += distance(hand, PAGAT) == 0
    assert share(showing, hands) == pytest.approx(shows, abs=10)
    assert share(finishing, hands) == pytest.approx(finishes, abs=10)
