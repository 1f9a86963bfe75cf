"""The book: rounds that are played on boards, rulings, absences, and who played whom."""

import pytest

from league.book import BookLine, book, compared_boards
from league.events import (
    AbsenceBooked,
    Adjudicated,
    BoardsPlayed,
    DealVoided,
    DrawnPod,
    MatchFinished,
    Result,
    RoundDrawn,
)
from league.points import MICRO, SeatPoints
from league.season import Season
from tests.league.seasons import Diary

FIRST, SECOND = (1, 2, 3, 4), (5, 6, 7, 8)
A_PAR = 19


def on_boards(*voided: int, left: tuple[int, ...] = (), **options: bool) -> Season:
    """Return a season of two tables with two boards in different orders.

    The seats differ by one par, on the first board only.
    """
    diary = Diary(players=8, duplicate=True, **options)
    diary.note(RoundDrawn(1, (DrawnPod(1, FIRST), DrawnPod(2, SECOND))))
    diary.note(MatchFinished(1, Result(FIRST, ((A_PAR, 0, -A_PAR, 0), (0, 0, 0, 0)), left)))
    diary.note(MatchFinished(2, Result(SECOND, ((0, 0, 0, 0), (0, A_PAR, -A_PAR, 0)))))
    diary.note(BoardsPlayed(1, {1: (1, 2), 2: (2, 1)}))
    for deal in voided:
        diary.note(DealVoided(1, deal))
    return diary.season


def matches(season: Season) -> dict[int, SeatPoints]:
    return {player: points for match in book(season).matches for player, points in match.seats.items()}


def test_on_boards_every_seat_is_scored_beside_the_same_seat_elsewhere():
    """A margin of one par is worth 1000, divided by the root of two boards; the placing is that of the own table."""
    seats = matches(on_boards())
    assert [seats[player].score for player in FIRST] == [707, -707, 0, 0]
    assert [seats[player].score for player in SECOND] == [-707, 707, 0, 0]
    assert [seats[player].gain for player in (*FIRST, *SECOND)] == [MICRO, -MICRO, 0, 0, -MICRO, MICRO, 0, 0]
    assert [seats[player].place for player in FIRST] == [1, 2, 4, 2]
    assert [seats[player].place for player in SECOND] == [2, 1, 4, 2]
    assert [seats[player].net for player in FIRST] == [A_PAR, 0, -A_PAR, 0]


def test_where_only_the_placing_counts_boards_break_ties_alone():
    seats = matches(on_boards(placing_only=True))
    assert {points.score for points in seats.values()} == {0}
    assert seats[1].gain == MICRO


def test_who_left_gets_nothing_for_what_a_computer_won_on_their_boards():
    seats = matches(on_boards(left=(1, 2)))
    assert (seats[1].score, seats[2].score) == (0, -707)


def test_a_void_deal_is_not_compared_and_its_board_counts_nowhere():
    season = on_boards(0)
    compared = compared_boards(season, season.pods.values())
    assert {pod: [*boards] for pod, boards in compared.items()} == {1: [2], 2: [2]}
    assert {points.score for points in matches(season).values()} == {0}


def test_deals_that_were_of_no_board_and_boards_of_one_table_count_as_ever():
    diary = Diary(players=8, duplicate=True)
    diary.note(RoundDrawn(1, (DrawnPod(1, FIRST), DrawnPod(2, SECOND))))
    for pod, players in ((1, FIRST), (2, SECOND)):
        diary.note(MatchFinished(pod, Result(players, ((A_PAR, 0, -A_PAR, 0),))))
    plain = matches(diary.season)
    diary.note(BoardsPlayed(1, {1: (0,), 2: (1,)}))
    assert matches(diary.season) == plain
    assert plain[1].score == 1000


@pytest.mark.parametrize(
    ("verdict", "was_there"), [("nothing", False), ("average", True), ("average_plus", True)]
)
def test_who_could_not_play_was_there_unless_the_ruling_gives_nothing(verdict: str, was_there: bool):
    diary = Diary(players=4)
    [pod] = diary.draw()
    diary.note(Adjudicated(pod, {1: verdict}))
    [line] = book(diary.season).lines[1]
    assert (line.kind, line.was_there) == (verdict, was_there)
    if verdict == "nothing":
        assert line == BookLine(1, "nothing", 0)
    else:
        assert line.points == (300 if verdict == "average_plus" else 0), "nothing was played before"


def after_a_win(**options: bool) -> Diary:
    """Return a season of four whose first player has won the first match, and whose second round is drawn."""
    diary = Diary(players=4, average_plus=300, absence_points=-1500, **options)
    diary.note(RoundDrawn(1, (DrawnPod(1, FIRST),)))
    diary.note(MatchFinished(1, Result(FIRST, ((3 * A_PAR, -A_PAR, -A_PAR, -A_PAR),) * 4)))
    diary.note(RoundDrawn(2, (DrawnPod(2, FIRST),)))
    return diary


