"""Days of servers in their own time zones, and which tables have a deal of the day that somebody may share."""

from datetime import UTC, date, datetime

import pytest

from bot.daily.days import day_at, shared_day
from bot.errors import UserError
from data.store import Store
from data.values import TableRow
from league.times import is_timezone
from tests.bot.conftest import RAM
from tests.bot.house import House


def ms(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1000


@pytest.mark.parametrize(
    ("now", "timezone", "day", "ends"),
    [
        ("2026-11-21T18:14:59", "Asia/Kathmandu", date(2026, 11, 21), "2026-11-21T18:15:00"),
        ("2026-11-21T18:15:00", "Asia/Kathmandu", date(2026, 11, 22), "2026-11-22T18:15:00"),
        ("2026-11-21T18:15:00", "UTC", date(2026, 11, 21), "2026-11-22T00:00:00"),
        ("2026-10-25T12:00:00", "Europe/Berlin", date(2026, 10, 25), "2026-10-25T23:00:00"),
        ("2026-10-24T22:30:00", "Europe/Berlin", date(2026, 10, 25), "2026-10-25T23:00:00"),
        ("2026-11-21T12:00:00", "No/Where", date(2026, 11, 21), "2026-11-22T00:00:00"),
    ],
)
def test_a_day_ends_at_the_next_local_midnight(now: str, timezone: str, day: date, ends: str):
    found = day_at(ms(now), timezone)
    assert (found.date, found.ends_at) == (day, ms(ends))


def test_only_known_zones_are_known():
    assert is_timezone("Asia/Kathmandu")
    assert not is_timezone("../etc/passwd")


@pytest.mark.parametrize("seated", [True, False])
async def test_at_any_other_table_there_is_nothing_to_share(store: Store, table: TableRow, seated: bool):
    """This includes the table of a pod, which is empty before the draw."""
    if not seated:
        await store.write(lambda db: db.tables.set_seats(table.id, []))
    with pytest.raises(UserError, match="nothing_to_share"):
        await shared_day(store, House(store).tables, table.id, RAM)
