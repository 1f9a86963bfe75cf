"""League points: every worked example, and the invariants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.points import BONUS, MICRO, MatchRules, gains, match_points, nearest, without_computers


def test_the_cut_keeps_the_sum():
    found = gains((42, -10, -14, -18), MatchRules(par=1000))
    assert [gain / 4 / MICRO for gain in found] == [3.3, -0.7, -1.1, -1.5]
    assert sum(found) == 0


def spread_out(totals: tuple[int, ...], deals: int) -> list[tuple[int, ...]]:
    """Return deals that add up to the totals; the last deal takes the remainder."""
    steps = [tuple(total // deals for total in totals)] * (deals - 1)
    rest = tuple(
        total - sum(seat_steps) for total, seat_steps in zip(totals, zip(*steps, strict=True), strict=True)
    )
    return [*steps, rest]


@pytest.mark.parametrize(
    ("totals", "deals", "par", "points"),
    [
        ((96, 30, -30, -96), 12, 20, (2386, 733, -733, -2386)),
        ((30, -15, -15), 9, 15, (1667, -833, -833)),
        ((48, -48), 12, 12, (2155, -2155)),
        ((60, 20, 20, -40, -60), 15, 24, (1645, 465, 465, -930, -1645)),
    ],
)
def test_the_worked_examples(totals, deals, par, points):
    found = match_points(spread_out(totals, deals), MatchRules(par * 100))
    assert tuple(seat.points for seat in found) == points


def test_scores_of_the_first_example():
    found = match_points(spread_out((96, 30, -30, -96), 12), MatchRules(2000))
    assert [seat.score for seat in found] == [1386, 433, -433, -1386]
    assert [seat.place for seat in found] == [1, 2, 3, 4]
    assert [seat.gain for seat in found] == [4_800_000, 1_500_000, -1_500_000, -4_800_000]
    alone = match_points(spread_out((96, 30, -30, -96), 12), MatchRules(2000, placing_only=True))
    assert [seat.points for seat in alone] == [1000, 300, -300, -1000]


def test_equal_seats_share_place_and_bonus():
    found = match_points([(10, 10, -10, -10)], MatchRules(2000))
    assert [(seat.place, seat.bonus) for seat in found] == [(1, 650), (1, 650), (3, -650), (3, -650)]
    assert {point.bonus for point in match_points([(0, 0, 0, 0, 0)], MatchRules(2000))} == {0}


def test_who_left_is_booked_last_and_never_gains():
    found = match_points([(30, -10, -20)], MatchRules(1500), left={0})
    assert [(seat.score, seat.bonus, seat.place) for seat in found] == [
        (0, -1000, 3),
        (-667, 1000, 1),
        (-1333, 0, 2),
    ]
    both = match_points([(30, -10, -20)], MatchRules(1500), left={0, 2})
    assert [(seat.bonus, seat.place) for seat in both] == [(-1000, 2), (1000, 1), (-1000, 3)]


def test_what_was_won_over_all_deals_is_told():
    found = match_points([(3, -3), (-1, 1)], MatchRules(2000))
    assert [(seat.deals, seat.net) for seat in found] == [(2, 2), (2, -2)]


@pytest.mark.parametrize(
    ("value", "parts", "found"), [(1, 2, 1), (-1, 2, -1), (1, 3, 0), (5, 3, 2), (-5, 3, -2), (0, 4, 0)]
)
def test_halves_are_rounded_away_from_0(value: int, parts: int, found: int):
    assert nearest(value, parts) == found


def test_odd_matches_are_refused():
    with pytest.raises(ValueError, match=r"^a match has one deal or more, all of the same seats$"):
        match_points([], MatchRules(2000))
    with pytest.raises(ValueError, match="same seats"):
        match_points([(1, -1), (1, 0, -1)], MatchRules(2000))


zero_sum = st.integers(2, 5).flatmap(
    lambda seats: st.lists(
        st.lists(st.integers(-90, 90), min_size=seats - 1, max_size=seats - 1).map(
            lambda points: (*points, -sum(points))
        ),
        min_size=1,
        max_size=15,
    )
)


@given(zero_sum, st.integers(800, 4000))
def test_what_always_holds(deals, par):
    rules = MatchRules(par)
    found = match_points(deals, rules)
    seats = len(found)
    assert abs(sum(seat.points for seat in found)) <= seats
    assert all(sum(gains(points, rules)) == 0 for points in deals)
    mirrored = match_points([[-point for point in points] for points in deals], rules)
    assert [seat.score for seat in mirrored] == [-seat.score for seat in found]
    turned = match_points([points[1:] + points[:1] for points in deals], rules)
    assert turned == found[1:] + found[:1]
    by_gain = sorted(found, key=lambda seat: -seat.gain)
    assert [seat.points for seat in by_gain] == sorted((seat.points for seat in found), reverse=True)
    assert {seat.bonus for seat in found} <= set(range(-1000, 1001))
    assert sum(BONUS[seats]) == 0


@pytest.mark.parametrize("points", [(20, -5, -5), (7, 8, 9), (-1, -1, 1), (3, 2), (-30, 11, 12), (0, 0, 0)])
def test_what_computers_won_or_paid_is_shared_evenly(points: tuple[int, ...]):
    shared = without_computers(points)
    assert sum(shared) == 0
    mean = sum(points) / len(points)
    assert all(abs(own - mean - now) < 1 for own, now in zip(points, shared, strict=True))
