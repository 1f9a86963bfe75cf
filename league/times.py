"""Milliseconds, the one unit of time in the project.

A moment is in milliseconds of UTC since 1970, everywhere: in the store, in the events of a season, in memory. Other
units are only used at the edge: in settings that people write, in Discord's time stamps and in Python's waiting
functions.

Hours are also told as people's clocks show them, in a time zone of the tz database such as `Asia/Kathmandu`. A time zone that this
machine does not know counts as UTC.
"""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
WEEK: Final = 7 * DAY


def milliseconds(moment: datetime) -> int:
    """Return a date and time, which must have a time zone, as a moment.

    >>> milliseconds(datetime(1970, 1, 2, tzinfo=UTC))
    86400000
    """
    return int(moment.timestamp() * SECOND)


def utc(moment: int) -> datetime:
    """Return the date and time of a moment, in UTC.

    >>> utc(86_400_000).isoformat()
    '1970-01-02T00:00:00+00:00'
    """
    return datetime.fromtimestamp(moment / SECOND, UTC)


@cache
def timezones() -> frozenset[str]:
    """Return the names of all time zones."""
    return frozenset(available_timezones())


def is_timezone(name: str) -> bool:
    """Return whether this machine knows a time zone of that name."""
    return name in timezones()


def timezone_named(typed: str) -> str | None:
    """Return the time zone of that name, in any case, with spaces or underscores; None if there is none.

    >>> timezone_named("america/new york")
    'America/New_York'
    """
    wanted = typed.strip().casefold().replace(" ", "_")
    return next((name for name in timezones() if name.casefold() == wanted), None)


def local(moment: int, timezone: str) -> datetime:
    """Return the local date and time there.

    >>> local(0, "Asia/Kathmandu").isoformat()
    '1970-01-01T05:30:00+05:30'
    """
    return utc(moment).astimezone(_zone(timezone))


def at_hour(moment: int, timezone: str, hour: int, days: int = 0) -> int:
    """Return the moment of this full hour in local time, on the day of `moment` or so many days after it.

    >>> at_hour(0, "Europe/London", 19, days=200) - at_hour(0, "Europe/London", 19)
    17280000000
    """
    return on_day(local(moment, timezone).date() + timedelta(days=days), timezone, hour)


def on_day(day: date, timezone: str, hour: int) -> int:
    """Return the moment of this full hour there on that day."""
    return milliseconds(datetime.combine(day, time(hour), _zone(timezone)))


def days_later(moment: int, timezone: str, days: int) -> int:
    """Return the moment so many days later at the same local time of day."""
    return milliseconds(local(moment, timezone) + timedelta(days=days))  # Python adds to the local time


def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name if is_timezone(name) else "UTC")
