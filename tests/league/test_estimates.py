"""Estimates from deals as arrays: the same as from deals one by one, whatever numbers people go by."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from league.results import DealResult, Player
from league.statistics.estimates import Basis, Estimate, Estimates, RatedDeals, Summed, estimates, strengths
from league.statistics.par import preset_par

BASIS = Basis(0, 60)
NOBODY = -4711


def some_deals(chance: Random) -> list[tuple[str, DealResult]]:
    """Deals of two presets, of three and four seats."""
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
