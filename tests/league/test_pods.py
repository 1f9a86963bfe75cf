"""Drawing pods: the gates, and what else a draw looks at."""

from collections import Counter
from functools import partial
from itertools import combinations
from random import Random
from statistics import fmean

import pytest

from league.pairing.pods import Entrant, History, chance, swiss_weight, table_sizes
from league.pairing.schedule import KEPT_ROUNDS, draw, draw_next, kept_plans
from tests.cases import cases
from tests.league.gates import BEST, GATES, ROUNDS, USUAL, allowed, drawn_season, fewest

pytestmark = pytest.mark.whole_search

FAST = (8, 14, 24, 48, 200)
USUALLY = (5, 7, 9, 13, 16, 21, 27, 33, 64, 200)


def entrants(players) -> list[Entrant]:
    return [Entrant(player) for player in players]


def season(players: int, seed: int, rounds: int) -> History:
    """Return the meetings of a season in which everyone is there each time."""
    drawn = draw(entrants(range(players)), History(), chance(bytes([seed] * 32), "s", 1), rounds=rounds)
    assert all(sorted(player for pod in pods for player in pod) == list(range(players)) for pods in drawn)
    return History.of(drawn)


def hold_the_gates(players: int, seed: int) -> None:
    for rounds, most in zip(ROUNDS, GATES[players], strict=True):
        history = season(players, seed, rounds)
        assert fewest(players, rounds) <= history.repeats() <= allowed(most)
        odd = [history.odd[player] for player in range(players)]
        assert max(odd) - min(odd) <= 2
        if players >= 14:
            assert max(history.meetings.values()) <= 3
        if players >= 48:
            assert history.repeats() == 0


@pytest.mark.parametrize("players", FAST)
def test_players_rarely_meet_again(players):
    hold_the_gates(players, seed=1)


@pytest.mark.thorough
@pytest.mark.parametrize("players", GATES)
def test_the_whole_table_of_gates(players):
    hold_the_gates(players, seed=2)


@pytest.mark.parametrize("players", cases(range(5, 201), USUALLY))
def test_a_usual_season_is_near_the_fewest_repeats(players):
    repeats, bound = season(players, 1, USUAL).repeats(), fewest(players, USUAL)
    assert bound <= repeats <= 1.1 * max(bound, BEST.get(players, 0))


