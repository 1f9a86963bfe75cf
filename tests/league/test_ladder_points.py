"""A ladder ranks by points per match against average opponents, not by the number of matches."""

from random import Random

import numpy as np
import pytest

from benchmarks import ladder_ranking
from league.events import MatchFinished, MatchStarted, Result, SignedUp
from league.standings import standings
from league.statistics.ladder_points import HELD_BACK, ladder_points
from tests.league.seasons import Diary

A, B, C, D = range(1, 5)


def test_a_single_match_is_held_back_towards_nothing():
    found = ladder_points([{A: 1200, B: -1200}])
    assert found == {A: round(1200 / (HELD_BACK + 1)), B: -round(1200 / (HELD_BACK + 1))}


def test_half_a_hundredth_is_rounded_away_from_nothing():
    """It is frequent after one round, and must not depend on how the equations were solved."""
    found = ladder_points([{A: 9, B: 3, C: -12}])
    assert found == {A: 2, B: 1, C: -2}  # 1.5, 0.5 and -2


def test_less_than_half_a_hundredth_is_rounded_towards_nothing():
    found = ladder_points([{A: 8, B: 2, C: -10}])
    assert found == {A: 1, B: 0, C: -2}  # 4/3, 1/3 and -5/3


def test_the_same_gain_is_worth_more_against_the_strong():
    shown = [{C: 1500, D: -1500}] * 5
    found = ladder_points([*shown, {A: 500, C: -500}, {B: 500, D: -500}])
    assert found[A] > found[B]


def test_the_strengths_are_those_that_the_equations_ask_for():
    matches = [{A: 900, B: 100, C: -1000}, {A: -200, D: 200}]
    found = ladder_points(matches)
    for player in (A, B, C, D):
        pull = sum(match[player] for match in matches if player in match)
        expected = sum(
            found[player] - sum(found[other] for other in match) / len(match)
            for match in matches
            if player in match
        )
        assert HELD_BACK * found[player] + expected == pytest.approx(pull, abs=5)
    assert abs(sum(found.values())) <= 2


def test_strengths_solve_the_equations_in_which_repeated_meetings_weigh_less():
    """The third match has pairs that met 2, 1 and 1 times before, so 4/3 on average."""
    matches = [{C: 900, B: 100, A: -1000}, {A: -200, B: 200}, {A: 300, B: 500, C: -800}, {D: 700, A: -700}]
    weights = [1, 1 / 2**0.5, 1 / (1 + 4 / 3) ** 0.5, 1]
    system, pulls = HELD_BACK * np.eye(4), np.zeros(4)
    for match, weight in zip(matches, weights, strict=True):
        for player, points in match.items():
            pulls[player - 1] += weight * points
            system[player - 1, player - 1] += weight
            for other in match:
                system[player - 1, other - 1] -= weight / len(match)
    expected = np.linalg.solve(system, pulls)
    assert ladder_points(matches) == {player: round(expected[player - 1]) for player in (A, B, C, D)}
    assert ladder_points([]) == {}


def test_strengths_that_are_not_found_soon_are_taken_as_they_are(monkeypatch: pytest.MonkeyPatch):
    exact = ladder_points([{A: 500, B: -500}, {B: 300, C: -300}])
    monkeypatch.setattr("league.statistics.ladder_points._SWEEPS", 1)
    rough = ladder_points([{A: 500, B: -500}, {B: 300, C: -300}])
    assert sorted(rough, key=rough.__getitem__) == sorted(exact, key=exact.__getitem__) == [C, B, A]
    assert rough != exact


def test_matches_with_the_same_people_count_less_and_less():
    once, often, others = (
        ladder_points(matches)[A]
        for matches in (
            [{A: 1000, B: -1000}],
            [{A: 1000, B: -1000}] * 9,
            [{A: 1000, number: -1000} for number in range(10, 19)],
        )
    )
    assert once < often < others


def test_two_people_who_have_met_a_thousand_times_are_still_told_apart():
    found = ladder_points([{A: 500, B: -500}] * 1_000)
    assert 0 < found[A] <= 500
    assert found[B] == pytest.approx(-found[A], abs=1)


def test_who_has_played_stands_above_who_has_not_even_with_a_loss():
    diary = Diary("ladder", players=4)
    diary.note(MatchStarted(1, 1, (A, B)))
    diary.note(MatchFinished(1, Result((A, B), ((10, -10),) * 12)))
    diary.note(SignedUp(9))
    rows = standings(diary.season).rows
    assert [row.player for row in rows[:2]] == [A, B]
    assert rows[1].points < 0
    assert not rows[2].qualified
    assert rows[0].points == round(sum(line.points for line in rows[0].lines) / (HELD_BACK + 1))


def test_a_ladder_that_was_opened_before_adds_points_up():
    diary = Diary("ladder", players=4, by_opponents=False)
    for pod in (1, 2):
        diary.note(MatchStarted(pod, pod, (A, B)))
        diary.note(MatchFinished(pod, Result((A, B), ((10, -10),) * 12)))
    rows = standings(diary.season).rows
    assert rows[0].points == sum(line.points for line in rows[0].lines)


@pytest.mark.parametrize(("meeting", "least"), [("random", -0.03), ("assorted", 0.05), ("self-chosen", 0.02)])
def test_simulated_tables_are_nearer_to_the_true_order_than_a_sum(meeting: str, least: float):
    random = Random(f"gate {meeting}")
    ours = total = 0.0
    for _ in range(20):
        matches, _ = ladder_ranking.month(random, meeting)
        for way in ("ours", "sum"):
            values = ladder_ranking.WAYS[way](matches)
            alike = ladder_ranking.correlation(sorted(values, key=lambda player: (-values[player], player)))
            if way == "ours":
                ours += alike
            else:
                total += alike
    assert (ours - total) / 20 > least
