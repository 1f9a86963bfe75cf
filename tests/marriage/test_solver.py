"""The solver's answers on hands that can be checked by eye, and on many at once."""

import random
from collections import Counter
from itertools import combinations

import pytest

from marriage.cards import CARDS, MAN, MASTER, Card, contains, parse_cards, sort_cards
from marriage.groups import is_group, is_primary, wilds_for
from marriage.rules import Rules
from marriage.solver import (
    NEVER,
    Hand,
    arrange,
    distance,
    find_dublees,
    find_finish,
    find_show,
    pairs,
    plan_show,
    show_distance,
)
from marriage.solver.cover import cover
from marriage.solver.hand import question
from marriage.solver.layouts import distances_after
from tests.marriage.hands import KINDS, deck, draw
from tests.marriage.oracle import primary_patterns

PAGAT = Rules()
PLUS = Rules(group_size="three_plus")
TRIALS = Rules(primary_trial=True)
ALWAYS = Rules(master_card="always", man_cards=2)
JACK = Card.parse("JC")
LAID = tuple(map(parse_cards, ("AS 2S 3S", "9D 9D 9D", "10H JH QH")))


def cards(text):
    return sort_cards(parse_cards(text))


# Showing


def test_three_primary_groups_are_found_and_laid():
    hand = cards("3S 4S 5S QH KH AH 6D 6D 6D KC KH KS 9C 7C 2D 2H 10S 8H JD 4C 5H 9S")
    groups = find_show(hand, (), PAGAT)
    assert groups is not None
    assert sorted(map(sort_cards, groups)) == sorted(map(cards, ("3S 4S 5S", "QH KH AH", "6D 6D 6D")))


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


def test_exposed_tunnelas_are_the_first_groups_of_a_show():
    hand = cards("3S 4S 5S QH KH AH 9C 7C 2D 2H 10S 8H JD 4C 5H 9S KC KD")
    six = parse_cards("6D 6D 6D")
    groups = find_show(hand, six[:1], PAGAT)
    assert groups is not None
    assert groups[0] == six
    assert find_show(hand, (), PAGAT) is None
    assert find_show((), parse_cards("6D 7D 8D 9D"), PAGAT) == tuple(
        parse_cards(f"{face} {face} {face}") for face in ("6D", "7D", "8D")
    )
    assert find_show(hand[:4], (MAN,), Rules(man_cards=3)) is None


def test_without_three_groups_no_show_is_planned():
    assert plan_show(Hand(cards("2H 3H 4H 5H 6H 7H 8S 9S 9C")), PAGAT) is None
    groups = plan_show(Hand(cards("2H 3H 4H 5H 6H 7H 8S 9S 10S 9C")), PAGAT)
    assert set(groups) == set(map(cards, ("2H 3H 4H", "5H 6H 7H", "8S 9S 10S")))


@pytest.mark.parametrize("rules", [PAGAT, TRIALS, PLUS], ids=["pagat", "trials", "plus"])
def test_no_other_show_leaves_a_smaller_expected_distance(rules):
    chance = random.Random(5)
    found = 0
    while found < 2:
        hand = Hand(draw("random", 22, CARDS[20], chance, rules), dead=(CARDS[20],))
        planned = plan_show(hand, rules)
        if planned is None:
            assert find_show(hand.concealed, (), rules) is None
            continue
        others = list(every_show(hand.concealed, rules))
        found += len(others) > 1
        best = min(expected(hand, other, rules) for other in others)
        assert expected(hand, planned, rules) == best


def every_show(concealed, rules):
    longest = 5 if rules.group_size == "three_plus" else 3
    wholes = [
        whole for whole in primary_patterns(longest, rules.primary_trial, "off") if contains(concealed, whole)
    ]
    for groups in combinations(wholes * 2, 3):
        if contains(concealed, sum(groups, ())):
            yield groups


def expected(hand, groups, rules):
    laid = tuple(map(sort_cards, groups))
    rest = Counter(hand.concealed)
    rest.subtract(sum(groups, ()))
    left = hand.left(rules)
    after = sort_cards(rest.elements())
    return sum(
        left[tiplu] * distance(Hand(after, laid=laid, tiplu=tiplu, dead=hand.dead), rules)
        for tiplu in CARDS[:52]
        if left[tiplu]
    )


