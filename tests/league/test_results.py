"""Results of deals: impossible results are refused, and the order of the others."""

import pytest

from league.results import DealResult, in_order, player_name
from tests.league.deals import A, B


@pytest.mark.parametrize(
    ("players", "points", "par", "words"),
    [
        ((A,), (0,), 20.0, r"^a deal has two seats or more, and points for each$"),
        ((A, B), (3, -1, -2), 20.0, r"^a deal has two seats or more, and points for each$"),
        ((A, A), (3, -3), 20.0, r"^a player sits at two seats of one deal$"),
        ((A, B), (3, -3), 0.0, r"^par is above zero$"),
    ],
)
def test_what_cannot_be_a_result_is_refused(players, points, par, words):
    with pytest.raises(ValueError, match=words):
        DealResult((1, 1), 0, players, points, par)


def test_two_computers_are_nobody_at_two_seats():
    assert DealResult((1, 1), 0, (None, None, A), (1, 1, -2), 20.0).people() == (A,)


def test_any_par_above_zero_will_do():
    assert DealResult((1, 1), 0, (A, B), (3, -3), 0.5).par == 0.5


def test_deals_are_ordered_by_their_end_and_then_by_table_and_number():
    deals = [
        DealResult(number, at, (A, B), (3, -3), 20.0)
        for number, at in (((2, 1), 60), ((1, 2), 60), ((9, 9), 30), ((1, 1), 60), ((1, 1), 90))
    ]
    assert [(deal.at, deal.id) for deal in in_order(deals)] == [
        (30, (9, 9)),
        (60, (1, 1)),
        (60, (1, 2)),
        (60, (2, 1)),
        (90, (1, 1)),
    ]


def test_a_player_without_a_name_is_shown_by_their_number():
    assert [player_name(player, {A: "Asha"}) for player in (A, B)] == ["Asha", "Player 2"]
