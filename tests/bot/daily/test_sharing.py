"""Which tables have a deal of the day that somebody may share."""

import pytest

from bot.daily.days import shared_day
from bot.errors import UserError
from data.store import Store
from data.values import TableRow
from tests.bot.conftest import RAM
from tests.bot.house import House


@pytest.mark.parametrize("seated", [True, False])
async def test_at_any_other_table_there_is_nothing_to_share(store: Store, table: TableRow, seated: bool):
    """Nor at the table of a pod, which nobody sits at before the draw."""
    if not seated:
        await store.write(lambda db: db.tables.set_seats(table.id, []))
    with pytest.raises(UserError, match="nothing_to_share"):
        await shared_day(store, House(store).tables, table.id, RAM)
