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
    """The first table finishes each board at 10; the second begins every odd one then, and every even one before.

    It also plays a board that no other table has.
    """
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
    deals.append(at_table(2, 50, 0, 6))
    boards[2, 50] = BoardPlay((1, 50), 0)
    outside = at_table(2, 99, 0, 4)
    results[False] += [6, 4]
    unit = next(iter(surprises([outside], EVEN)))[20] / 4
    late, others = ([unit * value for value in results[when]] for when in (True, False))
    gain = fmean(late) - fmean(others)
    z = welch(gain, late, others)
    report = late_boards([*deals, outside], boards, EVEN, least_z=1.0, least_boards=4)
    assert z > 1
    assert report.compared == 2
    assert report.expected == by_chance(2, 1.0)
    assert report.players == (LateBoards(20, 4, 6, pytest.approx(gain), pytest.approx(z)),)
    assert late_boards([*deals, outside], boards, EVEN, least_boards=5) == LateReport((), 0, 0.0)


def test_who_does_best_on_late_boards_is_listed_first():
    """The second table loses more on the boards that it begins late, so its other player wins more."""
    deals, boards = [], {}
    for number, points in enumerate((3, -20, 5, -24)):
        deals += [at_table(1, number, 100 * number + 10, 0), at_table(2, number, 100 * number + 60, points)]
        boards[1, number] = BoardPlay((1, number), 100 * number)
        boards[2, number] = BoardPlay((1, number), 100 * number + 9 + number % 2)
    report = late_boards(deals, boards, EVEN, least_z=-99, least_boards=2)
    assert [(one.player, one.boards, one.others) for one in report.players] == [(21, 2, 2), (20, 2, 2)]


def test_answers_are_measured_by_the_pace_of_the_others_at_the_table():
    answers = [
        TimedAnswer(table, player, before, ms)
        for table, (before, own, pace) in enumerate(
            [(2, 200, 900), (2, 300, 1100), (3, 900, 1000), (3, 700, 800), (1, 1500, 1000)]
        )
        for player, before, ms in ((5, before, own), (6, 5, pace), (before, 6, 50))
        for _ in range(10)
    ]
    slow = [TimedAnswer(9, 5, 2, 10**6)] * 9 + [TimedAnswer(9, 6, 5, 1)] * 10
    values = {2: [log(2 / 9), log(3 / 11)], 3: [log(0.9), log(7 / 8)], 1: [log(1.5)]}
    own, others = values[2], values[3] + values[1]
    z = student(others, own)
    report = quick_answers([*answers, *slow], least_z=1.0, least_tables=2)
    share = exp(fmean(own) - fmean(others))
    [found] = [one for one in report.pairs if one.player == 5]
    assert found == Quick(5, 2, 2, 3, pytest.approx(share), pytest.approx(z))
    assert report.compared == 2
    assert report.expected == by_chance(report.compared, 1.0)
    assert quick_answers(answers, least_tables=3) == QuickReport((), 0, 0.0)
    all_pairs = quick_answers(answers, least_z=-99, least_tables=2).pairs
    assert [one.before for one in all_pairs] == [2, 3], "the quickest first"


def test_an_answer_at_once_counts_as_one_of_a_millisecond():
    both = [
        quick_answers([TimedAnswer(table, player, before, (ms if before == 1 else 10) if player == 5 else 900)
                       for table, before in enumerate((1, 1, 2, 2)) for player, before in ((5, before), (6, 5))
                       for _ in range(10)], least_z=-99, least_tables=2)
        for ms in (0, 1, 2)
    ]  # fmt: skip
    assert both[0] == both[1] != both[2]


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


@pytest.mark.parametrize(
    ("pairs", "z", "expected"), [(780, 3, 1.05), (780, 3.5, 0.18), (120, 3, 0.16), (4950, 3.5, 1.15)]
)
def test_how_many_would_look_so_by_chance(pairs, z, expected):
    assert by_chance(pairs, z) == pytest.approx(expected, abs=0.005)


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


def test_boards_are_compared_at_the_same_seat_and_only_later_ones_count_as_late():
    """At the second table seat 0 wins more than at the first whenever it begins after the first has finished."""
    deals, boards = [], {}
    for number in range(40):
        later, points = number % 2, 10 + number % 3
        deals += [
            at_table(1, number, 100 * number + 10, points),
            at_table(2, number, 100 * number + 50, points + 20 * later),
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
    deals = [at_table(1, number, 100 * number + 10, points) for number, points in enumerate([20, -20] * 20)]
    plays = {(1, number): BoardPlay((1, number), 100 * number) for number in range(40)}
    apart = [at_table(2, number, 100 * number + 10, points) for number, points in enumerate([20, -20] * 20)]
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


def test_as_many_as_expected_say_nothing():
    assert counted(8, 8.0) == 0


def test_presses_at_one_table_are_not_compared():
    assert (
        coincidences({(1, 7): list(range(0, 10**6, 500)), (2, 7): list(range(0, 10**6, 500))}).compared == 0
    )
    assert coincidences({(1, 7): [1, 2], (2, 8): []}).compared == 0


def test_a_player_at_two_tables_is_not_compared_with_themselves():
    often = list(range(0, 10**6, 7_000))
    assert coincidences({(1, 7): often, (1, 8): often}).compared == 0


def test_presses_are_compared_only_if_one_record_begins_before_the_other_ends():
    early = list(range(0, 100_001, 1_000))
    for begin, compared in ((50_000, 2), (100_000, 2), (100_001, 0)):
        late = list(range(begin, begin + 100_000, 1_000))
        assert coincidences({(1, 7): early, (2, 8): late}).compared == compared


def test_a_record_is_compared_with_all_others_whatever_began_in_between():
    """The second record begins after the first has ended; the third began with the first."""
    first, second = range(0, 100_000, 1_000), (101_000, 101_500)
    third = (0, *range(102_000, 200_000, 1_000))
    assert coincidences({(1, 7): first, (2, 8): second, (3, 9): third}).compared == 2


def test_two_records_of_a_minute_are_compared():
    minute = range(0, 60_000, 1_000)
    assert coincidences({(1, 7): minute, (2, 8): minute}).compared == 2


def test_presses_of_several_evenings_are_added_up():
    """Both press once in each window of two seconds, so the number falls by one with each window of the shift."""
    presses = {
        (player, 10 * evening + player): [10**9 * evening + 2_000 * step + player for step in range(3_000)]
        for evening in (1, 2)
        for player in (1, 2)
    }
    [pair] = coincidences(presses, least_z=0).pairs
    expected = 2 * (3_000 - 32.5)
    assert pair == Coincidence((1, 2), 6_000, expected, pytest.approx(counted(6_000, expected)))


def test_the_pair_whose_presses_depend_most_on_each_other_is_listed_first():
    presses = {
        (player, 10 + player): [10**9 * (player // 3) + 2_000 * step + player for step in range(count)]
        for player, count in ((1, 3_000), (2, 3_000), (3, 1_000), (4, 1_000))
    }
    report = coincidences(presses, least_z=0)
    assert [pair.players for pair in report.pairs] == [(3, 4), (1, 2)]
    assert report.compared == 4


def test_a_pair_with_too_few_presses_does_not_hide_the_others():
    often = range(0, 10**6, 7_000)
    assert coincidences({(1, 7): (0, 10**6), (2, 8): often, (3, 9): often}).compared == 2


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


def test_few_answers_and_few_tables_are_not_compared():
    answers = [TimedAnswer(table, player, player - 1, 500) for table in range(9) for player in (1, 2, 3)]
    assert quick_answers(answers).compared == 0
