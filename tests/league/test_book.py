"""The book: rounds that are played on boards, and rulings that give nothing."""

import pytest

from league.book import BookLine, book, compared_boards
from league.events import (
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
