"""Rulings: who may play, matches that were not played to the end, and what a report of a home game must hold."""

from dataclasses import replace

import pytest

from league.events import (
    Adjudicated,
    MatchFinished,
    MatchStarted,
    NoShowBooked,
    ReportAnswered,
    Result,
    ResultCorrected,
    ResultReported,
)
from league.rulings import (
    Candidate,
    InvalidReportError,
    called_again_at,
    closed,
    counted,
    fallen_apart,
    is_limited,
    refusal,
    reliability,
    report,
    to_answer,
    unplayed,
)
from league.season import DAY, Pod
from league.settings import default_settings
from tests.league.seasons import HOUR, Diary

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


DEALS = [(24, -8, -8, -8)] * 4


def reported() -> tuple[Diary, int]:
    diary = Diary(players=4)
    [pod] = diary.draw()
    played_pod = diary.season.pods[pod]
    diary.note(report(played_pod, played_pod.players[0], DEALS, [], diary.season.settings))
    return diary, pod


def test_a_report_waits_for_the_others():
    diary, pod = reported()
    for player in diary.season.pods[pod].players[1:]:
        played_pod = diary.season.pods[pod]
        assert counted(played_pod, 0, played_pod.players, diary.season.settings) == []
        assert player in to_answer(played_pod)
        diary.note(ReportAnswered(pod, player))
    played_pod = diary.season.pods[pod]
    [finished] = counted(played_pod, 0, played_pod.players, diary.season.settings)
    assert isinstance(finished, MatchFinished)
    assert finished.result.reported
    diary.note(finished)
    assert counted(played_pod, 0, (), diary.season.settings) == [finished]
    assert counted(diary.season.pods[pod], 0, (), diary.season.settings) == []
    assert diary.season.pods[pod].report is None
    assert diary.season.pods[pod].over


def test_a_report_counts_by_itself_unless_somebody_objects():
    diary, pod = reported()
    played_pod = diary.season.pods[pod]
    assert played_pod.report is not None
    due = played_pod.report.due
    assert due == played_pod.report.at + 48 * HOUR
    assert counted(played_pod, due - 1, played_pod.players, diary.season.settings) == []
    assert counted(played_pod, due, played_pod.players, diary.season.settings)
    assert counted(
        played_pod, due - 1, played_pod.players[:1], diary.season.settings
    )  # the others have left the season
    diary.note(ReportAnswered(pod, played_pod.players[2], agrees=False))
    disputed = diary.season.pods[pod]
    assert disputed.is_disputed
    assert not played_pod.is_disputed
    assert disputed.report is not None
    assert counted(disputed, due, played_pod.players, diary.season.settings) == []
    limit = disputed.report.due
    assert limit == diary.entries[-1].at + 96 * HOUR
    assert counted(disputed, limit - 1, played_pod.players, diary.season.settings) == []
    [ruling] = counted(disputed, limit, played_pod.players, diary.season.settings)
    diary.note(ruling)
    assert diary.season.pods[pod].over
    assert not diary.season.pods[pod].is_disputed
    assert set(diary.season.pods[pod].verdicts.values()) == {"average"}


def test_a_season_opened_before_the_limit_waits_for_its_staff():
    diary = Diary(players=4, dispute_hours=0)
    [pod] = diary.draw()
    played_pod, settings = diary.season.pods[pod], diary.season.settings
    diary.note(report(played_pod, played_pod.players[0], DEALS, [], settings))
    diary.note(ReportAnswered(pod, played_pod.players[2], agrees=False))
    assert not is_limited(diary.season.pods[pod], settings)
    assert counted(diary.season.pods[pod], 10**15, played_pod.players, settings) == []


@pytest.mark.parametrize(("limit", "again"), [(96, 24), (36, 18), (1, 0.5), (0, 24)])
def test_the_staff_are_called_again_after_a_day_or_half_of_their_time(limit: int, again: float):
    objected = 1_000 * HOUR
    settings = Diary(dispute_hours=limit).season.settings
    assert called_again_at(objected + limit * HOUR, settings) == objected + again * HOUR


def test_who_did_not_come_is_booked_when_the_report_counts():
    diary = Diary(players=4)
    [pod] = diary.draw()
    played_pod, settings = diary.season.pods[pod], diary.season.settings
    missing = played_pod.players[3]
    diary.note(report(played_pod, played_pod.players[0], [(9, -3, -6)] * 3, [missing], settings))
    played_pod = diary.season.pods[pod]
    events = counted(played_pod, 10**9, played_pod.players, diary.season.settings)
    assert events[0] == NoShowBooked(pod, missing)
    assert isinstance(events[1], MatchFinished)
    assert events[1].result.players == played_pod.players[:3]
    still_in = played_pod.players[:3]
    assert counted(played_pod, 10**9, still_in, diary.season.settings) == events[1:], (
        "no one expected who has left"
    )


