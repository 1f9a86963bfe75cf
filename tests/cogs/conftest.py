from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app import TipluBot
from bot.clock import SystemClock
from bot.services import wire
from bot.settings import Settings
from data.store import Store


@pytest.fixture
async def bot(path: Path) -> AsyncIterator[TipluBot]:
    """The whole bot with its cogs, not connected to anything."""
    store = await Store.open(path)
    async with TipluBot(wire(Settings(_env_file=None, discord_token="none"), store, SystemClock())) as bot:
        await bot.load_features()
        yield bot
    await store.close()
