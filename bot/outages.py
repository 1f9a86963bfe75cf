"""Outages of the connection to Discord. No one can press anything then, so the clocks stop."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from bot.clock import Clock
from bot.cluster.shards import Shards
from bot.table.core.table import COMPUTER
from data.errors import StoreOutcomeUnknown, StoreUnavailableError
from data.shards import Share
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction

OUTAGE_MS = 15_000
"""The shortest outage that counts, in milliseconds. Shorter ones cost no one a turn."""
GRACE_MS = 30_000
"""The least time that everyone has left after an outage, in milliseconds."""


class _CreditedElsewhereError(StoreUnavailableError):
    """Another process has served one of the shards meanwhile. It has credited that time, and nothing was changed."""


class Outages:
    """Tracks which people can reach the bot, and credits the time when they could not.

    A shard that this process has just taken, or has not connected yet, counts as disconnected since it was
    last known to be served. If the store refuses a credit, the clocks stand still until it takes it: `settle`
    tries again. A process that stood still, or whose store took nothing, served no one either.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        shards: Shards | None = None,
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        """`monotonic` tells how long the process stood still; it is the machine's clock unless a test gives another."""
        self._store = store
        self._clock = clock
        self._shards = shards = shards or Shards()
        self._lost: list[Callable[[int, int, Share], Awaitable[None]]] = []
        self._credited: list[Callable[[Share], Awaitable[None]]] = []
        self._ended: list[Callable[[], None]] = []
        self._since: dict[int, int | None] = {}
        """By shard, since when its clocks stand still; None if that has to be looked up."""
        self._back: set[int] = set()
        """The shards of these that are connected again, but whose time is not credited yet."""
        self._jumps: list[int] = []
        """The times just before jumps of the machine's clock, and before the process stood still, that are not credited yet.

        Until then no clock runs.
        """
        self._monotonic = monotonic or time.monotonic
        self._noted: tuple[float, int] | None = None
        """When the store last noted that the bot runs, by the monotonic clock and in ms; None before the first time."""
        self._may_be_unshown = True
        """Whether messages may still show clocks from before a credit, also one by another process."""
        self._settling = asyncio.Lock()
        self._reached: set[int] = set()
        """The shards with a connection to Discord, whether this process has their locks or not."""
        self._known: set[int] = set()
        """The shards whose servers Discord has listed to this process, and which it has not left since."""
        shards.on_change(self._changed)

    @property
    def served(self) -> Share:
        """The shards of this process whose people can reach it now, and whose clocks run."""
        connected = self._connected
        is_uncredited = self._jumps or self._still_since is not None
        return Share(connected.count, frozenset()) if is_uncredited else connected

    @property
    def _still_since(self) -> int | None:
        """Since when the process has stood still, or the store has refused to note that it runs; None if it is no outage."""
        if self._noted is None or (self._monotonic() - self._noted[0]) * 1_000 <= OUTAGE_MS:
            return None
        return self._noted[1]

    @property
    def _connected(self) -> Share:
        share = self._shards.share
        return Share(share.count, share.held - self._since.keys()) if self._since else share

    @property
    def joined(self) -> Share:
        """The shards of this process that it has connected, and whose servers and channels it knows.

        A session that another process began does not list these. A process that serves alone does not wait
        for them. A message that was drawn before the first credit would show an outdated clock.
        """
        share = self.listed if self._shards.are_shared_out else self._shards.share
        waiting = {shard for shard, at in self._since.items() if at is None}
        return Share(share.count, share.held - waiting)

    @property
    def listed(self) -> Share:
        """The shards of this process whose servers Discord has listed to it."""
        share = self._shards.share
        return Share(share.count, share.held & self._known)

    @property
    def away(self) -> frozenset[int]:
        """The shards of this process that have no connection now."""
        return self._shards.held & self._since.keys() - self._back

    def told(self, shard: int) -> None:
        """Record that Discord has listed the servers of this shard."""
        self._known.add(shard)

    def left(self, shard: int) -> None:
        """Record that the connection of this shard was closed for good and its servers are forgotten."""
        self._known.discard(shard)
        self._reached.discard(shard)

    def reaches(self, shard: int) -> bool:
        """Return whether this shard has a connection to Discord."""
        return shard in self._reached

    def concerns(self, shard: int) -> bool:
        """Return whether this shard is disconnected now, or the time that it lost is not credited yet."""
        return shard in self._since

    def on_loss(self, act: Callable[[int, int, Share], Awaitable[None]]) -> None:
        """Call `act` for every outage that cost time, with its start and end (in ms) and its share.

        This happens before the clocks are credited, and again if the process ends between the two.
        """
        self._lost.append(act)

    def on_credit(self, act: Callable[[Share], Awaitable[None]]) -> None:
        """Call `act` once the clocks of a share are credited. If the process ends first, the next one calls it."""
        self._credited.append(act)

    def on_end(self, tell: Callable[[], None]) -> None:
        """Call `tell` whenever clocks run again."""
        self._ended.append(tell)

    def began(self, shard: int) -> None:
        """Record that this shard is disconnected. Called repeatedly while it tries to connect."""
        self._back.discard(shard)
        self._reached.discard(shard)
        self._notice_standstill()
        self._since.setdefault(shard, self._jumps[0] if self._jumps else self._clock.now())

    async def ended(self, shard: int) -> None:
        """Credit the lost time, because this shard is connected again.

        Raises StoreUnavailableError; then the clocks of the shard stand still until `settle` succeeds.
        """
        self._reached.add(shard)
        if shard in self._since:
            self._back.add(shard)
            await self.settle()

    async def clock_moved(self, by_ms: int) -> None:
        """React to a jump of the clock, forwards or backwards: people keep the time they have left.

        Raises StoreUnavailableError; then all clocks stand still until `settle` succeeds.
        """
        self._notice_standstill()
        self._jumps.append(self._clock.now() - by_ms)
        await self.settle()

    async def settle(self) -> None:
        """Credit whatever the store refused to take; raises StoreUnavailableError if it still does."""
        async with self._settling:
            self._notice_standstill()
            if self._jumps:
                await self._credit_jumps()
            for shard in sorted(self._back):
                if shard in self._back:  # another process may have taken it meanwhile
                    await self._credit_shard(shard)
            await self._show_credits()

    def await_connections(self) -> None:
        """Record that this process has just started and has no connection yet.

        No clock runs before its shard is connected. Then all the time since the shard was last served is credited
        at once, however many processes have waited in vain meanwhile.
        """
        self._since |= dict.fromkeys(self._shards.held)
        self._reached.clear()

    async def note_alive(self) -> None:
        """Record which shards are served now, to credit the time until the next record.

        Nothing is recorded for a shard that no one can reach: if the bot ends meanwhile, that time is credited
        at the next start.
        """
        if self._still_since is not None:
            return  # `settle` has to credit this time first
        noted = await self._store.write(self._note_served) if self.served.held else self._times
        if noted is not None:
            self._are_noted(noted)

    async def _note_served(self, db: WriteTransaction) -> tuple[float, int] | None:
        """Return when that is noted; None if the transaction had to wait until nothing was served any more."""
        share, noted = self.served, self._times
        await self._note(db, share, noted[1])
        return noted if share.held else None

    @property
    def _times(self) -> tuple[float, int]:
        return self._monotonic(), self._clock.now()

    def _are_noted(self, times: tuple[float, int]) -> None:
        """Keep these times, unless later ones were noted meanwhile."""
        was_late = self._still_since is not None
        self._noted = max(self._noted or times, times)
        if was_late:
            self._tell_end()  # who looked meanwhile has found nothing served

    async def _note(self, db: WriteTransaction, share: Share, now: int) -> None:
        if self._shards.are_shared_out:
            await db.key_values.served(share, now)
        elif share.is_all:
            await db.key_values.alive(now)
        elif share.held:
            await db.key_values.served_only(share, now)

    def _changed(self, before: Share, now: Share) -> None:
        for shard in before.held - now.held:
            self._since.pop(shard, None)
            self._back.discard(shard)
        for shard in now.held - before.held:
            self._since[shard] = None
            self._may_be_unshown = True

    async def _credit_jumps(self) -> None:
        """Credit the jumps of the clock. A shard that is disconnected is credited with them when it comes back."""
        since, count = self._jumps[0], len(self._jumps)
        noted, share = self._times, self._connected
        now = noted[1]
        try:
            if abs(now - since) <= OUTAGE_MS:  # a small correction: no one was away
                await self._shift(now - since, now, share, was_away=False)
            else:
                await self._credit(since, now, share)
        except (StoreOutcomeUnknown, _CreditedElsewhereError):  # the store knows until when time is credited
            self._jumps_are_credited(count, noted)
            held = share.held & self._shards.held
            self._back |= held - self._since.keys()  # the others were lost meanwhile
            self._since |= dict.fromkeys(held)
            raise
        self._jumps_are_credited(count, noted)
        for shard in share.held:
            self._is_credited(shard, now)
        self._tell_end()

    def _notice_standstill(self) -> None:
        """Let time in which the process stood still count as a jump of the clock."""
        if not self._jumps and self._still_since is not None:
            self._jumps.append(self._still_since)

    def _jumps_are_credited(self, count: int, noted: tuple[float, int]) -> None:
        """Let the first `count` jumps wait no longer; time is credited until `noted`."""
        del self._jumps[:count]
        self._are_noted(noted)

    async def _credit_shard(self, shard: int) -> None:
        share, times = Share(self._shards.count, frozenset({shard})), self._times
        now, since = times[1], self._since[shard]
        if since is None:
            since = (await self._store.read(lambda db: db.key_values.last_served(share))).get(shard, now)
        try:
            await self._credit(since, now, share)
        except (StoreOutcomeUnknown, _CreditedElsewhereError):  # the store knows until when time is credited
            if shard in self._since:
                self._since[shard] = None
            raise
        if shard in self._back:
            self._noted = self._noted or times  # even if the store does not take the first note
            self._back.remove(shard)
            del self._since[shard]
            self._tell_end()
        self._is_credited(shard, now)

    def _is_credited(self, shard: int, until: int) -> None:
        """Let an outage of a shard that began while it was credited, or went on, begin at that time."""
        if self._since.get(shard) is not None:
            self._since[shard] = until

    async def _credit(self, since: int, now: int, share: Share) -> None:
        """Credit the time since `since`.

        If that is in the future, the clock was set back: deadlines must not come later than meant. After an
        outage, computers move at once.
        """
        gap = now - since
        if abs(gap) <= OUTAGE_MS:
            return
        for act in self._lost if gap > 0 else ():
            await act(since, now, share)
        await self._shift(gap, now, share, was_away=True)

    async def _show_credits(self) -> None:
        """Do what follows a credit, also for another process that ended before it had."""
        if not self._may_be_unshown:
            return
        self._may_be_unshown = False
        try:
            for share in await self._store.read(lambda db: db.key_values.unshown_clocks()):
                if not self._is_of_another(share):
                    await self._show(share)
        except BaseException:
            self._may_be_unshown = True
            raise

    async def _show(self, share: Share) -> None:
        for act in self._credited:
            await act(share)
        await self._store.write(lambda db: db.key_values.clocks_shown(share))

    def _is_of_another(self, share: Share) -> bool:
        """Return whether another process has some of these shards."""
        shards = self._shards
        return shards.are_shared_out and share.count == shards.count and not share.held <= shards.held

    def _tell_end(self) -> None:
        for tell in self._ended:
            tell()

    async def _shift(self, gap: int, now: int, share: Share, *, was_away: bool) -> None:
        """Shift the clocks, and record in the same transaction until when: no time is credited twice."""
        at_least, undelayed = (now + GRACE_MS, COMPUTER) if was_away else (0, None)
        is_shown = not was_away or gap < 0

        async def write(db: WriteTransaction) -> None:
            if self._shards.are_shared_out:
                await self._require_uncredited(db, gap, now - gap, share)
                await db.key_values.count_shards(share.count)
            await db.deadlines.credit(now - gap, now, at_least, share, undelayed=undelayed)
            if gap < 0:
                await db.outbox.advance(-gap, share)
                await db.outbox.reconsider_weeks(now, share)
                await db.limits.shorten(now)
            await self._note(db, share, now)
            if not is_shown:
                db.key_values.clocks_set(share)

        if not is_shown:
            self._may_be_unshown = True
        await self._store.write(write)

    async def _require_uncredited(self, db: ReadTransaction, gap: int, since: int, share: Share) -> None:
        """Raise _CreditedElsewhereError if another process has served one of these shards since the gap began.

        A process that stands still loses its shards, and learns of it only afterwards.
        """
        served, now = (await db.key_values.last_served(share)).values(), self._clock.now()
        # If the clock was set back, what was noted before lies in the future.
        if any(at <= now if gap < 0 else at > since for at in served):
            raise _CreditedElsewhereError("another process has served the shard meanwhile")
