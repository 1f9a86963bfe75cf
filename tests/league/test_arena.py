"""An arena: places and streaks, a score that no match lowers, and no minimum of matches."""

from random import Random

import pytest

from league.book import BookLine, book
from league.events import Adjudicated, MatchFinished, MatchStarted, NoShowBooked, Result, Verdict
from league.points import SeatPoints, place_points
from league.standings import standings
from tests.league.seasons import Diary


def seats(*places: int) -> list[SeatPoints]:
    return [SeatPoints(0, 0, place, 0, 4, 0) for place in places]


@pytest.mark.parametrize(
    ("places", "given"),
    [
        ((1, 2, 3, 4), (400, 200, 100, 0)),
        ((4, 3, 2, 1), (0, 100, 200, 400)),
        ((1, 2, 3, 4, 5), (400, 200, 100, 0, 0)),
        ((1, 2, 3), (400, 200, 0)),
        ((1, 2), (400, 0)),
        ((1, 1, 3, 4), (300, 300, 100, 0)),
        ((1, 2, 2, 2), (400, 100, 100, 100)),
    ],
)
def test_places_give_points_and_the_last_gives_nothing(places, given):
    assert place_points(seats(*places)) == given


def test_who_left_gets_nothing():
    assert place_points(seats(1, 2, 3, 4), left=[1]) == (400, 0, 100, 0)


def match(diary: Diary, won_by: int) -> None:
    """Play a match that `won_by` wins, with the others in the order of their numbers."""
    [pod] = diary.draw()
    players = diary.season.pods[pod].players
    order = sorted(players, key=lambda player: (player != won_by, player))
    points = dict(zip(order, (30, 10, -10, -30), strict=True))
    deal = tuple(points[player] for player in players)
    diary.note(MatchStarted(pod, table=pod))
    diary.note(MatchFinished(pod, Result(players, (deal,) * 4)))


def points_of(diary: Diary, player: int) -> list[int]:
    return [line.points for line in book(diary.season).lines[player]]


def test_after_two_first_places_in_a_row_matches_count_double_until_the_streak_ends():
    diary = Diary("arena", players=4)
    for won_by in (1, 1, 1, 2, 1, 1, 1):
        match(diary, won_by)
    assert points_of(diary, 1) == [400, 400, 800, 400, 400, 400, 800]
    assert points_of(diary, 2) == [200, 200, 200, 400, 200, 200, 200]
    assert points_of(diary, 4) == [0] * 7


def test_a_match_that_was_missed_ends_a_streak_and_costs_nothing():
    diary = Diary("arena", players=4)
    match(diary, 1)
    match(diary, 1)
    [pod] = diary.draw()
    diary.note(NoShowBooked(pod, 1))
    diary.note(Adjudicated(pod, {1: "no_show", 2: "average_plus", 3: "average_plus", 4: "average"}))
    match(diary, 1)
    assert points_of(diary, 1) == [400, 400, 0, 400]


@pytest.mark.parametrize(
    ("verdict", "conduct"),
    [("no_show", 1), ("average", 0), ("average_plus", 0), ("absence", 0), ("nothing", 0)],
)
def test_a_ruling_gives_no_points(verdict: Verdict, conduct: int):
    diary = Diary("arena", players=4)
    match(diary, 1)
    [pod] = diary.draw()
    diary.note(Adjudicated(pod, {1: verdict}))
    assert book(diary.season).lines[1][1] == BookLine(2, verdict, 0, conduct=conduct)


def test_those_who_leave_a_match_get_nothing_for_their_places():
    diary = Diary("arena", players=4)
    [pod] = diary.draw()
    players = diary.season.pods[pod].players
    diary.note(MatchFinished(pod, Result(players, ((30, 10, -10, -30),) * 4, left=players[:2])))
    assert [points_of(diary, player) for player in players] == [[0], [0], [400], [200]]


def test_no_match_lowers_a_score_and_nobody_is_there_too_seldom():
    diary, before = Diary("arena", players=13, seed=3), dict.fromkeys(range(1, 14), 0)
    chance = Random(3)
    for _ in range(12):
        away = tuple(chance.sample(range(1, 14), 5))
        diary.round(absent=away)
        rows = standings(diary.season).rows
        points = {row.player: row.points for row in rows}
        assert all(points[player] >= before[player] for player in before)
        assert all(row.qualified for row in rows)
        assert [row.points for row in rows] == sorted(points.values(), reverse=True)
        before = points


def test_who_has_played_is_never_behind_those_who_have_not():
    diary = Diary("arena", players=5)
    diary.round(absent=(5,))
    *_, last = standings(diary.season).rows
    assert (last.player, last.matches) == (5, 0)