def test_who_plays_at_the_table_has_taken_the_report_back():
    diary, pod = reported()
    diary.note(MatchStarted(pod, 7))
    assert diary.season.pods[pod].report is None
    diary.note(ReportAnswered(pod, diary.season.pods[pod].players[1]))
    assert diary.season.pods[pod].report is None


@pytest.mark.parametrize(
    ("deals", "absent"),
    [
        ([], 0),
        (DEALS[:3], 0),
        (DEALS * 4, 0),
        ([(24, -8, -8, -7)] * 4, 0),
        (DEALS, 1),
        ([(9, -3, -6)] * 2, 1),
        ([()] * 4, 4),
        ([(0,)] * 4, 3),
    ],
)
def test_what_cannot_be_a_result_is_refused(deals, absent):
    diary = Diary(players=4)
    [pod] = diary.draw()
    played_pod = diary.season.pods[pod]
    with pytest.raises(InvalidReportError):
        report(
            played_pod, played_pod.players[0], deals, played_pod.players[4 - absent :], diary.season.settings
        )


def test_who_has_left_the_season_is_no_no_show_of_a_match_that_fell_apart():
    assert fallen_apart(POD, [1], [2]).verdicts == {
        1: "average_plus",
        2: "nothing",
        3: "no_show",
        4: "no_show",
    }


@pytest.mark.parametrize("present", [(4, 3, 2, 1), (4, 3, 2, 1, 9)])
def test_a_match_that_all_came_to_and_did_not_play_gives_all_their_mean(present: tuple[int, ...]):
    assert fallen_apart(POD, present) == Adjudicated(3, dict.fromkeys(POD.players, "average"))


def test_a_ruling_over_a_ruling_names_the_former_one():
    ruled = replace(POD, verdicts={1: "absence"})
    for ruling in (fallen_apart(ruled, []), closed(ruled, None, []), unplayed(ruled)):
        assert ruling.former == {1: "absence"}
    assert unplayed(POD) == Adjudicated(3, dict.fromkeys(POD.players, "average"))


def test_those_who_were_there_get_the_verdict_that_was_chosen():
    ruling = closed(POD, None, [1, 2], [3], "absence")
    assert ruling == Adjudicated(3, {1: "absence", 2: "absence", 3: "nothing", 4: "no_show"})


def test_a_report_holds_the_points_of_those_who_came_by_seat():
    settings = default_settings("pods")
    told = report(POD, 3, [[5, -5]] * 2, [2, 4], settings)
    assert told == ResultReported(3, 3, Result((1, 3), ((5, -5), (5, -5)), reported=True))
    assert len(report(POD, 3, [[5, -5]] * 12, [2, 4], settings).result.deals) == 12


def test_what_is_wrong_with_a_report_is_told_with_what_it_may_be():
    with pytest.raises(
        InvalidReportError, match=r"^2 to 12 deals of 2 points that add up to nothing$"
    ) as found:
        report(POD, 3, [[5, -5]] * 13, [2, 4], default_settings("pods"))
    assert (found.value.seats, found.value.least, found.value.most) == (2, 2, 12)
    with pytest.raises(InvalidReportError) as found:
        report(POD, 3, [[0]], [1, 2, 4], default_settings("pods"))
    assert (found.value.seats, found.value.least, found.value.most) == (1, 1, 0)


def test_only_a_disputed_report_leaves_the_staff_a_limited_time():
    diary, pod = reported()
    settings = diary.season.settings
    assert not is_limited(POD, settings)
    assert not is_limited(diary.season.pods[pod], settings)
    diary.note(ReportAnswered(pod, diary.season.pods[pod].players[1], agrees=False))
    assert is_limited(diary.season.pods[pod], settings)
    assert is_limited(diary.season.pods[pod], settings.with_options(dispute_hours=1))


def test_without_a_report_nothing_counts_and_nobody_has_to_answer():
    assert counted(POD, 10**15, POD.players, default_settings("pods")) == []
    assert to_answer(POD) == ()
    diary, pod = reported()
    _, *others = diary.season.pods[pod].players
    assert to_answer(diary.season.pods[pod]) == tuple(others)


@pytest.mark.parametrize(
    ("started", "finished", "share", "why"),
    [
        (5, 4, 80, None),
        (5, 4, 81, "reliability"),
        (5, 5, 90, None),
        (6, 4, 73, "reliability"),
        (6, 4, 72, None),
    ],
)
def test_the_share_that_a_league_asks_for_is_enough(started: int, finished: int, share: int, why: str | None):
    settings = default_settings("pods").with_options(reliability=share, reliability_after=5)
    assert refusal(Candidate(0, 0, started=started, finished=finished), settings, NOW) == why
