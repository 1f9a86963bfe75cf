from typing import get_args

import pytest

from marriage.cards import MAN, Card, parse_cards
from marriage.groups import GroupKind, group_kind, in_order, is_group, is_primary, wilds_for
from marriage.rules import Rules, preset

PAGAT = Rules()
PLUS = Rules(group_size="three_plus")
SEEN = wilds_for(Card.parse("JC"), PAGAT)

KINDS = [
    ("6H 6H 6H", GroupKind.TUNNELA),
    ("3S 4S 5S", GroupKind.SEQUENCE),
    ("QS KS AS", GroupKind.SEQUENCE),
    ("AS 2S 3S", GroupKind.SEQUENCE),
    ("6D QC 8D", GroupKind.DIRTY_SEQUENCE),
    ("KS KC KH", GroupKind.TRIAL),
    ("JD 2C 2H", GroupKind.DIRTY_TRIAL),
    ("JD JD 5S", GroupKind.DIRTY_SEQUENCE),
    ("QC JD 4S", GroupKind.DIRTY_SEQUENCE),
    ("JD JD QC", GroupKind.WILDS),
    ("10C JC QC", GroupKind.SEQUENCE),
    ("JD JD JD", GroupKind.TUNNELA),
    ("JS JC JH", GroupKind.TRIAL),
    ("MAN MASTER JH", GroupKind.WILDS),
    ("KH JH 2H", None),
    ("KS JS AS", GroupKind.DIRTY_SEQUENCE),
    ("5D 5D JD", None),
    ("9S 9S 9C", None),
    ("KH AH 2H", None),
    ("5D 5D MAN", None),
    ("5D 6D", None),
    ("5D 6D 7D 8D", None),
    ("KS KC KH KD", None),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_the_table_of_groups_with_tiplu_jack_of_clubs(text, kind):
    for cards in (parse_cards(text), parse_cards(text)[::-1]):
        assert group_kind(cards, SEEN, PAGAT) is kind
        assert is_group(cards, SEEN, PAGAT) is (kind is not None)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("5D 6D 7D 8D", GroupKind.SEQUENCE),
        ("5D 6D JS 8D", GroupKind.DIRTY_SEQUENCE),
        ("10D KD JS AD", None),
        ("QD KD JS AD", GroupKind.DIRTY_SEQUENCE),
        ("5D JS JH 9D", None),
        ("KS KC KH KD", GroupKind.TRIAL),
        ("KS KC JH KD", GroupKind.DIRTY_TRIAL),
        ("KS KC JH JD", GroupKind.DIRTY_TRIAL),
        ("KS KC KH KD JD", None),
        ("KS KC KH KS", None),
        ("6H 6H 6H JD", None),
        ("5D JD JH QC", GroupKind.DIRTY_SEQUENCE),
        ("JD JD JD JD", GroupKind.WILDS),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS", GroupKind.SEQUENCE),
        ("2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS", GroupKind.SEQUENCE),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS", None),
    ],
)
def test_longer_groups_where_the_table_plays_them(text, kind):
    assert group_kind(parse_cards(text), SEEN, PLUS) is kind


def test_a_run_round_the_corner_is_a_group_only_as_three_wilds():
    cards = parse_cards("KH AH 2H")
    assert group_kind(cards, wilds_for(Card.parse("AH"), PAGAT), PAGAT) is GroupKind.WILDS
    assert not is_primary(cards, PAGAT)


def test_nothing_is_wild_before_seeing():
    wilds = wilds_for(None, PAGAT)
    assert wilds == frozenset()
    assert group_kind(parse_cards("6D QC 8D"), wilds, PAGAT) is None
    assert group_kind(parse_cards("MAN 7D 8D"), wilds, PAGAT) is None


@pytest.mark.parametrize("text", ["6H 6H 6H", "3S 4S 5S", "QS KS AS", "10C JC QC", "JD JD JD"])
def test_pure_sequences_and_tunnelas_are_primary(text):
    assert is_primary(parse_cards(text), PAGAT)


@pytest.mark.parametrize(
    "text", ["KS KC KH", "6D QC 8D", "5D MAN 7D", "5D MASTER 7D", "3S 4S", "MAN MAN MAN"]
)
def test_other_groups_are_not_primary(text):
    assert not is_primary(parse_cards(text), PAGAT)


