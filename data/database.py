"""What the store needs of a database: transactions, and what keeps its contents safe."""

from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from sqlalchemy import URL

from data.cluster.changes import Changes, News
from data.session import Lease
from data.shards import Division, PassedPress

T = TypeVar("T")
Place = Path | URL
"""A file or a server: where the rows are kept, as another process has to know it to read them."""


class ShardLocks(Protocol):
    """Which shards this process has, where several processes serve one database. No shard is held twice."""

    @property
    def held(self) -> frozenset[int]:
        """The shards whose locks this process holds."""
        ...

    def on_change(self, tell: Callable[[frozenset[int]], None]) -> None:
        """Call `tell` with the shards that are held, whenever they have become others: all are lost with the connection."""
        ...

    def on_free(self, tell: Callable[[], None]) -> None:
        """Call `tell` whenever a process has given a shard back. Of one that has died nobody is told."""
        ...

    async def take(self, shard: int, count: int) -> bool:
        """Take one of so many shards; returns whether it is this process's now.

        Raises StoreLockedError if other processes go by another number of shards.
        """
        ...

    async def give_back(self, shard: int) -> None:
        """Leave a shard to other processes."""
        ...

    async def division(self, count: int) -> Division:
        """How so many shards are shared out now; from the first question on this process counts among those that do so.

        Raises StoreLockedError if other processes go by another number of shards.
        """
        ...

    async def withdraw(self) -> None:
        """Count no longer among the processes that share the shards out, because this one is about to end."""
        ...

    async def take_turn(self, bucket: int) -> bool:
        """Take the one turn of all processes in a bucket, in which sessions begin one after the other; False if it is taken."""
        ...

    async def end_turn(self, bucket: int) -> None:
        """Let the next one have the turn."""
        ...

    async def time(self) -> int:
        """What the server's clock says, in milliseconds since 1970: all processes have that one in common."""
        ...


class Newsline(Protocol):
    """What the processes that share a database tell each other, so that none keeps in memory what another one has changed."""

    @property
    def is_heard(self) -> bool:
        """Whether this process hears the others now."""
        ...

    def follow(self, hear: Callable[[News], None], listen: Callable[[], None]) -> None:
        """Call `hear` with the news of other processes, and `listen` whenever this one begins or ceases to hear them."""
        ...

    def tell(self, lease: Lease, changes: Changes) -> None:
        """Let a transaction tell the others what it has changed, if that is anything to them."""
        ...


class PressLine(Protocol):
    """Presses that a process passes on to another one. Its methods raise StoreUnavailableError, and what was done is not known then."""

    def follow(self, tell: Callable[[int, int], None]) -> None:
        """Call `tell` with the shard and the id of every press that a process passes on."""
        ...

    async def pass_on(self, presses: Sequence[PassedPress]) -> None:
        """Let the process that has its shard take each of these presses."""
        ...

    async def take(self, ids: Collection[int]) -> list[PassedPress]:
        """Those of these presses that nobody has taken yet, the oldest first; they are the caller's now."""
        ...

    async def take_all(self, shards: Collection[int]) -> list[PassedPress]:
        """The same for all presses of these shards."""
        ...

    async def forget_old(self) -> None:
        """Remove presses that nobody has taken, because the processes have ended that passed them on and were to take them."""
        ...


class Database(Protocol):
    """An open database. All its methods raise StoreUnavailableError, or StoreDamagedError where it cannot be trusted."""

    @property
    def place(self) -> Place:
        """Where it is."""
        ...

    @property
    def shard_locks(self) -> ShardLocks | None:
        """The locks of shards, where other processes may serve the database beside this one."""
        ...

    @property
    def newsline(self) -> Newsline | None:
        """What other processes tell that may serve the database beside this one."""
        ...

    @property
    def press_line(self) -> PressLine | None:
        """The way of presses to other processes that may serve the database beside this one."""
        ...

    async def read(self, work: Callable[[Lease], Coroutine[Any, Any, T]]) -> T:
        """What a function returns, which runs to its end in one snapshot. It may wait for nothing but its statements."""
        ...

    async def write(
        self,
        work: Callable[[Lease], Coroutine[Any, Any, T]],
        committing: Callable[[], AbstractContextManager[object]],
    ) -> T:
        """What a function returns, which runs to its end in one transaction, once that is durable; raises what it raises.

        It may wait for nothing but its statements. It is committed within `committing()`, which begins before anybody can see
        it, and ends when it is durable or has failed. It and the beginning of `committing()` may run in another thread.
        """
        ...

    def reading(self) -> AbstractAsyncContextManager[Lease]:
        """One snapshot, to copy everything from. No bot uses the database."""
        ...

    def writing(self) -> AbstractAsyncContextManager[Lease]:
        """One transaction, to copy everything into: durable when the block is left, undone when it raises."""
        ...

    async def look_through(self) -> None:
        """Look through all of it beside the work, unless that was done before it was opened; raises StoreDamagedError."""
        ...

    async def mark(self) -> None:
        """Make sure that a loss of what is committed by now will be noticed. Never to be called on the way of a move."""
        ...

    async def empty_log(self) -> bool:
        """Keep nothing of what has been overwritten; False if somebody has been reading an older state all the while."""
        ...

    async def last_ids(self, lease: Lease) -> dict[str, int]:
        """The greatest id that was ever given to a row of each of the tables whose ids are counted."""
        ...

    async def go_on_from(self, lease: Lease, ids: dict[str, int]) -> None:
        """Give no new row of these tables an id up to these."""
        ...

    async def close(self) -> None:
        """Close it; nobody may be reading or writing any more."""
        ...
