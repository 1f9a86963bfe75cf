"""Several guilds and shards: whose events go where, what a bot must observe, and sessions that change hands."""

import asyncio

import aiohttp
import pytest

from playground.gateway.sessions import IdentifyLimit, Shard
from playground.server import Playground
from playground.services import Sharding
from tests.playground.client import point_at, running
from tests.playground.test_bot import TableBot
from tests.waiting import SLOW_DEADLINE

SHARDS = 4
GUILDS = 1


@pytest.fixture
async def server(monkeypatch):
    """Eight guilds on four shards, in two buckets."""
    sharding = Sharding(shards=SHARDS, max_concurrency=2, identify_interval=3600.0, guilds_per_shard=4)
    async with Playground(deadline=SLOW_DEADLINE, guilds=8, sharding=sharding) as playground:
        point_at(playground, monkeypatch)
        yield playground
        assert playground.failures == []


class Socket:
    """A connection to the gateway, frame by frame."""

    def __init__(self, server, socket):
        self.server = server
        self.socket = socket

    async def send(self, op, **data):
        await self.socket.send_json({"op": op, "d": {"token": self.server.token} | data})

    async def identify(self, *shard):
        await self.send(2, intents=GUILDS, properties={}, shard=shard)

    async def frame(self):
        async with asyncio.timeout(SLOW_DEADLINE):
            return await self.socket.receive_json()

    async def named(self, name):
        """Return the next event with this name, skipping others."""
        while (frame := await self.frame()).get("t") != name:
            pass
        return frame

    async def closed_with(self):
        async with asyncio.timeout(SLOW_DEADLINE):
            while not self.socket.closed:
                await self.socket.receive()
        return self.socket.close_code


@pytest.fixture
async def connect(server):
    async with aiohttp.ClientSession() as http:

        async def connect(url=None):
            socket = Socket(server, await http.ws_connect(url or server.gateway_url))
            assert (await socket.frame())["op"] == 10
            return socket

        yield connect


def guilds_of(server, number):
    return [guild for guild in server.world.guilds.values() if (guild.id >> 22) % SHARDS == number]


async def started(connect, number):
    """Return a session of one shard that has received its guilds."""
    socket = await connect()
    await socket.identify(number, SHARDS)
    ready = await socket.named("READY")
    for _ in ready["d"]["guilds"]:
        await socket.named("GUILD_CREATE")
    return socket, ready


async def test_the_first_guild_is_the_one_of_a_playground_with_one_guild(server):
    alone = Playground().world
    assert alone.guild.id == server.world.guild.id
    assert alone.channel("marriage").id == server.world.channel("marriage").id
    assert len({channel.id for channel in server.world.channels.values()}) == 8 * 4


async def test_it_tells_how_many_shards_and_starts_there_are(server, connect):
    await started(connect, 0)
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {server.token}"}) as http:
        answer = await (await http.get(f"{server.api_url}/gateway/bot")).json()
    assert answer["shards"] == SHARDS
    limit = answer["session_start_limit"]
    assert (limit["max_concurrency"], limit["total"] - limit["remaining"]) == (2, 1)


async def test_a_second_identify_of_a_bucket_is_refused(server, connect):
    await started(connect, 0)
    soon = await connect()
    await soon.identify(2, SHARDS)
    assert await soon.frame() == {"op": 9, "d": False}
    await started(connect, 1)  # the other bucket
    assert server.gateway.identified == 2


def test_a_bucket_is_free_again_after_the_interval():
    now = 100.0
    limit = IdentifyLimit(2, 5.0, lambda: now)
    assert limit.take(Shard(0, 8))
    now = 104.9
    assert not limit.take(Shard(2, 8))
    assert limit.take(Shard(1, 8))
    now = 105.0
    assert limit.take(Shard(2, 8))


async def test_a_shard_hears_of_its_own_guilds_only(server, connect):
    first, ready = await started(connect, 0)
    mine = guilds_of(server, 0)
    assert {int(guild["id"]) for guild in ready["d"]["guilds"]} == {guild.id for guild in mine}
    for guild in server.world.guilds.values():
        server.world.add_channel("later", guild=guild)
    told = [await first.named("CHANNEL_CREATE") for _ in mine]
    assert {int(frame["d"]["guild_id"]) for frame in told} == {guild.id for guild in mine}


async def test_interactions_go_to_the_shard_of_their_guild_and_direct_ones_to_shard_0(server):
    bot = TableBot(shard_count=SHARDS)
    server.gateway.limit = IdentifyLimit(SHARDS, 3600.0, lambda: 0.0)
    async with running(bot, server):
        await server.bot_ready("marriage")
        asha = server.person("asha")
        for guild in server.world.guilds.values():
            asha.go(server.world.channel("marriage", guild))
            assert (await asha.slash("marriage play")).type == 4
        assert (await asha.slash("marriage play", channel=asha.dm_channel)).type == 4
        heard = {
            (session.shard.number, frame["d"].get("guild_id"))
            for session in server.gateway.sessions.values()
            for frame in session.sent
            if frame["t"] == "INTERACTION_CREATE"
        }
        assert heard == {(0, None)} | {((guild >> 22) % SHARDS, str(guild)) for guild in server.world.guilds}


async def test_too_many_guilds_on_a_shard_demand_more_shards(server, connect):
    socket = await connect()
    await socket.identify(0, 1)
    assert await socket.closed_with() == 4011


async def test_two_sessions_of_a_shard_both_hear_everything(server, connect):
    server.gateway.limit = IdentifyLimit(1, 0.0, lambda: 0.0)
    older, _ = await started(connect, 0)
    newer, _ = await started(connect, 0)
    server.world.add_channel("later", guild=guilds_of(server, 0)[0])
    assert [(await each.named("CHANNEL_CREATE"))["d"]["name"] for each in (older, newer)] == ["later"] * 2


async def test_a_session_can_be_handed_over(server, connect):
    before, ready = await started(connect, 0)
    seen = 1 + len(ready["d"]["guilds"])
    await before.socket.close(code=4000)
    missed = server.world.add_channel("missed", guild=guilds_of(server, 0)[0])
    after = await connect(ready["d"]["resume_gateway_url"])
    await after.send(6, session_id=ready["d"]["session_id"], seq=seen)
    replayed = await after.frame()
    assert (replayed["t"], replayed["d"]["id"], replayed["s"]) == ("CHANNEL_CREATE", str(missed.id), seen + 1)
    assert (await after.frame())["t"] == "RESUMED"


async def test_a_session_that_its_bot_closed_is_over(server, connect):
    before, ready = await started(connect, 0)
    await before.socket.close(code=1000)
    after = await connect()
    await after.send(6, session_id=ready["d"]["session_id"], seq=1)
    assert await after.frame() == {"op": 9, "d": False}


async def test_a_session_that_missed_too_much_is_over(server, connect):
    before, ready = await started(connect, 0)
    await before.socket.close(code=4000)
    guild = guilds_of(server, 0)[0]
    for _ in range(2001):
        server.world.publish("guild_gone", guild)
    after = await connect()
    await after.send(6, session_id=ready["d"]["session_id"], seq=1)
    assert await after.frame() == {"op": 9, "d": False}
