"""Fair play in simulated seasons: honest players are rarely listed, and those who cheat stand out."""

from dataclasses import replace
from random import Random

import pytest

from league.statistics.estimates import strengths
from league.statistics.fairplay import LateBoards, coincidences, late_boards, quick_answers, transfers
from tests.league.deals import pods_season, season
from tests.league.evenings import Evenings, boards_season, one_hand


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


def test_honest_players_of_boards_are_rarely_listed():
    listed, compared = 0, 0
    for seed in range(30):
        chance = Random(seed)
        deals, boards = boards_season([chance.gauss(0, 0.2) for _ in range(16)], 8, seed)
        report = late_boards(deals, boards, strengths(deals), least_z=2)
        listed += len(report.players)
        compared += report.compared
        assert report.expected == pytest.approx(report.compared * 0.02275, rel=0.01)
    assert compared > 300
    assert listed <= 2 * 0.02275 * compared


def test_somebody_who_hears_of_boards_stands_out():
    """They gain a deal's luck more on every board that another table has finished."""
    found: list[LateBoards] = []
    for seed in range(20):
        deals, boards = boards_season([0.0] * 16, 8, seed, ghost=3)
        found += late_boards(deals, boards, strengths(deals)).players
    ghosts = [one for one in found if one.player == 3]
    assert len(ghosts) >= 10
    assert len(found) - len(ghosts) <= 1
    assert all(one.boards + one.others == 8 * 12 and 0.3 < one.gain < 1.2 for one in ghosts)


def test_honest_people_at_two_tables_are_rarely_listed():
    listed = compared = 0
    for seed in range(6):
        evenings = Evenings(16, seed)
        evenings.play(8)
        report = coincidences(evenings.presses, least_z=2.5)
        listed += len(report.pairs)
        compared += report.compared
    assert compared > 1_000
    assert listed <= 1.5 * 0.0062 * compared


def test_one_hand_for_two_accounts_stands_out():
    evenings = Evenings(16, 4)
    evenings.play(8)
    honest = coincidences(evenings.presses)
    assert honest.pairs == ()
    one_hand(evenings.presses, 3, 5)
    [pair] = coincidences(evenings.presses).pairs
    assert pair.players == (3, 5)
    assert pair.found == 0
    assert pair.z < -3.5


def test_a_program_that_presses_for_two_accounts_stands_out():
    evenings = Evenings(8, 1)
    evenings.play(1)
    one, *_, two = list(evenings.presses)[:5]
    evenings.presses[two] = [at + 40 for at in evenings.presses[one]]
    pairs = coincidences(evenings.presses).pairs
    assert pairs[0].players == tuple(sorted((one[0], two[0])))
    assert pairs[0].z > 10


def test_presses_together_are_counted_within_a_second():
    evenings = Evenings(8, 2)
    evenings.play(1)
    one, *_, two = list(evenings.presses)[:5]
    times = {key: evenings.presses[key] for key in (one, two)}
    between = [other - at for at in times[one] for other in times[two]]
    shifted = [
        sum(-1_000 < ms - 2_000 * lag < 1_000 for ms in between)
        for lag in range(-60, 61) if abs(lag) >= 5
    ]  # fmt: skip
    [pair] = coincidences(times, least_z=0).pairs
    assert pair.found == sum(-1_000 <= ms <= 1_000 for ms in between)
    assert pair.expected == pytest.approx(sum(shifted) / len(shifted), rel=0.02)


def test_honest_answers_are_rarely_listed():
    listed = compared = 0
    for seed in range(6):
        evenings = Evenings(16, seed)
        evenings.play(60, turns=60)
        report = quick_answers(evenings.answers, least_z=2.5)
        listed += len(report.pairs)
        compared += report.compared
    assert compared > 500
    assert listed <= 3 * 0.0062 * compared


def test_somebody_who_answers_one_other_at_once_stands_out():
    evenings = Evenings(8, 3)
    evenings.play(60, turns=80, quick=(5, 3))
    [pair] = quick_answers(evenings.answers).pairs
    assert (pair.player, pair.before) == (5, 3)
    assert pair.tables >= 4
    assert pair.share < 0.4
