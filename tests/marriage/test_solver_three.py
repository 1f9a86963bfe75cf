"""The quick search for groups of three, compared with the general one, which knows every rule.

THREE_HANDS sets how many hands of each kind and question are compared.
"""

import os
import random

import pytest

from marriage.bits import pack
from marriage.cards import CARDS, FACES, Card, contains, parse_cards, sort_cards
from marriage.maal import wild_faces
from marriage.rules import Rules
from marriage.solver import Hand, three
from marriage.solver.cover import cover
from marriage.solver.hand import finish_question, holes, show_question, wild_copies, within
from marriage.solver.pairing import Pairing, first_pairs, pairs_fill
from marriage.solver.question import Question
from marriage.solver.three import least_of_few, least_of_many, whole_groups
from tests.marriage.hands import KINDS, deck, draw
from tests.marriage.oracle import primary_patterns
from tests.marriage.small_questions import small_questions

HANDS = int(os.environ.get("THREE_HANDS", "30"))
PAGAT = Rules()
MEN = Rules(man_cards=3, master_card="after_seeing")
LAID = (CARDS[:3],) * 3
GONE = (0, 20, 60, 90)
"""The numbers of others' cards that lie open. With many gone, groups wait for the same last copies."""


def hand_of(question, kind, chance, rules):
    """Return a hand for one of the questions, with others' cards lying open."""
    tiplu = chance.choice(CARDS[:FACES])
    size = {"seen": 13, "exposed": 19, "exposed twice": 16}.get(question, chance.choice((21, 22)))
    concealed = draw(kind, size, tiplu, chance, rules)
    unseen = deck(rules)
    for card in (*concealed, tiplu):
        unseen.remove(card)
    return Hand(
        concealed,
        exposed={"exposed": CARDS[:1], "exposed twice": CARDS[:2]}.get(question, ()),
        laid=LAID if question == "seen" else (),
        tiplu=tiplu if question in ("open", "seen", "exposed twice") else None,
        dead=tuple(chance.sample(unseen, chance.choice(GONE))),
    )


def contended(left, chance):
    """Return a hand whose pairs wait for the same cards, since all but a few have gone."""
    cards, gone = chance.sample(deck(PAGAT), 22 + left), deck(PAGAT)
    for card in cards:
        gone.remove(card)
    return Hand(sort_cards(cards[:22]), dead=tuple(gone))


def all_gone_but(held, left):
    """Return this hand; of the others' cards only those left are not gone."""
    gone = deck(PAGAT)
    for card in parse_cards(f"{held} {left}"):
        gone.remove(card)
    return Hand(sort_cards(parse_cards(held)), dead=tuple(gone))


@pytest.mark.parametrize("search", [least_of_few, least_of_many])
def test_each_search_answers_small_questions_as_the_general_one(search):
    for asked, *_ in small_questions("threes", 3 * HANDS):
        least, groups = cover(asked).holes, whole_groups(asked)
        assert [search(asked, *groups, most) for most in (least, 99, least - 1)] == [least] * 3, asked


@pytest.mark.parametrize("search", [least_of_few, least_of_many])
@pytest.mark.parametrize(
    ("held", "asked", "holes"),
    [
        # three pairs instead of a run
        ("5S 6S 7S 5H 6D 7C 10H 2D KC", Question(0, primary=0, total=9), 3),
        # with a trial laid, a wild card is left for either run
        ("9S 10S JS QS 4S 4H 4D 6D 7D", Question(0, primary=1, total=9, spare=1, stand_ins=True), 0),
    ],
    ids=["pairs", "wild card in a run"],
)
def test_the_best_groups_are_not_those_that_are_laid_first(search, held, asked, holes):
    asked = asked._replace(hand=pack(parse_cards(held)), wild=wild_copies(wild_faces(Card.parse("JC"))))
    assert search(asked, *whole_groups(asked), 9) == cover(asked).holes == holes


def test_the_whole_groups_are_those_that_the_hand_holds():
    chance = random.Random(15)
    for number in range(HANDS):
        tiplu = chance.choice(CARDS[:FACES])
        hand = Hand(draw(KINDS[number % len(KINDS)], 22, tiplu, chance, PAGAT), tiplu=tiplu)
        pure, trials = (
            {
                pack(group)
                for group in primary_patterns(3, bool(trials), "off")
                if contains(hand.concealed, group)
            }
            for trials in range(2)
        )
        natural = {group for group in trials - pure if not group & wild_copies(hand.wilds)}
        found = whole_groups(finish_question(hand, PAGAT))
        assert [set(groups) for groups in found] == [pure, natural]
        assert sum(map(len, found)) == len(pure) + len(natural)
        assert whole_groups(show_question(hand, PAGAT)) == (found[0], [])
        assert whole_groups(show_question(hand, PAGAT)._replace(total=12)) == found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rules", [PAGAT, MEN], ids=["pagat", "men"])
@pytest.mark.parametrize("question", ["show", "open", "unseen", "seen", "exposed", "exposed twice"])
def test_both_searches_agree(question, kind, rules):
    chance = random.Random(f"{question} {kind} {rules.man_cards}")
    for _ in range(HANDS):
        hand = hand_of(question, kind, chance, rules)
        asked = show_question(hand, rules) if question == "show" else finish_question(hand, rules)
        assert three.fits(asked)
        assert three.least_holes(asked) == cover(asked).holes, hand


