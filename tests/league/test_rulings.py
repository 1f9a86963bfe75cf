"""Rulings: who may play, and matches that were not played to the end."""

import pytest

from league.events import Adjudicated, MatchFinished, Result, ResultCorrected
from league.rulings import Candidate, closed, fallen_apart, refusal, reliability
from league.season import DAY, Pod
from league.settings import default_settings

NOW = 1000 * DAY
FINE = Candidate(NOW - 30 * DAY, NOW - 7 * DAY)
POD = Pod(3, 1, (1, 2, 3, 4), (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("candidate", "why"),
    [
        (FINE, None),
        (Candidate(NOW - 30 * DAY + 1, NOW - 7 * DAY), "account"),
        (Candidate(NOW - 30 * DAY, NOW - 7 * DAY + 1), "server"),
        (Candidate(0, 0, banned=True), "banned"),
        (Candidate(0, 0, started=5, finished=4), None),
        (Candidate(0, 0, started=5, finished=3), "reliability"),
        (Candidate(0, 0, started=4, finished=0), None),
    ],
)
def test_who_may_play(candidate, why):
    assert refusal(candidate, default_settings("pods"), NOW) == why


def test_reliability_starts_at_four_of_five():
    assert reliability(0, 0) == 0.8
    assert reliability(10, 10) == pytest.approx(14 / 15)


def test_a_pod_that_fell_apart():
    verdicts = {1: "average_plus", 2: "no_show", 3: "no_show", 4: "no_show"}
    assert fallen_apart(POD, [1]) == Adjudicated(3, verdicts)


def test_the_end_of_the_season_counts_full_rotations():
    played = Result((1, 2, 3, 4), ((3, -1, -1, -1),) * 4)
    assert closed(POD, played, [1, 2, 3, 4]) == MatchFinished(3, played)
    short = Result((1, 2, 3, 4), played.deals[:3])
    verdicts = {1: "average", 2: "average", 3: "average", 4: "no_show"}
    assert closed(POD, short, [1, 2, 3]) == Adjudicated(3, verdicts)
    assert closed(POD, None, []) == Adjudicated(3, dict.fromkeys((1, 2, 3, 4), "no_show"))
    known = Pod(3, 1, POD.drawn, POD.players, result=short)
    assert closed(known, played, []) == ResultCorrected(3, short, played)
