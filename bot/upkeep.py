"""Upkeep: the heartbeat, the machine's clock, and removing what has expired."""

import asyncio

import structlog

from bot.services import Services

HEARTBEAT_S = 5
CLEAN_S = 3600

log = structlog.get_logger(__name__)


async def heartbeat(services: Services) -> None:
    """Record every few seconds that the bot is alive and what its messages have attached, and follow the machine's clock after it was set."""
    while True:
        await asyncio.sleep(HEARTBEAT_S)
        if moved := services.clock.follow():
            log.warning("clock.jumped", by_ms=moved)
            await services.outages.clock_moved(moved)
            services.deadlines.wake()
        async with services.store.write() as db:
            await db.key_values.alive(services.clock.now())
        await services.attached.save()
        await services.store.mark()


async def clean(services: Services) -> None:
    """Remove expired data now and every hour."""
    while True:
        async with services.store.write() as db:
            await db.forget_old(services.clock.now())
        await services.store.empty_log()
        await asyncio.sleep(CLEAN_S)
