"""The points of one hand: every figure of the four tables, and when taking marriages first is wrong."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from marriage.cards import CARDS, MAN, MASTER, Card, Cards, format_cards, parse_cards
from marriage.maal import jhiplu, poplu
from marriage.rules import Rules
from marriage.scoring.hand_points import (
    groupings,
    laid_marriages,
    points_of,
    score_hand,
    tunnela_points,
)
from marriage.scoring.point_tables import TABLES
from marriage.sheet import What

JC = Card.parse("JC")
FILL = "2S 4S 7S 9H KH 3D 5D"
TABLE_NAMES = ("pagat", "w1", "w2", "w3")


def score(text: str, *, exposed: str = "", laid: int = 0, seen: bool = True, **options: object) -> int:
    cards = parse_cards(f"{text} {FILL}")
    return points_of(score_hand(cards, parse_cards(exposed), laid, JC, Rules(**options), seen=seen))


def holding(tiplus: int, poplus: int, jhiplus: int) -> str:
    return "JC " * tiplus + "QC " * poplus + "10C " * jhiplus


# Cards


@pytest.mark.parametrize(
    ("text", "pagat", "w1", "w2", "w3"),
    [
        ("", 0, 0, 0, 0),
        ("JC", 3, 3, 3, 3),
        ("JC JC", 7, 8, 7, 8),
        ("QC", 2, 2, 2, 2),
        ("QC QC", 5, 5, 5, 5),
        ("QC QC QC", 10, 10, 10, 10),
        ("10C 10C", 5, 5, 5, 5),
        ("10C 10C 10C", 10, 10, 10, 10),
        ("QC 10C", 4, 4, 4, 4),
        ("JS", 5, 5, 5, 5),
        ("JS JS", 15, 15, 15, 15),
        ("JS JS JS", 25, 25, 25, 25),
        ("MAN", 5, 5, 5, 5),
        ("MAN MAN", 15, 15, 15, 15),
        ("MAN MAN MAN", 25, 25, 25, 25),
        ("JS MAN", 10, 10, 10, 10),
        ("MASTER", 10, 10, 10, 10),
        ("JD JD JD JH JH JH", 0, 0, 0, 0),
        ("10C JC QC", 10, 10, 10, 10),
        (holding(2, 2, 2), 30, 20, 30, 30),
    ],
)
def test_values_of_cards(text, pagat, w1, w2, w3):
    found = [score(text, point_table=table, alter=True) for table in TABLE_NAMES]
    assert found == [pagat, w1, w2, w3]


def test_the_alter_is_an_ordinary_joker_unless_it_counts():
    assert score("JS JS JS", alter=False) == 0


@pytest.mark.parametrize(
    ("tiplu", "marriage"), [("KH", "QH KH AH"), ("AH", "KH AH 2H"), ("2S", "AS 2S 3S"), ("QD", "JD QD KD")]
)
def test_the_maal_goes_round(tiplu, marriage):
    assert points_of(score_hand(parse_cards(marriage), (), 0, Card.parse(tiplu), Rules())) == 10


# Exposed tunnelas


@pytest.mark.parametrize(
    ("exposed", "pagat", "w1", "w2", "w3"),
    [
        ("6H", 5, 5, 5, 5),
        ("6H 6D", 10, 10, 15, 15),
        ("6H 6D 6C", 15, 15, 25, 25),
        ("6H 6D 6C 8C", 20, 20, 30, 30),
        ("JH", 10, 10, 5, 10),
        ("JH JD", 20, 20, 15, 20),
        ("6H JH", 15, 15, 15, 15),
        ("QC", 20, 15, 15, 15),
        ("10C", 20, 15, 15, 15),
        ("QC 10C", 40, 30, 35, 35),
        ("6H QC", 25, 20, 25, 20),
        ("JS", 35, 30, 30, 35),
        ("MAN", 45, 30, 30, 45),
        ("6H MAN JS", 85, 65, 75, 85),
    ],
)
def test_values_of_tunnelas(exposed, pagat, w1, w2, w3):
    text = " ".join([exposed] * 3)
    found = [score(text, exposed=exposed, point_table=table, alter=True) for table in TABLE_NAMES]
    assert found == [pagat, w1, w2, w3]


def test_an_alter_tunnela_without_alter_is_one_of_a_joker():
    assert score("JS JS JS", exposed="JS", alter=False) == 10


@pytest.mark.parametrize(
    ("tunnel_pachaunu", "seen", "points"), [(True, True, 20), (True, False, 10), (False, False, 20)]
)
def test_tunnel_pachaunu(tunnel_pachaunu, seen, points):
    found = score("QC QC QC", exposed="QC", seen=seen, tunnel_pachaunu=tunnel_pachaunu)
    assert found == points


def test_a_tunnela_that_was_not_exposed_is_three_cards():
    assert score("6H 6H 6H QC QC QC") == 10


def test_an_exposed_tunnela_may_be_worth_more_as_cards():
    text = holding(2, 3, 2)
    assert score(text, exposed="QC", point_table="w3") == 32
    assert score(text, exposed="QC", point_table="pagat") == 32
    assert score(text, exposed="QC", point_table="w1") == 28  # 15 + 8 + 5, against 20 + 2


def test_an_exposed_tunnela_that_is_not_held_is_refused():
    with pytest.raises(ValueError, match="not among"):
        score("6H 6H", exposed="6H")


# Best grouping: rows P = 0..3, columns J = 0..3

NO_TIPLU = "0 2 5 10 / 2 4 7 12 / 5 7 10 15 / 10 12 15 20"
ONE_TIPLU = "3 5 8 13 / 5 10 12 15 / 8 12 14 18 / 13 15 18 23"
TWO_PAGAT = "7 9 12 17 / 9 13 15 19 / 12 15 30 32 / 17 19 32 34"
TWO_W3 = "8 10 13 18 / 10 13 15 20 / 13 15 30 32 / 18 20 32 34"
TWO_W1 = "8 10 13 18 / 10 13 15 20 / 13 15 20 23 / 18 20 23 28"
BEST = {
    "pagat": (NO_TIPLU, ONE_TIPLU, TWO_PAGAT),
    "w1": (NO_TIPLU, ONE_TIPLU, TWO_W1),
    "w2": (NO_TIPLU, ONE_TIPLU, TWO_PAGAT),
    "w3": (NO_TIPLU, ONE_TIPLU, TWO_W3),
}


@pytest.mark.parametrize("tiplus", [0, 1, 2])
@pytest.mark.parametrize("table", TABLE_NAMES)
def test_best_totals(table, tiplus):
    for poplus, row in enumerate(BEST[table][tiplus].split("/")):
        for jhiplus, best in enumerate(row.split()):
            assert score(holding(tiplus, poplus, jhiplus), point_table=table) == int(best), (poplus, jhiplus)


@pytest.mark.parametrize(
    ("held", "table", "best", "marriage_first"),
    [
        ((1, 2, 3), "pagat", 18, 17),
        ((1, 3, 2), "w3", 18, 17),
        ((1, 3, 3), "pagat", 23, 20),
        ((1, 3, 3), "w1", 23, 20),
        ((2, 1, 3), "pagat", 19, 18),
        ((2, 3, 1), "w2", 19, 18),
        ((2, 1, 3), "w3", 20, 18),
        ((2, 3, 1), "w1", 20, 18),
        ((2, 2, 3), "w1", 23, 22),
        ((2, 3, 2), "w1", 23, 22),
        ((2, 3, 3), "w1", 28, 24),
    ],
)
def test_marriages_first_would_be_wrong(held, table, best, marriage_first):
    rules = Rules(point_table=table)
    cards = parse_cards(holding(*held))
    assert points_of(score_hand(cards, (), 0, JC, rules)) == best
    assert points_of(next(groupings(cards, (), 0, JC, rules))) == marriage_first


# Laid marriages


@pytest.mark.parametrize(
    ("held", "laid", "points"),
    [
        ((1, 1, 1), 1, 15),
        ((2, 2, 2), 0, 30),
        ((2, 2, 2), 1, 30),
        ((2, 2, 2), 2, 35),
        ((1, 3, 3), 1, 25),
        ((2, 1, 1), 1, 18),
    ],
)
def test_laid_marriages(held, laid, points):
    assert score(holding(*held), laid=laid, laid_marriage=True, point_table="w3") == points


def test_laying_a_marriage_makes_no_difference_without_the_option():
    assert score("10C JC QC", laid=1) == 10


@pytest.mark.parametrize(
    ("laid", "tiplu", "count"),
    [
        (("10C JC QC", "3S 4S 5S", "6H 6H 6H"), "JC", 1),
        (("9C 10C JC QC KC", "10C JC QC", "6H 6H 6H"), "JC", 2),
        (("10C JC 9C", "QC KC AC", "6H 6H 6H"), "JC", 0),
        (("AH KH QH", "2H 3H 4H", "6H 6H 6H"), "AH", 0),
        ((), "JC", 0),
    ],
)
def test_which_groups_hold_a_marriage(laid, tiplu, count):
    assert laid_marriages(map(parse_cards, laid), Card.parse(tiplu)) == count


# Items


def test_items_name_their_cards():
    cards = parse_cards(f"6H 6H 6H {holding(1, 2, 1)} JC {FILL}")
    items = score_hand(cards, parse_cards("6H"), 1, JC, Rules(laid_marriage=True))
    assert [(item.what, format_cards(item.cards), item.points) for item in items] == [
        (What.TUNNELA, "6H 6H 6H", 5),
        (What.LAID_MARRIAGE, "10C JC QC", 15),
        (What.TIPLU, "JC", 3),
        (What.POPLU, "QC", 2),
    ]


def test_one_row_of_tunnelas_stands_beside_their_own_triples():
    cards = parse_cards("6H 6H 6H QC QC QC 10C")
    items = score_hand(cards, parse_cards("QC 6H"), 0, JC, Rules(point_table="w2"))
    assert [(item.what, format_cards(item.cards), item.points) for item in items] == [
        (What.TUNNELA, "6H 6H 6H QC QC QC", 15),
        (What.POPLU, "QC QC QC", 10),
        (What.JHIPLU, "10C", 2),
    ]


def test_a_row_goes_on_with_its_first_value():
    assert [TABLES["w3"].worth(What.MAAL_TUNNELA, count) for count in range(4)] == [0, 15, 35, 50]


# Any hand

DECK = [*CARDS[:52] * 3, MAN, MAN, MAN, MASTER]


@st.composite
def hands(draw: st.DrawFn) -> tuple[Cards, Cards, Card, Rules]:
    """Return a hand rich in maal, its exposed tunnelas, the tiplu and the rules."""
    tiplu = CARDS[draw(st.integers(0, 51))]
    deck = list(DECK)
    deck.remove(tiplu)
    near = {tiplu, poplu(tiplu), jhiplu(tiplu), MAN, MASTER}
    maal = [card for card in deck if card in near or card.rank == tiplu.rank]
    rest = [card for card in deck if card not in maal]
    picked = draw(st.permutations(range(len(maal))))[: draw(st.integers(0, 14))]
    cards = [maal[place] for place in picked]
    places = draw(st.lists(st.integers(0, len(rest) - 1), max_size=7, unique=True))
    cards += [rest[place] for place in places]
    held = [card for card, count in Counter(cards).items() if count == 3]
    exposed = draw(st.lists(st.sampled_from(held), unique=True)) if held else []
    rules = Rules(
        point_table=draw(st.sampled_from(TABLE_NAMES)),
        alter=draw(st.booleans()),
        laid_marriage=draw(st.booleans()),
        tunnel_pachaunu=draw(st.booleans()),
    )
    return tuple(cards), tuple(exposed), tiplu, rules


@settings(deadline=None)
@given(hands(), st.integers(0, 2), st.booleans(), st.randoms(use_true_random=False))
def test_the_order_of_cards_does_not_matter(hand, laid, seen, random):
    cards, exposed, tiplu, rules = hand
    items = score_hand(cards, exposed, laid, tiplu, rules, seen=seen)
    mixed, mixed_exposed = list(cards), list(exposed)
    random.shuffle(mixed)
    random.shuffle(mixed_exposed)
    assert score_hand(tuple(mixed), tuple(mixed_exposed), laid, tiplu, rules, seen=seen) == items


@settings(deadline=None)
@given(hands(), st.integers(0, 2))
def test_each_card_counts_in_one_item(hand, laid):
    cards, exposed, tiplu, rules = hand
    items = score_hand(cards, exposed, laid, tiplu, rules)
    one_row = TABLES[rules.point_table].one_tunnela_row
    used = Counter(
        card for item in items if not (one_row and item.what is What.TUNNELA) for card in item.cards
    )
    assert used <= Counter(cards)
    assert all(item.points > 0 and item.cards for item in items)


@settings(deadline=None)
@given(hands(), st.integers(0, 2))
def test_more_never_costs(hand, laid):
    """One more card, one more exposed tunnela or one more laid marriage never lowers the points."""
    cards, exposed, tiplu, rules = hand
    best = points_of(score_hand(cards, exposed, laid, tiplu, rules))
    assert best >= points_of(score_hand(cards, exposed[1:], laid, tiplu, rules))
    assert best >= points_of(score_hand(cards, exposed, 0, tiplu, rules))
    assert best >= points_of(score_hand(cards, exposed, laid, tiplu, rules, seen=False))
    if cards and cards[0] not in exposed:
        assert best >= points_of(score_hand(cards[1:], exposed, laid, tiplu, rules))


@settings(deadline=None)
@given(hands())
def test_tunnelas_are_part_of_the_points(hand):
    cards, exposed, tiplu, rules = hand
    items = score_hand(cards, exposed, 0, tiplu, rules)
    assert 0 <= tunnela_points(items) <= points_of(items)


def test_custom_points_replace_some_rows_of_the_table():
    rules = Rules.model_validate({"custom_points": {"tiplu": [4, 9], "tunnela": [6]}})
    hand = parse_cards("JC JC 6H 6H 6H QC")
    items = {
        item.what: item.points for item in score_hand(hand, (Card.parse("6H"),), 0, Card.parse("JC"), rules)
    }
    assert items == {What.TIPLU: 9, What.TUNNELA: 6, What.POPLU: 2}
    assert Rules.model_validate_json(rules.model_dump_json()) == rules
    assert hash(rules) == hash(Rules.model_validate(rules.model_dump()))


@pytest.mark.parametrize(
    "custom",
    [{"joker": [1]}, {"tiplu": []}, {"tiplu": [1, 2, 3, 4]}, {"tiplu": [-1]}, [["man", [1]], ["man", [2]]]],
)
def test_invalid_custom_points_are_refused(custom):
    with pytest.raises(ValidationError):
        Rules.model_validate({"custom_points": custom})


@pytest.mark.parametrize(("count", "points"), [(1, 5), (2, 6), (3, 7)])
def test_copies_have_the_value_of_their_number_even_where_single_ones_would_be_worth_more(count, points):
    assert score("JC " * count, custom_points=(("tiplu", (5, 6, 7)),)) == points


def test_marriages_have_values_of_their_own_where_the_rules_name_them():
    assert score(holding(2, 2, 2), custom_points=(("marriage", (12, 50)),)) == 50


def test_each_card_of_many_of_equal_worth_is_counted_once():
    """Three alters and six man cards are three rows of three."""
    cards = parse_cards("JS JS JS MAN MAN MAN MAN MAN MAN")
    items = score_hand(cards, (), 0, JC, Rules(alter=True, mixed_pairs=True, man_cards=6))
    assert sorted(card for item in items for card in item.cards) == sorted(cards)
    assert [item.points for item in items] == [25, 25, 25]
    alike = tuple((kind, (2, 5, 10)) for kind in ("tiplu", "poplu", "jhiplu"))
    rules = Rules(mixed_pairs=True, custom_points=(*alike, ("marriage", (0, 0, 0))))
    cards = parse_cards(holding(3, 3, 3))
    items = score_hand(cards, (), 0, JC, rules)
    assert sorted(card for item in items for card in item.cards) == sorted(cards)
    assert [item.points for item in items] == [10, 10, 10]
