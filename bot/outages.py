"""Outages of the connection to Discord. No one can press anything then, so the clocks stop."""

from collections.abc import Awaitable, Callable

from bot.clock import Clock
from bot.cluster.shards import Shards
from bot.table.core.table import COMPUTER
from data.shards import Share
from data.store import Store
from data.transaction import WriteTransaction

OUTAGE_MS = 15_000
"""The shortest outage that counts, in milliseconds. Shorter ones cost no one a turn."""
GRACE_MS = 30_000
"""The least time that everyone has left after an outage, in milliseconds."""


class Outages:
    """Tracks which people can reach the bot, and credits the time when they could not.

    A shard that this process has just taken counts as disconnected since it was last known to be served.
    """

    def __init__(self, store: Store, clock: Clock, shards: Shards | None = None) -> None:
        self._store = store
        self._clock = clock
        self._shards = shards = shards or Shards()
        self._lost: list[Callable[[int, int, Share], Awaitable[None]]] = []
        self._since: dict[int, int | None] = {}
        """By shard, since when it has been disconnected; None if that has to be looked up."""
        self._known: set[int] = set()
        """The shards whose servers Discord has listed to this process, and which it has not left since."""
        if shards.are_shared_out:
            shards.on_change(self._shared_out)

    @property
    def served(self) -> Share:
        """The shards of this process whose people can reach it now."""
        share = self._shards.share
        return Share(share.count, share.held - self._since.keys()) if self._since else share

    @property
    def joined(self) -> Share:
        """The connected shards of this process whose servers and channels it knows.

        A session that another process began does not list these. A process that serves alone does not wait
        for them.
        """
        share, since = self._shards.share, self._since
        if not self._shards.are_shared_out:
            return share
        waiting = {shard for shard, at in since.items() if at is None}
        return Share(share.count, share.held & self._known - waiting)

    def told(self, shard: int) -> None:
        """Record that Discord has listed the servers of this shard."""
        self._known.add(shard)

    def left(self, shard: int) -> None:
        """Record that the connection of this shard was closed for good and its servers are forgotten."""
        self._known.discard(shard)

    def concerns(self, shard: int) -> bool:
        """Return whether this shard is disconnected now."""
        return shard in self._since

    def on_loss(self, act: Callable[[int, int, Share], Awaitable[None]]) -> None:
        """Call `act` after every outage that cost time, with its start and end (in ms) and its share."""
        self._lost.append(act)

    def began(self, shard: int) -> None:
        """Record that this shard is disconnected. Called repeatedly while it tries to connect."""
        self._since.setdefault(shard, self._clock.now())

    async def ended(self, shard: int) -> None:
        """Credit the lost time, because this shard is connected again."""
        if shard not in self._since:
            return
        share, now = Share(self._shards.count, frozenset({shard})), self._clock.now()
        try:
            since = self._since[shard]
            if since is None:
                since = (await self._store.read(lambda db: db.key_values.last_served(share))).get(shard, now)
            await self._credit(now - since, now, share)
        finally:  # even if the store refuses, clocks must run again
            self._since.pop(shard, None)

    async def credit_absence(self) -> None:
        """At start, credit the time since the bot, or each shard to be served, was last known to run."""
        if self._shards.are_shared_out:
            for shard in sorted(self._shards.held):
                await self.ended(shard)
            return
        alive = await self._store.read(lambda db: db.key_values.last_alive())
        now = self._clock.now()
        if alive is not None:
            await self._credit(now - alive, now, self._shards.share)

    async def note_alive(self) -> None:
        """Record that the bot runs now, or which shards it serves, to credit the time until the next record.

        Nothing is recorded while no one can reach it: if it ends meanwhile, that time is credited at the next
        start.
        """

        async def write(db: WriteTransaction) -> None:
            if self._shards.are_shared_out:
                await db.key_values.served(self.served, self._clock.now())
            elif self.served.held:
                await db.key_values.alive(self._clock.now())

        await self._store.write(write)

    async def clock_moved(self, by_ms: int) -> None:
        """React to a jump of the clock, forwards or backwards: people keep the time they have left."""
        share = self._shards.share
        if abs(by_ms) <= OUTAGE_MS:  # a small correction: no one was away
            await self._shift(by_ms, 0, share)
        else:
            await self._credit(by_ms, self._clock.now(), share)

    def _shared_out(self, before: Share, now: Share) -> None:
        for shard in before.held - now.held:
            self._since.pop(shard, None)
        for shard in now.held - before.held:
            self._since[shard] = None

    async def _credit(self, gap: int, now: int, share: Share) -> None:
        """Credit a gap. A negative gap means that the clock was set back: deadlines must not come later than meant.

        After an outage, computers move at once.
        """
        if abs(gap) <= OUTAGE_MS:
            return
        await self._shift(gap, now + GRACE_MS, share, undelayed=COMPUTER)
        for act in self._lost if gap > 0 else ():
            await act(now - gap, now, share)

    async def _shift(self, gap: int, at_least: int, share: Share, undelayed: str | None = None) -> None:
        async def write(db: WriteTransaction) -> None:
            await db.deadlines.credit(gap, at_least, share, undelayed=undelayed)
            if gap < 0:
                await db.outbox.advance(-gap, share)

        await self._store.write(write)
