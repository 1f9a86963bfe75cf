"""When a proposed time holds for a pod, what it takes to change it, and times that suit all."""

import pytest

from league.matches.times import BLOCKS, Hours, Proposal, common_times
from league.times import DAY, HOUR, at_hour, local

POD = (1, 2, 3, 4)
HOURS = 12


def proposal(*agreed: int, at: int = 24, since: int = 0) -> Proposal:
    return Proposal(at, since, agreed)


@pytest.mark.parametrize(
    ("agreed", "players", "holds"),
    [
        ((1,), POD, 12),
        ((1, 2), POD, 12),
        ((1, 2, 3), POD, 0),
        ((1, 2, 3, 4), POD, 0),
        ((1, 2), (1, 2, 3), 0),
        ((1,), (1, 2), 12),
        ((1, 2, 3), (1, 2, 3, 4, 5), 0),
        ((1, 2, 9), POD, 12),
    ],
)
def test_a_majority_agrees_or_silence_does(agreed, players, holds):
    assert proposal(*agreed).holds_from(players, HOURS) == holds


def test_a_time_that_the_others_could_not_see_holds_only_once_all_agree():
    assert proposal(1, 2, 3, at=11).holds_from(POD, HOURS) is None
    assert proposal(1, at=11).holds_from(POD, HOURS) is None
    assert proposal(1, 2, 3, 4, at=11).holds_from(POD, HOURS) == 0
    assert proposal(1, 2, 3, at=12).holds_from(POD, HOURS) == 0


def test_the_time_of_a_match_that_begins_when_it_is_drawn_holds_for_a_substitute_too():
    assert proposal(*POD, at=24, since=24).holds_from((1, 2, 3, 9), HOURS) == 24


@pytest.mark.parametrize(
    ("held", "change", "replaces"),
    [
        ((1, 2, 3, 4), (4,), False),
        ((1, 2, 3, 4), (1, 2, 3), False),
        ((1, 2, 3, 4), (1, 2, 3, 4), True),
        ((1, 2, 3), (1, 2, 4), True),
        ((1, 2, 3), (1, 2), False),
        ((1,), (2,), False),
        ((1,), (2, 3, 4), True),
    ],
)
def test_a_change_takes_the_consent_that_the_time_took(held, change, replaces):
    assert proposal(*change, at=30).replaces(proposal(*held), POD, HOURS) is replaces


def test_a_change_at_short_notice_takes_everybody():
    assert not proposal(1, 2, 3, at=20, since=10).replaces(proposal(1, 2, 3), POD, HOURS)
    assert proposal(1, 2, 3, 4, at=20, since=10).replaces(proposal(1, 2, 3), POD, HOURS)


def test_the_hours_to_answer_count_from_the_proposal():
    assert proposal(1, 2, 3, at=31, since=20).holds_from(POD, HOURS) is None
    assert proposal(1, 2, 3, at=32, since=20).holds_from(POD, HOURS) == 20
    assert proposal(1, 2, 3, at=32, since=20).replaces(proposal(1, 2, 3), POD, HOURS)


def test_half_of_a_pod_is_no_majority_for_a_change():
    assert not proposal(1, 2, at=30).replaces(proposal(1), POD, HOURS)
    assert proposal(1, 2, 3, at=30).replaces(proposal(1), POD, HOURS)


def test_to_agree_twice_is_to_agree_once():
    assert proposal(1).agreed_by(2).agreed_by(2) == proposal(1, 2)


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


def test_a_day_gives_at_most_one_time_and_none_that_is_too_soon_or_too_late():
    first = local(NOW, "UTC").hour
    anyone = [hours("UTC", "any")]
    assert common_times(anyone, NOW, NOW + 2 * HOUR, "UTC", first, 5) == [NOW + HOUR]
    assert common_times(anyone, NOW, NOW + 2 * HOUR - 1, "UTC", first, 5) == []
    assert common_times(anyone, NOW, NOW + 3 * DAY, "UTC", first, 2) == [NOW + HOUR, NOW + DAY]
    assert common_times(anyone, NOW, NOW + 36 * HOUR + 1, "UTC", 0, 5) == [
        NOW + HOUR,
        NOW + 12 * HOUR,
    ], "the third day begins too late"


def test_the_earlier_of_two_hours_that_are_as_near_is_taken():
    assert common_times([Hours("UTC", 17, 2), Hours("UTC", 0, 24)], NOW, NOW + DAY, "UTC", 16, 1) == [
        NOW + 5 * HOUR
    ]
    around = [Hours("UTC", 20, 22)]  # any hour but 17, 18 and 19
    assert common_times(around, NOW, NOW + DAY, "UTC", 18, 1) == [NOW + 4 * HOUR]


def test_a_match_may_begin_at_midnight_an_hour_before_the_deadline():
    due = at_hour(NOW, KATHMANDU, 1, 1)
    assert times(Hours(KATHMANDU, 0, 2), due=due) == [due - HOUR]
    assert times(Hours(KATHMANDU, 0, 2), due=due - 1) == []