def test_natural_trials_are_primary_where_the_table_says_so():
    rules = preset("wikipedia-2010")
    assert is_primary(parse_cards("KS KC KH"), rules)
    assert is_primary(parse_cards("KS KC KH KD"), rules)
    assert not is_primary(parse_cards("KS KC KC"), rules)


def test_longer_runs_are_primary_where_the_table_plays_them():
    cards = parse_cards("3S 4S 5S 6S 7S 8S")
    assert is_primary(cards, PLUS)
    assert not is_primary(cards, PAGAT)


def test_three_man_cards_are_primary_only_as_an_exposed_tunnela():
    rules = Rules(man_cards=3)
    assert not is_primary((MAN,) * 3, rules)
    assert is_primary((MAN,) * 3, rules, exposed=(MAN,))


def test_the_master_card_stands_in_a_primary_sequence_only_when_always_wild():
    always = Rules(master_card="always", primary_trial=True)
    later = Rules(master_card="after_seeing")
    sequence, trial, tunnela = map(parse_cards, ("5D MASTER 7D", "5D 5S MASTER", "5D 5D MASTER"))
    assert is_primary(sequence, always)
    assert not is_primary(sequence, later)
    assert not is_primary(trial, always)
    assert not is_primary(tunnela, always)


MASTER_IN = [
    # sets that are primary with the master card in pure sequences, in tunnelas, and in trials that are pure sets
    ("3S MASTER 5S", "always always_tunnelas always_primary"),
    ("MASTER QS AS", "always always_tunnelas always_primary"),
    ("6H 6H MASTER", "always_tunnelas always_primary"),
    ("KS KH MASTER", "always_primary"),
    ("KS KS MASTER", "always_tunnelas always_primary"),
    ("3S MASTER 6S", ""),
    ("MAN MAN MASTER", ""),
    ("KS MAN MASTER", ""),
    ("6H 6H 6H MASTER", ""),
    ("KS KH KC MASTER", ""),
]


@pytest.mark.parametrize("master_card", get_args(Rules.model_fields["master_card"].annotation))
@pytest.mark.parametrize(("text", "where"), MASTER_IN)
def test_the_master_card_is_in_the_primary_sets_of_its_option(text: str, where: str, master_card: str):
    rules = Rules(master_card=master_card, man_cards=3, primary_trial=True)
    for cards in (parse_cards(text), parse_cards(text)[::-1]):
        assert is_primary(cards, rules) is (master_card in where.split())


def test_a_primary_trial_with_the_master_card_needs_the_option_of_primary_trials():
    trial = parse_cards("KS KH MASTER")
    assert not is_primary(trial, Rules(master_card="always_primary"))
    assert is_primary(trial, Rules(master_card="always_primary", primary_trial=True))


def test_a_primary_trial_with_the_master_card_has_at_most_four_cards():
    rules = Rules(
        master_card="always_primary",
        primary_trial=True,
        group_size="three_plus",
        long_trial=True,
        man_cards=1,
    )
    assert is_primary(parse_cards("KS KH KC MASTER"), rules)
    assert not is_primary(parse_cards("KS KH KC KD MASTER"), rules)
    assert is_primary(parse_cards("3S 4S MASTER 6S 7S"), rules)
    assert not is_primary(parse_cards("6H 6H 6H MASTER"), rules)


def test_once_seen_the_master_card_completes_no_tunnela():
    rules = Rules(master_card="always_primary")
    cards = parse_cards("6H 6H MASTER")
    assert group_kind(cards, wilds_for(None, rules), rules) is GroupKind.DIRTY_TUNNELA
    assert group_kind(cards, wilds_for(Card.parse("JC"), rules), rules) is None


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("KH AH QH", "QH KH AH"),
        ("3H AH 2H", "AH 2H 3H"),
        ("8D QC 6D", "6D QC 8D"),
        ("6D 8D QC", "6D QC 8D"),
        ("QC 6D 7D", "6D 7D QC"),
        ("AH KH JD", "JD KH AH"),
        ("QC JC 10C", "10C JC QC"),
        ("KC JC QC", "JC QC KC"),
        ("2H 2C JD", "2H 2C JD"),
        ("JD QC 4S", "4S JD QC"),
        ("QC JD JS", "JS JD QC"),
    ],
)
def test_the_cards_of_a_group_are_read_in_order(text, read):
    assert in_order(parse_cards(text), SEEN) == parse_cards(read)


def test_a_long_run_to_the_ace_is_read_with_the_ace_last():
    run = parse_cards("3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH")
    assert in_order(run[::-1], wilds_for(None, PLUS)) == run