@pytest.mark.parametrize("players", kept_plans())
def test_a_kept_plan_is_a_season_with_the_fewest_repeats_that_are_known(players: int):
    plan, met, odd = kept_plans()[players], Counter(), Counter()
    assert len(plan) == KEPT_ROUNDS == USUAL
    for order in plan:
        assert sorted(order) == list(range(players))
        start = 0
        for size in table_sizes(players):
            table = order[start : start + size]
            met.update(frozenset(pair) for pair in combinations(table, 2))
            odd.update(table if size != 4 else ())
            start += size
    assert sum(count * (count - 1) // 2 for count in met.values()) == BEST[players]
    assert max(met.values()) <= 3
    assert max(odd[player] for player in range(players)) - min(odd[player] for player in range(players)) <= 2


@pytest.mark.parametrize("rounds", [3, 5, 7])
def test_a_kept_plan_serves_seeds_differently_and_shorter_seasons_too(rounds: int):
    draws = [draw(entrants(range(28)), History(), Random(seed), rounds=rounds) for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]
    assert all(History.of(drawn).repeats() == 0 for drawn in draws)


def test_what_was_planned_is_drawn_until_somebody_is_missing():
    rounds = drawn_season(14, seed=1, rounds=USUAL)
    assert History.of(rounds) == season(14, 1, USUAL)
    history = History.of(rounds[:3])
    there = [player for player in range(14) if player != 7]
    pods = draw_next(entrants(there), history, 4, 4, partial(chance, bytes(32), "s"))
    assert sorted(player for pod in pods for player in pod) == there
    assert sum(history.meetings[frozenset(pair)] for pod in pods for pair in combinations(pod, 2)) <= 8


def test_who_is_kept_apart_is_never_drawn_together():
    history = History()
    field = [Entrant(player, apart=frozenset({player ^ 1})) for player in range(8)]
    for number in range(USUAL):
        for pod in draw_next(field, history, number + 1, USUAL - number, partial(chance, bytes(32), "s")):
            history.add(pod)
    assert all(not history.meetings[frozenset((player, player ^ 1))] for player in range(8))


def test_a_first_round_by_ratings_gives_every_table_one_of_each_quarter():
    [pods] = draw(entrants(range(32)), History(), Random(1), spread=True)
    assert all(sorted(player // 8 for player in pod) == [0, 1, 2, 3] for pod in pods)


@pytest.mark.parametrize("seed", [1, 2])
def test_large_fields_never_repeat_though_some_are_absent(seed):
    random, history = Random(seed), History()
    for number in range(8):
        present = [player for player in range(48) if random.random() > 0.15]
        for pod in draw(entrants(present), history, chance(bytes(32), "s", number))[0]:
            history.add(pod)
    assert history.repeats() == 0
    odd = [history.odd[player] for player in range(48)]
    assert max(odd) - min(odd) <= 3


def test_two_hundred_people_with_standings_never_meet_again():
    history = History()
    for number in range(3):
        [pods] = draw(entrants(range(200)), history, chance(bytes(32), "s", number), swiss=swiss_weight(200))
        for pod in pods:
            history.add(pod)
    assert history.repeats() == 0


def test_the_same_seed_draws_the_same_pods():
    assert drawn_season(22, seed=5, rounds=3) == drawn_season(22, seed=5, rounds=3)
    assert drawn_season(22, seed=5, rounds=3) != drawn_season(22, seed=6, rounds=3)
    first, second = (chance(bytes(32), "s", number).random() for number in (1, 2))
    assert first != second


def swiss_season(players: int, weight: float) -> tuple[int, float]:
    """Return the repeats of six Swiss rounds that the stronger win, and the spread of places at a table."""
    random, history, totals = Random(9), History(), dict.fromkeys(range(players), 0.0)
    spreads: list[float] = []
    for number in range(6):
        order = sorted(totals, key=lambda player: (-totals[player], player))
        [pods] = draw(entrants(order), history, chance(bytes(32), "s", number), swiss=weight)
        for pod in pods:
            history.add(pod)
            places = [order.index(player) for player in pod]
            if number:
                spreads.append((max(places) - min(places)) / players)
            for player in pod:
                totals[player] += random.gauss(-player / players, 1)
    return history.repeats(), fmean(spreads)


def test_a_swiss_draw_brings_neighbours_together():
    plain, swiss, strong = (swiss_season(40, weight) for weight in (0.0, swiss_weight(40), 3.0))
    assert swiss_weight(40) == 0.3
    assert swiss_weight(24) == 1.0
    assert swiss[0] <= 2
    assert swiss[1] < 0.28 < plain[1]
    assert strong[1] < swiss[1]


def test_who_is_awake_at_the_same_hours_is_drawn_together():
    early, late = frozenset({1}), frozenset({4})
    field = [Entrant(player, early if player % 2 else late) for player in range(16)]
    history = History()
    for number in range(3):
        [pods] = draw(field, history, chance(bytes(32), "s", number))
        for pod in pods:
            history.add(pod)
            assert len({player % 2 for player in pod}) == 1


def test_seats_and_neighbours_are_evened_out():
    history = History()
    for number in range(6):
        for pod in draw(entrants(range(4)), history, chance(bytes(32), "s", number))[0]:
            history.add(pod)
    assert all(history.seats[player, seat] in (1, 2) for player in range(4) for seat in range(4))
    assert all(
        history.before[player, other] == 2 for player in range(4) for other in range(4) if player != other
    )


def test_small_fields():
    assert sorted(draw(entrants((7, 9)), History(), Random(1))[0][0]) == [7, 9]
    with pytest.raises(ValueError, match="two players"):
        draw(entrants((7,)), History(), Random(1))
