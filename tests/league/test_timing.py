"""Timing: honest people at tables of their own, one hand at two of them, and answers that come too soon."""

import pytest

from league.statistics.fairplay import TimedAnswer, coincidences, counted, quick_answers
from tests.league.evenings import Evenings, one_hand


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
    """Each pair of tables is expected to press together less than five times, however often it did."""
    rare = {(1, 7): list(range(0, 10**6, 60_000)), (2, 8): list(range(0, 10**6, 60_000))}
    assert coincidences(rare, least_z=0).compared == 0
    often = {(1, 7): list(range(0, 10**6, 7_000)), (2, 8): list(range(0, 10**6, 7_000))}
    assert coincidences(often, least_z=0).compared == 2


def test_a_table_where_nobody_else_answers_tells_no_pace():
    """Of two players each answers the other alone, so there is nobody to compare them with."""
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
