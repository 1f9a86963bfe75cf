"""The boards of the deal of the day."""

from datetime import date, timedelta

from league.statistics.duplicate import Attempt, day_board, month_list, streak

FIRST = date(2026, 11, 1)


def attempt(player: int, net: int, *, day: date = FIRST, finished: bool = True) -> Attempt:
    return Attempt(day, player, f"P{player}", net, finished)


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


def test_a_streak_is_broken_by_a_day_without_a_finish():
    days = {FIRST, FIRST + timedelta(days=1), FIRST + timedelta(days=3)}
    assert streak(days, FIRST + timedelta(days=3)) == 1
    assert streak(days, FIRST + timedelta(days=1)) == 2
    assert streak(days, FIRST + timedelta(days=2)) == 0
