"""Moments as people type them: `tomorrow 8pm`, `18:30 friday`, `in 2h`, `भोलि बेलुका ८ बजे`.

A small grammar reads English, Nepali and Hindi at once. Text with any unknown word is refused, and text that
can mean two moments is refused with both of them.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Final

from bot.errors import UserError
from bot.words.moments import MIDNIGHT, NIGHT, TONIGHT, SaidMoment, UnreadError, hour_said, plain, said
from bot.words.numbers import date_words
from league.times import DAY, HOUR, MINUTE, SECOND, local, milliseconds

_LONGEST: Final = 100
_WEEK: Final = 7
_YEARS: Final = range(2000, 2101)
_SMALL_HOURS: Final = range(5)
_STAMP: Final = re.compile(r"<t:([1-9]\d{8,10})(?::[a-z])?>")
_LENGTHS: Final = (
    re.compile(
        r"in(?: (\d{1,2}|a) ?d(?:ays?)?)?(?: ?(\d{1,3}|an) ?h(?:(?:ou)?rs?)?)?(?: ?(\d{1,3}|a) ?m(?:in(?:ute)?s?)?)?"
    ),
    re.compile(
        plain(
            r"(?:(\d{1,2}) ?दिन ?)?(?:(\d{1,3}) ?(?:घण्टा|घन्टा|घंटा|घण्टे|घन्टे|घंटे) ?)?"
            r"(?:(\d{1,3}) ?(?:मिनेट|मिनट) ?)?(?:के )?(?:पछि|बाद|में|मा)"
        )
    ),
)
"""Lengths of time in days, hours and minutes. Clock changes in between do not affect them."""


def read_moment(typed: str, now: int, timezone: str) -> int:
    """Read a typed moment, in milliseconds of UTC; raises UserError if not every word of it is understood.

    A time without an offset is one of `timezone`; a time of day without a date is the next one.

    >>> read_moment("in 1h 30m", 0, "UTC"), read_moment("<t:1700000000:f>", 0, "UTC")
    (5400000, 1700000000000)
    >>> noon = 1_795_003_200_000  # of UTC, on 18 November 2026
    >>> read_moment("8pm tomorrow", noon, "Asia/Kathmandu") == read_moment("2026-11-19 20:00 +5:45", noon, "UTC")
    True
    """
    text = plain(typed) if len(typed) <= _LONGEST else ""
    if found := _STAMP.fullmatch(text):
        return int(found[1]) * SECOND
    if length := _length(text):
        return now + length
    try:
        moments = _moments(said(text), now, timezone)
    except UnreadError:
        raise UserError("league.unread_time", timezone=timezone) from None
    to_come = sorted(moment for moment in moments if moment > now)
    if len(to_come) > 1:
        raise UserError("league.unclear_time", choices=_choices(to_come, timezone))
    return to_come[0] if to_come else max(moments)


def _length(text: str) -> int:
    """Return the length of time that the text expresses; 0 if none."""
    for form in _LENGTHS:
        if found := form.fullmatch(text):
            days, hours, minutes = (
                int(count) if count.isdigit() else len(count[:1]) for count in found.groups("")
            )
            return days * DAY + hours * HOUR + minutes * MINUTE
    return 0


def _choices(moments: Iterable[int], timezone: str) -> str:
    """List each moment with its day of the week, and in a form that can be typed unambiguously."""
    lines: list[str] = []
    for moment in moments:
        there = local(moment, timezone)
        offset = there.isoformat()[len("2026-12-01T18:30:00") :]
        lines.append(f"- {date_words(moment, timezone)}: `{there:%Y-%m-%d %H:%M} {offset}`")
    return "\n".join(lines)


def _moments(words: SaidMoment, now: int, zone: str) -> set[int]:
    """Return the moments that the words can mean: for each meaning the future ones, else its last ones."""
    clock = time(hour_said(words), words.get("minute", 0))
    home = local(now, zone).tzinfo or UTC
    there = timezone(timedelta(minutes=words["offset"])) if "offset" in words else home
    moments: set[int] = set()
    for today in {datetime.fromtimestamp(now / SECOND, tz).date() for tz in (home, there)}:
        for days in _nights(words, clock.hour, today):
            moments |= _first_to_come([datetime.combine(day, clock, there) for day in days], now, zone)
    return moments


def _first_to_come(times: Iterable[datetime], now: int, zone: str) -> set[int]:
    """Return the first of these times after `now`, or the last one if all have passed.

    A time that occurs twice because clocks are set back counts twice.
    """
    moments: set[int] = set()
    for shown in times:
        moments = {milliseconds(shown.replace(fold=fold)) for fold in (0, 1)}
        to_come = {moment for moment in moments if moment > now}
        if not to_come:
            continue
        if datetime.fromtimestamp(max(moments) / SECOND, shown.tzinfo).time() != shown.time():
            raise UserError("league.skipped_time", timezone=zone)
        return to_come
    return moments


def _nights(words: SaidMoment, hour: int, today: date) -> Iterator[list[date]]:
    """Yield the days that can be meant.

    With a named day, the small hours of a night can be those before or after that day.
    """
    is_small = words.get("part") in (NIGHT, TONIGHT, MIDNIGHT) and hour in _SMALL_HOURS
    for days in _days(words, today):
        yield days
        if is_small and words.keys() & {"date", "days_ahead", "weekday"}:
            yield [_later(day, 1) for day in days]


def _days(words: SaidMoment, today: date) -> Iterator[list[date]]:
    """Yield, for each meaning, the days of which the first future one is meant."""
    weekday = words.get("weekday")
    until = None if weekday is None else (weekday - today.weekday()) % _WEEK
    if "is_next" in words:
        if until is None or words.keys() & {"date", "days_ahead"}:
            raise UnreadError
        yield [_later(today, until or _WEEK)]
        if until:  # of this week or of the next one: people mean either
            yield [_later(today, until + _WEEK)]
    elif words.keys() & {"date", "days_ahead"}:
        days = [day for day in _dates(words, today) if weekday in (None, day.weekday())]
        if not days:
            raise UnreadError
        yield days
    elif until is not None:
        yield [_later(today, until), _later(today, until + _WEEK)]
    else:
        yield [_later(today, days) for days in (-1, 0, 1, 2)]


def _dates(words: SaidMoment, today: date) -> Iterator[date]:
    """Yield the day of a date, or so many days from today.

    Without a year, yield this year's and next year's.
    """
    if "date" not in words:
        yield _later(today, words.get("days_ahead", 0))
        return
    year, month, day = words["date"]
    if "days_ahead" in words or (year and year not in _YEARS):
        raise UnreadError
    for each in (year,) if year else (today.year, today.year + 1):
        with suppress(ValueError):  # no such day exists
            yield date(each, month, day)


def _later(day: date, days: int) -> date:
    return day + timedelta(days=days)
