"""Free seats: who could take them, and until when."""

import pytest

from league.events import (
    Adjudicated,
    DrawnPod,
    MatchStarted,
    MemberSet,
    NoShowBooked,
    ReplayOrdered,
    ResultReported,
    RoundDrawn,
    SignedUp,
    Withdrawn,
)
from league.standins import Vacancy, may_fill, seats_for, stand_bys, vacancies
from tests.league.seasons import Diary


def with_free_seat() -> tuple[Diary, int]:
    """Return a drawn round with two stand-bys, 21 before 20, and the id of its first pod."""
    diary = Diary()
    pod = diary.draw()[0]
    for player in (21, 20):
        diary.note(SignedUp(player))
        diary.note(MemberSet(player, "waiting", "playing"))
    return diary, pod


def test_a_free_seat_may_be_taken_by_those_who_stand_by():
    diary, pod = with_free_seat()
    missing = diary.season.pods[pod].players[1]
    assert not may_fill(diary.season, diary.season.pods[pod])
    assert seats_for(diary.season, 20) == ()
    diary.note(NoShowBooked(pod, missing))
    seat = Vacancy(pod, 1, missing)
    assert vacancies(diary.season, diary.season.pods[pod]) == (seat,)
    assert [member.player for member in stand_bys(diary.season, 1)] == [21, 20]
    assert may_fill(diary.season, diary.season.pods[pod])
    assert seats_for(diary.season, 20) == seats_for(diary.season, 21) == (seat,)
    assert seats_for(diary.season, missing) == ()


def test_the_seat_of_who_has_left_is_free_until_the_match_begins():
    diary, pod = with_free_seat()
    gone = diary.season.pods[pod].players[0]
    diary.note(Withdrawn(gone))
    assert vacancies(diary.season, diary.season.pods[pod]) == (Vacancy(pod, 1, gone),)
    diary.note(MatchStarted(pod, table=1))
    assert vacancies(diary.season, diary.season.pods[pod]) == ()
    assert not may_fill(diary.season, diary.season.pods[pod])


def test_nobody_stands_by_without_a_waiting_list():
    diary = Diary()
    pod = diary.draw()[0]
    diary.note(NoShowBooked(pod, diary.season.pods[pod].players[0]))
    assert stand_bys(diary.season, 1) == ()
    assert not may_fill(diary.season, diary.season.pods[pod])


@pytest.mark.parametrize("missing", ["shorter", "computer"])
def test_no_seat_is_free_where_the_league_sends_no_substitutes(missing: str):
    diary = Diary(missing=missing)
    pod = diary.draw()[0]
    diary.note(NoShowBooked(pod, diary.season.pods[pod].players[0]))
    assert vacancies(diary.season, diary.season.pods[pod]) == ()


@pytest.mark.parametrize("done", ["reported", "ruled", "again"])
def test_no_seat_is_free_in_a_match_that_is_reported_ruled_on_or_played_again(done: str):
    diary, pod = with_free_seat()
    if done == "again":
        diary.play(pod)
    players = diary.season.pods[pod].players
    diary.note(NoShowBooked(pod, players[1]))
    if done == "reported":
        diary.note(ResultReported(pod, players[0], diary.play(diary.season.last_pod)))
    elif done == "ruled":
        diary.note(Adjudicated(pod, {players[0]: "average"}))
    else:
        diary.note(ReplayOrdered(pod, 10**9, (1,)))
    assert vacancies(diary.season, diary.season.pods[pod]) == ()


def test_free_seats_are_offered_by_round_and_not_to_those_who_play_in_it():
    diary, _ = with_free_seat()
    diary.note(RoundDrawn(3, (DrawnPod(11, (1, 2, 3, 4)),)))
    diary.note(RoundDrawn(2, (DrawnPod(13, (5, 6, 7, 8)), DrawnPod(12, (1, 2, 3, 20)))))
    for pod, missing in ((11, 1), (12, 2), (13, 5), (13, 6)):
        diary.note(NoShowBooked(pod, missing))
    assert seats_for(diary.season, 21) == (
        Vacancy(12, 2, 2),
        Vacancy(13, 2, 5),
        Vacancy(13, 2, 6),
        Vacancy(11, 3, 1),
    )
    assert seats_for(diary.season, 20) == (Vacancy(11, 3, 1),)
    assert [member.player for member in stand_bys(diary.season, 2)] == [21]


def test_a_seat_stays_free_where_all_who_stand_by_play_already():
    diary = Diary()
    diary.note(SignedUp(20))
    diary.note(RoundDrawn(1, (DrawnPod(1, (1, 2, 3, 4)), DrawnPod(2, (5, 6, 7, 20)))))
    diary.note(NoShowBooked(1, 2))
    assert not may_fill(diary.season, diary.season.pods[1])
    diary.note(SignedUp(21))
    assert may_fill(diary.season, diary.season.pods[1])
