"""Days of a server: from midnight to midnight in its time zone."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from league.times import at_hour, local

STREAKS_BACK: Final = timedelta(days=400)
"""How far back streaks are counted. A longer streak is shown as this many days everywhere."""


@dataclass(frozen=True, slots=True)
class Day:
    """One day of a server."""

    date: date
    ends_at: int
    """The start of the next day, in milliseconds since 1970, UTC."""


def day_at(now: int, timezone: str) -> Day:
    """The day at a time in milliseconds since 1970; by UTC if this machine does not know the time zone.

    >>> day_at(1_795_000_000_000, "Asia/Kathmandu").date.isoformat()
    '2026-11-18'
    """
    return Day(local(now, timezone).date(), at_hour(now, timezone, 0, days=1))
