"""The state of a season: its beginning and end, pauses, members, pods, and notes on pairs and deadlines."""

from functools import reduce

import pytest

from league.events import (
    AbsenceBooked,
    Adjudicated,
    AlwaysIn,
    Banned,
    BoardsPlayed,
    CheckedIn,
    Confirmed,
    DeadlineMoved,
    DivisionSet,
    DrawnPod,
    KeptApart,
    MatchFinished,
    MatchStarted,
    MemberSet,
    PenaltyAdded,
    PenaltyRemoved,
    PodReopened,
    ReplayOrdered,
    ReportAnswered,
    Result,
    ResultCorrected,
    ResultReported,
    Returned,
    RoundCancelled,
    RoundDrawn,
    SeasonClosed,
    SeasonOpened,
    SeasonPaused,
    SeasonReopened,
    SeasonResumed,
    SignedUp,
    SignupRemoved,
    Unconfirmed,
    Withdrawn,
)
from league.matches.pod import Pod, Report
from league.season import Member, Season, after, fold
from league.settings import default_settings
from league.undoing import inverse
from tests.league.seasons import HOUR, Diary


@pytest.fixture
def diary() -> Diary:
    return Diary(players=4)


def test_a_season_is_paused_from_an_hour_on_and_goes_on(diary: Diary):
    before = diary.season
    diary.note(SeasonPaused(), at=50 * HOUR)
    assert diary.season.paused_at == 50 * HOUR
    diary.note(SeasonResumed())
    assert diary.season == before


def test_a_season_that_was_closed_too_early_is_open_again_and_known_as_such(diary: Diary):
    diary.note(SeasonClosed("ab" * 32))
    assert (diary.season.open, diary.season.reopened, diary.season.seed) == (False, False, "ab" * 32)
    diary.note(SeasonReopened())
    assert (diary.season.open, diary.season.reopened) == (True, True)
    diary.note(SeasonClosed())
    assert (diary.season.open, diary.season.reopened) == (False, False)


def test_who_leaves_a_season_that_has_begun_has_withdrawn(diary: Diary):
    diary.note(SignedUp(9))
    diary.note(SignupRemoved(9))
    assert diary.season.has_left(9)
    diary.note(RoundDrawn(1, ()))
    diary.note(Withdrawn(2))
    withdrawn = {player for player in (1, 2, 9, 77) if diary.season.has_withdrawn(player)}
    assert withdrawn == {2}


def test_the_events_of_a_season_give_the_same_at_once_as_one_at_a_time(diary: Diary):
    diary.round()
    for coming in (True, False):
        diary.note(CheckedIn(3, 2, coming=coming))
    diary.note(Withdrawn(2))
    diary.round(absent=(1,))
    assert (3, 2) in diary.season.check_ins
    for first in range(len(diary.entries)):
        begun = fold(diary.entries[:first])
        assert fold(reversed(diary.entries[first:]), begun) == diary.season
    assert reduce(after, diary.entries, Season()) == diary.season


def test_a_round_is_over_once_all_of_its_pods_are(diary: Diary):
    assert not diary.season.is_round_over(1)
    [pod] = diary.draw()
    assert not diary.season.is_round_over(1)
    diary.play(pod)
    assert diary.season.is_round_over(1)
    assert not diary.season.is_round_over(2)


def test_a_pair_is_kept_apart_whoever_is_named_first(diary: Diary):
    diary.note(KeptApart(3, 1))
    assert diary.season.apart == {frozenset({1, 3})}
    assert KeptApart(1, 3).pair == KeptApart(3, 1).pair
    diary.note(inverse(KeptApart(1, 3)))
    assert diary.season.apart == frozenset()


def test_the_deadline_of_a_round_that_is_drawn_is_moved_and_no_other(diary: Diary):
    diary.note(RoundDrawn(1, (), due=1_000))
    diary.note(RoundDrawn(2, (), due=2_000))
    diary.note(DeadlineMoved(2, 5_000))
    diary.note(DeadlineMoved(0, 7_000))
    diary.note(DeadlineMoved(3, 9_000))
    assert {number: drawn.due for number, drawn in diary.season.rounds.items()} == {1: 1_000, 2: 5_000}


