"""Ratings: the test vectors, the model computed by hand, and the invariants."""

from itertools import permutations
from math import exp, isclose, log, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.results import DealResult
from league.statistics.ratings import MODEL_VERSION, NEWCOMER, SIGMA, Rating, chances, ranks, rate, recompute
from tests.league.deals import A, B, C, D, deal, season

WEEK = 7 * 24 * 3_600_000
DAY = 24 * 3_600_000


def after(points: tuple[int, ...], before: dict[int, Rating] | None = None) -> list[Rating]:
    found = rate(before or {}, deal(dict(enumerate(points))))
    return [found[player] for player in range(len(points))]


@pytest.mark.parametrize(
    ("points", "mus"),
    [
        ((3, 2, 1, -6), (26.3176, 25.4392, 24.5608, 23.6824)),
        ((3, -3), (26.3176, 23.6824)),
        ((3, 0, -3), (26.3176, 25, 23.6824)),
        ((4, 3, 2, 1, -10), (26.3176, 25.6588, 25, 24.3412, 23.6824)),
        ((3, 1, 1, -5), (26.3176, 25, 25, 23.6824)),
        ((3, 3, -1, -5), (25.8784, 25.8784, 24.5608, 23.6824)),
        ((30, -10, -10, -10), (26.3176, 24.5608, 24.5608, 24.5608)),
    ],
)
def test_new_players(points, mus):
    found = after(points)
    assert [round(rating.mu, 4) for rating in found] == pytest.approx(mus, abs=1.01e-4)
    if points == (3, 2, 1, -6):
        assert {round(rating.sigma, 4) for rating in found} == {8.3003}
        assert [rating.shown() for rating in found] == [1553, 1518, 1482, 1447]


BEFORE = {A: Rating(30, 6), B: Rating(25, 25 / 3), C: Rating(27, 7), D: Rating(22, 5)}


def test_old_players():
    found = rate(BEFORE, deal({A: -5, B: 9, C: 1, D: -5}))
    assert [(round(rating.mu, 4), round(rating.sigma, 4)) for rating in found.values()] == [
        (29.4543, 5.9901),
        (26.3841, 8.2980),
        (27.3083, 6.9818),
        (21.7234, 4.9951),
    ]


def by_hand(before: list[Rating], points: tuple[int, ...]) -> list[tuple[float, float]]:
    beta, found = 4 * 25 / 6, []
    for i, rating in enumerate(before):
        gains, losses = [], []
        for j, other in enumerate(before):
            if i != j:
                c = sqrt(rating.sigma**2 + other.sigma**2 + 2 * beta**2)
                p = 1 / (1 + exp((other.mu - rating.mu) / c))
                s = (1 + (points[i] > points[j]) - (points[i] < points[j])) / 2
                gains.append(rating.sigma**2 / c * (s - p))
                losses.append(rating.sigma / c * rating.sigma**2 / c**2 * p * (1 - p))
        mean = len(before) - 1
        found.append((rating.mu + sum(gains) / mean, rating.sigma * sqrt(max(1 - sum(losses) / mean, 1e-4))))
    return found


ratings = st.builds(Rating, st.floats(0, 50), st.floats(2, SIGMA))


@given(st.lists(st.tuples(ratings, st.integers(-40, 40)), min_size=2, max_size=5))
def test_the_model_is_the_one_on_paper(seats):
    before, points = [rating for rating, _ in seats], tuple(points for _, points in seats)
    found = after(points, dict(enumerate(before)))
    for rating, (mu, sigma) in zip(found, by_hand(before, points), strict=True):
        assert isclose(rating.mu, mu, abs_tol=1e-9)
        assert isclose(rating.sigma, sigma, abs_tol=1e-9)


@given(st.lists(st.tuples(ratings, st.integers(-40, 40)), min_size=2, max_size=5))
def test_winners_never_fall_and_nobody_gets_less_certain_by_playing(seats):
    before, points = [rating for rating, _ in seats], tuple(points for _, points in seats)
    found = after(points, dict(enumerate(before)))
    assert all(new.sigma <= old.sigma for new, old in zip(found, before, strict=True))
    for old, new, won in zip(before, found, points, strict=True):
        if all(won > other for other in points if other != won) and points.count(won) == 1:
            assert new.mu >= old.mu


def test_seats_do_not_matter():
    points = {A: 20, B: 3, C: 3, D: -26}
    expected = rate(BEFORE, deal(points))
    for order in permutations(points):
        found = rate(BEFORE, deal({player: points[player] for player in order}))
        for player in order:
            assert found[player].mu == pytest.approx(expected[player].mu, abs=1e-12)
            assert found[player].sigma == pytest.approx(expected[player].sigma, abs=1e-12)


