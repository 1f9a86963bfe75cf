"""Figures of fair play, each from a few values that can be checked by hand."""

from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from math import exp, log
from statistics import fmean

import pytest

from league.results import DealResult
from league.statistics.estimates import Estimate, strengths, surprises
from league.statistics.fairplay import (
    BoardPlay,
    Coincidence,
    Coincidences,
    FairPlayReport,
    LateBoards,
    LateReport,
    Quick,
    QuickReport,
    Throws,
    TimedAnswer,
    Transfer,
    by_chance,
    coincidences,
    counted,
    dependence,
    feeding,
    late_boards,
    passing,
    quick_answers,
    student,
    transfers,
    two_shares,
    welch,
)
from tests.league.deals import season


def test_half_of_all_comparisons_reach_nothing():
    assert by_chance(10, 0) == pytest.approx(5)
    assert by_chance(1000, 1.96) == pytest.approx(25, abs=0.01)


def test_two_groups_of_different_spread():
    """Means 2.5 and 6, squared errors 5/12 and 2: t is -2.25, with 5.52 degrees of freedom."""
    few, more = [1, 2, 3, 4], [2, 4, 6, 8, 10]
    assert welch(2.5 - 6, few, more) == pytest.approx(-1.8159, abs=1e-4)
    assert welch(6 - 2.5, few, more) == pytest.approx(1.8159, abs=1e-4)
    assert welch(1.0, [3, 3], [4, 4]) == 0


def test_two_groups_of_the_same_spread():
    """Means 4 and 5/3, squares 14/3 in all: the square of t is 4.2, with 3 degrees of freedom."""
    assert student([3, 5], [1, 1, 3]) == pytest.approx(25 / 27 * (3 * log(2.4)) ** 0.5)
    assert student([1, 1, 3], [3, 5]) == pytest.approx(-25 / 27 * (3 * log(2.4)) ** 0.5)
    assert student([4], [1, 3]) == pytest.approx(9 / 11 * log(7 / 3) ** 0.5)
    assert student([4, 4], [1, 1]) == 0


def test_the_difference_of_two_shares():
    """Thirty of 100 and 20 of 400: together 0.1, with an error of the root of 0.09 times 0.0125."""
    assert two_shares(30, 100, 20, 400) == pytest.approx(0.25 / (0.09 * 0.0125) ** 0.5)
    assert two_shares(1, 1, 0, 1) == pytest.approx(2**0.5)
    assert [two_shares(0, 0, 1, 2), two_shares(1, 2, 0, 0), two_shares(2, 2, 1, 1)] == [0, 0, 0]


def test_what_moves_between_two_players_is_compared_with_their_deals_without_each_other():
    given, gained, given_apart, gained_apart = [-1, -2, 0, -1], [1, 2, 1, 0], [0, 1, -1, 1], [1, -1, 0, 1]
    between = [2, 4, 1, 1]
    expected = welch(2 - (0.25 - 0.25), between, given_apart, gained_apart)
    assert passing(given, gained, given_apart, gained_apart) == pytest.approx(expected)
    better = passing(given, gained, [5, 6, 4, 6], gained_apart)
    assert better == pytest.approx(welch(2 - (0.25 - 5.25), between, given_apart, gained_apart))
    assert passing([1, 2], [3, 5], [0, 1], [0, 1]) > 0, "two values are enough"


@pytest.mark.parametrize("short", range(3))
def test_a_single_value_tells_nothing_of_a_pair(short: int):
    groups = [[0.0, 1.0], [2.0, 4.0], [3.0, 5.0]]
    groups[short] = groups[short][:1]
    given, given_apart, gained_apart = groups
    assert passing(given, [9.0, 7.0][: len(given)], given_apart, gained_apart) == 0


def test_who_is_fed_takes_more_of_a_players_discards_than_their_other_neighbours():
    throws = Throws(Counter({1: 100, 2: 300, 3: 100}), Counter({1: 30, 2: 15, 3: 5}))
    assert feeding(throws, 1) == pytest.approx(two_shares(30, 100, 20, 400))
    assert Throws.nothing() == Throws(Counter(), Counter())


def test_the_share_of_matches_with_another():
    matches = [(1, 2), (1, 3), (2, 3), (1, 2)]
    assert dependence(matches, 1, 2) == pytest.approx(2 / 3)
    assert dependence(matches, 3, 1) == 0.5


@pytest.mark.parametrize(
    ("found", "expected", "spread", "z"),
    [
        (0, 8.0, 1.0, 3 * (1 - 1 / 9 - 2.0)),
        (16, 2.0, 1.0, 12 * (1 - 1 / 144 - 0.5)),
        (7, 64.0, 1.0, 3 * 8**0.5 * (1 - 1 / 72 - 2.0)),
        (32, 4.0, 2.0, 12 * (1 - 1 / 144 - 0.5)),
    ],
)
def test_a_count_beside_the_expected_one(found: int, expected: float, spread: float, z: float):
    assert counted(found, expected, spread) == pytest.approx(z)


def of_both(deals: list[DealResult], estimates: dict[int, Estimate]) -> Iterable[Transfer]:
    """Return the z of all ordered pairs, from their deals with and without each other."""
    results = list(surprises(deals, estimates))
    for giver, receiver in permutations(estimates, 2):
        both = [one for one in results if giver in one and receiver in one]
        alone, other = (
            [one[player] for one in results if player in one and one not in both]
            for player in (giver, receiver)
        )
        z = passing([one[giver] for one in both], [one[receiver] for one in both], alone, other)
        yield Transfer(giver, receiver, len(both), z)


