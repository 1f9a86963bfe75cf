"""Keeps the estimates of everybody's strength up to date, so that a board only reads rows."""

import asyncio

import structlog

from bot.clock import Clock
from bot.cluster.shards import Shards
from data.shards import Share
from data.store import Store
from data.transaction import ReadTransaction
from league.ids import GuildId
from league.statistics.estimates import Basis, Estimates, Summed
from league.statistics.periods import Span
from league.times import MINUTE

LOOK_S = 5.0
"""How often it is looked whether deals have ended."""
REST_MS_A_DEAL = 50
"""Estimates of many deals change little with one more, and take longer."""
LONGEST_REST_MS = 10 * MINUTE
LARGE = 5_000
"""Deals of boards whose sums are kept in memory: of fewer all are read again soon enough."""
MOST_KEPT = 8
"""Boards whose sums are kept; those of a thousand people take 8 MB."""

log = structlog.get_logger(__name__)


class EstimatesWorker:
    """The worker that works them out anew where deals have ended, off the event loop.

    Of large boards it keeps what their deals have been summed up to, so that only the deals since then are read.
    """

    def __init__(self, store: Store, clock: Clock, shards: Shards | None = None) -> None:
        self._store = store
        self._clock = clock
        self._shards = shards or Shards()
        self._summed: dict[tuple[int, Span], Summed] = {}

    async def run(self) -> None:
        """Keep them up to date until cancelled."""
        while True:
            await self.catch_up()
            await asyncio.sleep(LOOK_S)

    def forget(self) -> None:
        """Keep nothing of any deal in memory: a person was forgotten."""
        self._summed.clear()

    async def catch_up(self) -> None:
        """Work out whatever is due by now."""
        now = self._clock.now()
        async with self._store.reading() as db:
            due = await _due(db, now, self._shards.share)
        for guild_id, span, basis in due:
            summed = self._summed.pop((guild_id, span), Summed(basis.since))
            async with self._store.reading() as db:
                if summed.basis.since != basis.since or not await db.estimates.are_known(summed.people):
                    summed = Summed(basis.since)
                await db.estimates.add_deals(guild_id, summed, basis.number)
            fresh = await asyncio.to_thread(summed.estimates, now)
            async with self._store.writing() as db:
                await db.estimates.save(guild_id, span, fresh)
            log.debug("estimates.kept", guild=guild_id, span=span, deals=fresh.deals)
            if len(self._summed) < MOST_KEPT and summed.deals >= LARGE:
                self._summed[guild_id, span] = summed


async def worked_out(db: ReadTransaction, guild_id: GuildId, basis: Basis, now: int) -> Estimates:
    """The estimates of a server on this basis, from all its deals; the event loop is free meanwhile."""
    summed = Summed(basis.since)
    await db.estimates.add_deals(guild_id, summed, basis.number)
    return await asyncio.to_thread(summed.estimates, now)


async def _due(db: ReadTransaction, now: int, share: Share) -> list[tuple[GuildId, Span, Basis]]:
    """What is to be worked out for the servers of a share, and from which deals.

    It is due where a span has begun, or deals have ended and the rest is over.
    """
    kept = await db.estimates.kept()
    due: list[tuple[GuildId, Span, Basis]] = []
    for guild_id, number in (await db.estimates.last_deals()).items():
        for span in Span if share.owns(guild_id) else ():
            basis = Basis(span.starts(now), number)
            before, deals, at = kept.get((guild_id, span), (None, 0, 0))
            rested = now - at >= min(LONGEST_REST_MS, REST_MS_A_DEAL * deals)
            if before is None or before.since != basis.since or (before.number < number and rested):
                due.append((guild_id, span, basis))
    return due
