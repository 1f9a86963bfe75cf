"""The patterns that a hand holds, against lists of all groups, and the bounds on how many can be laid at once."""

import random

import pytest

from marriage.bits import contains, pack
from marriage.cards import MASTER, parse_cards, sort_cards
from marriage.cards import contains as holds
from marriage.rules import Rules
from marriage.solver.question import (
    Question,
    disjoint,
    found,
    identical_pairs,
    limits_of,
    masters,
    most_threes,
    run_families,
    shapes,
    trial_families,
    tunnelas,
    whole_threes,
)
from tests.marriage.hands import KINDS, draw
from tests.marriage.oracle import primary_patterns


@pytest.fixture(autouse=True)
def nothing_cached():
    """Let each test build the patterns that it uses: a mutant is chosen when they have long been cached."""
    for cached in (run_families, trial_families, shapes):
        cached.cache_clear()


def hand(text):
    return pack(parse_cards(text))


def drawn(size):
    """Return sixty hands of all kinds, with many cards that belong together."""
    chance = random.Random(size)
    tiplu = parse_cards("7D")[0]
    return [draw(KINDS[number % len(KINDS)], size, tiplu, chance, Rules()) for number in range(60)]


@pytest.mark.parametrize("trials", [False, True])
def test_the_whole_groups_of_three_are_those_that_the_hand_holds(trials):
    for cards in drawn(14):
        listed = [pattern.cards for pattern in whole_threes(pack(cards), trials=trials)]
        assert len(set(listed)) == len(listed)
        assert set(listed) == {whole for whole in primary_patterns(3, trials, "off") if holds(cards, whole)}


@pytest.mark.parametrize("plus", [False, True])
def test_runs_trials_and_tunnelas_are_found_up_to_the_longest_group(plus):
    longest = 5 if plus else 3
    for cards in drawn(14):
        packed = pack(cards)
        patterns = found(packed, run_families(plus=plus)) + tunnelas(packed)
        patterns += found(packed, trial_families(plus=plus))
        whole = [pattern.cards for pattern in patterns if pattern.worth == pattern.sizes[0]]
        assert len(set(whole)) == len(whole)
        assert set(whole) == {
            group for group in primary_patterns(longest, True, "off") if holds(cards, group)
        }


@pytest.mark.parametrize(
    ("rule", "options"),
    [
        ("always", {"tunnelas": False, "trials": False}),
        ("always_tunnelas", {"tunnelas": True, "trials": False}),
        ("always_primary", {"tunnelas": True, "trials": True}),
    ],
)
@pytest.mark.parametrize("plus", [False, True])
def test_the_master_card_stands_in_once_where_the_rules_let_it(plus, rule, options):
    longest = 5 if plus else 3
    wholes = [group for group in primary_patterns(longest, True, rule) if MASTER in group]
    for cards in drawn(12):
        patterns = masters(pack(cards), plus=plus, **options)
        listed = {pattern.cards for pattern in patterns if pattern.worth == pattern.sizes[0]}
        assert listed == {group for group in wholes if holds(sort_cards((*cards, MASTER)), group)}
        assert all(pattern.master for pattern in patterns)


@pytest.mark.parametrize(
    ("text", "pure", "with_trials"),
    [
        ("", 0, 0),
        ("5S 6S", 0, 0),
        ("5S 6S 7S", 1, 1),
        ("QH KH AH", 1, 1),
        ("KH AH 2H", 0, 0),
        ("KH KH AH AH", 0, 0),
        ("QS KS AH 2H 3H", 1, 1),
        ("6D 6D 6D", 1, 1),
        ("6D 6D", 0, 0),
        ("9S 9H 9D", 0, 1),
        ("9S 9H 9C", 0, 1),
        ("9S 9D 9C", 0, 1),
        ("9H 9D 9C", 0, 1),
        ("9S 9H 9D 9C", 0, 1),
        ("9S 9S 9H", 0, 0),
        ("9S 9C 10H 10D", 0, 0),
        ("5S 6S 7S 5S 6S 7S QC KC AC", 3, 3),
        ("5S 6S 7S 8S 9S", 1, 1),
        ("5S 6S 7S KD KD KD 2S 2H 2D", 2, 3),
    ],
)
def test_the_bound_on_groups_of_three_counts_the_cards_of_any_group(text, pure, with_trials):
    assert most_threes(hand(text), trials=False) == pure
    assert most_threes(hand(text), trials=True) == with_trials


@pytest.mark.parametrize("trials", [False, True])
def test_no_more_groups_can_be_laid_than_the_bound_says(trials):
    for cards in drawn(16):
        packed = pack(cards)
        patterns = whole_threes(packed, trials=trials)
        bound = most_threes(packed, trials=trials)
        assert disjoint(patterns, packed, bound + 1) is None