def test_dublees_are_counted_once_a_face_and_man_cards_only_where_played():
    hand = parse_cards("5H 5H 5H 2S 2S 9D MAN MAN KC KC KC")
    assert pairs(hand, Rules(man_cards=2)) == parse_cards("2S 5H KC")
    assert pairs(hand, Rules(man_cards=2, joker_dublee=True)) == parse_cards("2S 5H KC MAN")
    assert find_dublees(hand, PAGAT) is None
    seven = parse_cards("AS 3S 5S 7S 9S JS KS")
    assert find_dublees(seven * 2, PAGAT) == seven


# Finishing


def test_a_finish_names_its_groups_and_a_discard_without_points():
    hand = cards("6D QC 8D JD 2C 2H 5S 5S 5S KS KC KH 4H")
    wilds = wilds_for(JACK, PAGAT)
    plan = find_finish(hand, 4, wilds, PAGAT)
    assert plan is not None
    assert plan.discard == Card.parse("4H")
    assert sort_cards((*sum(plan.groups, ()), plan.discard)) == hand
    assert all(is_group(group, wilds, PAGAT) for group in plan.groups)


def test_the_closing_discard_is_not_the_barred_face_unless_there_is_no_other():
    hand = cards("2S 3S 4S 5S")
    assert find_finish(hand, 1, frozenset(), PAGAT).discard == Card.parse("2S")
    assert find_finish(hand, 1, frozenset(), PAGAT, barred=Card.parse("2S")).discard == Card.parse("5S")
    only = cards("2S 3S 4S 9D")
    assert find_finish(only, 1, frozenset(), PAGAT, barred=Card.parse("9D")) is None
    assert find_finish(
        parse_cards("9D"), 0, frozenset(), PAGAT, barred=Card.parse("9D")
    ).discard == Card.parse("9D")


def test_the_closing_discard_keeps_maal_and_wild_cards():
    hand = cards("JD 2C 2H 2S")
    wilds = wilds_for(JACK, PAGAT)
    assert find_finish(hand, 1, wilds, PAGAT).discard != Card.parse("JD")
    keep = frozenset(parse_cards("2C 2H"))
    assert find_finish(hand, 1, wilds, PAGAT, keep=keep).discard == Card.parse("2S")


def test_a_finish_takes_exactly_as_many_cards_as_its_groups_have():
    assert find_finish(cards("2S 3S 4S"), 1, frozenset(), PAGAT) is None
    assert find_finish(cards("2S 3S 4S 5S 6S"), 1, frozenset(), PAGAT) is None
    assert find_finish(cards("2S 3S 4S 5S 6S"), None, frozenset(), PLUS) is not None


@pytest.mark.parametrize(
    ("text", "finishes"),
    [
        ("2S 3S 4S 5S 9D 9C 9H 9S 2H", True),
        ("2S 3S 4S 5S 6S 9D 9C 9H 2H", True),
        ("2S 3S 4S 5S 6S 7S 8S 9S 2H", True),
        ("2S 3S 4S 5S 9D 9C 9H KS 2H", False),
        ("2S 3S 4S 5S 9D 9C KH KS MAN", False),
        ("2S 3S 4S 5S 9D 9C MAN KD MAN", True),
        ("2S 3S 4S 5S MAN KD MAN MAN 7H", True),
        ("5S 5S 5S 9D 9D 9D MAN MAN KD", False),
    ],
)
def test_longer_groups_make_up_the_rest_exactly(text, finishes):
    plan = find_finish(cards(text), None, wilds_for(JACK, PLUS), PLUS)
    assert (plan is not None) == finishes


def test_cards_that_no_groups_can_make_up_never_finish():
    seven = parse_cards("AS 2S 3S 4S 5S 6S 7S")
    six = parse_cards("AH 2H 3H 4H 5H 6H")
    hand = Hand(parse_cards("9C 9C"), laid=(seven, seven, six), tiplu=JACK)
    assert distance(hand, PLUS) == NEVER


def test_before_seeing_nothing_is_wild_but_what_always_is():
    hand = Hand(cards("3S 4S 5S QH KH AH 6D 6D 6D 2C 3C 4C 5H 6H 7H 9S 9D 9C JD JS KC 8H"))
    assert distance(hand, PAGAT) == 1
    assert distance(Hand(hand.concealed, tiplu=JACK), PAGAT) == 0


# Arranging


