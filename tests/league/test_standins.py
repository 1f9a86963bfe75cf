"""Free seats: who could take them, and until when."""

import pytest

from league.events import (
    Adjudicated,
    BoardsPlayed,
    DrawnPod,
    MatchStarted,
    MemberSet,
    NoShowBooked,
    ReplayOrdered,
    ResultReported,
    RoundDrawn,
    SeasonClosed,
    SignedUp,
    SubstituteSet,
    Withdrawn,
)
from league.standins import Vacancy, knowing, may_fill, seats_for, stand_bys, vacancies
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
    assert [member.player for member in stand_bys(diary.season, diary.season.pods[pod])] == [21, 20]
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


def test_no_seat_is_free_once_the_season_is_closed():
    diary, pod = with_free_seat()
    diary.note(Withdrawn(diary.season.pods[pod].players[0]))
    diary.note(SeasonClosed("00"))
    assert vacancies(diary.season, diary.season.pods[pod]) == ()


def test_nobody_stands_by_without_a_waiting_list():
    diary = Diary()
    pod = diary.draw()[0]
    diary.note(NoShowBooked(pod, diary.season.pods[pod].players[0]))
    assert stand_bys(diary.season, diary.season.pods[pod]) == ()
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
    assert [member.player for member in stand_bys(diary.season, diary.season.pods[12])] == [21]


def test_a_seat_stays_free_where_all_who_stand_by_play_already():
    diary = Diary()
    diary.note(SignedUp(20))
    diary.note(RoundDrawn(1, (DrawnPod(1, (1, 2, 3, 4)), DrawnPod(2, (5, 6, 7, 20)))))
    diary.note(NoShowBooked(1, 2))
    assert not may_fill(diary.season, diary.season.pods[1])
    diary.note(SignedUp(21))
    assert may_fill(diary.season, diary.season.pods[1])


def drawn_with_substitute(*, duplicate: bool) -> Diary:
    """Return two rounds of which 21 has played in pod 1 for 1, who has the seat again; 20 and 21 stand by."""
    diary = Diary(players=9, duplicate=duplicate)
    diary.note(SignedUp(20))
    diary.note(SignedUp(21))
    diary.note(RoundDrawn(1, (DrawnPod(1, (1, 2, 3)), DrawnPod(2, (4, 5, 6)), DrawnPod(3, (7, 8, 9)))))
    diary.note(RoundDrawn(2, (DrawnPod(4, (1, 2, 3)), DrawnPod(5, (4, 5, 6)))))
    diary.note(SubstituteSet(1, 1, 21))
    diary.note(MatchStarted(1, table=1))
    diary.note(ReplayOrdered(1, 10**9))
    diary.note(SubstituteSet(1, 21, 1))
    for pod, missing in ((1, 1), (2, 4), (5, 4)):
        diary.note(NoShowBooked(pod, missing))
    return diary


def standing_by(diary: Diary, pod: int) -> list[int]:
    return [member.player for member in stand_bys(diary.season, diary.season.pods[pod])]


def test_nobody_who_may_know_the_boards_of_a_round_stands_by_at_another_of_its_tables():
    diary = drawn_with_substitute(duplicate=True)
    pods = diary.season.pods
    assert knowing(diary.season, pods[2]) == {1: 1, 2: 1, 3: 1, 21: 1, 7: 3, 8: 3, 9: 3}
    assert knowing(diary.season, pods[1], pods[2]) == {7: 3, 8: 3, 9: 3}
    assert knowing(diary.season, pods[5]) == {1: 4, 2: 4, 3: 4}
    assert standing_by(diary, 2) == [20]
    assert standing_by(diary, 1) == [20, 21], "they know the cards of their own table"
    assert standing_by(diary, 5) == [20, 21], "another round has other boards"
    assert Vacancy(2, 1, 4) not in seats_for(diary.season, 21)
    assert Vacancy(2, 1, 4) in seats_for(diary.season, 20)
    diary.note(BoardsPlayed(1, {1: (1, 2, 3), 3: (2, 3, 1)}))
    assert knowing(diary.season, diary.season.pods[2]) == {}
    assert standing_by(diary, 2) == [20, 21]


def test_every_table_has_cards_of_its_own_unless_boards_are_played():
    diary = drawn_with_substitute(duplicate=False)
    assert knowing(diary.season, diary.season.pods[2]) == {}
    assert standing_by(diary, 2) == [20, 21]
