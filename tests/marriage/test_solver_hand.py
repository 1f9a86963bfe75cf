"""What the solver is told about a hand: the open groups, the cards that may still come, and what it is asked."""

import pytest

from marriage.bits import ONE, every_copy, pack, unpack
from marriage.cards import CARDS, FACES, MAN, MASTER, Card, parse_cards
from marriage.rules import Rules
from marriage.solver.hand import (
    NEVER,
    Hand,
    distance,
    finish_question,
    holes,
    less,
    more,
    open_groups,
    question,
    rough_distance,
    show_distance,
    show_question,
    wild_copies,
    within,
)
from marriage.view import view
from tests.marriage.dealing import Script, arranged, expose
from tests.marriage.example_hands import LAID, PRIMARY, REST, card

PAGAT = Rules()
PLUS = Rules(group_size="three_plus")
ALL_MASTERS = Rules(master_card="always_primary", primary_trial=True, man_cards=1)
JACK = Card.parse("JC")
SHOWN = tuple(map(parse_cards, ("AS 2S 3S", "9D 9D 9D", "10H JH QH")))


def faces(packed: int) -> str:
    """Return the different faces of a packed hand as text."""
    return " ".join(map(str, dict.fromkeys(unpack(packed))))


# Open cards


def test_an_exposed_tunnela_is_an_open_group_once() -> None:
    nines, twos = parse_cards("9D 9D 9D"), parse_cards("2C 2C 2C")
    assert open_groups(SHOWN, ()) == SHOWN
    assert open_groups(SHOWN, parse_cards("9D 2C")) == (*SHOWN, twos)
    assert open_groups((), parse_cards("9D 2C")) == (nines, twos)


def test_an_exposed_tunnela_counts_whole_though_it_was_shown_as_a_dublee() -> None:
    pairs = tuple((face, face) for face in parse_cards("2S 9D"))
    assert open_groups(pairs, parse_cards("9D")) == (pairs[0], parse_cards("9D 9D 9D"))


def test_the_groups_still_to_be_made_are_those_that_are_not_open() -> None:
    assert (Hand(()).open_primary, Hand(()).open_cards, Hand(()).on_table) == (3, 21, ())
    exposed = Hand((), exposed=parse_cards("9D 2C"))
    assert (exposed.open_primary, exposed.open_cards) == (1, 15)
    many = Hand((), exposed=parse_cards("9D 2C 3C 4C"))
    assert (many.open_primary, many.open_cards) == (0, 9)
    shown = Hand((), laid=SHOWN, exposed=parse_cards("9D 2C"))
    assert (shown.open_primary, shown.open_cards, len(shown.on_table)) == (0, 9, 4)


def test_the_hand_of_a_viewer_has_its_own_cards_and_the_open_ones_of_others() -> None:
    deal = Script(arranged(f"{PRIMARY} {REST}", "8S 8S 8S", "", stock="6C QD"))
    deal.do(expose("8S"), seat=1).close_window().draw().do(LAID).cut_to("QD").throw("6C")
    own = deal.state.seats[0]
    assert Hand.of(view(deal.state, 0)) == Hand(
        concealed=own.concealed(),
        laid=LAID.groups,
        tiplu=card("QD"),
        dead=parse_cards("KD 6C 8S 8S 8S"),
    )
    other = Hand.of(view(deal.state, 1))
    assert (other.exposed, other.laid, other.tiplu) == (parse_cards("8S"), (), None)
    assert other.dead == (*parse_cards("KD 6C"), *(held for group in LAID.groups for held in group))
    with pytest.raises(ValueError, match="spectator"):
        Hand.of(view(deal.state, None))


def test_what_is_left_are_the_cards_that_the_seat_cannot_see() -> None:
    hand = Hand(
        parse_cards("5H 5H MAN"), exposed=parse_cards("9D"), tiplu=JACK, dead=parse_cards("5H KS MASTER")
    )
    left = hand.left(Rules(man_cards=3, master_card="always"))
    changed = {"5H": 0, "KS": 2, "JC": 2, "9D": 0, "MAN": 2, "MASTER": 0}
    assert {str(face): left[face] for face in CARDS[:-1] if left[face] != 3} == changed
    assert Hand(()).left(PAGAT) == [3] * FACES + [0, 0]
    assert Hand(()).left(Rules(man_cards=2, master_card="after_seeing")) == [3] * FACES + [2, 1]


