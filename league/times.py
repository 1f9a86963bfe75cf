"""Milliseconds, the one unit of time in the project.

A moment is in milliseconds of UTC since 1970, everywhere: in the store, in the events of a season, in memory. Other
units are only used at the edge: in settings that people write, in Discord's time stamps and in Python's waiting
functions.
"""

from datetime import UTC, datetime
from typing import Final

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
WEEK: Final = 7 * DAY


def milliseconds(moment: datetime) -> int:
    """The moment of a date and time, which has to know its time zone.

    >>> milliseconds(datetime(1970, 1, 2, tzinfo=UTC))
    86400000
    """
    return int(moment.timestamp() * SECOND)


def utc(moment: int) -> datetime:
    """The date and time of a moment, in UTC.

    >>> utc(86_400_000).isoformat()
    '1970-01-02T00:00:00+00:00'
    """
    return datetime.fromtimestamp(moment / SECOND, UTC)
