"""Tie-breaks: the worked example, and each criterion alone."""

import pytest

from league.standings import Merits, head_to_head, ranked
from tests.league.deals import A, B, C, D

CIRCLE = [{A: 1, B: 2}, {B: 1, C: 2}, {C: 1, A: 2}]


def order(merits, matches=()) -> list[tuple[int, int, str]]:
    return [(rank.player, rank.rank, rank.by) for rank in ranked(merits, matches)]


def test_the_worked_example():
    merits = {A: Merits(2400, gain=31), B: Merits(2400, gain=28), C: Merits(2400, gain=28)}
    assert head_to_head([A, B, C], CIRCLE) == {A: 2, B: 2, C: 2}
    assert order(merits, CIRCLE) == [(A, 1, "gain"), (B, 2, "head_to_head"), (C, 3, "head_to_head")]


def test_the_same_where_two_have_not_met():
    merits = {
        A: Merits(2400, gain=31),
        B: Merits(2400, gain=28, placings=(2, 3, 1)),
        C: Merits(2400, gain=28, placings=(2, 2, 2)),
    }
    matches = [{A: 1, B: 2}, {C: 1, A: 2}]
    assert head_to_head([A, B, C], matches) is None
    assert order(merits, matches) == [(A, 1, "gain"), (B, 2, "placings"), (C, 3, "placings")]


def test_points_come_before_meetings():
    assert order({A: Merits(1), B: Merits(2)}, [{A: 1, B: 2}]) == [(B, 1, "points"), (A, 2, "points")]


def test_head_to_head_counts_ties_as_half_and_asks_for_equal_meetings():
    assert head_to_head([A, B], [{A: 1, B: 1}, {A: 1, B: 3, C: 2}]) == {A: 3, B: 1}
    assert head_to_head([A, B, C], [*CIRCLE, {A: 1, B: 2}]) is None
    four = [{A: 1, B: 2, C: 3, D: 4}]
    assert order({player: Merits(0) for player in (A, B, C, D)}, four) == [
        (player, player, "head_to_head") for player in (A, B, C, D)
    ]


@pytest.mark.parametrize(
    ("better", "criterion"),
    [
        ({"gain": 1}, "gain"),
        ({"placings": (1, 0)}, "placings"),
        ({"opponents": 3}, "opponents"),
        ({"lot": -1}, "lot"),
    ],
)
def test_each_criterion_decides(better, criterion):
    plain = {"placings": (0, 0), "lot": 0}
    assert order({A: Merits(5, **plain), B: Merits(5, **(plain | better))}) == [
        (B, 1, criterion),
        (A, 2, criterion),
    ]


def test_fewer_conduct_points_are_better():
    assert order({A: Merits(5, conduct=2), B: Merits(5, conduct=1)})[0] == (B, 1, "conduct")


def test_equal_players_share_a_rank():
    merits = {A: Merits(9), B: Merits(5), C: Merits(5), D: Merits(1)}
    assert order(merits) == [(A, 1, "points"), (B, 2, "points"), (C, 2, "points"), (D, 4, "points")]


def test_what_parts_a_player_from_the_one_above_is_told():
    merits = {A: Merits(9), B: Merits(5, gain=1), C: Merits(5), D: Merits(5)}
    assert [rank.parted for rank in ranked(merits, ())] == ["points", "points", "gain", None]


def test_meetings_count_for_the_second_named_as_for_the_first():
    assert head_to_head([A, B], [{A: 2, B: 1}, {A: 1, B: 1}]) == {A: 1, B: 3}


def test_those_whom_meetings_part_are_compared_among_themselves():
    """A and B beat C and D, and drew with each other, so their gain decides; so it is below them."""
    merits = {A: Merits(0, gain=1), B: Merits(0, gain=2), C: Merits(0, gain=3), D: Merits(0, gain=4)}
    matches = [{A: 1, B: 1, C: 3, D: 3}]
    assert order(merits, matches) == [(B, 1, "gain"), (A, 2, "gain"), (D, 3, "gain"), (C, 4, "gain")]


def test_an_earlier_criterion_is_not_asked_again():
    """B and C are alike in gain; below it only the head-to-head of the two is looked at anew."""
    merits = {
        A: Merits(0, gain=5, placings=(0, 9)),
        B: Merits(0, gain=3, placings=(3, 0)),
        C: Merits(0, gain=3, placings=(4, 0)),
    }
    assert order(merits) == [(A, 1, "gain"), (C, 2, "placings"), (B, 3, "placings")]
