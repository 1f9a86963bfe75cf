"""Moments as people type them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import UserError
from bot.league.moments import read_moment
from bot.league.number_settings import changed
from league.settings import default_settings
from league.times import DAY, HOUR, MINUTE, local, milliseconds

NOW = milliseconds(datetime(2026, 11, 22, 17, 5, tzinfo=UTC))
"""A Sunday, 22:50 in Nepal."""
KATHMANDU = "Asia/Kathmandu"


ENGLISH = (
    {
        "today": 22,
        "tomorrow": 23,
        "friday": 27,
        "Saturday": 28,
        "2026-11-30": 30,
        "on 25 November": 25,
        "nov 26": 26,
    },
    {
        "23:00": 23,
        "8pm": 20,
        "11.30 pm": 23,
        "20h": 20,
        "at 9 in the evening": 21,
        "7 in the morning": 7,
        "noon": 12,
    },
)
NEPALI = (
    {"आज": 22, "भोलि": 23, "पर्सि": 24, "बिहीबार": 26, "शनिबार": 28, "२५ नोभेम्बर": 25, "30/11/2026": 30},
    {"२३:००": 23, "बिहान ६ बजे": 6, "दिउँसो २ बजे": 14, "बेलुका ८ बजे": 20, "साँझ ७:३०": 19, "राति ९ बजे": 21},
)
HINDI = (
    {"आज": 22, "कल": 23, "परसों": 24, "गुरुवार": 26, "रविवार को": 29, "25 नवंबर": 25, "२०२६-११-३०": 30},
    {"21:00": 21, "सुबह 6 बजे": 6, "दोपहर 12 बजे": 12, "शाम को 7 बजे": 19, "रात के 10 बजे": 22, "सवा 8 बजे": 8},
)
"""Days of November and hours, as each language says them."""
DAYS = tuple(day for days, _ in (ENGLISH, NEPALI, HINDI) for day in days)
TIMES = tuple(time for _, times in (ENGLISH, NEPALI, HINDI) for time in times)


def shown(typed: str, now: int = NOW, timezone: str = KATHMANDU) -> str:
    return f"{local(read_moment(typed, now, timezone), timezone):%Y-%m-%d %H:%M}"


def refusal(typed: str, now: int = NOW, timezone: str = KATHMANDU) -> UserError:
    with pytest.raises(UserError) as refused:
        read_moment(typed, now, timezone)
    return refused.value


def outcome(typed: str, now: int) -> int | tuple[str, str]:
    """Return the moment that a text is parsed as, or the refusal."""
    try:
        return read_moment(typed, now, KATHMANDU)
    except UserError as refused:
        return refused.key, str(refused.values)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("18:30", "2026-11-23 18:30"),
        ("23:30", "2026-11-22 23:30"),
        ("in 2h 30m", "2026-11-23 01:20"),
        ("in 90 minutes", "2026-11-23 00:20"),
        ("in an hour", "2026-11-22 23:50"),
        ("2 घंटे बाद", "2026-11-23 00:50"),
        ("२ घण्टा ३० मिनेटपछि", "2026-11-23 01:20"),
        ("18:30 +2", "2026-11-23 22:15"),
        ("20:00 +2", "2026-11-22 23:45"),
        ("11:00 UTC", "2026-11-23 16:45"),
        ("8pm +5:45", "2026-11-23 20:00"),
        ("8pm utc-5", "2026-11-23 06:45"),
        ("2026-12-01 18:30 -05:00", "2026-12-02 05:15"),
        ("18:30 -5 2026-12-01", "2026-12-02 05:15"),
        ("2026-12-01 12:45 UTC", "2026-12-01 18:30"),
        ("<t:1795000000:R>", "2026-11-18 16:51"),
        ("8.30 PM", "2026-11-23 20:30"),
        ("20h", "2026-11-23 20:00"),
        ("tomorrow 20h30", "2026-11-23 20:30"),
        ("12 am tomorrow", "2026-11-23 00:00"),
        ("noon tomorrow", "2026-11-23 12:00"),
        ("tomorrow 22:50", "2026-11-23 22:50"),
        ("sunday 23:30", "2026-11-22 23:30"),
        ("Sunday at 11:30 pm", "2026-11-22 23:30"),
        ("sunday 20:00", "2026-11-29 20:00"),
        ("next sunday 23:30", "2026-11-29 23:30"),
        ("today 08:00", "2026-11-22 08:00"),
        ("18:30 friday", "2026-11-27 18:30"),
        ("20:00 tomorrow", "2026-11-23 20:00"),
        ("18:30 2026-12-01", "2026-12-01 18:30"),
        ("01/02 18:30", "2027-02-01 18:30"),
        ("friday 27 november 18:30", "2026-11-27 18:30"),
        ("December 1st, 2026 8pm", "2026-12-01 20:00"),
        ("7 december 8 in the evening", "2026-12-07 20:00"),
        ("evening 7 december 8", "2026-12-08 19:00"),
        ("8 in the evening, day after tomorrow", "2026-11-24 20:00"),
        ("in 2 days at 18:30", "2026-11-24 18:30"),
        ("राति १ बजे", "2026-11-23 01:00"),
        ("रात 2 बजे", "2026-11-23 02:00"),
        ("रात १२ बजे", "2026-11-23 00:00"),
        ("आज राति १२:३० बजे", "2026-11-23 00:30"),
        ("tonight at 1", "2026-11-23 01:00"),
        ("midnight", "2026-11-23 00:00"),
        ("रात 9 बजे", "2026-11-23 21:00"),
        ("बिहान ६ बजे", "2026-11-23 06:00"),
        ("भोलिको बिहान ११ बजे", "2026-11-23 11:00"),
        ("भोलि २० बजे", "2026-11-23 20:00"),
        ("भोली बेलुका ७.३०", "2026-11-23 19:30"),
        ("भोलि दिउँसो १२ बजे", "2026-11-23 12:00"),
        ("दिनको ११ बजे", "2026-11-23 11:00"),
        ("शुक्रबार साँझ साढे ७ बजे", "2026-11-27 19:30"),
        ("पर्सि १८:३०", "2026-11-24 18:30"),
        ("शनिवार ८ बजे", "2026-11-28 08:00"),
        ("मङ्गलबार दिउँसो २ बजे", "2026-11-24 14:00"),
        ("१ डिसेम्बर १८:३०", "2026-12-01 18:30"),
        ("bholi beluka 8 baje", "2026-11-23 20:00"),
        ("कल सुबह 10 बजे", "2026-11-23 10:00"),
        ("कल दोपहर 2 बजे", "2026-11-23 14:00"),
        ("दोपहर पौने 1 बजे", "2026-11-23 12:45"),
        ("परसों शाम 7 बजे", "2026-11-24 19:00"),
        ("परसों 19:00", "2026-11-24 19:00"),
        ("गुरुवार की शाम 7 बजे", "2026-11-26 19:00"),
        ("1 दिसंबर 18:30", "2026-12-01 18:30"),
        ("kal raat 9 baje", "2026-11-23 21:00"),
    ],
)
def test_a_moment_is_read_by_the_clocks_of_the_time_zone(typed: str, meant: str):
    assert shown(typed) == meant


@pytest.mark.parametrize(
    ("day", "time", "date", "hour"),
    [
        (day, time, date, hour)
        for days, times in (ENGLISH, NEPALI, HINDI)
        for day, date in days.items()
        for time, hour in times.items()
    ],
)
def test_day_and_time_are_read_in_either_order(day: str, time: str, date: int, hour: int):
    for typed in (f"{day} {time}", f"{time} {day}"):
        assert shown(typed)[:13] == f"2026-11-{date} {hour:02}"


@given(st.sampled_from(DAYS), st.sampled_from(TIMES), st.integers(NOW - 400 * DAY, NOW + 400 * DAY))
def test_day_then_time_is_time_then_day_in_any_mixture_of_languages(day: str, time: str, now: int):
    assert outcome(f"{day} {time}", now) == outcome(f"{time} {day}", now)


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from((*DAYS, *TIMES, "next", "this", "राति १२", "+5:45", "-9", "29/02", "8", "in 2 days"))
    ).map(" ".join)
)
def test_whatever_is_typed_is_read_or_refused(typed: str):
    outcome(typed, NOW)


@pytest.mark.parametrize(
    "typed",
    [
        "soon",
        "",
        "tomorrow",
        "may",
        "5",
        "2h",
        "8h",
        "2026-12-01",
        "25:00",
        "24:00",
        "18:60",
        "13 pm",
        "18:30 +99:99",
        "31/11 18:30",
        "1 " * 30,
        "tomorrow 8pm" + " " + "at 8 " * 1_000 + "pm",
        "not tomorrow 8pm",
        "tomorrow 8pm please",
        "tomorrow 8",
        "8pm-9pm",
        "8:00-9:00",
        "tomorrow friday 18:30",
        "friday 1 december 18:30",
        "tomorrow 18:30 20:00",
        "morning 8pm",
        "evening 7 december",
        "next week 18:30",
        "बिहान १२ बजे",
        "राति ५ बजे",
        "बेलुका १२ बजे",
        "2 दिन",
        "भोलि ८ बजेतिर",
        "<t:070001000:f>",
    ],
)
def test_what_is_not_understood_to_the_last_word_is_refused_and_the_refusal_names_the_time_zone(typed: str):
    refused = refusal(typed)
    assert (refused.key, refused.values["timezone"]) == ("league.unread_time", KATHMANDU)


@pytest.mark.parametrize(
    ("typed", "choices"),
    [
        ("भोलि राति १ बजे", ["2026-11-23 01:00 +05:45", "2026-11-24 01:00 +05:45"]),
        ("रात 12 बजे कल", ["2026-11-23 00:00 +05:45", "2026-11-24 00:00 +05:45"]),
        ("sunday night 1am", ["2026-11-23 01:00 +05:45", "2026-11-29 01:00 +05:45"]),
        ("midnight 2026-12-01", ["2026-12-01 00:00 +05:45", "2026-12-02 00:00 +05:45"]),
        ("18:30 next friday", ["2026-11-27 18:30 +05:45", "2026-12-04 18:30 +05:45"]),
        ("अर्को शुक्रबार बेलुका ८ बजे", ["2026-11-27 20:00 +05:45", "2026-12-04 20:00 +05:45"]),
    ],
)
def test_what_can_mean_two_moments_is_refused_with_what_to_type_for_each(typed: str, choices: list[str]):
    refused = refusal(typed)
    assert refused.key == "league.unclear_time"
    assert [line.split("`")[1] for line in refused.values["choices"].splitlines()] == choices
    assert [shown(choice) for choice in choices] == [choice[:16] for choice in choices]


def test_tomorrow_with_an_offset_can_be_two_days():
    night = milliseconds(datetime(2026, 11, 22, 20, tzinfo=UTC))
    assert refusal("tomorrow 20:00 UTC", night).key == "league.unclear_time"


@pytest.mark.parametrize(
    ("minute", "typed", "meant"),
    [
        (-1, "today 23:59", "2026-11-22 23:59"),
        (-1, "00:00", "2026-11-23 00:00"),
        (-1, "रात 12 बजे", "2026-11-23 00:00"),
        (-1, "monday 00:00", "2026-11-23 00:00"),
        (0, "00:00", "2026-11-24 00:00"),
        (0, "रात 12 बजे", "2026-11-24 00:00"),
        (0, "monday 00:00", "2026-11-30 00:00"),
        (0, "आज 00:01", "2026-11-23 00:01"),
        (0, "भोलि १८:३०", "2026-11-24 18:30"),
    ],
)
def test_a_day_begins_at_midnight(minute: int, typed: str, meant: str):
    midnight = milliseconds(datetime(2026, 11, 22, 18, 15, tzinfo=UTC))
    assert shown(typed, midnight + minute * MINUTE) == meant


def test_a_time_means_the_same_hour_on_both_sides_of_a_change_to_daylight_saving():
    march = milliseconds(datetime(2026, 3, 28, 12, tzinfo=UTC))
    before, after = (read_moment(day, march, "Europe/London") for day in ("today 20:00", "tomorrow 20:00"))
    assert after - before == 23 * 3_600_000


def test_a_time_that_the_clocks_skip_is_refused():
    march = milliseconds(datetime(2026, 3, 28, 12, tzinfo=UTC))
    for typed in ("tomorrow 01:30", "01:30", "sunday 1:30 am"):
        assert refusal(typed, march, "Europe/London").key == "league.skipped_time"
    assert shown("01:30", march + DAY, "Europe/London") == "2026-03-30 01:30"


def test_a_time_that_the_clocks_show_twice_has_to_be_told_apart():
    october = milliseconds(datetime(2026, 10, 24, 12, tzinfo=UTC))
    refused = refusal("01:30 tomorrow", october, "Europe/London")
    first, second = (line.split("`")[1] for line in refused.values["choices"].splitlines())
    assert read_moment(second, october, "UTC") - read_moment(first, october, "UTC") == HOUR
    between = milliseconds(datetime(2026, 10, 25, 1, tzinfo=UTC))
    assert read_moment("01:30", between, "Europe/London") == between + 30 * MINUTE


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
