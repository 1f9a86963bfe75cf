"""Points a deal, adjusted for the opponents: estimated from all deals of a period together, and kept for a while."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from data.store import Store
from league.adjusted import Estimate, strengths
from league.periods import Span, period
from league.results import DealResult, Player
from league.spread import Kind, measured

GOOD_FOR_MS = 10 * 60_000
"""How long an estimate is shown although further deals have been played."""
_KEPT = 200


@dataclass(frozen=True, slots=True)
class Estimates:
    """Everybody's estimate, and the par of four seats in which it is shown."""

    of: Mapping[Player, Estimate]
    par: float
    at: int
    """When they were worked out, in milliseconds of UTC."""


class Strengths:
    """Works them out off the event loop, when they are asked for."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[tuple[int, str], Estimates] = {}

    async def estimates(self, guild_id: int, span: Span, now: int) -> Estimates:
        """Those of a server's deals in the present period."""
        key = guild_id, period(span, now)
        kept = self._kept.pop(key, None)
        if kept is None or now - kept.at >= GOOD_FOR_MS:
            async with self._store.read() as reader:
                deals = [deal async for deal in reader.rated_deals(guild_id, span.starts(now))]
            kept = await asyncio.to_thread(_estimated, deals, now)
        self._kept[key] = kept
        while len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return kept


def _estimated(deals: list[tuple[Kind, DealResult]], now: int) -> Estimates:
    found = measured(deals)
    return Estimates(strengths(found.deals), found.par, now)