def test_groups_that_are_laid_at_once_share_no_card():
    patterns = whole_threes(hand("3S 4S 5S 6S 7S 8S 8S 8S"), trials=False)
    packed = hand("3S 4S 5S 6S 7S 8S 8S 8S")
    assert disjoint(patterns, packed, 0) == ()
    laid = disjoint(patterns, packed, 2)
    assert laid is not None
    assert contains(packed, sum(pattern.mask for pattern in laid))
    assert disjoint(patterns, packed, 3) is None
    twice = hand("3S 4S 5S 3S 4S 5S")
    assert disjoint(whole_threes(twice, trials=False)[:1], twice, 2) is not None


def test_the_one_master_card_is_in_one_group_only():
    packed = hand("3S 4S 7H 8H")
    patterns = masters(packed, plus=False, tunnelas=False, trials=False)
    assert disjoint(patterns, packed, 1) is not None
    assert disjoint(patterns, packed, 2) is None
    whole = hand("3S 4S 7H 8H 9H")
    patterns = masters(whole, plus=False, tunnelas=False, trials=False) + whole_threes(whole, trials=False)
    laid = disjoint(patterns, whole, 2)
    assert laid is not None
    assert sorted(pattern.master for pattern in laid) == [False, True]


def test_the_wanted_cards_are_split_into_groups_in_every_way():
    assert shapes(3, 21, plus=False) == (((3, 3, 3), (3, 3, 3, 3)),)
    assert shapes(0, 10, plus=False) == ()
    assert set(shapes(1, 9, plus=True)) == {((3,), (3, 3)), ((4,), (5,)), ((5,), (4,))}
    assert set(shapes(2, 12, plus=True)) == {
        ((3, 3), (3, 3)),
        ((3, 4), (5,)),
        ((3, 5), (4,)),
        ((4, 4), (4,)),
        ((4, 5), (3,)),
    }


def test_at_most_as_many_groups_are_filled_as_the_cards_of_their_patterns_allow():
    packed = hand("5S 6S 7S 8S 9S 9S KD KD KD")
    runs = found(packed, run_families(plus=False))
    assert limits_of(packed, []) == (0, 0, 0, 0, 0, 0)
    assert limits_of(packed, runs) == (2, 0, 0, 0, 0, 0)
    assert limits_of(packed, runs + tunnelas(packed)) == (3, 0, 0, 0, 0, 0)
    assert limits_of(packed, found(packed, run_families(plus=True))) == (2, 2, 1, 2, 1, 1)


def test_cards_of_no_pattern_fill_no_group():
    packed = hand("AS AS AS 5S 6S 7S 8S 9S")
    assert limits_of(packed, found(packed, run_families(plus=False))) == (1, 0, 0, 0, 0, 0)


def test_the_master_card_raises_the_limits_by_one_card():
    packed = hand("5S 6S 8S 9S KD")
    with_master = masters(packed, plus=False, tunnelas=False, trials=False)
    assert limits_of(packed, with_master) == (1, 0, 0, 0, 0, 0)
    assert limits_of(
        hand("5S 6S 9H 10H JH"), masters(hand("5S 6S 9H 10H JH"), plus=False, tunnelas=False, trials=False)
    ) == (2, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("options", "taken"),
    [
        ({}, "run, high run"),
        ({"master_tunnela": True}, "run, high run, identical"),
        ({"master_trial": True}, "run, high run, trial"),
        ({"master_tunnela": True, "master_trial": True}, "run, high run, identical, trial"),
    ],
)
def test_the_rules_say_with_which_cards_the_master_card_may_stand_in(options, taken):
    asked = Question(hand=0, primary=3, total=9, master=True, **options)
    kinds = {
        "run": found(hand("5S 6S"), run_families(plus=False, pairs=True)),
        "high run": found(hand("KS AS"), run_families(plus=False, pairs=True)),
        "identical": identical_pairs(hand("5S 5S 5D")),
        "trial": found(hand("5S 5D"), trial_families(plus=False, pairs=True)),
        "tunnela": tunnelas(hand("5S 5S 5S")),
    }
    assert [len(patterns) for patterns in kinds.values()] == [1] * 5
    assert [kind for kind, [pattern] in kinds.items() if asked.takes_master(pattern)] == taken.split(", ")


def test_the_master_card_raises_the_limits_whichever_pattern_comes_last():
    packed = hand("5S 6S 9H 10H JH")
    with_master = masters(packed, plus=False, tunnelas=False, trials=False)
    whole = whole_threes(packed, trials=False)
    assert (
        limits_of(packed, with_master + whole) == limits_of(packed, whole + with_master) == (2, 0, 0, 0, 0, 0)
    )
