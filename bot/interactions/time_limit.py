"""How long an interaction can be answered."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import discord
import structlog

LIFE_S = 15 * 60.0
"""Discord takes no answer with the token of an interaction after that."""

log = structlog.get_logger(__name__)


@asynccontextmanager
async def while_answerable(interaction: discord.Interaction[Any]) -> AsyncGenerator[None, None]:
    """Give up what the block does when the interaction's life ends: nobody can be told of it any more.

    The block is cancelled, so it holds no lock any longer. What it has committed stays.
    """
    life = asyncio.timeout(LIFE_S)
    try:
        async with life:
            yield
    except TimeoutError:
        if not life.expired():
            raise
        log.warning("interaction.given_up", interaction=interaction.id)