def test_every_pair_is_compared_in_both_directions_from_its_deals():
    deals = season([0.3, 0.0, -0.3, 0.2, 0.1, 0.0], 60)
    estimates = strengths(deals)
    pairs = [*of_both(deals, estimates)]
    report = transfers(deals, estimates, least_z=0.5, least_deals=20)
    enough = [pair for pair in pairs if pair.deals >= 20]
    listed = sorted((pair for pair in enough if pair.z >= 0.5), key=lambda pair: -pair.z)
    assert 0 < len(enough) < 30
    assert len(listed) > 2
    assert report.compared == len(enough)
    assert report.expected == by_chance(len(enough), 0.5)
    assert [(one.giver, one.receiver, one.deals) for one in report.transfers] == [
        (one.giver, one.receiver, one.deals) for one in listed
    ]
    assert [one.z for one in report.transfers] == pytest.approx([one.z for one in listed])
    assert transfers(deals, estimates, listed[0].z + 0.01, 20) == FairPlayReport(
        (), len(enough), by_chance(len(enough), listed[0].z + 0.01)
    )


def at_table(table: int, number: int, at: int, points: int) -> DealResult:
    return DealResult((table, number), at, (10 * table, 10 * table + 1), (points, -points), 20.0)


EVEN = {player: Estimate(0, 0, 9) for player in (10, 11, 20, 21)}


def test_late_boards_are_measured_by_the_same_seat_at_the_other_tables():
    """The first table finishes each board at 10; the second begins every odd one then, and every even one before."""
    deals, boards = [], {}
    results: dict[bool, list[int]] = {True: [], False: []}
    for number in range(8):
        first, second = 3 * number % 7, 5 * number % 11 + (9 if number % 2 else 0)
        deals += [
            at_table(1, number, 100 * number + 10, first),
            at_table(2, number, 100 * number + 60, second),
        ]
        boards[1, number] = BoardPlay((1, number), 100 * number)
        boards[2, number] = BoardPlay((1, number), 100 * number + 9 + number % 2)
        results[bool(number % 2)].append(second - first)
    outside = at_table(2, 99, 0, 4)
    results[False].append(4)
    unit = next(iter(surprises([outside], EVEN)))[20] / 4
    late, others = ([unit * value for value in results[when]] for when in (True, False))
    gain = fmean(late) - fmean(others)
    z = welch(gain, late, others)
    report = late_boards([*deals, outside], boards, EVEN, least_z=1.0, least_boards=4)
    assert z > 1
    assert report.compared == 2
    assert report.expected == by_chance(2, 1.0)
    assert report.players == (LateBoards(20, 4, 5, pytest.approx(gain), pytest.approx(z)),)
    assert late_boards([*deals, outside], boards, EVEN, least_boards=5) == LateReport((), 0, 0.0)


def test_answers_are_measured_by_the_pace_of_the_others_at_the_table():
    answers = [
        TimedAnswer(table, player, before, ms)
        for table, (before, own, pace) in enumerate(
            [(1, 200, 900), (1, 300, 1100), (2, 900, 1000), (2, 700, 800), (3, 1500, 1000)]
        )
        for player, before, ms in ((5, before, own), (6, 5, pace), (before, 6, 50))
        for _ in range(10)
    ]
    slow = [TimedAnswer(9, 5, 1, 10**6)] * 9 + [TimedAnswer(9, 6, 5, 1)] * 10
    values = {1: [log(2 / 9), log(3 / 11)], 2: [log(0.9), log(7 / 8)], 3: [log(1.5)]}
    own, others = values[1], values[2] + values[3]
    z = student(others, own)
    report = quick_answers([*answers, *slow], least_z=1.0, least_tables=2)
    share = exp(fmean(own) - fmean(others))
    [found] = [one for one in report.pairs if one.player == 5]
    assert found == Quick(5, 1, 2, 3, pytest.approx(share), pytest.approx(z))
    assert report.expected == by_chance(report.compared, 1.0)
    assert quick_answers(answers, least_tables=3) == QuickReport((), 0, 0.0)


def test_an_answer_at_once_counts_as_one_of_a_millisecond():
    both = [
        quick_answers([TimedAnswer(table, player, before, ms if player == 5 else 900)
                       for table, before in enumerate((1, 1, 2, 2)) for player, before in ((5, before), (6, 5))
                       for _ in range(10)], least_z=-99, least_tables=2)
        for ms in (0, 1)
    ]  # fmt: skip
    assert both[0] == both[1]


def test_presses_at_two_tables_are_counted_by_their_distance():
    """Shifts of 5 to 60 windows of two seconds tell what is expected without any dependence."""
    first = [2 * (500 * step * step % 200_003) for step in range(300)]
    second = [2 * (700 * step * step % 200_003) + 1 for step in range(300)]
    near = Counter(round((other - at) / 2_000) for at in first for other in second)
    shifted = [near[lag] for lag in range(-60, 61) if abs(lag) >= 5]
    expected = fmean(shifted)
    spread = sum((value - expected) ** 2 for value in shifted) / 111 / expected
    z = counted(near[0], expected, max(1.0, spread))
    report = coincidences({(2, 7): second[::-1], (1, 8): first}, least_z=0)
    assert report == Coincidences(
        (Coincidence((1, 2), near[0], pytest.approx(expected), pytest.approx(z)),), 2, by_chance(2, 0)
    )
