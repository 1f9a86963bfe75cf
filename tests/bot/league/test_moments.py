"""Moments as people type them."""

from datetime import UTC, datetime

import pytest

from bot.errors import UserError
from bot.league.moments import read_moment
from bot.league.number_settings import changed
from league.settings import default_settings
from league.times import milliseconds
from league.wall_clock import local

NOW = milliseconds(datetime(2026, 11, 22, 17, 5, tzinfo=UTC))
"""A Sunday, 22:50 in Nepal."""
KATHMANDU = "Asia/Kathmandu"


@pytest.mark.parametrize(
    ("typed", "language", "meant"),
    [
        ("tomorrow 8pm", "en", "2026-11-23 20:00"),
        ("Tomorrow 8pm", "ne", "2026-11-23 20:00"),
        ("18:30", "en", "2026-11-23 18:30"),
        ("23:30", "en", "2026-11-22 23:30"),
        ("friday 18:30", "en", "2026-11-27 18:30"),
        ("in 2h 30m", "en", "2026-11-23 01:20"),
        ("in 90 minutes", "en", "2026-11-23 00:20"),
        ("2026-12-01 18:30", "en", "2026-12-01 18:30"),
        ("01/02 18:30", "en", "2027-02-01 18:30"),
        ("18:30 +2", "en", "2026-11-23 22:15"),
        ("20:00 +2", "en", "2026-11-22 23:45"),
        ("11:00 UTC", "en", "2026-11-23 16:45"),
        ("2026-12-01 18:30 -05:00", "en", "2026-12-02 05:15"),
        ("2026-12-01 12:45 UTC", "en", "2026-12-01 18:30"),
        ("<t:1795000000:R>", "en", "2026-11-18 16:51"),
        ("भोलि २० बजे", "ne", "2026-11-23 20:00"),
        ("शुक्रबार बेलुका ७:३० बजे", "ne", "2026-11-27 19:30"),
        ("कल शाम 8 बजे", "hi", "2026-11-23 20:00"),
        ("8pm +5:45", "en", "2026-11-23 20:00"),
        ("8.30 PM", "en", "2026-11-23 20:30"),
        ("12 am tomorrow", "en", "2026-11-23 00:00"),
        ("sunday 23:30", "en", "2026-11-22 23:30"),
        ("Sunday at 11:30 pm", "en", "2026-11-22 23:30"),
        ("sunday 20:00", "en", "2026-11-29 20:00"),
        ("next sunday 23:30", "en", "2026-11-29 23:30"),
        ("tomorrow 22:50", "en", "2026-11-23 22:50"),
        ("भोलि बिहान १० बजे", "ne", "2026-11-23 10:00"),
        ("भोलि दिउँसो २ बजे", "ne", "2026-11-23 14:00"),
        ("पर्सि १८:३०", "ne", "2026-11-24 18:30"),
        ("शनिवार ८ बजे", "ne", "2026-11-28 08:00"),
        ("कल सुबह 10 बजे", "hi", "2026-11-23 10:00"),
        ("कल दोपहर 2 बजे", "hi", "2026-11-23 14:00"),
        ("परसों शाम 7 बजे", "hi", "2026-11-24 19:00"),
    ],
)
def test_a_moment_is_read_in_the_time_zone_of_the_league(typed: str, language: str, meant: str):
    read = read_moment(typed, NOW, KATHMANDU, language)
    assert f"{local(read, KATHMANDU):%Y-%m-%d %H:%M}" == meant


@pytest.mark.parametrize(
    "typed",
    [
        "soon",
        "",
        "tomorrow",
        "may",
        "5",
        "2026-12-01",
        "25:00",
        "18:30 +99:99",
        "1 " * 30,
        "tomorrow 8pm" + " " + "at 8 " * 1_000 + "pm",
        "रात 2 बजे",
    ],
)
def test_what_names_no_time_of_day_is_refused_and_the_refusal_names_the_time_zone(typed: str):
    with pytest.raises(UserError, match="unread_time") as refused:
        read_moment(typed, NOW, KATHMANDU)
    assert refused.value.values["timezone"] == KATHMANDU


def test_a_time_means_the_same_hour_on_both_sides_of_a_change_to_daylight_saving():
    march = milliseconds(datetime(2026, 3, 28, 12, tzinfo=UTC))
    before, after = (read_moment(day, march, "Europe/London") for day in ("today 20:00", "tomorrow 20:00"))
    assert after - before == 23 * 3_600_000


def test_a_length_of_time_is_that_long_though_the_clocks_are_set_forward_meanwhile():
    evening = milliseconds(datetime(2026, 3, 28, 20, tzinfo=UTC))
    for typed in ("in 6h", "in 6 hours", "in 360 minutes", "in 5 hrs 60 min"):
        assert read_moment(typed, evening, "Europe/London") - evening == 6 * 3_600_000


def test_a_time_zone_is_typed_in_any_letters_and_has_to_exist():
    pods = default_settings("pods")
    assert changed(pods, "timezone", " asia/kathmandu ").timezone == KATHMANDU
    assert changed(pods, "timezone", "america/new york").timezone == "America/New_York"
    with pytest.raises(UserError, match="no_timezone"):
        changed(pods, "timezone", "../etc/passwd")
