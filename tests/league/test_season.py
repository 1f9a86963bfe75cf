"""The state of a season: pauses, a season closed too early, and notes on players, pairs and deadlines."""

from functools import reduce

import pytest

from league.events import (
    Banned,
    CheckedIn,
    DeadlineMoved,
    KeptApart,
    RoundDrawn,
    SeasonClosed,
    SeasonPaused,
    SeasonReopened,
    SeasonResumed,
    SignedUp,
    SignupRemoved,
    Withdrawn,
)
from league.season import Season, after, fold
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
