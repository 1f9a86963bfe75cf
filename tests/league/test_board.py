"""Boards: order, shared places, and who is on them."""

from dataclasses import replace

from league.statistics.estimates import Basis, Estimate, Estimates
from league.statistics.leaderboard import (
    Board,
    BoardOrder,
    Standing,
    adjusted_board,
    points_board,
    rating_board,
)
from league.statistics.profile import ENOUGH
from league.statistics.ratings import Rating
from league.statistics.stats import Company, Span, Tally
from tests.league.facts import NOON

NAMES = {person: f"P{person}" for person in range(1, 6)}
SURE = {"deals": 60, "met": frozenset(range(10, 18)), "last": NOON}
TALLIES = {person: Tally(deals=10, net=net) for person, net in ((1, 5), (2, 40), (3, -50), (4, 5), (5, 9))}


def test_the_order_of_points_and_shared_places():
    board = points_board(TALLIES, NAMES, Span.MONTH, NOON)
    assert [(row.person, row.place, row.value) for row in board.rows] == [
        (2, 1, 40),
        (5, 2, 9),
        (1, 3, 5),
        (4, 3, 5),
        (3, 5, -50),
    ]
    assert (board.index_of(4), board.index_of(9), board.placed) == (3, None, 5)


def test_players_without_a_name_are_not_shown_and_take_no_place():
    board = points_board(TALLIES, {1: "P1", 4: "P4"}, Span.MONTH, NOON)
    assert [(row.person, row.place) for row in board.rows] == [(1, 1), (4, 1)]


def test_ratings_are_ordered_by_what_is_known_of_them():
    ratings = {1: Rating(30, 6, **SURE), 2: Rating(27, 2, **SURE), 3: Rating(40, 8, 3, last=NOON)}
    board = rating_board(ratings, TALLIES, NAMES, Span.ALL, NOON)
    assert [(row.person, row.place, row.value, row.provisional) for row in board.rows] == [
        (2, 1, 1580, False),
        (1, 2, 1700, False),
        (3, None, 2100, True),
    ]
    assert board.placed == 2


def test_inactive_players_and_those_of_another_period_are_not_on_the_board():
    long_ago = NOON - 15 * 86_400_000
    ratings = {
        1: Rating(30, 6, **SURE),
        2: Rating(27, 2, **SURE | {"last": long_ago}),
        3: Rating(26, 2, **SURE),
    }
    board = rating_board(ratings, {1: Tally(3), 2: Tally(3)}, NAMES, Span.WEEK, NOON)
    assert [row.person for row in board.rows] == [1]


def test_adjusted_points_are_those_of_four_seats():
    of = {1: Estimate(0.2, 0.1, 40), 2: Estimate(0.5, 0.2, 12)}
    board = adjusted_board(Estimates(Basis(0, 9), NOON, 9, par=20, of=of), TALLIES, NAMES, Span.ALL)
    first, second = board.rows
    assert (first.person, first.place, round(first.value, 3), round(first.error, 3)) == (1, 1, 3.464, 1.732)
    assert (second.person, second.place, second.provisional) == (2, None, True)


def test_a_board_is_called_by_its_order_but_deals_with_computers_have_only_one():
    with_people = points_board(TALLIES, NAMES, Span.MONTH, NOON)
    assert with_people.title == "points"
    assert replace(with_people, company=Company.COMPUTERS).title == "computers"


def test_a_board_of_points_has_every_figure():
    tallies = {1: Tally(deals=4, net=10), 2: Tally(deals=3, net=30)}
    assert points_board(tallies, NAMES, Span.WEEK, NOON, Company.COMPUTERS) == Board(
        BoardOrder.POINTS,
        Span.WEEK,
        (Standing(2, "P2", 1, 30, None, 3, 10.0), Standing(1, "P1", 2, 10, None, 4, 2.5)),
        NOON,
        Company.COMPUTERS,
    )
    assert points_board(tallies, NAMES, Span.WEEK, NOON).company is Company.PEOPLE


def test_a_board_of_ratings_has_every_figure():
    sure, new = Rating(30, 6, **SURE), Rating(40, 8, 3, last=NOON)
    tallies = {1: Tally(deals=4, net=10), 2: Tally(deals=3, net=30)}
    later = NOON + 86_400_000
    assert rating_board({1: sure, 2: new, 3: sure}, tallies, NAMES, Span.MONTH, later) == Board(
        BoardOrder.RATING,
        Span.MONTH,
        (
            Standing(1, "P1", 1, sure.shown(), sure.band(later), 4, 2.5),
            Standing(2, "P2", None, new.shown(), new.band(later), 3, 10.0, provisional=True),
        ),
        later,
    )
    assert rating_board({1: sure, 9: sure}, {1: Tally(1), 9: Tally(1)}, NAMES, Span.ALL, NOON).placed == 1


def test_a_board_of_adjusted_points_has_every_figure():
    of = {1: Estimate(0.2, 0.1, ENOUGH), 2: Estimate(0.5, 0.2, ENOUGH - 1), 9: Estimate(1.0, 0.1, 99)}
    estimates = Estimates(Basis(0, 9), NOON, 9, par=20, of=of)
    first, second = (of[person].points(20) for person in (1, 2))
    assert adjusted_board(estimates, {1: Tally(deals=4, net=10)}, NAMES, Span.WEEK) == Board(
        BoardOrder.ADJUSTED,
        Span.WEEK,
        (
            Standing(1, "P1", 1, first.value, first.error, ENOUGH, 2.5),
            Standing(2, "P2", None, second.value, second.error, ENOUGH - 1, 0.0, provisional=True),
        ),
        NOON,
    )


def test_players_without_a_place_follow_in_the_same_order_and_then_by_number():
    ratings = {person: Rating(mu, 8, 3, last=NOON) for person, mu in ((5, 30), (4, 40), (3, 30))}
    board = rating_board(ratings, TALLIES, NAMES, Span.ALL, NOON)
    assert [(row.person, row.place) for row in board.rows] == [(4, None), (3, None), (5, None)]
    assert [board.index_of(person) for person in (4, 3, 5)] == [0, 1, 2]
