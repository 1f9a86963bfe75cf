"""`python -m marriage arrange`: arranged hands, and how far they are from finishing."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marriage.cards import (
    CARDS,
    MAN,
    MASTER,
    Card,
    Cards,
    contains,
    format_cards,
    parse_cards,
    sort_cards,
    without,
)
from marriage.groups import is_group, is_primary, wilds_for
from marriage.rules import PRESETS, Rules
from marriage.solver import Hand, distance, find_show
from tests.marriage.cli_calls import ask_lines, run

NAMES = ", ".join(PRESETS)
NATURAL = "3S 4S 5S 6H 6H 6H QS KS AS 9D 10D JD KS KC KH"
HAND = f"{NATURAL} 6D QC 8D JH 2C 2H"
LAID = ("3S 4S 5S", "6H 6H 6H", "QS KS AS")
IN_HAND = HAND.removeprefix("3S 4S 5S 6H 6H 6H QS KS AS ")


def arrange(hand: str, *more: str) -> dict[str, Any]:
    return run("arrange", "--json", "--hand", hand, *more).answer


def test_a_hand_that_finishes_with_wild_cards() -> None:
    answer = arrange(HAND, "--tiplu", "JC")
    assert (answer["can_show"], answer["can_finish"], answer["distance"]) == (True, True, 0)
    assert answer["discard"] is None
    assert len(answer["sets"]) == 7
    assert sorted(parse_cards(" ".join(answer["sets"]))) == sorted(parse_cards(HAND))


def test_nothing_is_wild_before_the_tiplu_is_given() -> None:
    answer = arrange(HAND)
    assert (answer["can_show"], answer["can_finish"], answer["distance"]) == (True, False, 2)
    assert sorted(parse_cards(" ".join(answer["sets"]))) == sorted(
        parse_cards(f"{NATURAL} 8D".replace("JD", ""))
    )
    two_men = "MAN MAN 3S 4S 5S 6H 6H 6H QS KS AS 9D 10D JD KS KC KH 5C 6C 2H 3H"
    assert arrange(two_men, "--option", "man_cards=2")["distance"] == 2
    assert arrange(two_men, "--option", "man_cards=2", "--tiplu", "8H")["distance"] == 0


def test_a_card_more_is_the_one_to_throw() -> None:
    answer = arrange(f"{HAND} 9S", "--tiplu", "JC")
    assert (answer["distance"], answer["discard"]) == (0, "9S")
    assert "9S" not in " ".join(answer["sets"]).split()


def test_laid_sets_may_be_in_the_hand_or_beside_it() -> None:
    beside = arrange(IN_HAND, "--tiplu", "JC", "--laid", *LAID)
    assert arrange(HAND, "--tiplu", "JC", "--laid", *LAID) == beside
    assert beside["sets"][:3] == list(LAID)
    assert (beside["can_show"], beside["can_finish"], len(beside["sets"])) == (True, True, 7)
    repeated = [word for laid in LAID for word in ("--laid", laid)]
    assert arrange(f"{IN_HAND} 9S", "--tiplu", "JC", *repeated)["discard"] == "9S"


def test_longer_sets_where_they_are_played() -> None:
    hand = "2S 3S 4S 5S 7H 8H 9H 10H JH QH 2D 2H 2C 2S KD KD KD 9C 10C JC QC"
    assert arrange(hand, "--preset", "wikipedia")["can_finish"]
    assert not arrange(hand)["can_finish"]


def test_a_card_that_cannot_come_is_not_asked_for() -> None:
    """3S 4S waits for 2S or 5S, but all copies of those are in sets, where they stay."""
    hand = "3S 4S 2S 2S 2S 5S 5S 5S 9D 9D 9D 9H 10H JH 7C 7H 7D KC KD QC QH"
    others = "3S 5S 2S 2S 2S 4S 4S 4S 9D 9D 9D 9H 10H JH 7C 7H 7D KC KD QC QH"
    assert arrange(hand)["distance"] == arrange(others)["distance"] > 0


NEVER_LAID = ("AS 2S 3S 4S 5S 6S", "2H 3H 4H 5H 6H 7H", "3D 4D 5D 6D 7D 8D 9D")
SCATTERED = "AS 3S 5S 7S 9S JS KS 2H 4H 6H 8H 10H QH AD 3D 5D 7D 9D JD KD 2C"


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            (f"{HAND} 9S", "--tiplu", "JC"),
            [
                "can show    yes",
                "can finish  yes",
                "distance    0",
                "sets        3S 4S 5S, 8D 9D 10D, QS KS AS, 6H 6H 6H, KS KH KC, 2H 2C QC, 6D JH JD",
                "rest        -",
                "discard     9S",
            ],
        ),
        (
            ("KC 9C", "--preset", "wikipedia", "--laid", *NEVER_LAID),
            [
                "can show    yes",
                "can finish  no",
                "distance    never",
                f"sets        {', '.join(NEVER_LAID)}",
                "rest        9C KC",
            ],
        ),
        (
            (SCATTERED,),
            [
                "can show    no",
                "can finish  no",
                "distance    7",
                "sets        -",
                f"rest        {SCATTERED}",
            ],
        ),
    ],
    ids=["finishing", "never", "scattered"],
)
def test_the_table_for_people(arguments: tuple[str, ...], lines: list[str]) -> None:
    assert run("arrange", "--hand", *arguments).out.splitlines() == lines


def test_of_a_hand_with_laid_sets_the_card_without_neighbours_goes() -> None:
    """The six of diamonds is beside no other card that is left over; nothing is wild yet."""
    answer = arrange(f"{IN_HAND} KH", "--laid", *LAID)
    assert (answer["distance"], answer["discard"]) == (2, "6D")
    assert answer["sets"] == [*LAID, "8D 9D 10D", "KS KH KC"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "the key 'hand' is missing"),
        ({"hand": HAND, "exposed": []}, "there is no key 'exposed'"),
        ({"hand": ""}, "a hand has 21 cards, or 22 after drawing; this one has 0 cards"),
        ({"hand": f"{HAND} 2H 3H"}, "a hand has 21 cards, or 22 after drawing; this one has 23 cards"),
        (
            {"hand": HAND, "laid": ["2S 3S 4S"]},
            "a hand has 21 cards, or 22 after drawing; this one has 21 cards and 3 laid",
        ),
        ({"hand": HAND, "laid": ["3S 4S 5S"]}, "a show lays 3 sets, not 1"),
        ({"hand": HAND, "laid": "3S 4S 5S"}, "laid: "),
        (
            {"hand": HAND, "laid": ["KS KC KH", "3S 4S 5S", "6H 6H 6H"]},
            "KS KC KH is no pure set under these rules",
        ),
        ({"hand": HAND, "tiplu": "MASTER"}, "the tiplu is a card of the packs, never MASTER"),
        ({"hand": HAND, "tiplu": "6H"}, "6H: 4 of it, the tiplu itself included, but these rules have 3"),
        ({"hand": HAND.replace("2C", "KS").replace("QC", "KS")}, "KS: 4 of it, but these rules have 3"),
        ({"hand": f"{HAND} MAN"}, "MAN: 1 of it, but these rules have 0"),
        ({"hand": HAND, "preset": "none"}, f"there is no preset 'none'; there are {NAMES}"),
    ],
)
def test_what_is_refused(asked: dict[str, Any], said: str) -> None:
    """Where only the place is said, pydantic tells what is wrong there."""
    [answer] = ask_lines("arrange", [asked])
    assert list(answer) == ["error"]
    assert answer["error"].startswith(said) if said.endswith(": ") else answer["error"] == said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), 'arrange needs --hand "CARDS"'),
        (
            ("--hand", HAND, "--tiplu", "ZZ"),
            "tiplu: 'ZZ' is no card; write rank and suit, such as 10C, or MAN or MASTER",
        ),
        (
            ("--hand", f"{HAND} XX"),
            "hand: 'XX' is no card; write rank and suit, such as 10C, or MAN or MASTER",
        ),
        (("--hand", HAND, "--option", "alter"), "an option is written NAME=VALUE, not 'alter'"),
        (("--hand", HAND, "--option", "altar=yes"), "options: there is no key 'altar'"),
        (("--hand", HAND, "--option", "alter=maybe"), "options: alter: "),
        (("--hand", HAND, "--laid", *LAID[0].split()), "3S is no pure set under these rules"),
        (
            ("--hand", HAND, "--jsonl", "-"),
            "with --jsonl every request stands in its line, and none on the command line",
        ),
    ],
)
def test_arguments_that_are_refused(arguments: tuple[str, ...], said: str) -> None:
    status, out, err = run("arrange", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"python -m marriage arrange: {said}")
    assert said.endswith(": ") or err.endswith(f"{said}\n")


# Any hand


def any_hand(chance: random.Random, rules: Rules) -> tuple[Cards, Card]:
    """Return 21 or 22 cards of few or many faces, and a tiplu."""
    faces = chance.sample(CARDS[:52], chance.choice([9, 12, 20, 52]))
    deck = [face for face in faces for _ in range(3)] + [MAN] * rules.man_cards
    deck += [MASTER] * (rules.master_card != "off")
    chance.shuffle(deck)
    size = chance.choice([21, 22])
    return tuple(deck[:size]), next(card for card in deck[size:] if card.is_pack)


@settings(deadline=None, max_examples=10)
@given(
    st.builds(random.Random, st.integers(0, 2**32)),
    st.sampled_from(["pagat", "wikipedia", "wikipedia-2010"]),
    st.sampled_from([{}, {"man_cards": 3}, {"master_card": "always"}]),
)
def test_the_sets_are_sets_and_the_distance_is_the_solvers(
    chance: random.Random, preset: str, options: dict[str, Any]
) -> None:
    """`test_solver_oracle.py` compares the solver's own distance with another model."""
    rules = PRESETS[preset].with_options(**options)
    hand, tiplu = any_hand(chance, rules)
    known = tiplu if options or chance.random() < 0.6 else None
    asked = {"hand": format_cards(hand), "preset": preset, "options": options}
    [answer] = ask_lines("arrange", [asked | ({"tiplu": str(known)} if known is not None else {})])
    assert answer["distance"] == distance(Hand(sort_cards(hand), tiplu=known), rules)
    check(answer, hand, known, rules)


