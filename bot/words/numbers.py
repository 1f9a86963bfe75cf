"""Numbers and dates: strictly read, shortly written, and dates as words.

Ids and numbers come in custom ids and in what people send. A date in words has the day of the week, so that people notice
when a typed date was misread.
"""

from bot.words.texts import texts
from league.times import local

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def base36(number: int) -> str:
    """Format a non-negative number in base 36; `int(text, 36)` reads it back.

    >>> base36(35), base36(36)
    ('z', '10')
    """
    text = ""
    while number:
        number, rest = divmod(number, 36)
        text = _DIGITS[rest] + text
    return text or "0"


def read_number(text: str, digits: int) -> int | None:
    """Read a non-negative number of at most `digits` ASCII digits; None for anything else.

    >>> read_number("042", 3), read_number("1000", 3), read_number("-1", 3), read_number("\u0967", 3)
    (42, None, None, None)
    """
    return int(text) if len(text) <= digits and text.isascii() and text.isdigit() else None


def read_id(text: str) -> int | None:
    """Read a Discord id; None for anything else."""
    number = read_number(text, 19)
    return number if number is not None and number < 2**63 else None


def date_words(moment: int, timezone: str) -> str:
    """Day of the week, date and time of day, as clocks in that time zone show them.

    >>> date_words(0, "Asia/Kathmandu")
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