def test_listing_the_packings_and_searching_them_agree():
    chance = random.Random(13)
    for number in range(5 * HANDS):
        question = ("open", "unseen", "seen", "show")[number % 4]
        hand = hand_of(question, "random", chance, MEN)
        asked = show_question(hand, MEN) if question == "show" else finish_question(hand, MEN)
        pure, trials = whole_groups(asked)
        least = cover(asked).holes
        for most in (least - 1, least, 99):
            answers = {search(asked, pure, trials, most) for search in (least_of_few, least_of_many)}
            assert answers == {min(least, most + 1)}, hand


def test_first_pairs_promise_no_more_than_all_pairs_hold():
    chance = random.Random(14)
    promised = 0
    for number in range(5 * HANDS):
        question = ("open", "unseen", "seen", "show")[number % 4]
        hand = hand_of(question, KINDS[number % len(KINDS)], chance, MEN)
        asked = show_question(hand, MEN) if question == "show" else finish_question(hand, MEN)
        first, pairs = first_pairs(asked), Pairing(asked)
        for primary in range(asked.primary + 1):
            for lack in range(-1, 9):
                packing = asked.hand, primary, asked.total // 3 - asked.primary, lack
                for allowed in range(-primary, max(0, lack)):
                    if pairs_fill(*packing, allowed + 2 * primary, first):
                        promised += 1
                        assert pairs.fills(*packing, allowed), (hand, packing, allowed)
    assert promised > HANDS


@pytest.mark.parametrize("left", [4, 8, 16])
def test_no_two_groups_wait_for_the_same_last_card(left: int):
    chance = random.Random(left)
    for number in range(HANDS):
        hand = contended(left, chance)
        for tiplu in (None, CARDS[number]):
            asked = finish_question(hand._replace(tiplu=tiplu), PAGAT)
            assert three.fits(asked)
            assert three.least_holes(asked) == cover(asked).holes, hand


def test_a_group_that_waits_for_a_taken_card_is_no_reason_to_give_up_others():
    """The same pairs may still do with other groups, which wait for other cards."""
    held = "4S 6S KS AH 3H 5H 5H 6H 9H JH QH KH 2D 3D 3D 9D JD AC 5C 5C 10C QC"
    asked = finish_question(all_gone_but(held, "10H 3S 5S 10S 4H 8H 10H QH 10D QD 3C JC"), PAGAT)
    assert three.least_holes(asked) == cover(asked).holes == 6


def test_a_pair_elsewhere_frees_a_wild_card_for_a_primary_group():
    held = "2S 7S 7S 8S QS KS AH 3H 9H 9H QH AD 2D 5D 8D 8D 9D JD AC 2C 10C QC"
    hand = all_gone_but(held, "5S 9S 6H 10H 3D 6D 4C JC")._replace(tiplu=parse_cards("QS")[0])
    asked = finish_question(hand, PAGAT)
    assert three.least_holes(asked) == cover(asked).holes == 4


def test_a_pair_elsewhere_frees_as_many_wild_cards_as_two_primary_groups_take():
    held = "AS 2S 6S 9S 2H 2H 4H 5H 7H 2D 2D 6D JD AC 3C 3C 4C 7C 7C MAN MAN"
    gone = "6H 6H 6H 3S 3S 3S 3H 3H 3H 7C"
    hand = Hand(parse_cards(held), tiplu=parse_cards("2C")[0], dead=parse_cards(gone))
    asked = finish_question(hand, MEN)
    assert three.least_holes(asked) == cover(asked).holes == 3


def test_yes_or_no_agrees_with_how_far():
    chance = random.Random(11)
    for number in range(HANDS):
        asked = finish_question(hand_of("open", KINDS[number % len(KINDS)], chance, MEN), MEN)
        least = three.least_holes(asked)
        assert [three.least_holes(asked, most) for most in range(12)] == [
            min(least, most + 1) for most in range(12)
        ]


def test_a_trial_laid_twice_leaves_wild_cards_for_a_run():
    held = "4S 4S 6S 6S 7S 7S 9S QS QS 6H 6H 6H 4D 4D 6D 6D 2C 5C 8C 9C 9C 10C"
    hand = Hand(parse_cards(held), tiplu=CARDS[8])
    asked = finish_question(hand, PAGAT)
    assert three.least_holes(asked) == cover(asked).holes == 2


@pytest.mark.parametrize(
    "rules",
    [Rules(group_size="three_plus"), Rules(primary_trial=True), Rules(master_card="always")],
    ids=["longer groups", "primary trials", "master card"],
)
def test_other_rules_are_left_to_the_general_search(rules):
    chance = random.Random(12)
    hand = hand_of("unseen", "random", chance, rules)
    asked = finish_question(hand, rules)
    assert not three.fits(asked)
    least = cover(asked).holes
    assert holes(asked) == least
    assert within(asked, least)
    assert not within(asked, least - 1)


def test_a_hand_with_fewer_cards_than_its_groups_is_left_to_the_general_search():
    asked = finish_question(Hand(CARDS[:20]), PAGAT)
    assert not three.fits(asked)
    assert holes(asked) == cover(asked).holes
