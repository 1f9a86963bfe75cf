import pytest

from data.store import Store
from tests.bot.house import House


@pytest.fixture
async def house(store: Store) -> House:
    """A table without Discord."""
    return House(store)
