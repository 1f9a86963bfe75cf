"""Moments, dates and hours as people's clocks show them."""

from datetime import UTC, date, datetime

import pytest

from league.times import (
    DAY,
    HOUR,
    at_hour,
    days_later,
    is_timezone,
    local,
    milliseconds,
    on_day,
    timezone_named,
    timezones,
    utc,
)

KATHMANDU = "Asia/Kathmandu"
MOMENT = 1_795_003_200_500
"""Half a second past noon of UTC on 18 November 2026."""


def test_a_moment_is_a_date_and_back():
    assert utc(MOMENT) == datetime(2026, 11, 18, 12, 0, 0, 500_000, UTC)
    assert milliseconds(utc(MOMENT)) == MOMENT


def test_clocks_elsewhere_show_another_hour():
    there = local(MOMENT, KATHMANDU)
    assert there.isoformat() == "2026-11-18T17:45:00.500000+05:45"
    assert milliseconds(there) == MOMENT


def test_an_hour_of_the_day_is_that_of_the_clocks_there():
    noon = MOMENT - 500
    assert at_hour(MOMENT, KATHMANDU, 19) == noon + HOUR + HOUR // 4
    assert at_hour(MOMENT, KATHMANDU, 19, 2) == noon + HOUR + HOUR // 4 + 2 * DAY
    assert at_hour(MOMENT + 7 * HOUR, KATHMANDU, 0) == noon + 6 * HOUR + HOUR // 4, "it is the next day there"
    assert on_day(date(2026, 11, 18), "UTC", 12) == noon


@pytest.mark.parametrize("unknown", ["Mars/Olympus", "../etc", ""])
def test_an_unknown_time_zone_counts_as_utc(unknown: str):
    assert not is_timezone(unknown)
    assert local(MOMENT, unknown) == utc(MOMENT)
    assert local(MOMENT, unknown).utcoffset() == utc(MOMENT).utcoffset()
    assert on_day(date(2026, 11, 18), unknown, 12) == MOMENT - 500


def test_a_day_later_clocks_show_the_same_hour():
    before = 1_774_700_000_000  # London's clocks go forward in the following night
    after = days_later(before, "Europe/London", 1)
    assert local(after, "Europe/London").time() == local(before, "Europe/London").time()
    assert after - before == DAY - 3_600_000


def test_a_time_zone_that_nobody_knows_is_none():
    assert timezone_named(" asia/kathmandu ") == KATHMANDU
    assert timezone_named("Mars/Olympus") is None
    assert timezone_named("america/new york") == "America/New_York"


def test_every_time_zone_is_known_by_its_own_name():
    assert {KATHMANDU, "UTC"} < timezones()
    assert all(is_timezone(name) for name in timezones())
