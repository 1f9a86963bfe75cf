"""Ghosting: honest players of boards, and a player who hears of them."""

from random import Random

import pytest

from league.results import DealResult
from league.statistics.estimates import strengths
from league.statistics.fairplay import BoardPlay, LateBoards, late_boards
from tests.league.evenings import boards_season


def test_honest_players_are_rarely_listed():
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
    """They make a deal's luck more of every board that another table has finished."""
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
    """What both win now and then without another table to compare with is no better later than before."""
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
