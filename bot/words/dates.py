"""Dates as words, with the day of the week, so that people notice when a typed date was misread."""

from bot.words.texts import texts
from league.times import local


def told_date(moment: int, timezone: str) -> str:
    """Day of the week, date and time of day, as clocks in that time zone show them.

    >>> told_date(0, "Asia/Kathmandu")
    'Thursday 1 January 1970, 05:30'
    """
    say, there = texts(), local(moment, timezone)
    return say(
        "date.full",
        weekday=say("date.weekdays").split()[there.weekday()],
        day=there.day,
        month=say("date.months").split()[there.month - 1],
        year=there.year,
        time=f"{there:%H:%M}",
    )