@pytest.mark.parametrize("miss_from_mean", [False, True])
def test_the_own_mean_is_at_most_average_plus_where_missing_counts_from_the_mean(miss_from_mean: bool):
    diary = after_a_win(miss_from_mean=miss_from_mean)
    diary.note(Adjudicated(2, {1: "average", 2: "average"}))
    lines = book(diary.season).lines
    won, lost = lines[1][0].points, lines[2][0].points
    assert won > 300 > 0 > lost
    assert lines[1][1] == BookLine(2, "average", 300 if miss_from_mean else won)
    assert lines[2][1] == BookLine(2, "average", lost)


@pytest.mark.parametrize("miss_from_mean", [False, True])
def test_average_plus_is_at_least_the_own_mean_unless_missing_counts_from_the_mean(miss_from_mean: bool):
    diary = after_a_win(miss_from_mean=miss_from_mean)
    diary.note(Adjudicated(2, {1: "average_plus", 2: "average_plus"}))
    lines = book(diary.season).lines
    assert lines[1][1] == BookLine(2, "average_plus", 300 if miss_from_mean else lines[1][0].points)
    assert lines[2][1] == BookLine(2, "average_plus", 300)


@pytest.mark.parametrize("miss_from_mean", [False, True])
def test_a_no_show_costs_points_and_conduct(miss_from_mean: bool):
    diary = after_a_win(miss_from_mean=miss_from_mean, no_show_points=-2000)
    diary.note(Adjudicated(2, {1: "no_show", 2: "no_show"}))
    lines = book(diary.season).lines
    mean = lines[2][0].points if miss_from_mean else 0
    assert lines[1][1] == BookLine(2, "no_show", -2000, conduct=1)
    assert lines[2][1] == BookLine(2, "no_show", mean - 2000, conduct=1)


def test_an_absence_by_ruling_costs_what_an_absence_costs():
    diary = after_a_win(miss_from_mean=True)
    diary.note(Adjudicated(2, {1: "absence", 2: "absence"}))
    lines = book(diary.season).lines
    assert lines[1][1] == BookLine(2, "absence", -1500)
    assert lines[2][1] == BookLine(2, "absence", lines[2][0].points - 1500)


def test_an_absence_replaces_the_nothing_of_its_own_round_and_no_other():
    diary = after_a_win()
    diary.note(Adjudicated(2, {1: "nothing"}))
    diary.note(RoundDrawn(3, (DrawnPod(3, FIRST),)))
    diary.note(Adjudicated(3, {1: "nothing"}))
    diary.note(AbsenceBooked(1, 3))
    assert [line.kind for line in book(diary.season).lines[1]] == ["match", "nothing", "absence"]


def test_the_matches_of_some_players_are_found_up_to_a_round():
    diary = Diary(players=8)
    for _ in range(3):
        diary.round()
    written = book(diary.season)
    expected = [match for match in written.matches if {1, 2} & {*match.seats} and match.pod.round <= 2]
    assert written.played_by((1, 2, 99), through=2) == expected
    assert {match.pod.round for match in expected} == {1, 2}
    assert written.played_by((99,), through=3) == []


def test_a_book_ends_with_the_round_that_was_asked_for():
    diary = Diary(players=5)
    for _ in range(3):
        diary.round(absent=(5,))
    for player, number in ((5, 1), (5, 2), (5, 3)):
        diary.note(AbsenceBooked(player, number))
    lines = book(diary.season, 2).lines
    assert {player: [line.round for line in found] for player, found in lines.items()} == {
        player: [1, 2] for player in range(1, 6)
    }
    assert {match.pod.round for match in book(diary.season, 2).matches} == {1, 2}
    assert book(diary.season, 3) == book(diary.season)
    assert book(diary.season, 0).lines == {}


def test_nobody_is_absent_from_the_finals():
    diary = Diary(players=5)
    diary.note(RoundDrawn(1, (DrawnPod(1, FIRST),), stage=4))
    diary.note(AbsenceBooked(5, 1))
    diary.play(1)
    assert set(book(diary.season, stage=4).lines) == {*FIRST}
    assert set(book(diary.season).lines) == {5}


def test_no_more_matches_of_two_players_count_than_they_may_meet_in_a_day():
    diary = Diary("ladder", players=4, day_cap=1)
    rounds = {1: (FIRST[:3], FIRST[1:], (1, 4), (4, 1)), 2: (FIRST[:3],)}
    for number, tables in rounds.items():
        first = len(diary.season.pods) + 1
        pods = [DrawnPod(first + place, players) for place, players in enumerate(tables)]
        diary.note(RoundDrawn(number, tuple(pods)))
        for pod in pods:
            deal = (10, *[0] * (len(pod.players) - 2), -10)
            diary.note(MatchFinished(pod.id, Result(pod.players, (deal,))))
    counted = [tuple(match.seats) for match in book(diary.season).matches]
    assert counted == [(1, 2, 3), (1, 4), (1, 2, 3)]
