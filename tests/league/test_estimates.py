"""Points adjusted for opponents: the worked example, the fairness that it is there for, and estimates from deals as arrays."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from league.results import DealResult, Player
from league.statistics.estimates import (
    Basis,
    DealArrays,
    Estimate,
    Estimates,
    RatedDeals,
    Summed,
    Sums,
    estimates,
    strengths,
    surprises,
)
from league.statistics.par import preset_par
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
    """The third deal lacks the player who comes last, and it is cut, so its mean differs from the others."""
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
    """If strong players meet only strong ones, plain means say nothing; the regression still finds them."""
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


BASIS = Basis(0, 60)
NOBODY = -4711


def some_deals(chance: Random) -> list[tuple[str, DealResult]]:
    """Return deals of two presets, with three and four seats."""
    deals: list[tuple[str, DealResult]] = []
    for number in range(60):
        preset, seats = chance.choice(("pagat", "kathmandu")), chance.choice((3, 4))
        points = [chance.randint(-30, 30) for _ in range(seats - 1)]
        people = tuple(chance.sample(range(1, 9), seats))
        par = preset_par(preset, seats)
        deals.append((preset, DealResult((1, number), number, people, (*points, -sum(points)), par)))
    return deals


def as_arrays(deals: list[tuple[str, DealResult]], renamed: dict[Player, Player] | None = None) -> RatedDeals:
    seats = [
        ((renamed or {}).get(player, player), net)
        for _, deal in deals
        for player, net in zip(deal.people(), deal.points, strict=True)
    ]
    return RatedDeals([(preset, len(deal.players)) for preset, deal in deals], np.array(seats))


def test_they_are_those_of_the_deals_one_by_one():
    deals = some_deals(Random(3))
    found, plain = estimates(as_arrays(deals), BASIS, 5), strengths([deal for _, deal in deals])
    assert found.of.keys() == plain.keys()
    for player, estimate in plain.items():
        assert (found.of[player].value, found.of[player].error) == pytest.approx(
            (estimate.value, estimate.error)
        )
        assert found.of[player].deals == estimate.deals
    assert sum(estimate.value for estimate in found.of.values()) == pytest.approx(0)


def test_they_are_shown_in_the_mean_par_of_four_seats():
    deals = [deal for deal in some_deals(Random(4)) if deal[0] == "pagat"]
    assert estimates(as_arrays(deals), BASIS, 5).par == pytest.approx(preset_par("pagat", 4))


def test_a_forgotten_person_changes_nobody_else():
    deals = some_deals(Random(5))
    before, after = (estimates(as_arrays(deals, names), BASIS, 5).of for names in (None, {3: NOBODY}))
    assert after == {(NOBODY if player == 3 else player): estimate for player, estimate in before.items()}


def test_deals_may_be_added_as_they_end():
    deals = some_deals(Random(6))
    summed = Summed(since=7)
    for number, part in ((20, deals[:20]), (21, deals[20:21]), (60, deals[21:])):
        summed.add(as_arrays(part), number)
        assert summed.deals == number
        assert summed.basis == Basis(7, number)
        assert summed.people == {person for _, deal in deals[:number] for person in deal.people()}
    assert summed.estimates(5).agrees(estimates(as_arrays(deals), Basis(7, 60), 5))


def test_no_deals_no_estimates():
    none = RatedDeals([], np.empty((0, 2), dtype=np.int64))
    assert estimates(none, BASIS, 5) == Estimates(BASIS, 5, 0, 0.0, {})
    assert Summed(since=7).basis == Basis(7, 0)


def test_the_same_but_for_the_last_bits():
    kept = Estimates(BASIS, 5, 60, 19.0, {1: Estimate(0.2, 0.1, 40)})
    assert kept.agrees(replace(kept, at=9, of={1: Estimate(0.2 + 1e-14, 0.1, 40)}))
    assert not kept.agrees(replace(kept, of={1: Estimate(0.2 + 1e-6, 0.1, 40)}))
    assert not kept.agrees(replace(kept, of={2: Estimate(0.2, 0.1, 40)}))
    assert not kept.agrees(replace(kept, par=20.0))
    assert not kept.agrees(replace(kept, deals=61))


def test_an_estimate_of_about_0_is_the_same_with_either_sign():
    kept = Estimates(BASIS, 5, 60, 19.0, {1: Estimate(1e-14, 0.1, 40)})
    assert kept.agrees(replace(kept, of={1: Estimate(-1e-14, 0.1, 40)}))
