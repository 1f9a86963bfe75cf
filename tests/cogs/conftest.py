from collections.abc import AsyncIterator

import pytest

from bot.app import TipluBot
from bot.clock import SystemClock
from bot.services import wire
from bot.settings import Settings
from data.store import Place, Store
from tests.e2e.running import QuickTiplu


@pytest.fixture
async def bot(place: Place) -> AsyncIterator[TipluBot]:
    """The whole bot with its cogs, not connected to anything."""
    store = await Store.open(place)
    async with QuickTiplu(wire(Settings(_env_file=None, discord_token="none"), store, SystemClock())) as bot:
        await bot.load_features()
        yield bot
    await store.close()
