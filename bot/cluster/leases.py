"""Divide the shards among equal processes at run time. Each has its part, and takes over shards that others leave.

A shard belongs to the process that holds its lock on the database server. The server releases the locks of a
process that has ended, or has been stuck for fifteen seconds.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

from bot.cluster.connections import Connections
from bot.cluster.shards import Shards
from data.cancellation import undisturbed
from data.errors import StoreError, StoreUnavailableError
from data.shards import Division, GatewaySession, Share
from data.store import Store

LOOK_S = 1.0

log = structlog.get_logger(__name__)


class Leases:
    """Takes shards and gives them away, and connects and leaves them accordingly."""

    def __init__(
        self,
        store: Store,
        shards: Shards,
        connections: Connections,
        served: Callable[[], Share],
        is_back: Callable[[int], Awaitable[None]],
        is_left: Callable[[int], None],
        settle: Callable[[], Awaitable[None]],
    ) -> None:
        """`served` returns the shards whose people can reach this process now.

        `is_back` is called for a shard that has a connection or that the library is reconnecting, and `is_left`
        for one whose connection was closed for good. After that nothing more is sent for the shard, and
        `settle` waits for the messages being sent.
        """
        self._store = store
        self._shards = shards
        self._served = served
        self._is_back = is_back
        self._is_left = is_left
        self._settle = settle
        self._connections = connections
        self._connecting: dict[int, asyncio.Task[None]] = {}
        self._taking_over: dict[int, asyncio.Task[GatewaySession | None]] = {}
        """By connecting shard, the session that was left with it. It may have to be left again."""
        self._is_ready = False
        self._freed = asyncio.Event()
        shards.on_free(self._freed.set)

    def begin(self) -> None:
        """Make the client start without shards; they are connected later."""
        self._connections.begin(self._shards.count)

    async def take_part(self) -> None:
        """Take free shards up to this process's part.

        Raises StoreLockedError if others have another number of shards.
        """
        await self._take(await self._shards.division())

    async def run(self) -> None:
        """Check every second who has which shards, and whenever one is released, until cancelled.

        Raises StoreLockedError if others have another number of shards.
        """
        while True:
            self._freed.clear()
            try:
                await undisturbed(self.look())  # a cancelled handover would lose the shard
            except StoreUnavailableError as error:
                log.warning("shards.not_looked_at", why=str(error))
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._freed.wait()

    async def look(self) -> None:
        """Take this process's part, connect it, and give away any surplus."""
        await self._take_again()
        division = await self._shards.division()
        surplus = self._least_missed(division.surplus(self._shards.share))
        await asyncio.gather(*map(self._give_away, surplus))
        await self._take(division)
        for shard in self._shards.held - self._connecting.keys() - self._connections.open:
            self._connect(shard)
        if not self._is_ready and self._served() == self._shards.share:
            self._is_ready = True
            self._connections.become_ready()

    async def leave(self) -> None:
        """Leave all shards to the other processes, which continue their Discord sessions.

        If the store refuses, perhaps because another program has the database now, nothing is left to hand over.
        """
        try:
            await self._take_again()
            await self._shards.withdraw()
            await asyncio.gather(*map(self._give_away, self._shards.held))
        except StoreError as error:  # then others find the shards free, and begin new sessions
            log.warning("shards.not_handed_over", why=str(error))

    async def _take(self, division: Division) -> None:
        for shard in division.missing(self._shards.share):
            if await self._shards.take(shard):
                log.info("shard.taken", shard=shard)
                await self._go_on(shard)

    async def _take_again(self) -> None:
        """After the database connection was lost, continue with the shards that no other process has taken meanwhile."""
        for shard in sorted((self._connecting.keys() | self._connections.open) - self._shards.held):
            if await self._shards.take(shard):
                await self._go_on(shard)
            else:
                log.warning("shard.lost", shard=shard)
                await self._stop_connecting(shard)
                await self._connections.end(shard)
                self._is_left(shard)

    async def _go_on(self, shard: int) -> None:
        """Continue with a shard whose connection may still exist: only the database connection was lost."""
        if shard in self._connections.open and shard not in self._connecting:
            await self._is_back(shard)

    def _least_missed(self, count: int) -> list[int]:
        """Return `count` shards to give away.

        Shard 0, with all direct messages, comes late; connecting shards come last. A connecting shard would
        have to wait for its next turn to begin a session, while a connected one is passed on with its
        session.
        """
        settled = self._connections.open - self._connecting.keys()
        return sorted(self._shards.held, key=lambda shard: (shard not in settled, -shard))[:count]

    def _connect(self, shard: int) -> None:
        task = asyncio.create_task(self._connected(shard), name=f"connecting shard {shard}")
        self._connecting[shard] = task
        task.add_done_callback(lambda _: self._connecting.pop(shard))

    async def _connected(self, shard: int) -> None:
        taking_over = self._taking_over[shard] = asyncio.create_task(self._take_over(shard))
        try:
            session = await asyncio.shield(taking_over)
        except StoreUnavailableError as error:  # the next check starts over
            log.warning("shard.not_connected", shard=shard, why=str(error))
        else:
            await self._connections.connect(shard, session)
        del self._taking_over[shard]

    async def _take_over(self, shard: int) -> GatewaySession | None:
        return await self._store.write(lambda db: db.key_values.take_over(shard, self._shards.count))

    async def _stop_connecting(self, shard: int) -> GatewaySession | None:
        """Stop connecting a shard. Return the session that another process had left for it, if any."""
        if (task := self._connecting.get(shard)) is not None:
            task.cancel()
            await asyncio.wait([task])
        taking_over = self._taking_over.pop(shard, None)
        return None if taking_over is None else await taking_over

    async def _give_away(self, shard: int) -> None:
        taken_over = await self._stop_connecting(shard)
        session = await self._connections.leave(shard) or taken_over
        self._is_left(shard)
        await self._settle()  # an edit by this process must not arrive after a newer one by the next process
        if session is not None:
            await self._store.write(lambda db: db.key_values.hand_over(session))
        await self._shards.give_back(shard)
        log.info("shard.left", shard=shard, with_session=session is not None)