def test_who_left_comes_last():
    assert rate({}, deal({A: 30, B: -10, C: -20}, left=frozenset({A})))[A].mu == pytest.approx(
        23.6824, abs=1e-4
    )


def test_deals_with_computers_are_not_rated():
    begun_with_one = DealResult((1, 1), 0, (A, None, C), (5, 0, -5), 15.0)
    assert rate({}, begun_with_one) == {}
    assert recompute([begun_with_one]) == {}


@pytest.mark.parametrize(("weeks", "sigma"), [(0, 4.40), (26, 5.36), (52, 6.17), (104, 7.54), (5000, SIGMA)])
def test_doubt_grows_with_idle_weeks(weeks, sigma):
    idle = Rating(25, 4.40, deals=300, met=frozenset(range(8)), last=0)
    assert idle.sigma_at(weeks * WEEK) == pytest.approx(sigma, abs=0.005)
    assert idle.sigma_at(weeks * WEEK + WEEK - 1) == idle.sigma_at(weeks * WEEK)
    assert idle.provisional(weeks * WEEK) == (weeks >= 104)


def test_the_board_wants_thirty_deals_eight_opponents_and_activity():
    known = Rating(27, 6.0, deals=30, met=frozenset(range(8)), last=0)
    assert not known.provisional(14 * DAY)
    assert known.active(14 * DAY)
    assert not known.active(14 * DAY + 1)
    assert Rating(27, 6.0, deals=29, met=frozenset(range(8)), last=0).provisional(0)
    assert Rating(27, 6.0, deals=30, met=frozenset(range(7)), last=0).provisional(0)
    assert Rating(27, 7.51, deals=30, met=frozenset(range(8)), last=0).provisional(0)
    assert NEWCOMER.provisional(0)
    assert known.order(0) == 21
    assert known.band(0) == 126
    assert NEWCOMER.band(0) == 345


def test_a_player_is_active_after_a_late_deal_too():
    late = Rating(last=1000 * WEEK)
    assert late.active(1001 * WEEK)
    assert not late.active(1003 * WEEK)


def test_doubt_grows_from_the_last_deal_on_and_not_before():
    late = Rating(sigma=5, last=1000 * WEEK)
    assert late.sigma_at(1000 * WEEK) == late.sigma_at(999 * WEEK) == 5
    assert 5 < late.sigma_at(1001 * WEEK) < SIGMA


def test_a_rating_tells_when_the_last_deal_was():
    assert {found.last for found in rate({}, deal({A: 3, B: -3}, at=77)).values()} == {77}


def test_ranks_begin_with_one_and_are_shared():
    assert ranks(deal({A: 4, B: 4, C: -8})) == [1, 1, 3]


def test_opponents_are_counted_once():
    ratings = recompute([deal({A: 1, B: 0, C: -1}, number) for number in range(3)])
    assert ratings[A].met == {B, C}
    assert ratings[A].deals == 3


def test_no_more_opponents_are_kept_than_a_place_on_the_board_needs():
    """They are the first ones: of three new opponents at one table only the first in seat order."""
    met = frozenset(range(10, 17))
    found = rate({A: Rating(met=met)}, deal({B: 3, A: 2, C: 1, D: -6}))
    assert found[A].met == met | {B}
    assert rate(found, deal({C: 3, A: -3}))[A].met == met | {B}


def test_working_all_out_again_gives_the_same_floats():
    deals = season([Random(3).gauss(0, 0.2) for _ in range(20)], 300)
    running: dict[int, Rating] = {}
    for played in deals:
        running |= rate(running, played)
    shuffled = Random(5).sample(deals, len(deals))
    assert recompute(shuffled) == running


def test_ratings_foretell_better_than_even_chances():
    chance = Random(11)
    skills = [chance.gauss(0, 0.25) for _ in range(24)]
    ratings: dict[int, Rating] = {}
    loss = 0.0
    for count, played in enumerate(season(skills, 2000, seed=12)):
        if count > 600:
            before = [ratings.get(player, NEWCOMER) for player in played.people()]
            best = max(range(4), key=played.points.__getitem__)
            loss -= log(chances(before)[best]) - log(1 / 4)
        ratings |= rate(ratings, played)
    assert loss < 0, "no better than to say a quarter each"


def test_the_version_names_the_model():
    assert MODEL_VERSION == "btp-b4-t0-v1"
