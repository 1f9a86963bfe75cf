"""Times without a connection to Discord: nobody can press anything then, so no clock runs."""

from collections.abc import Awaitable, Callable

from bot.clock import Clock
from data.store import Store

OUTAGE_MS = 15_000
"""Shorter outages are ignored: they cost nobody a turn."""
GRACE_MS = 30_000
"""The least time that everybody has after an outage."""


class Outages:
    """Knows whether people can reach the bot, and credits the time when they could not."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._lost: list[Callable[[int, int], Awaitable[None]]] = []
        self._since: dict[int, int] = {}
        """By shard: since when it is disconnected."""

    @property
    def is_on(self) -> bool:
        """Whether some people cannot reach the bot now."""
        return bool(self._since)

    def concerns(self, shard: int) -> bool:
        """Whether this shard is disconnected now."""
        return shard in self._since

    def on_loss(self, act: Callable[[int, int], Awaitable[None]]) -> None:
        """Call `act` after every outage that cost time, with its start and end in milliseconds."""
        self._lost.append(act)

    def began(self, shard: int) -> None:
        """This shard is disconnected; called repeatedly while it tries to connect."""
        self._since.setdefault(shard, self._clock.now())

    async def ended(self, shard: int) -> None:
        """This shard is connected again: credit the lost time."""
        since, now = self._since.get(shard), self._clock.now()
        if since is not None:
            try:
                await self._credit(now - since, now)
            finally:  # even if the store refuses, clocks must run again
                self._since.pop(shard, None)

    async def credit_absence(self) -> None:
        """At start, credit the time since the bot was last known to run."""
        async with self._store.read() as db:
            alive = await db.key_values.last_alive()
        now = self._clock.now()
        if alive is not None:
            await self._credit(now - alive, now)

    async def clock_moved(self, by_ms: int) -> None:
        """The clock has jumped, forwards or backwards: people keep the time they have left."""
        if abs(by_ms) <= OUTAGE_MS:  # a small correction: nobody was away
            await self._shift(by_ms, at_least=0)
        else:
            await self._credit(by_ms, self._clock.now())

    async def _credit(self, gap: int, now: int) -> None:
        """Credit a gap. A negative gap means that the clock was set back: deadlines must not come later than meant."""
        if abs(gap) <= OUTAGE_MS:
            return
        await self._shift(gap, now + GRACE_MS)
        for act in self._lost if gap > 0 else ():
            await act(now - gap, now)

    async def _shift(self, gap: int, at_least: int) -> None:
        async with self._store.write() as db:
            await db.deadlines.credit(gap, at_least)
            if gap < 0:
                await db.outbox.advance(-gap)
