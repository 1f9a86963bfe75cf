"""Par from the deals themselves, by preset and seats."""

import pytest

from league.results import DealResult
from league.spread import ENOUGH, measured


def result(number: int, *points: int) -> DealResult:
    return DealResult((1, number), 1, tuple(range(len(points))), points, par=1.0)


def test_each_kind_has_its_own_spread_once_there_are_enough():
    wide = [("w", result(n, 30, -10, -10, -10)) for n in range(ENOUGH)]
    tight = [("t", result(n, 3, -1, -1, -1)) for n in range(ENOUGH)]
    found = measured(wide + tight)
    assert {round(deal.par, 4) for deal in found.deals[:ENOUGH]} == {round(300**0.5, 4)}
    assert {round(deal.par, 4) for deal in found.deals[ENOUGH:]} == {round(3**0.5, 4)}
    assert found.par == pytest.approx(((300 + 3) / 2) ** 0.5)


def test_few_deals_share_the_spread_of_all_with_as_many_seats():
    found = measured([("a", result(1, 30, -30)), ("b", result(2, 10, -10)), ("a", result(3, 6, -3, -3))])
    assert [deal.par for deal in found.deals] == [pytest.approx(500**0.5)] * 2 + [pytest.approx(18**0.5)]


def test_deals_without_points_measure_nothing():
    assert [deal.par for deal in measured([("a", result(1, 0, 0))]).deals] == [1.0]
    assert measured([]).par == 1.0