def test_a_ban_ends_where_it_is_taken_back(diary: Diary):
    diary.note(Banned(4))
    assert diary.season.banned == {4}
    diary.note(inverse(Banned(4)))
    assert diary.season.banned == frozenset()


def test_a_season_begins_with_what_was_opened():
    opened = SeasonOpened("Spring", default_settings("swiss"), {4: 1900}, 3, "c0ffee")
    diary = Diary(players=0)
    diary.note(opened, at=7 * HOUR)
    season = diary.season
    assert (season.name, season.settings, season.pars) == ("Spring", opened.settings, {4: 1900})
    assert (season.par_version, season.commitment, season.opened_at, season.open) == (
        3,
        "c0ffee",
        7 * HOUR,
        True,
    )
    assert not Season().open


def test_a_season_that_goes_on_is_sealed_anew_only_if_something_is_still_to_be_drawn(diary: Diary):
    diary.note(SeasonClosed("ab" * 32))
    diary.note(SeasonReopened(goes_on=True))
    assert (diary.season.open, diary.season.reopened, diary.season.seed) == (True, False, "ab" * 32)
    diary.note(SeasonClosed("ab" * 32))
    diary.note(SeasonReopened("new", goes_on=True))
    assert (diary.season.commitment, diary.season.seed) == ("new", "")


def test_the_waiting_list_goes_by_sign_up_and_without_those_who_have_left(diary: Diary):
    for player, at in ((9, 90), (8, 91), (7, 91), (6, 92), (5, 93)):
        diary.note(SignedUp(player), at=at * HOUR)
    diary.note(Withdrawn(6))
    diary.note(SignupRemoved(5))
    assert [member.player for member in diary.season.waiting()] == [9, 7, 8]
    diary.note(Returned(6))
    diary.note(SignedUp(5), at=200 * HOUR)
    assert [member.player for member in diary.season.waiting()] == [9, 7, 8, 6, 5], (
        "their first sign-up counts"
    )


def test_everything_about_a_member_is_kept():
    diary = Diary(players=0)
    diary.note(SignedUp(1, hours=(2, 3), asks=True), at=5 * HOUR)
    assert diary.season.members[1] == Member(1, 5 * HOUR, (2, 3), "asking")
    diary.note(SignedUp(1))
    diary.note(Confirmed(1))
    diary.note(AlwaysIn(1))
    diary.note(DivisionSet(1, 2))
    assert diary.season.members[1] == Member(
        1, 5 * HOUR, (2, 3), "confirmed", None, always_in=True, division=2
    )
    diary.note(Unconfirmed(1))
    diary.note(SignedUp(1, hours=(4,)))
    assert (diary.season.members[1].status, diary.season.members[1].hours) == ("waiting", (4,))
    diary.note(SignupRemoved(1))
    assert diary.season.members[1].status == "removed"
    diary.note(MemberSet(2, "waiting"), at=900 * HOUR)
    assert diary.season.members[2] == Member(2, 900 * HOUR)


def test_who_withdraws_leaves_after_the_rounds_that_were_drawn(diary: Diary):
    diary.note(RoundDrawn(1, ()))
    diary.note(RoundDrawn(2, ()))
    diary.note(RoundDrawn(3, (), stage=4))
    diary.note(Withdrawn(2))
    assert diary.season.members[2].withdrawn == 2, "the finals are no ordinary round"
    assert diary.season.has_left(2)
    diary.note(Returned(2))
    assert diary.season.members[2].withdrawn is None
    assert not diary.season.has_left(2)
    assert not diary.season.has_left(77)


def test_a_ban_before_the_season_takes_somebody_off_the_list_until_it_ends(diary: Diary):
    diary.note(SignedUp(9))
    diary.note(Banned(9))
    assert (diary.season.members[9].status, diary.season.members[9].withdrawn) == ("removed", None)
    diary.note(Banned(9, on=False))
    assert diary.season.members[9].status == "waiting"
    diary.note(Banned(9, on=False))
    assert diary.season.members[9].status == "waiting", "there was no ban to end"


