"""Points adjusted for opponents: the worked example, and the fairness that it is there for."""

from random import Random

import numpy as np
import pytest

from league.results import DealResult
from league.statistics.estimates import DealArrays, Estimate, Sums, strengths, surprises
from tests.league.deals import A, B, C, D, E, deal


def test_the_worked_example():
    found = strengths(
        [
            deal({A: 30, B: 5, C: -10, D: -25}),
            deal({A: 20, B: -10, E: 15, C: -25}),
            deal({D: 12, E: -3, B: -9}, par=15),
        ]
    )
    values = {player: round(estimate.value, 4) for player, estimate in found.items()}
    assert values == {A: 0.1203, B: -0.0378, C: -0.0842, D: -0.0249, E: 0.0267}
    assert sum(estimate.value for estimate in found.values()) == pytest.approx(0, abs=1e-12)
    errors = {player: round(estimate.error, 4) for player, estimate in found.items()}
    assert errors == {A: 0.2393, B: 0.2351, C: 0.2393, D: 0.2399, E: 0.2399}
    shown = {player: estimate.points(20) for player, estimate in found.items()}
    points = {A: (2.08, 4.14), B: (-0.65, 4.07), C: (-1.46, 4.14), D: (-0.43, 4.16), E: (0.46, 4.16)}
    for player, estimate in shown.items():
        assert (estimate.value, estimate.error) == pytest.approx(points[player], abs=0.006)
    assert {player: estimate.deals for player, estimate in shown.items()} == {A: 2, B: 3, C: 2, D: 2, E: 2}


def test_nobody_and_computers():
    assert strengths([]) == {}
    assert strengths([DealResult((1, 1), 0, (A, None), (3, -3), 10.0)]) == {}


def test_one_deal_cannot_count_more_than_the_cut():
    [far, farther] = [
        strengths([deal({A: points, B: -points // 3, C: -points // 3, D: -points // 3})])[A].value
        for points in (900, 9000)
    ]
    assert far == farther == pytest.approx(4.5 / 17)


def test_a_wider_prior_shrinks_less():
    """One deal at two seats pulls each to its gain as strongly as the prior's inverse square pulls them to 0."""
    deals = [deal({A: 10, B: -10})]
    narrow, usual, wide = (strengths(deals, prior)[A].value for prior in (0.1, 0.25, 1))
    assert strengths(deals)[A].value == usual
    assert (narrow, usual, wide) == pytest.approx(
        tuple(10 / 20 * 0.5**0.5 / (1 + pull) for pull in (100, 16, 1))
    )


def test_deals_may_come_at_once_or_in_parts():
    """The third deal is without the last to come, and is cut, so that its mean is not that of the others."""
    people = np.array([[A, B, C], [B, C, D], [C, A, B]])
    points = np.array([[5, -3, -2], [10, 2, -12], [300, -150, -150]])
    once, parts = Sums(), Sums()
    once.add(DealArrays(people, points, 20.0))
    for place in range(3):
        parts.add(DealArrays(people[place : place + 1], points[place : place + 1], 20.0))
    for player, estimate in once.solved().items():
        other = parts.solved()[player]
        assert (estimate.value, estimate.error) == pytest.approx((other.value, other.error))
        assert estimate.deals == other.deals
    assert once.people == parts.people == {A, B, C, D}


def test_a_surprise_is_what_a_result_is_beyond_the_expected_one():
    estimates = {A: Estimate(0.5, 0.1, 9), B: Estimate(0.1, 0.1, 9)}
    luck = 10 / 20 * 0.5**0.5
    [surprise, cut] = surprises(
        [deal({A: 10, B: -10}), DealResult((1, 2), 0, (A, None), (3, -3), 20.0), deal({A: -900, B: 900})],
        estimates,
    )
    assert surprise == pytest.approx({A: luck - 0.2, B: -luck + 0.2})
    assert cut == pytest.approx({A: -3 - 0.2, B: 3 + 0.2})


def test_strong_tables_do_not_hide_strength():
    """Where strong players meet strong ones only, plain means say nothing; the regression still finds them."""
    chance = Random(4)
    skills = [0.06 * place for place in range(16)]
    deals: list[DealResult] = []
    for number in range(4000):
        first = chance.choice((0, 2, 4, 6, 8, 10, 12))
        table = chance.sample(range(first, first + 4), 4)
        raw = [skills[player] + chance.gauss(0, 1) for player in table]
        points = [round(20 * (value - sum(raw) / 4)) for value in raw]
        points[0] -= sum(points)
        deals.append(DealResult((1, number), number, tuple(table), tuple(points), 20.0))
    found = strengths(deals)
    means = {p: sum(d.points[d.players.index(p)] for d in deals if p in d.players) for p in range(16)}
    misplaced = [
        sum(abs(place - p) for place, p in enumerate(order))
        for order in (sorted(found, key=lambda p: found[p].value), sorted(means, key=means.__getitem__))
    ]
    assert misplaced[0] < misplaced[1] / 2