def test_only_printed_jokers_are_known_to_be_wild_without_the_tiplu() -> None:
    assert Hand(()).wilds == {MAN, MASTER}
    assert Hand((), tiplu=JACK).wilds >= {JACK, MAN, MASTER, Card.parse("10C"), Card.parse("QC")}
    assert wild_copies(Hand(()).wilds) == 0
    assert wild_copies(frozenset(parse_cards("5H KC MAN"))) == every_copy(pack(parse_cards("5H KC")))


# The question


def test_a_question_before_the_show() -> None:
    hand = Hand(parse_cards("5H 5H 6H KS"), exposed=parse_cards("9D"), dead=parse_cards("5H KS KS"))
    asked = question(hand, PAGAT, 18)
    assert (asked.hand, asked.primary, asked.total) == (pack(hand.concealed), 2, 18)
    assert (asked.spare, asked.wild, asked.stand_ins) == (0, 0, False)
    gone = pack(parse_cards("5H 9D KS") * 3 + parse_cards("6H"))
    assert asked.live == every_copy(sum(ONE)) - gone
    assert (asked.plus, asked.primary_trial, asked.long_trial) == (False, False, False)
    assert (asked.master, asked.master_live, asked.master_only) == (False, False, False)
    assert (asked.master_tunnela, asked.master_trial) == (False, False)


def test_a_question_has_the_options_of_the_groups() -> None:
    rules = Rules(primary_trial=True, group_size="three_plus", long_trial=True, man_cards=1)
    for asked in (question(Hand(()), rules, 9), finish_question(Hand((), laid=SHOWN), rules)):
        assert (asked.plus, asked.primary_trial, asked.long_trial) == (True, True, True)
    assert not show_question(Hand(()), rules).plus
    assert (show_question(Hand(()), rules).total, finish_question(Hand(()), rules).total) == (9, 21)
    assert show_question(Hand((), exposed=parse_cards("9D")), rules).total == 6


def test_wild_cards_of_the_hand_are_all_alike_after_the_show() -> None:
    hand = Hand(parse_cards("10C JC JC 5H MAN"), laid=SHOWN, tiplu=JACK)
    asked = question(hand, Rules(man_cards=1), 12)
    assert (faces(asked.hand), asked.spare, asked.wild, asked.primary) == ("5H", 4, 0, 0)
    assert asked.stand_ins


def test_wild_faces_keep_their_face_before_the_show() -> None:
    asked = question(Hand(parse_cards("JC 5H MAN"), tiplu=JACK), Rules(man_cards=1), 21)
    assert (faces(asked.hand), asked.spare) == ("5H JC", 1)
    assert {*parse_cards(faces(asked.wild))} == {*Hand((), tiplu=JACK).wilds} - {MAN, MASTER}


@pytest.mark.parametrize(
    ("hand", "dead", "man_cards", "master_card", "stand_ins"),
    [
        ("5H", "", 0, "off", False),
        ("5H", "", 1, "off", True),
        ("5H", "MAN", 1, "off", False),
        ("5H", "MAN", 2, "off", True),
        ("MAN", "", 1, "off", True),
        ("MAN", "MAN", 3, "off", True),
        ("5H", "", 0, "after_seeing", True),
        ("5H", "MASTER", 0, "after_seeing", False),
        ("MASTER", "", 0, "after_seeing", True),
    ],
)
def test_whether_a_wild_card_is_held_or_may_come(
    hand: str, dead: str, man_cards: int, master_card: str, stand_ins: bool
) -> None:
    rules = Rules(man_cards=man_cards, master_card=master_card)  # type: ignore[arg-type]
    asked = question(Hand(parse_cards(hand), dead=parse_cards(dead)), rules, 21)
    assert asked.stand_ins is stand_ins