def test_a_ladder_has_begun_as_soon_as_it_is_open():
    diary = Diary("ladder", players=4)
    diary.note(Banned(3))
    assert (diary.season.members[3].status, diary.season.members[3].withdrawn) == ("confirmed", 0)


def test_check_ins_and_absences_are_made_and_taken_back(diary: Diary):
    diary.note(CheckedIn(1, 1))
    diary.note(CheckedIn(2, 1))
    diary.note(CheckedIn(1, 1, coming=False))
    assert diary.season.check_ins == {(2, 1)}
    diary.note(AbsenceBooked(3, 1))
    diary.note(AbsenceBooked(4, 2))
    diary.note(AbsenceBooked(3, 1, absent=False))
    assert diary.season.absences == {(4, 2)}


def test_penalties_are_kept_by_their_number_until_they_are_removed(diary: Diary):
    first, second = PenaltyAdded(1, 3, 1, -500), PenaltyAdded(2, 3, 1, -700)
    diary.note(first)
    diary.note(second)
    assert diary.season.penalties == {1: first, 2: second}
    diary.note(PenaltyRemoved(first))
    assert diary.season.penalties == {2: second}


FOUR = (1, 2, 3, 4)
RESULT = Result(FOUR, ((3, -1, -1, -1),) * 4)


def test_a_drawn_round_has_its_pods_and_no_number_is_used_twice(diary: Diary):
    drawn = RoundDrawn(1, (DrawnPod(5, (1, 2), division=2), DrawnPod(4, (3, 4))), stage=8)
    diary.note(drawn)
    assert diary.season.pods == {
        5: Pod(5, 1, (1, 2), (1, 2), division=2, stage=8),
        4: Pod(4, 1, (3, 4), (3, 4), stage=8),
    }
    assert diary.season.next_pod() == 6
    diary.note(RoundDrawn(2, (DrawnPod(2, FOUR),)))
    diary.note(RoundCancelled(drawn))
    assert [*diary.season.pods] == [2]
    assert [*diary.season.rounds] == [2]
    assert diary.season.cancelled == (1,)
    assert diary.season.next_pod() == 6


def test_a_round_without_pods_uses_no_number(diary: Diary):
    diary.note(RoundDrawn(1, ()))
    assert diary.season.next_pod() == 1


def test_a_match_that_nobody_drew_is_of_the_day_on_which_it_began():
    diary = Diary("ladder", players=4)
    opened = diary.season.opened_at
    diary.note(MatchStarted(3, table=30, players=FOUR), at=opened + 24 * HOUR - 1)
    diary.note(MatchStarted(1, table=31, players=FOUR), at=opened + 24 * HOUR)
    assert diary.season.pods[3] == Pod(3, 1, FOUR, FOUR, table=30, seated=frozenset(FOUR))
    assert diary.season.pods[1] == Pod(1, 2, FOUR, FOUR, table=31, seated=frozenset(FOUR))
    assert diary.season.next_pod() == 4
    diary.note(MatchFinished(3, RESULT))
    assert diary.season.pods[3].result == RESULT
    assert diary.season.next_pod() == 4


def test_boards_are_noted_with_the_pods_that_played_them(diary: Diary):
    diary.note(RoundDrawn(1, (DrawnPod(1, (1, 2)), DrawnPod(2, (3, 4)), DrawnPod(3, (5, 6)))))
    diary.note(BoardsPlayed(1, {1: (1, 2), 2: (2, 1)}))
    assert {number: pod.boards for number, pod in diary.season.pods.items()} == {1: (1, 2), 2: (2, 1), 3: ()}


