"""What tests of clocks share: the start of a process, and how long a turn lasts."""

from bot.clock import Clock
from bot.cluster.shards import Shards
from bot.outages import Outages
from data.store import Store


async def start(store: Store, clock: Clock, count: int = 1) -> Outages:
    """Start a process that serves so many shards alone, and connect them."""
    shards = Shards()
    shards.are(count)
    outages = Outages(store, clock, shards)
    await connect(outages)
    return outages


async def connect(outages: Outages) -> None:
    """Connect all shards of a process that has just started, one after another."""
    outages.await_connections()
    for shard in sorted(outages._shards.held):
        await outages.ended(shard)


async def left(store: Store, clock: Clock) -> int:
    """Return how long the turn still lasts, in seconds."""
    (row,) = await store.read(lambda db: db.deadlines.soonest(1))
    return (row.due_at - clock.now()) // 1_000
