"""Drawing all rounds of a division at once."""

from collections import Counter
from itertools import combinations

import pytest

from league.pairing import schedule
from league.pairing.pods import Entrant, History, chance
from league.pairing.schedule import draw

pytestmark = pytest.mark.whole_search


def entrants(players: int) -> list[Entrant]:
    return [Entrant(player) for player in range(players)]


def drawn(players: int, rounds: int, seed: int = 1, **more) -> History:
    found = draw(entrants(players), History(), chance(bytes([seed]), "d", 0), rounds=rounds, **more)
    assert len(found) == rounds
    assert all(sorted(player for pod in pods for player in pod) == list(range(players)) for pods in found)
    return History.of(found)


def test_eight_players_meet_three_times_each():
    history = drawn(8, 7)
    assert history.repeats() == 84
    assert set(history.meetings.values()) == {3}
    assert len(history.meetings) == 28


def test_sixteen_players_meet_once_each():
    history = drawn(16, 5)
    assert history.repeats() == 0
    assert len(history.meetings) == 120


def test_twelve_players_reach_the_bound():
    assert drawn(12, 8).repeats() == 90


def test_nine_players_in_threes_meet_once_each():
    history = drawn(9, 4, no_fives=True)
    assert history.repeats() == 0
    assert len(history.meetings) == len(list(combinations(range(9), 2)))


@pytest.mark.parametrize(("players", "rounds"), [(6, 7), (7, 7), (10, 7)])
def test_odd_tables_are_shared_out(players, rounds):
    odd = drawn(players, rounds).odd
    assert max(odd[player] for player in range(players)) - min(odd[player] for player in range(players)) <= 1


def test_a_single_table_and_seats():
    history = drawn(4, 6)
    assert set(history.meetings.values()) == {6}
    assert set(Counter(history.seats).values()) <= {1, 2}


def test_the_same_seed_draws_the_same_rounds():
    draws = [draw(entrants(8), History(), chance(bytes([seed]), "d", 0), rounds=7) for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


def test_divisions_of_one_size_share_one_search(monkeypatch: pytest.MonkeyPatch):
    schedule._new_plan.cache_clear()
    searched = []
    monkeypatch.setattr(schedule, "_searched", lambda *given: searched.append(given) or [[*range(8)]] * 3)
    plans = [draw(entrants(8), History(), chance(bytes([seed]), "d", seed), rounds=3) for seed in range(5)]
    assert len(searched) == 1
    assert len(set(plans)) == 5
    schedule._new_plan.cache_clear()
