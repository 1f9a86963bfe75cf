"""A match, or a deal of it, that is void and played again."""

import pytest

from league.book import book
from league.events import (
    EVENT,
    Adjudicated,
    DealsReplayed,
    DealVoided,
    MatchFinished,
    MatchStarted,
    PodReopened,
    ReplayOrdered,
    Result,
    ResultCorrected,
    SubstituteSet,
)
from league.matches.pod import deals_replayed, in_seats
from league.season import fold
from league.standings import standings
from league.undoing import inverse
from tests.league.seasons import Diary

DUE = 10**12


@pytest.fixture
def diary() -> Diary:
    """Return a season of one pod that has played four deals."""
    diary = Diary(players=4, rotations=1)
    diary.round()
    return diary


def test_a_deal_that_is_played_again_takes_the_place_of_the_void_one(diary):
    pod = diary.season.pods[1]
    diary.note(ReplayOrdered(1, DUE, (2,)))
    waiting = diary.season.pods[1]
    assert (waiting.over, waiting.due, waiting.table, waiting.void) == (False, DUE, None, {2})
    assert [line.match.deals for lines in book(diary.season).lines.values() for line in lines] == [3] * 4
    diary.note(DealsReplayed(1, {2: (9, -3, -3, -3)}))
    done = diary.season.pods[1]
    assert done.over
    assert done.result.deals == (*pod.result.deals[:2], (9, -3, -3, -3), pod.result.deals[3])
    assert not done.void


def test_a_deal_that_is_not_played_again_stays_void(diary):
    diary.note(ReplayOrdered(1, DUE, (2,)))
    diary.note(DealsReplayed(1, {}))
    assert diary.season.pods[1].over
    assert diary.season.pods[1].void == {2}


def test_a_match_that_is_played_again_has_one_result(diary):
    diary.note(DealVoided(1, 1))
    before = diary.season.pods[1]
    order = diary.note(ReplayOrdered(1, DUE))
    assert not diary.season.pods[1].over
    assert not book(diary.season).lines
    diary.note(MatchFinished(1, Result(before.players, ((3, -1, -1, -1),) * 4)))
    assert [row.matches for row in standings(diary.season).rows] == [1] * 4
    assert not diary.season.pods[1].void
    diary.note(inverse(order.event))
    assert diary.season.pods[1] == before
    assert fold(reversed(diary.entries)) == diary.season


def test_who_had_a_seat_is_known_whatever_becomes_of_the_match(diary):
    players = diary.season.pods[1].players
    assert diary.season.pods[1].seated == {*players}
    diary.note(ReplayOrdered(1, DUE))
    diary.note(SubstituteSet(1, players[0], 9))
    assert diary.season.pods[1].seated == {*players}
    diary.note(MatchStarted(1, table=2))
    assert diary.season.pods[1].seated == {*players, 9}
    diary.note(Adjudicated(1, {9: "average"}))
    diary.note(PodReopened(1, DUE))
    diary.note(SubstituteSet(1, 9, players[0]))
    assert diary.season.pods[1].seated == {*players, 9}


def test_another_result_ends_the_wait(diary):
    result = diary.season.pods[1].result
    diary.note(ReplayOrdered(1, DUE, (2,)))
    corrected = Result(result.players, ((3, -1, -1, -1), *result.deals[1:]))
    diary.note(ResultCorrected(1, result, corrected))
    assert diary.season.pods[1].again == (2,)
    diary.note(DealVoided(1, 2, void=False))
    assert diary.season.pods[1].over
    diary.note(ReplayOrdered(1, DUE, (2,)))
    diary.note(ResultCorrected(1, corrected, Result(result.players[:2], ((3, -3), (3, -3)))))
    assert diary.season.pods[1].over


def test_the_same_player_deals_and_the_points_find_their_seats(diary):
    players = diary.season.pods[1].players
    diary.note(ReplayOrdered(1, DUE, (2,)))
    pod = diary.season.pods[1]
    assert in_seats(pod) == (*players[2:], *players[:2])
    assert deals_replayed(pod, Result(in_seats(pod), ((7, 5, -4, -8),))).deals == {2: (-4, -8, 7, 5)}
    assert not deals_replayed(pod, Result(players[:3], ((2, -1, -1),))).deals
    assert not deals_replayed(pod, None).deals


@pytest.mark.parametrize("event", [ReplayOrdered(1, DUE, (2,)), DealsReplayed(3, {2: (9, -9)})])
def test_the_events_can_be_stored(event):
    assert EVENT.validate_json(EVENT.dump_json(event)) == event


def test_what_was_played_again_goes_with_the_result_that_was_taken_away(diary):
    diary.note(ReplayOrdered(1, DUE, (2,)))
    diary.note(ResultCorrected(1, diary.season.pods[1].result, None))
    diary.note(DealsReplayed(1, {2: (9, -3, -3, -3)}))
    pod = diary.season.pods[1]
    assert (pod.result, pod.again, pod.over) == (None, (), False)
