"""Which shards a process gives away when others have too few."""

import asyncio
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from bot.cluster.leases import Leases
from bot.cluster.shards import Shards
from data.errors import StoreError, StoreLockedError, StoreTooNewError, StoreUnreachable
from data.shards import Division, GatewaySession, Share
from tests.bot.cluster.test_shards import Locks
from tests.waiting import until


class SharedOut(Locks):
    """This process has all shards, and another process has joined."""

    async def division(self, count: int) -> Division:
        return Division(2, frozenset(range(count)), 0)

    def on_free(self, tell):
        """Do nothing; no test here needs the callback."""


class Connections:
    """The connections of a process; `open` holds the existing ones."""

    def __init__(self, connected: set[int]) -> None:
        self.open = connected
        self.left: list[int] = []

    async def leave(self, shard: int) -> GatewaySession | None:
        self.left.append(shard)
        self.open.discard(shard)
        return None

    async def connect(self, shard: int, session: GatewaySession | None) -> None:
        self.open.add(shard)


class Store:
    """A store in which no process has left a session."""

    async def write(self, work):
        async def take_over(shard: int, count: int) -> None:
            return None

        return await work(SimpleNamespace(key_values=SimpleNamespace(take_over=take_over)))


@pytest.mark.parametrize(
    ("connected", "left"),
    [
        pytest.param({0, 1, 2, 3}, [3, 2], id="shard 0 last, with all direct messages"),
        pytest.param({0, 1}, [1, 0], id="what is being connected would wait longer still elsewhere"),
        pytest.param({1}, [1, 3], id="unless there is nothing else"),
    ],
)
async def test_what_is_given_away_is_missed_least(connected: set[int], left: list[int]):
    shards, connections = Shards(4, SharedOut()), Connections(connected)
    await shards.take_all(range(4))
    leases = Leases(Store(), shards, connections, Share, _nothing, lambda _: None, _nothing)
    await leases.look()
    assert connections.left == left


async def test_a_shard_is_given_back_once_nothing_is_being_sent_for_it_any_more():
    shards, happened = Shards(2, SharedOut()), list[str]()
    await shards.take_all(range(2))

    async def settle() -> None:
        happened.append(f"settled while {sorted(shards.held)} are held")

    leases = Leases(
        Store(),
        shards,
        Connections({0, 1}),
        Share,
        _nothing,
        lambda shard: happened.append(f"left {shard}"),
        settle,
    )
    await leases.look()
    assert happened == ["left 1", "settled while [0, 1] are held"]
    assert shards.held == {0}


class LostMeanwhile(SharedOut):
    """The connection to the database is lost during the query for the shards' division, and is made again."""

    async def division(self, count: int) -> Division:
        self.become(frozenset())
        return Division(1, frozenset(), 0)


async def test_a_shard_that_was_lost_and_taken_again_in_one_look_is_served_again():
    shards, back = Shards(2, LostMeanwhile()), list[int]()
    await shards.take_all(range(2))

    async def is_back(shard: int) -> None:
        back.append(shard)

    leases = Leases(Store(), shards, Connections({0, 1}), Share, is_back, lambda _: None, _nothing)
    await leases.look()
    assert shards.held == {0, 1}
    assert back == [0, 1]


class TakenAway(SharedOut):
    """Another program has the database since the connection to it was lost."""

    def __init__(self, refusal: StoreError) -> None:
        super().__init__()
        self.refusal = refusal

    async def take(self, shard: int, count: int) -> bool:
        raise self.refusal


@pytest.mark.parametrize(
    "refusal",
    [
        StoreTooNewError("a newer program has changed it"),
        StoreLockedError("another process serves it"),
        StoreUnreachable("no server answers"),
    ],
)
async def test_a_process_leaves_although_its_database_is_lost(refusal: StoreError):
    shards = Shards(2, TakenAway(refusal))
    leases = Leases(Store(), shards, Connections({0, 1}), Share, _nothing, lambda _: None, _nothing)
    with capture_logs() as logs:
        await leases.leave()
    assert [entry["event"] for entry in logs] == ["shards.not_handed_over"]


class Connecting(Connections):
    """Slow connections: Discord knows them already, but their servers have not arrived yet."""

    def __init__(self) -> None:
        super().__init__(set())
        self.connected = asyncio.Event()

    async def connect(self, shard: int, session: GatewaySession | None) -> None:
        self.open.add(shard)
        await self.connected.wait()


async def test_a_shard_that_is_being_connected_is_not_said_to_be_back():
    shards, back, connections = Shards(2, LostMeanwhile()), list[int](), Connecting()

    async def is_back(shard: int) -> None:
        back.append(shard)

    leases = Leases(Store(), shards, connections, Share, is_back, lambda _: None, _nothing)
    await leases.look()
    await until(lambda: connections.open == {0, 1})
    await leases.look()
    assert shards.held == {0, 1}
    assert back == []
    connections.connected.set()


async def _nothing(*_: int) -> None:
    """Do nothing."""
