"""Moments as people type them: `tomorrow 8pm`, `18:30`, `in 2h`, `भोलि २० बजे`."""

import re
from typing import Final

from dateparser.date import DateDataParser

from bot.errors import UserError
from league.times import DAY, HOUR, MINUTE, SECOND, milliseconds
from league.wall_clock import days_later, local

_LONGEST: Final = 100
"""No moment is written longer; the parser would look for half a second at as much as a command takes."""
_IN: Final = re.compile(
    r"in(?:\s+(\d{1,2})\s*d(?:ays?)?)?(?:\s*(\d{1,3})\s*h(?:(?:ou)?rs?)?)?(?:\s*(\d{1,3})\s*m(?:in(?:ute)?s?)?)?"
)
"""A length of time. The parser would count it by the clocks of the league, which may be set forward meanwhile."""
_STAMP: Final = re.compile(r"<t:(\d{9,11})(?::[a-zA-Z])?>")
_OFFSET: Final = re.compile(r"\s*(?:utc|gmt)?\s*([+-])(\d\d?):?(\d\d)?$")
"""An offset from UTC at the end, such as `+5:45`; the hyphens of a date have digits on both sides and more behind."""
_BARE: Final = re.compile(r"\d\d?:\d\d\s*\S*")
"""A time of day with at most an offset."""
_DAY_AND_TIME: Final = re.compile(r"(?!next)[^\d\s]+\s+(?:at\s+)?\d\d?:\d\d")
"""A time of day behind one word, such as a day of the week."""
_HALF: Final = re.compile(r"\b(0?[1-9]|1[0-2])(?:[:.](\d\d))?\s*([ap])\.?m\b\.?")
_CLOCK: Final = re.compile(
    r"(?:(बेलुका|साँझ|शाम|दिउँसो|दोपहर)\s+|(राति|रात)\s+|(?:बिहान|सबेरै|सुबह|सवेरे)\s+)?(\d\d?)(?::(\d\d))?\s*बजे"
)
"""An hour as it is said in Nepali and Hindi, with the words that put it before noon, after noon or in the night."""
_DAYS: Final = {"शनिवार": "saturday", "पर्सि": "in 2 days", "परसों": "in 2 days"}
"""Days that the parser does not know, or takes for days that are over."""
_NIGHT_BEGINS: Final = 5
_NOON: Final = 12
_WEEK: Final = 7


def read_moment(typed: str, now: int, timezone: str, language: str = "en") -> int:
    """Read a typed moment, in milliseconds of UTC; raises UserError if it cannot be read or names no time of day.

    A time without an offset is one of `timezone`; a time of day without a date is the next one.

    >>> read_moment("in 1h 30m", 0, "UTC"), read_moment("<t:1700000000:f>", 0, "UTC")
    (5400000, 1700000000000)
    >>> noon = 1_795_003_200_000  # of UTC, on 18 November 2026
    >>> read_moment("tomorrow 8pm", noon, "Asia/Kathmandu") == read_moment("2026-11-19 20:00 +5:45", noon, "UTC")
    True
    """
    text = typed.strip().lower()
    if (found := _IN.fullmatch(text)) and any(found.groups()):
        days, hours, minutes = (int(digits or 0) for digits in found.groups())
        return now + days * DAY + hours * HOUR + minutes * MINUTE
    if found := _STAMP.fullmatch(text):
        return int(found[1]) * SECOND
    if len(text) > _LONGEST:
        raise UserError("league.unread_time", timezone=timezone)
    for day, known in _DAYS.items():
        text = text.replace(day, known)
    return _read_words(_HALF.sub(_half, _CLOCK.sub(_clock, text)), now, timezone, language)


def _read_words(text: str, now: int, timezone: str, language: str) -> int:
    there = local(now, timezone)
    parser = DateDataParser(
        languages=sorted({"en", language}),
        settings={
            "RELATIVE_BASE": there.replace(tzinfo=None, microsecond=1),  # else this minute is no time of day
            "PREFER_DATES_FROM": "future",
            "DATE_ORDER": "DMY",
            "RETURN_TIME_AS_PERIOD": True,
        },
    )
    try:
        read = parser.get_date_data(_with_offset(text))
    except OverflowError:  # a year at the end of the calendar, moved to UTC
        raise UserError("league.unread_time", timezone=timezone) from None
    if read.date_obj is None or read.period != "time":
        raise UserError("league.unread_time", timezone=timezone)
    aware = read.date_obj if read.date_obj.tzinfo else read.date_obj.replace(tzinfo=there.tzinfo)
    moment = milliseconds(aware)
    # The parser takes the date of a bare time from the clock of the league, also where it has another offset.
    if _BARE.fullmatch(text) and moment - DAY > now:
        return moment - DAY
    # It takes the day of the week that is today for that of next week, however late the time of day.
    today = days_later(moment, timezone, -_WEEK)
    is_today = _DAY_AND_TIME.fullmatch(text) and local(today, timezone).date() == there.date() and today > now
    return today if is_today else moment


def _with_offset(text: str) -> str:
    """The text with its offset as the parser wants it, if it has a time of day and an offset behind it."""
    before, found = text, _OFFSET.search(text)
    if found is None or ":" not in (before := text[: found.start()]):
        return text
    return f"{before}{found[1]}{found[2]:0>2}:{found[3] or '00'}"


def _half(found: re.Match[str]) -> str:
    hour = int(found[1]) % _NOON + (_NOON if found[3] == "p" else 0)
    return f"{hour}:{found[2] or '00'}"


def _clock(found: re.Match[str]) -> str:
    hour = int(found[3])
    if found[2] and not _NIGHT_BEGINS <= hour < _NOON:
        return found[0]  # of which day, before or after midnight: people mean either
    later = (found[1] or found[2]) and hour < _NOON
    return f"{hour + _NOON if later else hour}:{found[4] or '00'}"
