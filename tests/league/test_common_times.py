"""Times that suit all players of a pod."""

import pytest

from league.matches.times import BLOCKS, Hours, common_times
from league.times import DAY, HOUR, local

NOW = 1_795_003_200_000
"""Noon of UTC on 18 November 2026."""
KATHMANDU, LONDON, SYDNEY = "Asia/Kathmandu", "Europe/London", "Australia/Sydney"


def hours(zone: str, name: str) -> Hours:
    return Hours(zone, *BLOCKS[name])


def times(*players: Hours, due: int = NOW + 7 * DAY, most: int = 3) -> list[int]:
    return common_times(players, NOW, due, KATHMANDU, 19, most)


def test_every_day_has_the_time_nearest_to_the_hour_of_draws():
    found = times(hours(KATHMANDU, "any"), hours(KATHMANDU, "any"))
    assert [local(at, KATHMANDU).hour for at in found] == [19, 19, 19]
    assert [at - found[0] for at in found] == [0, DAY, 2 * DAY]


def test_everybody_plays_by_the_clocks_where_they_are():
    found = times(hours(KATHMANDU, "evenings"), hours(LONDON, "days"))
    assert found
    for at in found:
        assert 17 <= local(at, KATHMANDU).hour <= 21
        assert 9 <= local(at, LONDON).hour <= 16


@pytest.mark.parametrize("name", BLOCKS)
def test_a_match_ends_within_the_hours(name: str):
    first, count = BLOCKS[name]
    own = hours("UTC", name)
    suiting = {hour for hour in range(24) if own.suit(hour * HOUR)}
    expected = set(range(24)) if count == 24 else {(first + hour) % 24 for hour in range(count - 1)}
    assert suiting == expected


def test_sometimes_nothing_suits_all():
    assert times(hours(LONDON, "mornings"), hours(SYDNEY, "mornings")) == []
    assert times(hours(KATHMANDU, "any"), due=NOW + HOUR) == []
