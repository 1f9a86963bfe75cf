"""The tables of a round: their sizes, the fewest repeats, the seats, and the counts of who met whom."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.pairing.pods import (
    History,
    chance,
    fewest_by_overlap,
    fewest_repeats,
    kept_apart,
    mix,
    seated,
    slots_of,
    swiss_weight,
    table_sizes,
)


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (2, (2,)),
        (3, (3,)),
        (4, (4,)),
        (5, (5,)),
        (6, (3, 3)),
        (7, (4, 3)),
        (8, (4, 4)),
        (9, (5, 4)),
        (10, (4, 3, 3)),
        (11, (4, 4, 3)),
        (13, (5, 4, 4)),
        (14, (4, 4, 3, 3)),
        (17, (5, 4, 4, 4)),
        (18, (4, 4, 4, 3, 3)),
        (21, (5, 4, 4, 4, 4)),
        (50, (4,) * 11 + (3,) * 2),
    ],
)
def test_table_sizes(players, sizes):
    assert table_sizes(players) == sizes


def test_no_fives():
    assert table_sizes(9, no_fives=True) == (3, 3, 3)
    assert table_sizes(5, no_fives=True) == (5,)
    assert all(max(table_sizes(players, no_fives=True)) < 5 for players in range(6, 200))
    with pytest.raises(ValueError, match=r"^a draw needs two players or more$"):
        table_sizes(1)


@given(st.integers(3, 500), st.booleans())
def test_everybody_has_a_seat(players, no_fives):
    sizes = table_sizes(players, no_fives=no_fives)
    assert sum(sizes) == players
    assert set(sizes) <= {3, 4, 5}


@pytest.mark.parametrize(
    ("players", "rounds", "repeats"), [(8, 4, 20), (10, 6, 27), (12, 6, 42), (16, 5, 0), (24, 8, 12)]
)
def test_the_bound(players, rounds, repeats):
    assert fewest_repeats(players, rounds) == repeats


def test_with_few_tables_two_rounds_overlap_more():
    assert [fewest_by_overlap(players, 7) for players in (6, 8, 9, 13, 24)] == [42, 84, 126, 84, 0]


@pytest.mark.parametrize(
    ("players", "usual", "sizes"),
    [
        (12, 3, (3, 3, 3, 3)),
        (13, 3, (4, 3, 3, 3)),
        (15, 5, (5, 5, 5)),
        (14, 5, (5, 5, 4)),
        (12, 4, (4, 4, 4)),
        (20, 5, (5, 5, 5, 5)),
        (10, 4, (4, 3, 3)),
    ],
)
def test_tables_have_the_usual_size_where_it_can_be(players: int, usual: int, sizes: tuple[int, ...]):
    assert table_sizes(players, usual=usual) == sizes
    assert table_sizes(players, usual=usual, no_fives=True) == sizes


def test_a_table_has_three_to_five_players_even_if_another_size_were_nearer_to_the_usual_one():
    assert table_sizes(5, usual=3) == (5,)
    assert table_sizes(6, usual=5) == (3, 3)


def test_without_fives_the_bounds_are_those_of_smaller_tables():
    assert (fewest_repeats(9, 7), fewest_by_overlap(9, 7)) == (120, 126)
    assert [fewest_repeats(9, 7, no_fives=fives) for fives in (False, True)] == [120, 27]
    assert [fewest_by_overlap(9, 7, no_fives=fives) for fives in (False, True)] == [126, 0]


def test_a_single_table_meets_again_in_every_round():
    assert [fewest_by_overlap(4, rounds) for rounds in (1, 2, 3)] == [0, 6, 18]


def test_a_lower_bound_is_rounded_up():
    assert [fewest_by_overlap(players, 2) for players in (6, 10, 11)] == [2, 1, 2]


@pytest.mark.parametrize(("players", "weight"), [(31, 1.0), (32, 0.3)])
def test_in_a_large_field_the_standings_count_less(players: int, weight: float):
    assert swiss_weight(players) == weight


MET = ((1, 2, 3, 4), (5, 6, 7)), ((4, 2, 5), (1, 3, 6, 7))


def test_two_rounds_are_counted():
    history = History.of(MET)
    assert history.meetings[frozenset((1, 3))] == 2
    assert history.meetings.total() == 18
    assert history.odd == Counter({5: 2, 2: 1, 4: 1, 6: 1, 7: 1})
    assert history.seats[2, 1] == 2
    assert history.seats.total() == history.before.total() == 14
    pairs = ((4, 1), (1, 4), (7, 5), (3, 6))
    assert [history.before[pair] for pair in pairs] == [1, 0, 1, 1]
    assert history.repeats() == 3


def test_a_third_meeting_counts_twice():
    history = History.of([[(1, 2)]] * 3)
    assert history.repeats() == 3


def test_a_copy_of_the_counts_is_added_to_alone():
    history = History.of(MET)
    copied = history.copy()
    assert copied == history
    copied.add((1, 2, 3))
    assert history == History.of(MET)
    assert copied == History.of([*MET, [(1, 2, 3)]])


def test_who_played_how_many_rounds_is_known():
    history = History.of(MET)
    assert history.everybody_played(range(1, 8), 2)
    assert not history.everybody_played(range(1, 8), 1)
    assert not history.everybody_played(range(1, 9), 2)
    assert not history.everybody_played(range(1, 7), 2)


def test_each_of_a_pair_is_kept_from_the_other():
    assert kept_apart([frozenset((1, 2)), frozenset((1, 3))]) == {
        1: frozenset((2, 3)),
        2: frozenset((1,)),
        3: frozenset((1,)),
    }


def test_the_lots_of_a_draw_stay_the_same_in_later_versions():
    """Who checks the draw of a past season computes it from the revealed seed."""
    lots = chance(bytes(range(32)), "Autumn", 3)
    assert lots.random() == 0.18337240644091768
    others = chance(bytes(32), "Autumn", 3), chance(bytes(range(32)), "Spring", 3)
    assert lots.random() not in [other.random() for other in others]
    order = [*range(8)]
    mix(order, Random(1))
    assert order == [0, 2, 3, 6, 7, 4, 5, 1]


def test_every_order_of_a_short_list_is_mixed():
    found, random = Counter[tuple[int, ...]](), Random(1)
    for _ in range(6_000):
        order = [1, 2, 3]
        mix(order, random)
        found[tuple(order)] += 1
    assert len(found) == 6
    assert all(900 < times < 1100 for times in found.values())


def test_every_slot_knows_its_table_and_the_others_there():
    company, table_of, odd = slots_of((4, 3))
    assert company == [(1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2), (5, 6), (4, 6), (4, 5)]
    assert table_of == [0, 0, 0, 0, 1, 1, 1]
    assert odd == [False] * 4 + [True] * 3


def test_a_player_gets_the_seat_that_they_had_least():
    history = History.of([[(1, 2, 3)], [(3, 1, 2)]])
    assert {seated((1, 2, 3), history, Random(seed)) for seed in range(9)} == {(2, 3, 1)}


def test_where_seats_are_even_a_player_sits_before_whom_they_preceded_least():
    history = History.of([[(1, 2, 3)], [(3, 1, 2)], [(2, 3, 1)]])
    orders = {seated((1, 2, 3), history, Random(seed)) for seed in range(20)}
    assert orders == {(1, 3, 2), (3, 2, 1), (2, 1, 3)}
