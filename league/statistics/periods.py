"""The periods of boards: a week, a month, all time. Each has a name, and starts in UTC."""

from datetime import timedelta
from enum import StrEnum

from league.times import milliseconds, utc


class Span(StrEnum):
    """How far back a board reaches. Each member's text is also its key in the message catalogues."""

    WEEK = "week"
    """Since Monday."""
    MONTH = "month"
    ALL = "all"

    def starts(self, at: int) -> int:
        """Return the start of the period that contains a moment; both in milliseconds since 1970.

        >>> Span.WEEK.starts(1_767_225_600_000), Span.ALL.starts(1_767_225_600_000)
        (1766966400000, 0)
        """
        day = utc(at).replace(hour=0, minute=0, second=0, microsecond=0)
        match self:
            case Span.WEEK:
                first = day - timedelta(days=day.weekday())
            case Span.MONTH:
                first = day.replace(day=1)
            case Span.ALL:
                return 0
        return milliseconds(first)


def period(span: Span, at: int) -> str:
    """Return the name of the period that contains a moment, given in milliseconds since 1970.

    >>> [period(span, 1_767_225_600_000) for span in Span]
    ['2026-W01', '2026-01', 'all']
    """
    when = utc(at)
    match span:
        case Span.WEEK:
            return f"{when:%G-W%V}"
        case Span.MONTH:
            return f"{when:%Y-%m}"
        case Span.ALL:
            return "all"


def periods(at: int) -> tuple[str, ...]:
    """Return the names of all periods that contain a moment."""
    return tuple(period(span, at) for span in Span)
