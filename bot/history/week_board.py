"""The board of a week: when it is posted in a server that wants it. Weeks are those of the boards, from Monday to Monday in UTC."""

from datetime import date, timedelta
from typing import Final

from data.outbox_keys import WeekPostKey
from data.transaction import WriteTransaction
from league.ids import GuildId
from league.statistics.periods import Span, period
from league.wall_clock import local, on_day

POST_HOUR: Final = 9
"""The hour of the post, in the server's time zone."""
_WEEK: Final = timedelta(days=7)
_MIDWEEK: Final = timedelta(days=4)


def posted_at(monday: date, timezone: str) -> int:
    """Return when last week's board is posted: on Monday morning, but not before the week is over in UTC.

    >>> posted_at(date(2026, 11, 23), "Asia/Kathmandu")
    1795403700000
    """
    return max(on_day(monday, timezone, POST_HOUR), on_day(monday, "UTC", 0))


def next_monday(now: int, timezone: str) -> date:
    """The first Monday whose board is still to be posted.

    >>> next_monday(1_795_403_699_999, "Asia/Kathmandu"), next_monday(1_795_403_700_000, "Asia/Kathmandu")
    (datetime.date(2026, 11, 23), datetime.date(2026, 11, 30))
    """
    today = local(now, timezone).date()
    monday = today - timedelta(days=today.weekday())
    while posted_at(monday, timezone) <= now:
        monday += _WEEK
    return monday


def within_week(monday: date) -> int:
    """A moment within the week before this Monday, in milliseconds since 1970."""
    return on_day(monday - _MIDWEEK, "UTC", 12)


def week_before(monday: date) -> str:
    """The name of the week before this Monday.

    >>> week_before(date(2026, 11, 23))
    '2026-W47'
    """
    return period(Span.WEEK, within_week(monday))


async def ask_for_next(db: WriteTransaction, guild_id: GuildId, timezone: str, now: int) -> None:
    """Ask for the next post. It waits in the outbox until then; asking twice changes nothing."""
    monday = next_monday(now, timezone)
    key = WeekPostKey(guild_id, monday.toordinal())
    await db.outbox.put(key, 1, now, wait_ms=posted_at(monday, timezone) - now)