def test_a_hand_is_arranged_with_pure_groups_first():
    hand = Hand(cards("6D QC 8D KS KC KH 5S 5S 5S 9H 10S 2C 3H"), laid=LAID, tiplu=JACK)
    laid_out = arrange(hand, PAGAT)
    assert laid_out.distance == 2
    assert laid_out.groups[0] == parse_cards("5S 5S 5S")
    assert set(laid_out.groups[1:]) == {parse_cards("KS KH KC"), parse_cards("6D QC 8D")}
    assert laid_out.partial == ()
    assert laid_out.rest == parse_cards("10S 3H 9H 2C")


def test_a_seat_that_showed_dublees_looks_for_the_eighth():
    laid = tuple((face, face) for face in parse_cards("2S 4S 6S 8S 10S QS AH"))
    without_it = arrange(Hand(cards("2S 4H 5H 6H 9D 10D KC"), laid=laid), PAGAT)
    assert without_it.distance == 1
    assert without_it.groups == ()
    with_it = arrange(Hand(cards("2S 4H 5H 6H 9D 9D KC 3C"), laid=laid), PAGAT)
    assert with_it.distance == 0
    assert with_it.groups == (parse_cards("9D 9D"),)


@pytest.mark.parametrize("rules", [PAGAT, TRIALS, ALWAYS, PLUS], ids=["pagat", "trials", "always", "plus"])
def test_what_is_found_is_what_the_rules_call_groups(rules):
    chance = random.Random(9)
    for number in range(150):
        tiplu = chance.choice(CARDS[:52])
        kind = KINDS[number % len(KINDS)]
        unseen = Hand(draw(kind, 22, tiplu, chance, rules))
        groups = find_show(unseen.concealed, (), rules)
        assert (groups is not None) == (show_distance(unseen, rules) == 0)
        if groups is not None:
            assert len(groups) == 3
            assert all(is_primary(group, rules) for group in groups)
            assert contains(unseen.concealed, sum(groups, ()))
        seen = Hand(draw(kind, 13, tiplu, chance, rules), laid=LAID, tiplu=tiplu)
        plan = find_finish(seen.concealed, 4, seen.wilds, rules)
        assert (plan is not None) == (distance(seen, rules) == 0)
        if plan is not None:
            assert all(is_group(group, seen.wilds, rules) for group in plan.groups)
            assert sort_cards((*sum(plan.groups, ()), plan.discard)) == seen.concealed
        for hand, wilds in ((unseen, wilds_for(None, rules)), (seen, seen.wilds)):
            laid_out = arrange(hand, rules)
            assert all(is_group(group, wilds, rules) for group in laid_out.groups)
            whole = sum(laid_out.groups + laid_out.partial, ()) + laid_out.rest
            assert sort_cards(whole) == hand.concealed


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
    ("text", "with_master"),
    [
        ("3S 4S 5S 8H 9H 10H 6D 6D MASTER", "6D 6D MASTER"),
        ("3S 4S 5S 8H 9H 10H KD KC MASTER", "KD KC MASTER"),
    ],
)
def test_the_show_is_planned_with_the_master_card_in_any_pure_set(text, with_master):
    rules = Rules(master_card="always_primary", primary_trial=True)
    hand = Hand(cards(f"{text} 9D"))
    for laid in (plan_show(hand, rules), find_show(hand.concealed, (), rules)):
        assert laid is not None
        assert all(is_primary(group, rules) for group in laid)
        assert cards(with_master) in laid


def test_a_show_that_leaves_two_cards_can_never_finish():
    laid = tuple(map(cards, ("AS 2S 3S 4S 5S 6S", "2H 3H 4H 5H 6H 7H", "3D 4D 5D 6D 7D 8D 9D")))
    assert sum(map(len, laid)) == 19
    arranged = arrange(Hand(cards("KC 9C"), laid=laid, tiplu=JACK), PLUS)
    assert (arranged.distance, arranged.groups, arranged.rest) == (NEVER, (), cards("KC 9C"))


def test_where_the_exposed_tunnelas_are_the_whole_show_it_is_as_near_whatever_is_laid():
    hand = Hand(cards("2D 9C KH"), exposed=parse_cards("5H 6S 7C"))
    assert distances_after(hand, PAGAT, [(), (hand.concealed[0],)]) == {(): 0, (hand.concealed[0],): 0}