@pytest.mark.parametrize(
    ("hand", "dead", "master", "live", "only"),
    [
        ("5H", "", False, True, False),
        ("5H", "MAN", False, True, True),
        ("5H MASTER", "", True, False, False),
        ("5H MASTER", "MAN", True, False, True),
        ("5H MAN", "MASTER", False, False, False),
        ("5H", "MASTER MAN", False, False, True),
    ],
)
def test_the_master_card_may_be_in_a_primary_group(
    hand: str, dead: str, master: bool, live: bool, only: bool
) -> None:
    held = Hand(parse_cards(hand), dead=parse_cards(dead))
    asked = question(held, ALL_MASTERS, 21)
    assert (asked.master, asked.master_live, asked.master_only) == (master, live, only)
    assert (asked.master_tunnela, asked.master_trial) == (True, True)
    sequences = question(held, Rules(master_card="always", man_cards=1), 21)
    assert (sequences.master, sequences.master_live) == (master, live)
    assert (sequences.master_tunnela, sequences.master_trial) == (False, False)
    later = question(held, Rules(master_card="after_seeing", man_cards=1), 21)
    assert (later.master, later.master_live, later.master_only) == (False, False, False)


def test_a_known_tiplu_makes_the_master_card_one_of_several_wild_cards() -> None:
    hand = Hand(parse_cards("5H"), tiplu=JACK, dead=parse_cards("MAN"))
    assert not question(hand, ALL_MASTERS, 21).master_only
    assert question(hand, PAGAT, 21).stand_ins


# One card less or more


def test_a_card_more_and_then_less_changes_nothing() -> None:
    hand = Hand(parse_cards("5H JC MAN"), tiplu=JACK)
    for asked in (question(hand, ALL_MASTERS, 21), question(hand._replace(laid=SHOWN), ALL_MASTERS, 12)):
        for face in parse_cards("5H KS JC MAN MASTER"):
            assert less(more(asked, face, hand.wilds), face, hand.wilds) == asked


def test_a_card_more_is_spare_if_it_counts_as_a_wild_card() -> None:
    hand = Hand(parse_cards("5H"), tiplu=JACK)
    before, after = question(hand, PAGAT, 21), question(hand._replace(laid=SHOWN), PAGAT, 12)
    assert faces(more(before, JACK, hand.wilds).hand) == "5H JC"
    assert more(after, JACK, hand.wilds) == after._replace(spare=1)
    assert more(before, MAN, hand.wilds) == before._replace(spare=1)
    assert faces(more(after, Card.parse("6H"), hand.wilds).hand) == "5H 6H"


def test_the_master_card_comes_and_goes() -> None:
    asked = question(Hand(parse_cards("5H")), ALL_MASTERS, 21)
    with_it = more(asked, MASTER, frozenset())
    assert (with_it.spare, with_it.master) == (1, True)
    assert not more(asked, MAN, frozenset()).master
    assert more(with_it, MAN, frozenset()).master
    assert (less(with_it, MASTER, frozenset()).spare, less(with_it, MASTER, frozenset()).master) == (0, False)
    assert less(more(with_it, MAN, frozenset()), MAN, frozenset()).master
    plain = question(Hand(parse_cards("5H")), PAGAT, 21)
    assert not more(plain, MASTER, frozenset()).master


# Distances


@pytest.mark.parametrize("rules", [PAGAT, PLUS, ALL_MASTERS], ids=["pagat", "plus", "masters"])
def test_a_hand_is_within_its_distance_and_no_less(rules: Rules) -> None:
    hand = Hand(parse_cards("3S 4S 5S QH KH AH 6D 7D 9C 2D 2H 10S 8H JD 4C 5H KC KD 9S 7C JH"))
    for asked in (show_question(hand, rules), finish_question(hand, rules)):
        fewest = holes(asked)
        assert [within(asked, most) for most in (fewest - 1, fewest, fewest + 1)] == [False, True, True]
    assert show_distance(hand, rules) == holes(show_question(hand, rules)) == 1
    assert distance(hand, rules) == holes(finish_question(hand, rules))


def test_the_rough_distance_knows_groups_of_three_only() -> None:
    hand = Hand(parse_cards("3S 4S 5S 6S QH KH AH 6D 7D 8D 9D 2C 3C 4C 5C 9H 10H JH QH 2D 3D"))
    assert distance(hand, PLUS) < rough_distance(hand, PLUS) == distance(hand, PAGAT)


def test_cards_that_cannot_be_split_into_groups_are_never_near() -> None:
    laid = tuple(map(parse_cards, ("AS 2S 3S 4S 5S 6S 7S", "AS 2S 3S 4S 5S 6S 7S", "AH 2H 3H 4H 5H 6H")))
    assert distance(Hand(parse_cards("9C 9C"), laid=laid, tiplu=JACK), PLUS) == NEVER == 99