@settings(deadline=None, max_examples=6)
@given(st.builds(random.Random, st.integers(0, 2**32)), st.sampled_from(["pagat", "wikipedia"]))
def test_laid_sets_may_be_told_beside_the_hand_or_among_it(chance: random.Random, preset: str) -> None:
    rules = PRESETS[preset]
    laid = None
    while laid is None:
        hand, tiplu = any_hand(chance, rules)
        laid = find_show(hand, (), rules)
    rest = without(hand, [card for group in laid for card in group])
    asked = {"preset": preset, "tiplu": str(tiplu), "laid": list(map(format_cards, laid))}
    beside, among = ask_lines(
        "arrange", [asked | {"hand": format_cards(rest)}, asked | {"hand": format_cards(hand)}]
    )
    assert beside == among
    assert beside["sets"][:3] == asked["laid"]
    check(beside, hand, tiplu, rules)


def check(answer: dict[str, Any], hand: Cards, tiplu: Card | None, rules: Rules) -> None:
    wilds = wilds_for(tiplu, rules)
    sets = [parse_cards(text) for text in answer["sets"]]
    thrown = parse_cards(answer["discard"] or "")
    assert len(thrown) == len(hand) - 21
    assert contains(hand, [*thrown, *(card for group in sets for card in group)])
    assert all(is_group(group, wilds, rules) for group in sets)
    if answer["can_finish"]:
        assert sum(map(len, sets)) == 21
        assert all(is_primary(group, rules) for group in sets[:3])


def test_of_21_cards_none_is_to_be_thrown() -> None:
    lines = run("arrange", "--hand", HAND, "--tiplu", "JC").out.splitlines()
    assert lines[-1].startswith("rest")
    assert not any(line.startswith("discard") for line in lines)


def test_where_no_sets_make_up_the_rest_it_never_finishes_and_any_card_may_go() -> None:
    for hand, discard in (("KC 9C", None), ("KC 9C QH", "QH")):
        answer = arrange(hand, "--tiplu", "JC", "--preset", "wikipedia", "--laid", *NEVER_LAID)
        assert (answer["can_show"], answer["can_finish"], answer["distance"]) == (True, False, None)
        assert answer["sets"] == list(NEVER_LAID)
        assert answer["discard"] == discard
