"""Draws from known seeds: the same seed draws the same pods, so anyone can check a draw of a past season.

The searches are short, so these pods are not the best ones.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import pytest

from league.pairing import schedule
from league.pairing.pods import Entrant, History, Pod, chance
from league.pairing.schedule import KEPT_ROUNDS, draw, draw_next

lots = partial(chance, bytes(range(32)), "Autumn")
BEFORE = History.of([[(0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10)]])


@pytest.fixture(autouse=True)
def _no_earlier_search() -> None:
    schedule._new_plan.cache_clear()


def entrants(players: int) -> list[Entrant]:
    return [Entrant(player) for player in range(players)]


def met(times: int) -> History:
    """Return the counts of a table of four that has met so often."""
    return History.of([[(0, 1, 2, 3)]] * times)


def in_pairs(players: int) -> list[Entrant]:
    """Return entrants of whom each is kept apart from one other."""
    return [Entrant(player, apart=frozenset({player ^ 1})) for player in range(players)]


def at_hours(players: int) -> list[Entrant]:
    """Return entrants who play at two different hours, or at any."""
    return [Entrant(player, frozenset({player % 3} if player % 3 else ())) for player in range(players)]


@pytest.mark.parametrize(
    ("field", "history", "options", "drawn"),
    [
        (
            entrants(7),
            History(),
            {"rounds": 3},
            (((2, 0, 4, 1), (3, 6, 5)), ((5, 2, 6, 0), (4, 3, 1)), ((6, 1, 3, 2), (5, 4, 0))),
        ),
        (
            entrants(9),
            History(),
            {"rounds": 2, "no_fives": True},
            (((7, 6, 1), (2, 3, 5), (8, 0, 4)), ((5, 4, 6), (3, 7, 8), (0, 1, 2))),
        ),
        (entrants(9), History(), {"usual": 3}, (((7, 2, 1), (6, 3, 5), (8, 0, 4)),)),
        (entrants(2), History(), {}, (((0, 1),),)),
        (
            entrants(11),
            BEFORE,
            {"rounds": 3},
            (
                ((9, 4, 8, 0), (7, 3, 5, 10), (6, 2, 1)),
                ((1, 8, 3, 6), (2, 10, 4, 9), (5, 0, 7)),
                ((10, 7, 9, 1), (2, 6, 8, 5), (3, 4, 0)),
            ),
        ),
        (entrants(11), BEFORE, {}, (((9, 0, 4, 6), (10, 7, 8, 1), (3, 2, 5)),)),
        (entrants(11)[::-1], BEFORE, {"swiss": 1.0}, (((6, 8, 5, 2), (9, 7, 3, 10), (1, 0, 4)),)),
        (entrants(13), History(), {"swiss": 0.3}, (((3, 2, 0, 1, 4), (5, 7, 6, 8), (12, 9, 10, 11)),)),
        (entrants(12), BEFORE, {"spread": True}, (((10, 4, 0, 6), (3, 7, 1, 9), (11, 2, 5, 8)),)),
        (entrants(10), History(), {"spread": True}, (((5, 3, 9, 2), (8, 6, 0), (1, 7, 4)),)),
        (in_pairs(8), History(), {"rounds": 2}, (((7, 5, 1, 2), (4, 6, 0, 3)), ((3, 1, 5, 6), (2, 4, 7, 0)))),
        (
            at_hours(9),
            History(),
            {"rounds": 2},
            (((2, 5, 6, 8, 0), (4, 3, 1, 7)), ((1, 6, 7, 0, 4), (8, 2, 3, 5))),
        ),
        (entrants(5), met(3), {"rounds": 2}, (((4, 0, 3, 2, 1),), ((1, 3, 4, 0, 2),))),
        (entrants(8), met(3), {}, (((7, 6, 0, 2), (4, 5, 3, 1)),)),
        (entrants(8), met(2), {}, (((7, 6, 0, 2), (4, 5, 3, 1)),)),
        (entrants(6), met(5), {}, (((1, 0, 5), (3, 2, 4)),)),
        (entrants(6), met(4), {}, (((1, 0, 5), (3, 2, 4)),)),
        (
            entrants(11),
            BEFORE,
            {"rounds": 2},
            (((5, 8, 3, 9), (10, 4, 7, 0), (6, 2, 1)), ((1, 10, 8, 6), (7, 0, 9, 2), (3, 5, 4))),
        ),
        (
            entrants(10),
            met(3),
            {"rounds": 2},
            (((2, 9, 3, 5), (8, 0, 6), (7, 4, 1)), ((1, 5, 0, 6), (3, 7, 9), (4, 2, 8))),
        ),
    ],
)
def test_the_pods_of_a_known_seed_stay_the_same(
    field: Sequence[Entrant], history: History, options: dict, drawn: tuple[tuple[Pod, ...], ...]
):
    assert draw(field, history, lots(1), **options) == drawn


@pytest.mark.parametrize("number", [1, 2, 3])
def test_every_round_is_drawn_as_it_was_planned_while_the_same_players_come(number: int):
    rounds = draw(entrants(7), History(), lots(1), rounds=3)
    history = History.of(rounds[: number - 1])
    assert draw_next(entrants(7), history, number, 4 - number, lots) == rounds[number - 1]


def test_the_rest_is_planned_anew_once_somebody_is_missing():
    history = History.of(draw(entrants(8), History(), lots(1), rounds=3)[:1])
    there = entrants(7)
    assert draw_next(there, history, 2, 2, lots) == draw(there, history, lots(2), rounds=2)[0]


def test_the_rest_is_planned_anew_after_other_pods_than_the_planned_ones():
    history = History.of([[(0, 1, 2, 3), (4, 5, 6, 7)]])
    assert draw_next(entrants(8), history, 2, 2, lots) == draw(entrants(8), history, lots(2), rounds=2)[0]


@pytest.mark.parametrize(
    ("players", "options", "sizes"),
    [(9, {}, [4, 5]), (9, {"no_fives": True}, [3, 3, 3]), (10, {"usual": 5}, [5, 5])],
)
def test_what_the_tables_are_like_holds_for_every_round(players: int, options: dict, sizes: list[int]):
    rounds = draw(entrants(players), History(), lots(1), rounds=2, **options)
    assert draw_next(entrants(players), History(), 1, 2, lots, **options) == rounds[0]
    late = History.of([[tuple(range(5)), tuple(range(5, players))]])
    others = draw_next(entrants(players), late, 2, 1, lots, **options)
    assert sorted(map(len, rounds[0])) == sorted(map(len, others)) == sizes


@pytest.mark.parametrize(
    ("players", "rounds", "repeats", "odd"),
    [
        (18, 4, 0, 2),
        (18, 5, 6, 2),
        (18, 6, 3, 3),
        (21, 4, 10, 2),
        (21, 6, 26, 2),
        (22, 6, 6, 2),
        (23, 3, 0, 1),
        (23, 6, 6, 1),
        (24, 5, 2, 0),
        (25, 4, 3, 1),
        (25, 5, 8, 2),
        (26, 5, 1, 2),
        (29, 5, 5, 1),
        (29, 6, 2, 2),
        (33, 5, 1, 1),
        (33, 6, 0, 2),
    ],
)
def test_the_better_of_a_stored_plan_and_a_search_is_drawn(players: int, rounds: int, repeats: int, odd: int):
    """Neither is always better: the last number is how often a player sits at a table that is not of four."""
    history = History.of(draw(entrants(players), History(), lots(1), rounds=rounds))
    assert (history.repeats(), max(history.odd.values(), default=0)) == (repeats, odd)


@pytest.mark.parametrize("rounds", [3, KEPT_ROUNDS])
def test_a_stored_plan_is_better_than_a_short_search(rounds: int):
    assert History.of(draw(entrants(28), History(), lots(1), rounds=rounds)).repeats() == 0


def test_a_stored_plan_is_for_the_usual_tables_only():
    [pods] = draw(entrants(28), History(), lots(1), usual=5)
    assert sorted(map(len, pods)) == [4, 4, 5, 5, 5, 5]


@pytest.mark.parametrize("players", [7, 10, 13, 17, 21, 22, 23, 36])
@pytest.mark.parametrize("history", [History(), BEFORE])
def test_the_rounds_of_a_plan_begin_with_the_fewest_repeats(players: int, history: History):
    rounds = draw(entrants(players), history, lots(1), rounds=KEPT_ROUNDS)
    repeats, so_far = [history.repeats()], history.copy()
    for pods in rounds:
        for pod in pods:
            so_far.add(pod)
        repeats.append(so_far.repeats())
    added = [after - before for before, after in pairwise(repeats)]
    assert added == sorted(added)


def test_who_is_kept_apart_by_one_side_only_is_drawn_apart():
    field = [Entrant(0, apart=frozenset({1, 2, 3, 4})), *entrants(9)[1:8], Entrant(8, apart=frozenset({1}))]
    for seed in range(5):
        for pod in draw(field, History(), lots(seed), usual=3)[0]:
            assert not (0 in pod and {1, 2, 3, 4} & {*pod})
            assert not {1, 8} <= {*pod}


@pytest.mark.parametrize(("others", "together"), [(0, False), (10, False), (11, True)])
def test_a_fourth_meeting_is_avoided_while_pairs_have_met_less_than_twice(others: int, together: bool):
    """At two tables of three, 0 and 1 meet again, or they meet four others again with whom they have met twice."""
    pairs = [(0, 1)] * 3 + [(first, second) for first in (0, 1) for second in (2, 3, 4, 5)] * 2
    history = History.of([[*pairs, *[(10, 11)] * others]])
    for seed in range(3):
        [pods] = draw(entrants(6), history, lots(seed))
        assert any({0, 1} <= {*pod} for pod in pods) is together
