"""Fair play: what would be seen by chance; honest players, of boards too; a pair that plays for one; who hears of boards; one hand at two tables."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from league.results import DealResult
from league.statistics.estimates import strengths
from league.statistics.fairplay import (
    BoardPlay,
    LateBoards,
    Throws,
    TimedAnswer,
    by_chance,
    coincidences,
    counted,
    dependence,
    feeding,
    late_boards,
    passing,
    quick_answers,
    transfers,
    two_shares,
)
from tests.league.deals import pods_season, season
from tests.league.evenings import Evenings, boards_season, one_hand


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


def result(table: int, number: int, at: int, points: tuple[int, ...]) -> DealResult:
    return DealResult((table, number), at, (10 * table, 10 * table + 1), points, 20.0)


def test_boards_are_compared_at_the_same_seat_and_only_later_ones_count_as_late():
    """At the second table seat 0 wins more than at the first whenever it begins after the first has finished."""
    deals, boards = [], {}
    for number in range(40):
        later, points = number % 2, 10 + number % 3
        deals += [
            result(1, number, 100 * number + 10, (points, -points)),
            result(2, number, 100 * number + 50, (points + 20 * later, -points - 20 * later)),
        ]
        boards[1, number] = BoardPlay((1, number), 100 * number)
        boards[2, number] = BoardPlay((1, number), 100 * number + 10 * later)
    report = late_boards(deals, boards, strengths(deals))
    assert [(one.player, one.boards, one.others) for one in report.players] == [(20, 20, 20)]
    assert report.compared == 2
    assert late_boards(deals, {}, strengths(deals)).compared == 0
    assert late_boards(deals, boards, strengths(deals), least_boards=21).compared == 0


def test_a_board_that_nobody_else_has_played_counts_as_it_is():
    """Without another table to compare with, the wins of both are no better later than before."""
    deals = [
        result(1, number, 100 * number + 10, (points, -points))
        for number, points in enumerate([20, -20] * 20)
    ]
    plays = {(1, number): BoardPlay((1, number), 100 * number) for number in range(40)}
    apart = [
        result(2, number, 100 * number + 10, (points, -points))
        for number, points in enumerate([20, -20] * 20)
    ]
    report = late_boards([*deals, *apart], plays, strengths([*deals, *apart]))
    assert (report.compared, report.players) == (0, ())


@pytest.mark.parametrize(
    ("found", "expected", "z"),
    [(0, 8.0, -3.40), (18, 8.0, 2.99), (20, 20.5, 0.0), (300, 200.0, 6.6), (8, 8.0, 0.0)],
)
def test_counts_against_the_tail_of_poissons_distribution(found, expected, z):
    """Exact: P(0 of 8) is 0.00034, which z -3.40 has; P(18 or more of 8) 0.0014, which z 2.99 has."""
    assert counted(found, expected) == pytest.approx(z, abs=0.15)


def test_wider_counts_say_less():
    assert counted(60, 30.0) > counted(60, 30.0, spread=2) > 0
    assert counted(5, 30.0) < counted(5, 30.0, spread=2) < 0


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


def test_presses_at_one_table_are_not_compared():
    assert (
        coincidences({(1, 7): list(range(0, 10**6, 500)), (2, 7): list(range(0, 10**6, 500))}).compared == 0
    )
    assert coincidences({(1, 7): [1, 2], (2, 8): []}).compared == 0


def test_too_few_presses_together_are_not_compared():
    """Each pair of tables is expected to press together fewer than five times, however often it did."""
    rare = {(1, 7): list(range(0, 10**6, 60_000)), (2, 8): list(range(0, 10**6, 60_000))}
    assert coincidences(rare, least_z=0).compared == 0
    often = {(1, 7): list(range(0, 10**6, 7_000)), (2, 8): list(range(0, 10**6, 7_000))}
    assert coincidences(often, least_z=0).compared == 2


def test_a_table_where_nobody_else_answers_tells_no_pace():
    """Each of two players answers only the other, so there is no one to compare them with."""
    answers = [TimedAnswer(table, player, 3 - player, 500) for table in range(60) for player in (1, 2)] * 30
    assert quick_answers(answers).compared == 0


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


def test_few_answers_and_few_tables_are_not_compared():
    answers = [TimedAnswer(table, player, player - 1, 500) for table in range(9) for player in (1, 2, 3)]
    assert quick_answers(answers).compared == 0
