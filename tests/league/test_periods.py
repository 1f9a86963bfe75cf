"""The periods of boards: when they begin and what they are called."""

from datetime import UTC, datetime

import pytest

from league.statistics.stats import Span, periods


def at(*day: int) -> int:
    return int(datetime(*day, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("span", "start"), [(Span.WEEK, at(2026, 11, 23)), (Span.MONTH, at(2026, 11, 1)), (Span.ALL, 0)]
)
def test_a_period_begins_at_midnight(span: Span, start: int):
    assert span.starts(at(2026, 11, 25, 13, 14, 15)) == start
    assert span.starts(start) == start


def test_the_names_of_all_periods():
    assert periods(at(2026, 11, 25)) == ("2026-W48", "2026-11", "all")
    assert periods(at(2027, 1, 1)) == ("2026-W53", "2027-01", "all")
