"""The spans of time that boards are kept for: a week, a month, all time, each under its name, in UTC."""

from datetime import UTC, datetime
from enum import StrEnum


class Span(StrEnum):
    """How long a board reaches back. Each member's text is also its key in the message catalogues."""

    WEEK = "week"
    """From Monday on."""
    MONTH = "month"
    ALL = "all"


def period(span: Span, at: int) -> str:
    """The name of the period in which a moment lies (milliseconds since 1970).

    >>> [period(span, 1_767_225_600_000) for span in Span]
    ['2026-W01', '2026-01', 'all']
    """
    when = datetime.fromtimestamp(at / 1000, UTC)
    match span:
        case Span.WEEK:
            return f"{when:%G-W%V}"
        case Span.MONTH:
            return f"{when:%Y-%m}"
        case Span.ALL:
            return "all"


def periods(at: int) -> tuple[str, ...]:
    """The names of all periods in which a moment lies."""
    return tuple(period(span, at) for span in Span)
