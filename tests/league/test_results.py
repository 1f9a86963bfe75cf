"""Results of deals: impossible results are refused."""

import pytest

from league.results import DealResult
from tests.league.deals import A, B


@pytest.mark.parametrize(
    ("players", "points", "par", "words"),
    [
        ((A,), (0,), 20.0, "two seats or more"),
        ((A, B), (3, -1, -2), 20.0, "points for each"),
        ((A, A), (3, -3), 20.0, "at two seats"),
        ((A, B), (3, -3), 0.0, "par is above zero"),
    ],
)
def test_what_cannot_be_a_result_is_refused(players, points, par, words):
    with pytest.raises(ValueError, match=words):
        DealResult((1, 1), 0, players, points, par)


def test_two_computers_are_nobody_at_two_seats():
    assert DealResult((1, 1), 0, (None, None, A), (1, 1, -2), 20.0).people() == (A,)
