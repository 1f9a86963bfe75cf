"""Keeps the estimates of everybody's strength up to date, so that a board only reads rows."""

import asyncio

import structlog

from bot.clock import Clock
from bot.cluster.shards import Shards
from data.shards import Share
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from league.ids import GuildId
from league.statistics.estimates import Basis, Estimates, Summed
from league.statistics.periods import Span
from league.times import MINUTE

LOOK_S = 5.0
"""The interval, in seconds, between checks for finished deals."""
REST_MS_A_DEAL = 50
"""Estimates of many deals change little with one more, and take longer."""
LONGEST_REST_MS = 10 * MINUTE
LARGE = 5_000
"""The fewest deals for which a board's sums are kept in memory. Fewer deals are read again quickly enough."""
MOST_KEPT = 8
"""The most boards whose sums are kept. The sums of a thousand people take 8 MB."""

log = structlog.get_logger(__name__)


class EstimatesWorker:
    """Recomputes the estimates off the event loop when deals have ended.

    For large boards it keeps the sums over their deals, so that only newer deals are read.
    """

    def __init__(self, store: Store, clock: Clock, shards: Shards | None = None) -> None:
        self._store = store
        self._clock = clock
        self._shards = shards or Shards()
        self._summed: dict[tuple[int, Span], Summed] = {}

    async def keep_up(self) -> float:
        """Recompute everything that is due; returns how long to rest, in seconds."""
        await self.catch_up()
        return LOOK_S

    def forget(self) -> None:
        """Drop all deals from memory, because a person was forgotten."""
        self._summed.clear()

    async def catch_up(self) -> None:
        """Recompute everything that is due."""
        now = self._clock.now()
        due = await self._store.read(_due, now, self._shards.share)
        for guild_id, span, basis in due:
            before = self._summed.pop((guild_id, span), Summed(basis.since))
            summed = await self._store.read(_summed, guild_id, basis, before)
            fresh = await asyncio.to_thread(summed.estimates, now)
            await self._store.write(_save, guild_id, span, fresh)
            log.debug("estimates.kept", guild=guild_id, span=span, deals=fresh.deals)
            if len(self._summed) < MOST_KEPT and summed.deals >= LARGE:
                self._summed[guild_id, span] = summed


async def _summed(db: ReadTransaction, guild_id: GuildId, basis: Basis, before: Summed) -> Summed:
    """The sums of a server on this basis: those from before with the deals since, unless a person in them was forgotten."""
    is_valid = before.basis.since == basis.since and await db.estimates.are_known(before.people)
    summed = before if is_valid else Summed(basis.since)
    await db.estimates.add_deals(guild_id, summed, basis.number)
    return summed


async def _save(db: WriteTransaction, guild_id: GuildId, span: Span, fresh: Estimates) -> None:
    await db.estimates.save(guild_id, span, fresh)


async def worked_out(db: ReadTransaction, guild_id: GuildId, basis: Basis, now: int) -> Estimates:
    """The estimates of a server on this basis, from all its deals."""
    return (await _summed(db, guild_id, basis, Summed(basis.since))).estimates(now)


async def _due(db: ReadTransaction, now: int, share: Share) -> list[tuple[GuildId, Span, Basis]]:
    """Return the estimates to compute for the servers of a share, and the deals to use.

    Estimates are due when a span has begun, or when deals have ended and the minimum pause is over.
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
