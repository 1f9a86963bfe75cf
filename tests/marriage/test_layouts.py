"""What is laid: the groups or dublees of a show, the groups and the discard of a finish, and the layout for the holder."""

import random
from collections import Counter
from itertools import combinations, islice

import pytest

from marriage.bits import pack
from marriage.cards import CARDS, MAN, Card, contains, parse_cards, sort_cards, without
from marriage.groups import is_group, is_primary, wilds_for
from marriage.rules import Rules, preset
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
from marriage.solver.layouts import distances_after, find_finishes
from tests.marriage.hands import KINDS, draw
from tests.marriage.oracle import primary_patterns

PAGAT = Rules()
PLUS = Rules(group_size="three_plus")
TRIALS = Rules(primary_trial=True)
ALWAYS = Rules(master_card="always", man_cards=2)
MASTERS = Rules(master_card="always")
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
        if len(others) > 20:
            continue  # there are quicker hands
        found += len(others) > 1
        best = min(expected(hand, other, rules) for other in others)
        assert expected(hand, planned, rules) == best


def every_show(concealed, rules):
    longest = 5 if rules.group_size == "three_plus" else 3
    wholes = [
        whole
        for whole in primary_patterns(longest, rules.primary_trial, rules.master_card)
        if contains(concealed, whole)
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


@pytest.mark.parametrize(
    ("text", "with_master"),
    [
        ("3S 4S 5S 8H 9H 10H 6D 6D MASTER", "6D 6D MASTER"),
        ("3S 4S 5S 8H 9H 10H KD KC MASTER", "KD KC MASTER"),
        ("3S 4S 5S 8H 9H 10H 5D 7D MASTER", "5D 7D MASTER"),
    ],
)
def test_the_show_is_planned_with_the_master_card_in_any_pure_set(text, with_master):
    rules = Rules(master_card="always_primary", primary_trial=True)
    hand = Hand(cards(f"{text} 9D"))
    for laid in (plan_show(hand, rules), find_show(hand.concealed, (), rules)):
        assert laid is not None
        assert all(is_primary(group, rules) for group in laid)
        assert cards(with_master) in laid


def test_where_the_exposed_tunnelas_are_the_whole_show_it_is_as_near_whatever_is_laid():
    hand = Hand(cards("2D 9C KH"), exposed=parse_cards("5H 6S 7C"))
    assert distances_after(hand, PAGAT, [(), (hand.concealed[0],)]) == {(): 0, (hand.concealed[0],): 0}


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
    keep = frozenset(parse_cards("2S 2H"))
    assert find_finish(hand, 1, wilds, PAGAT, keep=keep).discard == Card.parse("2C")


def test_a_finish_takes_exactly_as_many_cards_as_its_groups_have():
    assert find_finish(cards("2S 3S 4S"), 1, frozenset(), PAGAT) is None
    assert find_finish(cards("2S 3S 4S 5S 6S"), 1, frozenset(), PAGAT) is None
    assert find_finish(cards("2S 3S 4S 5S 6S 7S 9D"), 1, frozenset(), PAGAT) is None
    assert find_finish(cards("2S 3S 4S 5S 6S 7S 9D"), 2, frozenset(), PAGAT) is not None
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


def test_a_wild_card_makes_a_trial_of_five_only_where_the_rules_say_so():
    five = cards("9S 9H 9D 9C KD MAN")
    long_trials = Rules(group_size="three_plus", long_trial=True)
    assert find_finish(five, None, wilds_for(JACK, PLUS), PLUS) is None
    assert find_finish(five, None, wilds_for(JACK, PLUS), long_trials).discard == Card.parse("KD")


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
    assert with_it.partial == ()
    assert with_it.rest == cards("2S 4H 5H 6H KC 3C")


@pytest.mark.parametrize(
    ("rules", "holes"), [(Rules(man_cards=2), 1), (Rules(man_cards=2, joker_dublee=True), 0)]
)
def test_two_man_cards_are_the_eighth_dublee_where_the_rules_say_so(rules, holes):
    laid = tuple((face, face) for face in parse_cards("2S 4S 6S 8S 10S QS AH"))
    assert arrange(Hand(cards("5H 6H 9D MAN MAN"), laid=laid), rules).distance == holes


def test_a_show_that_leaves_two_cards_can_never_finish():
    laid = tuple(map(cards, ("AS 2S 3S 4S 5S 6S", "2H 3H 4H 5H 6H 7H", "3D 4D 5D 6D 7D 8D 9D")))
    assert sum(map(len, laid)) == 19
    arranged = arrange(Hand(cards("KC 9C"), laid=laid, tiplu=JACK), PLUS)
    assert (arranged.distance, arranged.groups, arranged.rest) == (NEVER, (), cards("KC 9C"))


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


# What else decides


@pytest.mark.parametrize("rules", [PAGAT, TRIALS, MASTERS], ids=["pagat", "trials", "masters"])
def test_the_distance_after_a_show_is_the_mean_over_every_tiplu(rules):
    text = "3S 4S 5S 6S QH KH AH 6D 6D 6D KC KH KS 9C 7C 2D 2H 10S 8H JD 4C"
    hand = Hand(
        cards(f"{text} MASTER" if rules is MASTERS else f"{text} 9S"), dead=parse_cards("9D 8C 8C 8C 5H 5H")
    )
    shows = list(islice(every_show(hand.concealed, rules), 12))
    assert len(shows) > 1
    found = distances_after(hand, rules, [sort_cards(sum(groups, ())) for groups in shows])
    assert found == {sort_cards(sum(groups, ())): expected(hand, groups, rules) for groups in shows}


def test_where_the_tiplu_is_open_only_that_one_counts():
    hand = Hand(cards("3S 4S 5S 6S QH KH AH 6D 6D 6D KC KH KS 9C 7C 2D 2H 10S 8H JD 4C 9S"), tiplu=JACK)
    shows = list(every_show(hand.concealed, PAGAT))
    found = distances_after(hand, PAGAT, [sort_cards(sum(groups, ())) for groups in shows])
    for groups in shows:
        laid = sort_cards(sum(groups, ()))
        rest = sort_cards((Counter(hand.concealed) - Counter(laid)).elements())
        assert found[laid] == distance(hand._replace(concealed=rest, laid=groups), PAGAT)
    planned = plan_show(hand, PAGAT)
    assert found[sort_cards(sum(planned, ()))] == min(found.values())


def test_of_very_many_shows_only_sixteen_are_compared():
    hand = Hand(cards("2S 2S 3S 3S 4S 4S 5S 5S 6S 6S 7S 7S 8S 8S 9S 9S 10S 10S JS JS QS KS"))
    shows = {sort_cards(sum(groups, ())) for groups in every_show(hand.concealed, PAGAT)}
    assert len(shows) > 16
    found = distances_after(hand, PAGAT, shows)
    assert len(found) == 16
    planned = plan_show(hand, PAGAT)
    assert found[sort_cards(sum(planned, ()))] == min(found.values())


def test_exposed_tunnelas_come_first_in_a_planned_show_and_two_groups_are_added():
    hand = Hand(cards("3S 4S 5S QH KH AH 9C 7C 2D 2H 10S 8H JD 4C 5H 9S KC KD"), exposed=parse_cards("6D"))
    planned = plan_show(hand, PAGAT)
    assert planned[0] == parse_cards("6D 6D 6D")
    assert set(map(sort_cards, planned[1:])) == {cards("3S 4S 5S"), cards("QH KH AH")}


def test_dublees_of_exposed_tunnelas_and_the_one_that_must_be_shown_come_first():
    eight = parse_cards("AS 3S 5S 7S 9S JS KS 2C")
    held = eight * 2
    assert find_dublees(held, PAGAT) == sort_cards(eight)[:7]
    last = sort_cards(eight)[7]
    assert last in find_dublees(held, PAGAT, exposed=(last,))
    assert last in find_dublees(held, PAGAT, must=last)
    assert find_dublees(held, PAGAT, must=Card.parse("8D")) is None
    assert find_dublees(eight[:6] * 2, PAGAT) is None


def test_two_man_cards_are_the_seventh_dublee_where_the_rules_say_so():
    held = parse_cards("AS 3S 5S 7S 9S JS") * 2 + (MAN, MAN)
    assert find_dublees(held, Rules(man_cards=2)) is None
    assert find_dublees(held, Rules(man_cards=2, joker_dublee=True)) == sort_cards(set(held))


def test_a_finish_is_found_for_every_face_that_may_be_the_discard():
    def discards(text, free, wilds=frozenset(), rules=PAGAT, **asked):
        return [str(plan.discard) for plan in find_finishes(cards(text), free, wilds, rules, **asked)]

    assert discards("2S 3S 4S 5S", 1) == ["2S", "5S"]
    assert discards("2S 3S 4S 5S", 1, keep=frozenset(parse_cards("2S"))) == ["5S", "2S"]
    assert discards("2S 3S 4S 5S", 1, barred=Card.parse("2S")) == ["5S"]
    assert discards("9D", 0) == ["9D"]
    assert discards("9D 9D 9D 4S", 1) == ["4S"]
    assert discards("9D 9D 4S 6S", 1) == []
    jack = wilds_for(JACK, PAGAT)
    assert discards("9D 8D JD 4S", 1, jack) == ["4S"]
    assert discards("7D 8D 9D JD", 1, jack) == ["7D", "8D", "9D", "JD"]
    assert discards("2S 3S 4S 5S 6S", None, rules=PLUS) == ["2S", "6S"]
    assert discards("2S 3S 4S 9S", None, rules=PLUS) == ["9S"]


def test_the_shows_that_have_no_value_are_not_nearer_a_finish_without_a_tiplu():
    hand = Hand(cards("AS 2S 3S 4S 5S 6S 7S 8S 8H 8D 9H 9D 10H 10D JH JD QH QD KH 2C 5C 9C"))
    shows = {sort_cards(sum(groups, ())): groups for groups in every_show(hand.concealed, PAGAT)}
    found = distances_after(hand, PAGAT, shows)
    near = {
        laid: distance(hand._replace(concealed=without(hand.concealed, laid), laid=groups), PAGAT)
        for laid, groups in shows.items()
    }
    assert len(found) == 16
    assert len({*near.values()}) > 1
    assert max(near[laid] for laid in found) <= min(near[laid] for laid in shows if laid not in found)


def test_the_better_of_two_shows_is_planned():
    hand = Hand(cards("AS 5S 5S 9S QS KS AH 7H 9H 10H JH QH AD AD 3D 4D 8D 8D 2C JC QC KC"))
    shows = {tuple(map(sort_cards, groups)) for groups in every_show(hand.concealed, PAGAT)}
    values = {expected(hand, groups, PAGAT) for groups in shows}
    assert len(values) == 2
    assert expected(hand, plan_show(hand, PAGAT), PAGAT) == min(values)


@pytest.mark.parametrize(
    ("text", "trial"),
    [
        ("AS 2S 3S 4S 4H 5H 6H 7H 10D JD QD KD 2H 2D 2C QS QH QC KS KH KC 5C", False),
        ("AS 2S 3S 4S 4H 5H 6H 7H JS JH JD JC KS KH 9S 2H 2D 9S 5D 6D 8C 8S", True),
    ],
)
def test_the_planned_show_lays_longer_groups_if_only_they_leave_a_finish(text, trial):
    rules = Rules(group_size="three_plus", primary_trial=trial)
    hand = Hand(cards(text), tiplu=Card.parse("9C"))
    planned = plan_show(hand, rules)
    rest = without(hand.concealed, sum(planned, ()))
    assert distance(hand._replace(concealed=rest, laid=planned), rules) == 0


def test_a_packed_hand_gives_the_same_answers():
    held = cards("3S 4S 5S QH KH AH 6D 6D 6D KC KH KS 9C 7C 2D 2H 10S 8H JD 4C 5H 9S")
    assert find_show(held, (), PAGAT, packed=pack(held)) == find_show(held, (), PAGAT)
    seven = parse_cards("AS 3S 5S 7S 9S JS KS") * 2
    assert find_dublees(seven, PAGAT, packed=pack(seven)) == find_dublees(seven, PAGAT)
    four = cards("2S 3S 4S 5S")
    assert find_finish(four, 1, frozenset(), PAGAT, packed=pack(four)) == find_finish(
        four, 1, frozenset(), PAGAT
    )


def test_before_the_show_primary_groups_come_first_and_other_groups_use_the_rest():
    hand = Hand(cards("AS 2S 3S 9D 9D 9D 10H JH KC KD KS 4C 4D 6S 8D 2C"))
    laid_out = arrange(hand, PAGAT)
    assert laid_out.distance == 1
    assert set(laid_out.groups[:2]) == {parse_cards("AS 2S 3S"), parse_cards("9D 9D 9D")}
    assert set(map(sort_cards, laid_out.groups[2:])) == {cards("KS KC KD")}
    assert set(map(sort_cards, laid_out.partial)) == {cards("10H JH"), cards("4C 4D")}
    assert laid_out.rest == cards("6S 8D 2C")


def test_before_the_show_nothing_is_wild():
    hand = Hand(cards("4S 5S 6S 5H 6H 7H 9C 9C 9C 10H 10S 10D AS AH AC 7S 7D 7C 2D 2D MAN MAN"))
    rules = Rules(man_cards=2)
    for tiplu in (None, Card.parse("JS")):
        laid_out = arrange(hand._replace(tiplu=tiplu), rules)
        assert set(laid_out.groups[3:]) == set(map(parse_cards, ("10S 10H 10D", "AS AH AC", "7S 7D 7C")))
        assert laid_out.partial == (cards("2D 2D"),)
        assert laid_out.rest == (MAN, MAN)


def test_wild_cards_complete_the_groups_first_that_lack_the_fewest_cards():
    """Two complete two groups that lack one card each, not the one that lacks two."""
    hand = cards("AC 2C 4C JD QD AD 10H KH 6D 6D 7D 7D")
    shown = tuple(map(parse_cards, ("AD 2D 3D", "6D 7D 8D", "9D 10D JD")))
    laid_out = arrange(Hand(hand, laid=shown, tiplu=Card.parse("6C")), preset("wikipedia"))
    assert set(map(sort_cards, laid_out.groups)) == {cards("AC 2C 4C 6D"), cards("AD JD QD 6D")}
    assert laid_out.partial == (cards("10H KH"),)


def test_no_more_groups_are_begun_than_a_finish_has():
    laid_out = arrange(Hand(cards("AS 2S 3S 5H 6H 7H 9C 9C 9C 10H 10C 4D 4C QS QH KD KC 2D 2C 8S 8H")), PAGAT)
    assert len(laid_out.groups) == 3
    assert len(laid_out.partial) == 4


@pytest.mark.parametrize(
    "text",
    ["2S 2S 5S 7S 8S 8S 10S 10S JS QH QH 4D 7C", "AS 7S JS 3H 10H QH QH AD AD 6D 8D 9D JD"],
)
def test_wild_cards_complete_as_many_longer_groups_as_they_can(text):
    laid_out = arrange(Hand(cards(text), laid=LAID, tiplu=Card.parse("QD")), PLUS)
    assert len(laid_out.groups) == 2


def test_wild_cards_complete_the_groups_that_lack_fewest_cards():
    hand = Hand(cards("5S 6S 9D 9H QC KC 2H 4D 7C JD JH 3S 8S"), laid=LAID, tiplu=JACK)
    laid_out = arrange(hand, PAGAT)
    assert laid_out.distance == 2
    assert len(laid_out.groups) == 3
    for group in laid_out.groups:
        assert is_group(group, hand.wilds, PAGAT)
        assert sum(card in hand.wilds for card in group) == 1


def test_no_wild_card_stands_in_with_two_identical_cards():
    laid_out = arrange(Hand(cards("9D 9D 2C 4H 6S 8C QD KS JD 3H 5C 7H 10C"), laid=LAID, tiplu=JACK), PAGAT)
    assert cards("9D 9D") not in [sort_cards(group)[:2] for group in laid_out.groups]


def test_a_tunnela_that_was_exposed_is_the_eighth_dublee():
    faces = parse_cards("2S 4S 6S 8S 10S QS AH")
    laid = tuple((face, face) for face in faces)
    rest = cards("2D 4H 5H 6H")
    assert arrange(Hand(rest, exposed=parse_cards("KC"), laid=laid), PAGAT).distance == 0
    assert arrange(Hand(rest, exposed=faces[:1], laid=laid), PAGAT).distance == 1
