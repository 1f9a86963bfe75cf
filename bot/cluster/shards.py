"""The shards that this process serves.

The process that has a server's shard does the automatic work for it.
"""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from data.errors import StoreLockedError
from data.shards import EVERYTHING, Division, Share

if TYPE_CHECKING:
    from data.postgres.claim import Claim

Changed = Callable[[Share, Share], None]
"""A callback with the shares before and after a change."""


class Shards:
    """The shards that this process serves now. Without locks it is the only process and has all of them."""

    def __init__(self, count: int = 1, locks: "Claim | None" = None) -> None:
        """With locks there are `count` shards, and the process has those whose locks it holds."""
        self._locks = locks
        self._listeners: list[Changed] = []
        self._share = EVERYTHING if locks is None else Share(count, locks.held)
        if locks is not None:
            locks.on_change(self._hold)

    @property
    def share(self) -> Share:
        """The part that this process serves now, in the form for queries of the store."""
        return self._share

    @property
    def count(self) -> int:
        """The number of the bot's shards, over all processes."""
        return self._share.count

    @property
    def held(self) -> frozenset[int]:
        """The shards of this process."""
        return self._share.held

    @property
    def are_shared_out(self) -> bool:
        """Whether other processes may serve other shards."""
        return self._locks is not None

    def owns(self, guild_id: int | None) -> bool:
        """Return whether this process does this server's work.

        Work without a server, such as direct messages, belongs to shard 0.
        """
        return self._share.owns(guild_id)

    def on_change(self, tell: Changed) -> None:
        """Call `tell` whenever the process has gained or lost shards."""
        self._listeners.append(tell)

    def on_free(self, tell: Callable[[], None]) -> None:
        """Call `tell` whenever a process has released a shard. The death of a process is not reported."""
        if self._locks is not None:
            self._locks.on_free(tell)

    def are(self, count: int) -> None:
        """Adopt the number of shards that Discord has given to a process that serves alone."""
        if self._locks is None and count != self.count:
            self._become(Share(count, frozenset(range(count))))

    async def take(self, shard: int) -> bool:
        """Take a shard, unless another process has it. Return whether this process has it now."""
        return self._locks is None or await self._locks.take(shard, self.count)

    async def give_back(self, shard: int) -> None:
        """Leave a shard to another process."""
        if self._locks is not None:
            await self._locks.give_back(shard)

    async def division(self) -> Division:
        """Return the current division of the shards among all processes; raises StoreLockedError."""
        return (
            Division(1, self.held, len(self.held))
            if self._locks is None
            else await self._locks.division(self.count)
        )

    async def withdraw(self) -> None:
        """Leave the shards to the other processes, because this one is about to end."""
        if self._locks is not None:
            await self._locks.withdraw()

    async def take_turn(self, bucket: int) -> bool:
        """Take the turn of a bucket, in which sessions begin one at a time.

        Return False if another process has it.
        """
        return self._locks is None or await self._locks.take_turn(bucket)

    async def end_turn(self, bucket: int) -> None:
        """Let the next process have the turn."""
        if self._locks is not None:
            await self._locks.end_turn(bucket)

    async def take_all(self, wanted: Collection[int]) -> None:
        """Take these configured shards; raises StoreLockedError if another process has one of them."""
        for shard in sorted(frozenset(wanted) - self.held):
            if not await self.take(shard):
                raise StoreLockedError(f"another process serves shard {shard}")

    def _hold(self, held: frozenset[int]) -> None:
        self._become(Share(self.count, held))

    def _become(self, share: Share) -> None:
        before, self._share = self._share, share
        for tell in self._listeners:
            tell(before, share)
