"""The discord.py internals that `bot/cluster/connections.py` uses exist.

If a test here fails after an update, read `discord/shard.py`, and change that module.
"""

import asyncio
import inspect
from types import SimpleNamespace

import discord
import pytest
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import Shard

from bot.cluster.connections import Connections, forget_unlisted
from tests.waiting import until

USER = {"id": "1", "username": "Tiplu", "discriminator": "0", "avatar": None}


@pytest.fixture
async def client():
    async with discord.AutoShardedClient(intents=discord.Intents.none(), shard_count=1) as client:
        yield client


async def test_the_client_has_its_shards_and_their_events(client):
    assert Connections(client).open == frozenset()
    queue = client._AutoShardedClient__queue
    assert callable(queue.put_nowait)
    source = inspect.getsource(discord.AutoShardedClient.connect)
    assert "await self.launch_shards()" in source
    assert "await item.shard.reidentify(item.error)" in source
    assert "await item.shard.reconnect()" in source


async def test_the_client_becomes_ready_when_it_is_told(client):
    connections = Connections(client)
    connections.begin(8)
    assert (client.shard_count, client._connection.shard_count) == (8, 8)
    assert "len(self._ready_tasks) == len(self.shard_ids)" in inspect.getsource(
        client._connection.parse_ready
    )
    assert not client.is_ready()
    connections.become_ready()
    assert client.is_ready()


def test_a_connection_can_go_on_with_a_session():
    given = inspect.signature(DiscordWebSocket.from_client).parameters
    assert {"gateway", "shard_id", "session", "sequence", "resume"} <= given.keys()
    assert ReconnectWebSocket(0, resume=False).resume is False
    source = inspect.getsource(DiscordWebSocket)
    for used in ("self.session_id", "self.sequence", "ws.gateway"):
        assert used in source


def test_a_shard_reads_its_events_in_a_task_that_can_be_ended():
    assert list(inspect.signature(Shard).parameters) == ["ws", "client", "queue_put"]
    for name in ("launch", "reidentify", "reconnect", "_cancel_task"):
        assert callable(getattr(Shard, name))
    assert "code" in inspect.signature(DiscordWebSocket.close).parameters


async def test_the_client_forgets_servers_of_a_shard_that_its_new_session_does_not_list(client):
    state = client._connection
    client.shard_count = state.shard_count = 2
    kept, removed, joined, of_other_shard = (number << 22 for number in (2, 4, 6, 1))
    forget_unlisted(client)
    for shard, listed in ((1, [of_other_shard]), (0, [kept, removed]), (0, [kept, joined])):
        guilds = [{"id": str(guild), "unavailable": True} for guild in listed]
        state.parsers["READY"]({"shard": [shard, 2], "user": USER, "guilds": guilds})
    assert {guild.id for guild in client.guilds} == {kept, joined, of_other_shard}


class Connection:
    """A shard's connection, which records whether it was left."""

    def __init__(self) -> None:
        self.ws = SimpleNamespace(_discord_parsers={})
        self.is_left = False

    async def leave(self, code: int) -> None:
        self.is_left = True

    async def close(self) -> None:
        """Do nothing."""


async def test_a_renewed_shard_is_reported_as_connected_once_its_new_connection_counts(client, monkeypatch):
    """Before that, the old connection could still be noticed as closed, which stops the shard's clocks."""
    connections, old, new = Connections(client), Connection(), Connection()
    connections._shards[0] = old
    told: list[tuple[int, bool]] = []

    async def connected(shard: int, session: object, seen: object) -> Connection:
        client.dispatch("shard_ready", shard)
        return new

    async def on_shard_resumed(shard: int) -> None:
        told.append((shard, connections._shards[shard] is new))

    monkeypatch.setattr(connections, "_connected", connected)
    monkeypatch.setattr(client, "on_shard_resumed", on_shard_resumed, raising=False)
    await asyncio.wait_for(connections._renew(0), 5)
    await until(lambda: told)
    assert (told, old.is_left, new.is_left) == ([(0, True)], True, False)
