"""The way to a show, suit by suit: the quick search of one suit against the general search, and the outs of a hand."""

import random

import pytest

from marriage.bits import ONE, pack
from marriage.cards import CARDS, FACES, PACKS, Card, Cards, parse_cards, sort_cards
from marriage.rules import PRESETS, Rules, preset
from marriage.solver import Hand
from marriage.solver.cover import cover
from marriage.solver.hand import finish_question, holes, more, show_question
from marriage.solver.question import Question
from marriage.solver.suits import fill, helpful, outs_to_show, show_holes, splits
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


def cut(cards: list[Card]) -> tuple[Cards, Cards]:
    """Return a hand of these cards, and the others."""
    return sort_cards(cards[:21]), tuple(cards[21:])


@pytest.mark.parametrize("gone", [39, 110])
def test_outs_to_a_show_are_the_cards_that_bring_it_nearer(gone: int) -> None:
    chance, rules = random.Random(5), PRESETS["pagat"]
    for _ in range(30):
        held, dead = cut(chance.sample(deck(rules), 21 + gone))
        hand = Hand(held, dead=dead)
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


@pytest.mark.parametrize(
    ("held", "gone", "filled"),
    [
        ("", "", (0, 0, 0, 0)),
        ("5S", "", (0, 1, 1, 1)),
        ("5S 5S 5S", "", (0, 3, 3, 3)),
        ("5S 6S", "", (0, 2, 2, 2)),
        ("5S 6S", "4S 4S 4S", (0, 2, 2, 2)),
        ("5S 6S", "4S 4S 4S 7S 7S 7S", (0, 1, 2, 2)),
        ("QS KS AS", "", (0, 3, 3, 3)),
        ("KS AS 2S", "", (0, 2, 3, 3)),
        ("KS AS", "QS QS QS", (0, 1, 2, 2)),
        ("QS AS", "KS KS KS", (0, 1, 2, 2)),
        ("5S 5S", "5S", (0, 1, 2, 2)),
        # two pairs may not wait for the same last card
        ("3S 3S 5S 5S", "4S", (0, 2, 4, 4)),
        ("3S 3S 5S 5S", "4S 4S 3S 5S", (0, 2, 3, 4)),
        ("3S 3S 5S 5S 9S JS", "4S 4S 3S 5S", (0, 2, 4, 5)),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S", "", (0, 3, 6, 9)),
    ],
)
def test_what_some_cards_of_a_suit_fill(held: str, gone: str, filled: tuple[int, ...]) -> None:
    hand = parse_cards(held)
    suit = [card for card in CARDS[:13] for _ in range(PACKS)]
    for card in (*hand, *parse_cards(gone)):
        suit.remove(card)
    assert fill(pack(hand), pack(suit)) == filled


RULES = [
    PRESETS["pagat"],
    preset("pagat", primary_trial=True),
    preset("pagat", master_card="always", man_cards=2),
    preset("pagat", master_card="after_seeing", man_cards=1),
]
BY_SUIT = [True, False, False, True]


@pytest.mark.parametrize(("rules", "by_suit"), [*zip(RULES, BY_SUIT, strict=True)])
def test_the_way_to_a_show_is_the_same_by_suit_or_not(rules: Rules, by_suit: bool) -> None:
    chance = random.Random(7)
    for _ in range(10):
        asked = show_question(Hand(sort_cards(chance.sample(deck(rules), 21))), rules)
        assert splits(asked) is by_suit
        assert show_holes(asked) == holes(asked)


def test_cards_that_have_gone_complete_no_pair_in_the_search_by_suit() -> None:
    chance, rules = random.Random(10), PRESETS["pagat"]
    for _ in range(20):
        held, dead = cut(chance.sample(deck(rules), 140))
        asked = show_question(Hand(held, dead=dead), rules)
        found = cover(asked)
        assert found is not None
        assert show_holes(asked) == found.holes


@pytest.mark.parametrize("rules", RULES)
def test_helpful_cards_bring_a_hand_within_the_holes_asked_for(rules: Rules) -> None:
    chance = random.Random(8)
    laid = tuple(map(parse_cards, ("AS 2S 3S", "9D 9D 9D", "10H JH QH")))
    for number in range(4):
        cards = chance.sample(deck(rules), 40)
        hand = Hand(sort_cards(cards[:21]), dead=tuple(cards[21:]))
        if number % 2:
            hand = Hand(sort_cards(cards[:13]), laid=laid, tiplu=CARDS[9], dead=tuple(cards[13:]))
        asked = finish_question(hand, rules) if number % 2 else show_question(hand, rules)
        left = [max(0, count) for count in hand.left(rules)]
        most = holes(asked) - 1
        nearer = tuple(
            card for card in CARDS[:-1] if left[card] and holes(more(asked, card, hand.wilds)) <= most
        )
        assert helpful(asked, left, hand.wilds, most) == nearer
        some = (*reversed(CARDS[5:20]),)
        assert helpful(asked, left, hand.wilds, most, some) == tuple(card for card in some if card in nearer)
