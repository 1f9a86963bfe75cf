"""`python -m marriage arrange`: which card it throws, and what a master card stands in for before the tiplu is known."""

from typing import Any

import pytest

from tests.marriage.cli_calls import ask_lines, run
from tests.marriage.dealing import WINNING

LAID = ("2S 2S 2S", "5S 5S 5S", "9H 10H JH")
WAITING = "3S 4S 9D 9D 9D 7H 7C 7D KC QH 8C"
"""3S 4S waits for 2S or 5S, but all copies of those are laid."""


def arrange(hand: str, *more: str) -> dict[str, Any]:
    return run("arrange", "--json", "--hand", hand, *more).answer


@pytest.mark.parametrize(
    ("master_card", "last", "distance"),
    [
        ("off", "5D", 4),
        ("after_seeing", "5D", 4),
        ("always", "5D", 3),
        ("after_seeing", "MASTER", 4),
        ("always", "MASTER", 2),
    ],
)
def test_before_the_tiplu_is_known_a_master_card_stands_in_only_if_it_always_does(
    master_card: str, last: str, distance: int
) -> None:
    """It may stand in for a card that cannot come."""
    hand = f"{WAITING} {last}"
    assert arrange(hand, "--option", f"master_card={master_card}", "--laid", *LAID)["distance"] == distance


def test_a_card_of_a_set_stays_though_a_card_too_many_has_more_neighbours() -> None:
    answer = arrange(f"{WINNING} 4S")
    assert (answer["distance"], answer["discard"]) == (0, "7S")


@pytest.mark.parametrize(
    ("others", "alone"),
    [
        ("4S 4S 4S 7S 7S 7S 2H 3H 5D 6D 8C 9C", "QC"),
        ("4S 4S 4S 7S 7S 7S 2H 2D 5D 5C 8C 8H", "QC"),
        ("4S 4S 4S 7S 7S 7S 2H 3H 8D 9D AC QC", "5C"),
        ("4S 4S 2H 3H 8D 9D JH JD 5C 6C MAN MAN", "AC"),
    ],
)
def test_a_card_beside_others_stays(others: str, alone: str) -> None:
    """Here one pair is too many as well. An ace is beside the queen, but not beside a man card."""
    laid = ("--laid", "10S JS QS", "10H 10H 10H", "KS KS KS")
    assert arrange(f"{others} {alone}", "--option", "man_cards=2", *laid)["discard"] == alone


def test_a_set_of_man_cards_may_be_laid_and_a_set_of_nothing_not() -> None:
    laid = ["MAN MAN MAN", *LAID[:2]]
    hand = f"{WAITING} 5D"
    [man, nothing] = ask_lines(
        "arrange",
        [
            {"hand": hand, "laid": laid, "options": {"man_cards": 3}},
            {"hand": f"{hand} 9H 10H JH AC", "laid": ["", *LAID[:2]]},
        ],
    )
    assert man["sets"][:3] == laid
    assert nothing == {"error": "nothing is no pure set under these rules"}
