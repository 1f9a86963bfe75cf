"""Fair play: what would be seen by chance, honest players, and a pair that plays for one."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from league.statistics.estimates import strengths
from league.statistics.fairplay import (
    Throws,
    by_chance,
    dependence,
    feeding,
    passing,
    transfers,
    two_shares,
)
from tests.league.deals import pods_season, season


@pytest.mark.parametrize(
    ("pairs", "z", "expected"), [(780, 3, 1.05), (780, 3.5, 0.18), (120, 3, 0.16), (4950, 3.5, 1.15)]
)
def test_how_many_would_look_so_by_chance(pairs, z, expected):
    assert by_chance(pairs, z) == pytest.approx(expected, abs=0.005)


def test_honest_players_are_rarely_listed():
    chance = Random(2)
    listed = expected = 0
    for seed in range(4):
        deals = season([chance.gauss(0, 0.3) for _ in range(16)], 3000, seed=seed)
        report = transfers(deals, strengths(deals), least_z=2.5)
        assert report.compared == 240
        listed += len(report.transfers)
        expected += report.expected
    assert expected == pytest.approx(4 * 240 * 0.00621, rel=0.01)
    assert listed <= 2 * expected + 4


def test_a_pair_that_plays_for_one_stands_out():
    """Player 3 gives player 5 about half of a deal's luck whenever they meet, and nothing else is odd."""
    deals = []
    for deal in season([0.0] * 16, 3000, seed=8):
        if {3, 5} <= set(deal.players):
            points = dict(zip(deal.players, deal.points, strict=True))
            points[3] -= 10
            points[5] += 10
            deal = replace(deal, points=tuple(points.values()))
        deals.append(deal)
    report = transfers(deals, strengths(deals))
    assert [(transfer.giver, transfer.receiver) for transfer in report.transfers] == [(3, 5)]
    assert report.transfers[0].deals >= 60
    assert report.expected < 0.1


@pytest.mark.parametrize(("players", "seasons"), [(16, 30), (32, 10)])
def test_after_one_season_of_pods_honest_players_are_listed_as_often_as_it_says(players, seasons):
    """Eight matches of 12 deals: most pairs have met once or twice."""
    chance = Random(players)
    listed = expected = 0
    for seed in range(seasons):
        deals = pods_season([chance.gauss(0, 0.2) for _ in range(players)], 8, seed)
        report = transfers(deals, strengths(deals), least_z=2.5)
        listed += len(report.transfers)
        expected += report.expected
    assert expected > 30
    assert 0.7 * expected < listed < 1.3 * expected


def test_after_one_season_of_pods_a_pair_that_plays_for_one_stands_out():
    """Player 3 gives player 5 a deal's luck whenever they meet; it shows in most seasons in which they met twice."""
    found = met_twice = 0
    for seed in range(30):
        deals = []
        for deal in pods_season([0.0] * 16, 8, seed):
            points = dict(zip(deal.players, deal.points, strict=True))
            if {3, 5} <= set(points):
                points[3] -= 20
                points[5] += 20
            deals.append(replace(deal, points=tuple(points.values())))
        if sum({3, 5} <= set(deal.players) for deal in deals) >= 24:
            met_twice += 1
            report = transfers(deals, strengths(deals))
            found += (3, 5) in [(transfer.giver, transfer.receiver) for transfer in report.transfers]
    assert met_twice >= 10
    assert found >= 0.8 * met_twice


def test_too_few_deals_are_not_looked_at():
    deals = season([0.0] * 16, 11)
    assert transfers(deals, strengths(deals)).compared == 0


def test_feeding():
    honest = Throws(Counter({1: 200, 2: 200, 3: 200}), Counter({1: 20, 2: 21, 3: 19}))
    assert abs(feeding(honest, 1)) < 1
    fed = Throws(Counter({1: 200, 2: 200, 3: 200}), Counter({1: 60, 2: 21, 3: 19}))
    assert feeding(fed, 1) > 5
    assert feeding(fed, 9) == 0
    assert feeding(Throws.nothing(), 1) == 0


def test_company():
    matches = [(1, 2, 3), (1, 2, 4), (2, 3, 4), (1, 5, 6)]
    assert dependence(matches, 1, 2) == pytest.approx(2 / 3)
    assert dependence(matches, 9, 2) == 0


def test_too_little_to_tell():
    assert passing([1.0], [-1.0], [2.0, 3.0], [2.0, 3.0]) == 0
    assert passing([1.0, 2.0], [-1.0, -2.0], [2.0, 3.0], []) == 0
    assert passing([1.0, 1.0], [2.0, 2.0], [0.0, 0.0], [0.0, 0.0]) == 0
    assert two_shares(0, 10, 0, 10) == 0