def test_a_report_waits_for_the_hours_of_the_season_and_an_objection_for_those_of_the_staff(diary: Diary):
    [pod] = diary.draw()
    diary.note(ResultReported(pod, 1, RESULT), at=1_000 * HOUR)
    told = Report(RESULT, 1, 1_000 * HOUR, frozenset({1}), 1_048 * HOUR)
    assert diary.season.pods[pod].report == told
    diary.note(ReportAnswered(pod, 2))
    assert diary.season.pods[pod].report.agreed == {1, 2}
    diary.note(ReportAnswered(pod, 3, agrees=False), at=1_010 * HOUR)
    disputed = diary.season.pods[pod].report
    assert (disputed.against, disputed.due, disputed.agreed) == (3, 1_106 * HOUR, {1, 2})
    diary.note(MatchStarted(pod, table=9))
    assert (diary.season.pods[pod].table, diary.season.pods[pod].report) == (9, None)


def test_a_report_that_waits_again_has_its_whole_time_again(diary: Diary):
    [pod] = diary.draw()
    told = diary.note(ResultReported(pod, 1, RESULT), at=1_000 * HOUR).event
    for at, due in ((1_020, 1_068), (1_041, 1_137)):
        diary.note(Adjudicated(pod, {1: "no_show"}), at=(at - 10) * HOUR)
        diary.note(Adjudicated(pod, None, {1: "no_show"}), at=at * HOUR)
        back = diary.season.pods[pod].report
        assert (back.result, back.at, back.due) == (told.result, 1_000 * HOUR, due * HOUR)
        diary.note(ReportAnswered(pod, 3, agrees=False), at=1_021 * HOUR)
    diary.note(Adjudicated(pod, {1: "no_show"}))
    diary.note(ResultCorrected(pod, None, RESULT))
    diary.note(MatchStarted(pod, table=9))
    assert diary.season.pods[pod].set_aside is None


def test_a_season_reopened_with_rounds_left_closes_by_itself_once_the_next_is_drawn(diary: Diary):
    diary.round()
    diary.note(SeasonClosed())
    diary.note(SeasonReopened())
    diary.draw()
    assert diary.season.reopened is False


@pytest.mark.parametrize("again", [PodReopened(1, 10**9), ReplayOrdered(1, 10**9)])
def test_a_season_reopened_for_a_pod_closes_by_itself_once_the_pod_may_play(diary: Diary, again):
    diary.round()
    diary.note(SeasonClosed())
    diary.note(SeasonReopened())
    assert diary.season.reopened
    diary.note(again)
    assert diary.season.reopened is False
    assert diary.season.pods[1].due == 10**9


def test_the_boards_of_a_round_are_sealed_until_all_its_tables_are_done():
    diary = Diary(players=6, duplicate=True)
    for number in (1, 2):
        pods = (DrawnPod(2 * number - 1, (1, 2, 3)), DrawnPod(2 * number, (4, 5, 6)))
        diary.note(RoundDrawn(number, pods))
    diary.play(1)
    assert diary.season.has_sealed_boards(1)
    diary.play(2)
    assert not diary.season.has_sealed_boards(1), "all are done"
    diary.note(BoardsPlayed(1, {1: (1, 2, 3), 2: (2, 3, 1)}))
    assert diary.season.has_sealed_boards(2), "theirs are still to be played"
    diary.note(ReplayOrdered(1, 10**12))
    assert not diary.season.is_round_over(1)
    assert not diary.season.has_sealed_boards(1), "they are no secret any more"


def test_a_closed_season_waits_with_its_boards_only_for_matches_that_have_begun():
    diary = Diary(players=9, duplicate=True)
    diary.note(RoundDrawn(1, tuple(DrawnPod(3 * n + 1, (3 * n + 1, 3 * n + 2, 3 * n + 3)) for n in range(3))))
    diary.play(1)
    diary.note(MatchStarted(4, table=9))
    diary.note(SeasonClosed())
    assert diary.season.has_sealed_boards(1), "one table is still playing"
    diary.play(4)
    assert not diary.season.pods[7].over
    assert not diary.season.has_sealed_boards(1), "the last pod may never play"
    diary.note(SeasonReopened())
    assert diary.season.has_sealed_boards(1), "now it may"


def test_nothing_is_sealed_where_every_table_has_cards_of_its_own():
    diary = Diary(players=6)
    diary.draw()
    assert not diary.season.has_sealed_boards(1)
