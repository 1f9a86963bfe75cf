"""Luck: the worked bands, and what they are made from."""

import pytest

from league.standings import Band, bands, spread


def test_the_worked_example():
    points = [61, 44, 30, -5, -40, -95]
    found = bands({player: (total, 8) for player, total in enumerate(points)}, 16.7)
    assert list(found.values()) == [Band(1, 5), Band(1, 5), Band(1, 6), Band(1, 6), Band(1, 6), Band(3, 6)]


def test_without_luck_every_place_is_its_own():
    assert bands({1: (3, 2), 2: (2, 2), 3: (1, 2)}, 0.0) == {1: Band(1, 1), 2: Band(2, 2), 3: Band(3, 3)}


def test_more_matches_are_more_luck_in_a_total():
    assert bands({1: (100, 1), 2: (0, 1)}, 20.0) == {1: Band(1, 1), 2: Band(2, 2)}
    assert bands({1: (100, 20), 2: (0, 20)}, 20.0) == {1: Band(1, 2), 2: Band(1, 2)}


def test_players_with_other_numbers_of_matches_count_too():
    totals = {1: (300, 1), 2: (200, 2), 3: (100, 3), 4: (0, 4), 5: (-100, 1)}
    assert bands(totals, 1.0) == {player: Band(player, player) for player in totals}


def test_the_spread_is_pooled_over_players():
    assert spread([[10, 20], [-10, 0], [7]]) == pytest.approx(50**0.5)
    assert spread([[3], []]) == 0
