"""Days of a server: from midnight to midnight in its time zone."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from league.times import milliseconds, utc

STREAKS_BACK: Final = timedelta(days=400)
"""How far back days in a row are looked for. A longer streak is told as one of so many days, the same everywhere."""


@dataclass(frozen=True, slots=True)
class Day:
    """One day of a server."""

    date: date
    ends_at: int
    """When the next day begins, in milliseconds since 1970, UTC."""


def day_at(now: int, timezone: str) -> Day:
    """The day at a time in milliseconds since 1970; by UTC if this machine does not know the time zone.

    >>> day_at(1_795_000_000_000, "Asia/Kathmandu").date.isoformat()
    '2026-11-18'
    """
    zone = ZoneInfo(timezone if is_timezone(timezone) else "UTC")
    today = utc(now).astimezone(zone).date()
    midnight = datetime.combine(today + timedelta(days=1), time(), zone)
    return Day(today, milliseconds(midnight))


def is_timezone(name: str) -> bool:
    """Whether this machine knows a time zone of that name."""
    return name in timezones()


@cache
def timezones() -> frozenset[str]:
    """The names of all time zones, such as `Asia/Kathmandu`."""
    return frozenset(available_timezones())
