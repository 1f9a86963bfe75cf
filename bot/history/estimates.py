"""Keeps the estimates of everybody's strength up to date, so that a board only reads rows."""

import asyncio

import structlog

from bot.clock import Clock
from data.store import Store
from data.transaction import ReadTransaction
from league.statistics.estimates import Basis, Estimates, estimates
from league.statistics.periods import Span

LOOK_S = 5.0
"""How often it is looked whether deals have ended."""
REST_MS_A_DEAL = 50
"""Estimates of many deals change little with one more, and take longer."""
LONGEST_REST_MS = 10 * 60_000

log = structlog.get_logger(__name__)


class EstimatesWorker:
    """The worker that works them out anew where deals have ended, off the event loop."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def run(self) -> None:
        """Keep them up to date until cancelled."""
        while True:
            await self.catch_up()
            await asyncio.sleep(LOOK_S)

    async def catch_up(self) -> None:
        """Work out whatever is due by now."""
        now = self._clock.now()
        async with self._store.read() as db:
            due = await _due(db, now)
        for guild_id, span, basis in due:
            async with self._store.read() as db:
                fresh = await worked_out(db, guild_id, basis, now)
            async with self._store.write() as db:
                await db.estimates.save(guild_id, span, fresh)
            log.debug("estimates.kept", guild=guild_id, span=span, deals=fresh.deals)


async def worked_out(db: ReadTransaction, guild_id: int, basis: Basis, now: int) -> Estimates:
    """The estimates of a server on this basis; the event loop is free meanwhile."""
    deals = await db.estimates.deals(guild_id, basis)
    return await asyncio.to_thread(estimates, deals, basis, now)


async def _due(db: ReadTransaction, now: int) -> list[tuple[int, Span, Basis]]:
    """What is to be worked out, and from which deals: a span has begun, or deals have ended and the rest is over."""
    kept = await db.estimates.kept()
    due: list[tuple[int, Span, Basis]] = []
    for guild_id, number in (await db.estimates.last_deals()).items():
        for span in Span:
            basis = Basis(span.starts(now), number)
            before, deals, at = kept.get((guild_id, span), (None, 0, 0))
            rested = now - at >= min(LONGEST_REST_MS, REST_MS_A_DEAL * deals)
            if before is None or before.since != basis.since or (before.number < number and rested):
                due.append((guild_id, span, basis))
    return due
