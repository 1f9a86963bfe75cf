"""How long an interaction can be answered."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import discord
import structlog

LIFE_S = 15 * 60.0
"""Discord accepts no answer with an interaction's token after this time."""

log = structlog.get_logger(__name__)


@asynccontextmanager
async def while_answerable(interaction: discord.Interaction[Any]) -> AsyncGenerator[None, None]:
    """Cancel the block when the interaction can no longer be answered.

    A cancelled block holds no lock. What it has committed stays.
    """
    life = asyncio.timeout(LIFE_S)
    try:
        async with life:
            yield
    except TimeoutError:
        if not life.expired():
            raise
        log.warning("interaction.given_up", interaction=interaction.id)
