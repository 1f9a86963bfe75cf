"""Duplicate: the worked example, boards that are the same everywhere, and the boards of the deal of the day."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.points import MICRO, MatchRules
from league.statistics.duplicate import (
    Attempt,
    beaten,
    board_dealer,
    compare,
    current_streak,
    day_board,
    fits,
    gained,
    match_score,
    month_list,
    playing_order,
    streak,
)
from marriage.decide import start
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed, recompute, record


def test_the_worked_example():
    found = compare({"a": [40], "b": [-10], "c": [-30]}, MatchRules(2000))
    assert [found[table][0].points for table in "abc"] == [2750, -750, -2000]
    assert [found[table][0].beaten for table in "abc"] == [1.0, 0.5, 0.0]


boards = st.integers(2, 6).flatmap(
    lambda tables: st.lists(st.tuples(*[st.integers(-99, 99)] * 4), min_size=tables, max_size=tables)
)


@given(boards, st.integers(900, 4000))
def test_each_seat_is_compared_with_itself_alone(results, par):
    found = compare(dict(enumerate(results)), MatchRules(par))
    tables = len(results)
    for seat in range(4):
        scores = [scored[seat] for scored in found.values()]
        assert abs(sum(score.points for score in scores)) <= tables
        assert sum(score.beaten for score in scores) == pytest.approx(tables / 2)
        alone = compare({table: [scored[seat]] for table, scored in enumerate(results)}, MatchRules(par))
        assert [score for [score] in alone.values()] == scores
        order = sorted(range(tables), key=lambda table: results[table][seat])
        assert [scores[table].points for table in order] == sorted(score.points for score in scores)


def test_a_margin_counts_no_more_than_a_deal_does():
    found = compare({"a": [40], "b": [-10]}, MatchRules(2000, cut=MICRO))
    assert [found[table][0].points for table in "ab"] == [1000, -1000]


def test_ties_count_half():
    found = compare({1: [5, -5], 2: [5, -5], 3: [9, -9]}, MatchRules(1200))
    assert [score.beaten for score in found[1]] == [0.25, 0.75]
    assert found[1] == found[2]


def test_one_table_is_nothing_to_compare():
    with pytest.raises(
        ValueError, match=r"^a board is compared between two tables or more, all of the same size$"
    ):
        compare({1: [3, -3]}, MatchRules(1200))
    with pytest.raises(ValueError, match="same size"):
        compare({1: [3, -3], 2: [1, 1, -2]}, MatchRules(1200))


def test_the_score_of_a_match():
    assert match_score([2750, -750, -2000, 400]) == 200
    assert match_score([-100, -100]) == -141
    assert [match_score([points]) for points in (1, 0, -1)] == [1, 0, -1]
    assert gained([2750, -750]) == 2 * MICRO
    assert isinstance(gained([1]), int)
    with pytest.raises(ValueError, match=r"^a match has one board or more$"):
        match_score([])


def test_tables_begin_at_different_boards():
    orders = [playing_order(table, 4, 12) for table in (1, 2, 3, 4)]
    assert [order[0] for order in orders] == [1, 4, 7, 10]
    assert orders[1] == (4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3)
    assert all(sorted(order) == list(range(1, 13)) for order in orders)
    assert len({playing_order(table, 5, 3)[0] for table in range(1, 6)}) == 1
    assert [board_dealer(number, 4) for number in range(1, 6)] == [0, 1, 2, 3, 0]


def test_who_can_play_duplicate():
    assert fits([4, 4, 4])
    assert fits([3, 3, 3])
    assert not fits([4, 4])
    assert not fits([4, 4, 3])
    assert not fits([5, 5, 5])


def test_all_tables_have_the_same_cards_and_one_record():
    rules, items = PRESETS["pagat"], ("0:1:-", "1:2:-")
    secret = DealSeed(bytes(range(32)), "set-1", 5, items)
    first, second = (start(rules, 4, board_dealer(5, 4), secret, board=True) for _ in range(2))
    assert first == second
    other = DealSeed(bytes(range(32)), "set-1", 6, items)
    assert start(rules, 4, 0, other, board=True)[0].hands != first[0].hands
    revealed = record(secret, rules.deck_size, rules.man_cards)
    assert revealed.commitment == secret.commitment(rules)
    assert len(recompute(revealed)) == 156


FIRST = date(2026, 11, 1)


def attempt(
    player: int, net: int, *, day: date = FIRST, finished: bool = True, deal: int | None = None
) -> Attempt:
    return Attempt(day, player, f"P{player}", net, finished, day.toordinal() if deal is None else deal)


def test_the_best_comes_first_equals_share_a_place_and_the_unfinished_come_last():
    lines = day_board([attempt(1, -5), attempt(2, 40), attempt(3, 99, finished=False), attempt(4, -5)])
    assert [(line.attempt.player, line.place, line.beaten) for line in lines] == [
        (2, 1, 1.0),
        (1, 2, 0.25),
        (4, 2, 0.25),
        (3, None, None),
    ]


def test_one_alone_has_nobody_to_compare_with():
    [line] = day_board([attempt(1, 12)])
    assert (line.place, line.beaten) == (1, None)


def test_a_month_is_ranked_by_the_mean_share_beaten_from_ten_days_on():
    days = [FIRST + timedelta(days=number) for number in range(10)]
    attempts = [attempt(1, 10, day=day) for day in days] + [attempt(2, -10, day=day) for day in days]
    attempts += [attempt(3, 90, day=days[0]), attempt(3, 0, day=days[1], finished=False)]
    lines = month_list(attempts)
    assert [(line.player, line.place, line.days) for line in lines] == [(1, 1, 10), (2, 2, 10), (3, None, 1)]
    assert lines[0].beaten == (9 + 0.5) / 10
    assert (lines[0].mean, lines[2].beaten) == (10, 1.0)


def test_a_day_without_company_does_not_count_in_the_month():
    assert month_list([attempt(1, 10)]) == ()


def test_two_deals_of_one_date_are_compared_each_for_itself_and_are_one_day_of_the_month():
    first = [attempt(1, 10, deal=1), attempt(2, 0, deal=1), attempt(3, 90, deal=1)]
    second = [attempt(1, 5, deal=2), attempt(2, 8, deal=2)]
    lines = month_list([*first, *second])
    assert [(line.player, line.days, line.beaten, line.mean) for line in lines] == [
        (3, 1, 1.0, 90),
        (2, 1, 0.5, 4),
        (1, 1, 0.25, 7.5),
    ]


def test_one_alone_at_two_deals_of_one_date_has_nobody_to_compare_with():
    assert month_list([attempt(1, 10, deal=1), attempt(1, 20, deal=2)]) == ()


def test_a_streak_is_broken_by_a_day_without_a_finish():
    days = {FIRST, FIRST + timedelta(days=1), FIRST + timedelta(days=3)}
    assert streak(days, FIRST + timedelta(days=3)) == 1
    assert streak(days, FIRST + timedelta(days=1)) == 2
    assert streak(days, FIRST + timedelta(days=2)) == 0


def test_in_the_month_points_order_those_who_beat_as_many():
    """Players 1 and 2 beat player 3 on ten days each; 2 won more. The others came too seldom for a place."""
    days = [FIRST + timedelta(days=number) for number in range(22)]
    attempts = [attempt(1, 10, day=day) for day in days[:10]] + [
        attempt(2, 20, day=day) for day in days[10:20]
    ]
    attempts += [attempt(3, 0, day=day) for day in days[:20]]
    for day, won in ((days[20], (6, -10, 10)), (days[21], (7, 8, 10))):
        attempts += [attempt(player, net, day=day) for player, net in zip((4, 5, 6), won, strict=True)]
    lines = month_list(attempts)
    assert [(line.place, line.player, line.name) for line in lines[:3]] == [
        (1, 2, "P2"),
        (2, 1, "P1"),
        (3, 3, "P3"),
    ]
    assert [(line.place, line.player, line.beaten) for line in lines[3:]] == [
        (None, 6, 1.0),
        (None, 4, 0.25),
        (None, 5, 0.25),
    ]


def test_in_the_month_a_player_has_their_latest_name():
    days = [FIRST + timedelta(days=number) for number in range(2)]
    called = [
        replace(attempt(1, 5, day=day), name=name) for day, name in zip(days, ("Ram", "Rama"), strict=True)
    ]
    lines = month_list([*called, *(attempt(2, 0, day=day) for day in days)])
    assert [line.name for line in lines if line.player == 1] == ["Rama"]


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=9))
def test_a_day_compares_each_player_with_every_other(nets: list[int]):
    for line in day_board([attempt(player, net) for player, net in enumerate(nets, 1)]):
        net, others = line.attempt.net, [*nets[: line.attempt.player - 1], *nets[line.attempt.player :]]
        assert line.place == 1 + sum(other > net for other in others)
        assert line.beaten == beaten(net, others)


class Counted(int):
    """Points that count how often any are compared."""

    comparisons = 0

    def __lt__(self, other: int) -> bool:
        Counted.comparisons += 1
        return int(self) < int(other)

    def __gt__(self, other: int) -> bool:
        Counted.comparisons += 1
        return int(self) > int(other)


def test_many_players_are_not_compared_one_by_one():
    """A look at the month of a large server would hold everyone up for seconds."""
    players = 400
    attempts = [attempt(player, Counted(player % 97)) for player in range(players)]
    assert len(day_board(attempts)) == len(month_list(attempts)) == players
    assert Counted.comparisons < 100 * players


def test_a_streak_goes_on_until_a_whole_day_was_missed():
    days = {FIRST, FIRST + timedelta(days=1)}
    found = [current_streak(days, FIRST + timedelta(days=number)) for number in range(1, 4)]
    assert found == [2, 2, 0]
    assert current_streak(set(), FIRST) == 0
