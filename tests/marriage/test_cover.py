"""The general search on small questions, whose answers an integer model found, and on hands that can be checked by eye."""

import pytest

from marriage.bits import contains
from marriage.cards import MASTER, parse_cards, sort_cards
from marriage.rules import Rules
from marriage.solver import Hand, distance, show_distance
from marriage.solver.cover import cover
from marriage.solver.hand import interchangeable, question
from tests.marriage.small_questions import RULES, small_questions

PLUS = Rules(group_size="three_plus")
ALWAYS = Rules(master_card="always", man_cards=2)
MASTER_TUNNELAS = Rules(master_card="always_tunnelas", primary_trial=True)
LONG_TRIALS = Rules(group_size="three_plus", long_trial=True, man_cards=3, primary_trial=True)
COUNT = 60
HOLES = {
    "threes": "112212302100212000020222023010240001222311221300121201021023",
    "trials": "121222021211202121402110310011011002112012111121010301122210",
    "master": "112121011023014021131222112111101111220124002130020302210000",
    "master and men": "011300200001421000101211141101000021112220201001103021010013",
    "master tunnelas": "101011300012220110010115001013112110310110212120102000010202",
    "master primary": "202002010021033101201201001000110112120210111020022311300012",
    "longer": "14211133131020402110223111132201120212100122005100002221102",
    "long trials": "24132050111112020102022110011001060331011203231131120133",
    "longer with master": "024011221213010111211201112010420321020010200001100030031202",
    "longer with master tunnelas": "0001220102000001041221031001011201421240301033304032100112",
}
"""The holes of each question, by rules, as the integer model of `oracle` finds them (test_solver_oracle.py)."""


def cards(text):
    return sort_cards(parse_cards(text))


@pytest.mark.parametrize("name", RULES)
def test_small_questions_have_the_holes_that_the_integer_model_found(name):
    found = [cover(small.asked).holes for small in small_questions(name, COUNT)]
    assert "".join(map(str, found)) == HOLES[name]


@pytest.mark.parametrize("name", RULES)
def test_the_parts_of_a_cover_lie_in_the_hand_and_fill_the_wanted_groups(name):
    for asked, *_ in small_questions(name, COUNT):
        answer = cover(asked)
        primary = [part for part in answer.parts if part.primary]
        general = [part for part in answer.parts if not part.primary]
        assert contains(asked.hand, sum(part.pattern.mask for part in answer.parts))
        assert all(part.size in part.pattern.sizes for part in answer.parts)
        assert sum(part.pattern.master for part in answer.parts) <= asked.master
        assert len(primary) <= asked.primary
        most = asked.total - sum(part.size for part in (*primary, *general)) - sum(answer.single)
        least = 3 * (asked.primary - len(primary))
        assert most == least if not asked.plus else most >= least


@pytest.mark.parametrize("name", RULES)
def test_a_search_for_few_holes_finds_them_or_nothing(name):
    for asked, *_ in small_questions(name, COUNT):
        least = cover(asked).holes
        assert cover(asked, at_most=least).holes == least
        assert cover(asked, at_most=least + 1).holes <= least + 1
        assert cover(asked, at_most=least - 1) is None


def test_two_groups_that_wait_for_the_same_last_card_cannot_both_get_it():
    """Two groups of four are open, and the hand has 3, 4 and 6 of spades twice."""
    laid = tuple(map(cards, ("JC QC KC", "5D 6D 7D 8D", "8S 9S 10S JS QS KS")))
    hand = Hand(cards("3S 3S 4S 4S 6S 6S 2D 9C"), laid=laid)
    gone = parse_cards("5S 5S 2S 2S 2S")
    assert distance(hand._replace(dead=gone[:1]), PLUS) == 2
    assert distance(hand._replace(dead=gone[:2]), PLUS) == 3  # the other group is ace to four
    assert distance(hand._replace(dead=gone), PLUS) == 4


def test_the_one_master_card_completes_one_sequence_only():
    hand = Hand(cards("3S 4S 7H 8H JD QD"))
    gone = parse_cards("2S 2S 2S 5S 5S 5S 6H 6H 6H 9H 9H 9H")
    assert show_distance(hand._replace(dead=gone[:6]), ALWAYS) == 3
    assert show_distance(hand._replace(dead=gone), ALWAYS) == 4


def test_two_identical_cards_wait_for_the_master_card_where_it_completes_a_tunnela():
    hand = Hand(cards("3S 4S 5S 7H 8H 9H 6D 6D"), dead=parse_cards("6D 5D 5D 5D 7D 7D 7D"))
    tunnelas = Rules(master_card="always_tunnelas")
    assert show_distance(hand, tunnelas) == 1
    assert show_distance(hand._replace(dead=(*hand.dead, MASTER)), tunnelas) > 1
    assert show_distance(hand, Rules(master_card="always")) > 1


def test_no_other_set_waits_for_the_master_card_that_is_in_a_pure_set():
    jacks_gone = parse_cards("JC JC JC JD JD JD 6D 2C 2C 2C QC QC QC AS AS AS AH AH AH AD AD AD")
    text = "3S 4S 5S 8H 9H 10H 6D 6D MASTER 7S 7C 7D 9S 9C 9D KH KC KD JS JH AC"
    hand = Hand(cards(text), dead=jacks_gone)
    assert distance(hand, Rules(master_card="always_tunnelas")) == 2
    assert distance(hand, Rules(master_card="always_tunnelas", man_cards=1)) == 1


@pytest.mark.parametrize(
    ("rules", "primary", "total", "text", "gone", "holes"),
    [
        # fewer cards than places
        (Rules(), 3, 9, "AS KS 2S", "", 6),
        # twos and fours wait for the same last 3 of clubs, whatever else was tried before
        (Rules(man_cards=1), 2, 9, "AC AC 2C 2C 4C 5C 7C 7C 8C", "AC 3C 3C 6C 6C 6C 7C 9C 9C 9C", 3),
        (Rules(master_card="always"), 3, 9, "3S AH AD 3D 2C 2C 4C 4C MASTER", "3C 3C 4C", 2),
        # two identical cards in the primary group wait for the master card, so the sequence is laid elsewhere
        (MASTER_TUNNELAS, 1, 6, "6H 7H 8H 9H 9H 8D", "9H", 1),
        # a primary group of three and another one of four
        (LONG_TRIALS, 1, 7, "10H JH KH KH QD QC QC", "QH QH QH", 2),
        # the sevens to tens, which two primary groups and others share
        (PLUS, 2, 13, "7S 8S 8S 9S 10S 9H 10H 8D 9D 7C 7C 8C 9C", "", 1),
        # a trial cannot be a primary group
        (Rules(), 3, 12, "3S 4S 5S QH KH AH 6D 6D 6D 9S 9H 9D", "", 0),
        # the man card stands in beside the king, and the master card beside a seven
        (ALWAYS, 1, 6, "MAN 6H 7D 7D KC MASTER", "7D", 2),
        # wild cards make a trial of three longer than four suits
        (LONG_TRIALS, 0, 5, "9S 9H 9D MAN MAN", "", 0),
        (LONG_TRIALS, 0, 5, "9S 9H MAN MAN MAN", "", 0),
        (Rules(group_size="three_plus", man_cards=3), 0, 5, "9S 9H 9D MAN MAN", "", 2),
    ],
)
def test_a_few_groups_from_a_few_cards(rules, primary, total, text, gone, holes):
    hand = Hand(cards(text), dead=parse_cards(gone))
    asked = question(hand, rules, total)._replace(primary=primary)
    assert cover(asked if primary else interchangeable(asked)).holes == holes
