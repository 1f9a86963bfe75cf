"""Deadlines that are put off, and what is left of a pod that plays again."""

from league.events import (
    BoardsPlayed,
    DeadlinesPutOff,
    DealVoided,
    DrawnPod,
    PodReopened,
    ResultCorrected,
    RoundDrawn,
)
from league.rulings import report
from tests.league.seasons import Diary


def test_only_what_was_still_to_come_is_later():
    diary = Diary(players=8)
    diary.note(RoundDrawn(1, (DrawnPod(1, (1, 2, 3, 4)),), due=1_000))
    diary.note(RoundDrawn(2, (DrawnPod(2, (5, 6, 7, 8)),), due=2_000))
    diary.note(RoundDrawn(8, (DrawnPod(3, (1, 2, 3, 4)),), due=3_000, stage=4))
    diary.note(PodReopened(1, 2_500))
    told = report(diary.season.pods[2], 5, [(3, -1, -1, -1)] * 4, [], diary.season.settings)
    diary.note(told, at=1_500)
    diary.note(DeadlinesPutOff(since=1_000, by=100))
    season = diary.season
    assert {number: drawn.due for number, drawn in season.rounds.items()} == {1: 1_000, 2: 2_100, 8: 3_100}
    assert season.pods[1].due == 2_600
    assert season.pods[2].due == 0  # the round's deadline applies
    assert season.pods[2].report is not None
    assert season.pods[2].report.due == 1_500 + 48 * 3_600_000 + 100
    assert season.pods[2].report.at == 1_500


def test_nothing_of_an_earlier_match_is_left_when_a_pod_plays_again():
    diary = Diary(players=4)
    [pod] = diary.draw()
    result = diary.play(pod, deals=4)
    diary.note(DealVoided(pod, 1))
    diary.note(BoardsPlayed(1, {pod: (1, 2, 3, 4)}))
    diary.note(ResultCorrected(pod, result, None))
    diary.note(PodReopened(pod, 10**6))
    again = diary.season.pods[pod]
    assert not again.over
    assert not again.void
    assert not again.boards
