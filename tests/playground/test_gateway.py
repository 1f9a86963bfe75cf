"""The gateway: discord.py through drops, op 7 and op 9, and frames that discord.py never sends."""

import asyncio
import json
import zlib
from datetime import timedelta

import aiohttp
import discord
import pytest

from playground.gateway.dispatches import PRIVILEGED
from playground.person import CannotDoError
from tests.playground.client import QuickBot, running
from tests.playground.test_bot import TableBot
from tests.waiting import SLOW_DEADLINE

GUILDS, DIRECT_MESSAGES, GUILD_MESSAGES, MESSAGE_CONTENT = 1, 1 << 12, 1 << 9, 1 << 15


@pytest.fixture
async def bot(server):
    async with running(TableBot(), server) as client:
        await server.bot_ready("marriage")
        yield client


async def until(server, condition):
    async with asyncio.timeout(SLOW_DEADLINE):
        while not condition():
            await server.world.changed()


async def back(server, *, identified=1, resumed=0):
    """Wait until the bot is connected again, after so many identifies and resumes in total."""
    gateway = server.gateway
    await until(
        server, lambda: gateway.connected and (gateway.identified, gateway.resumed) == (identified, resumed)
    )


async def test_a_dropped_bot_resumes_and_hears_what_it_missed(server, bot):
    asha = server.person("asha")
    server.gateway.drop()
    assert not server.gateway.connected
    answer = await asha.slash("marriage play")
    assert answer.message.text.startswith("Table 1")
    await back(server, resumed=1)


async def test_op_7_makes_the_bot_resume(server, bot):
    server.gateway.reconnect()
    await back(server, resumed=1)
    assert (await server.person("asha").slash("marriage play")).type == 4


async def test_op_9_true_makes_the_bot_resume(server, bot):
    server.gateway.invalidate(resumable=True)
    await back(server, resumed=1)


async def test_op_9_false_makes_the_bot_identify_afresh(server, bot):
    server.gateway.invalidate()
    await back(server, identified=2)
    assert (await server.person("asha").slash("marriage play")).type == 4


async def test_a_bot_whose_session_is_forgotten_identifies_afresh(server, bot):
    server.gateway.forget_sessions()
    server.gateway.drop()
    await back(server, identified=2)


async def test_a_sharded_bot_hears_of_the_guild_on_its_own_shard(server):
    async with running(TableBot(shard_count=3), server) as client:
        await server.bot_ready("marriage")
        await until(server, lambda: len(server.gateway.sessions) == 3)
        asha = server.person("asha")
        assert (await asha.slash("marriage play")).type == 4
        mine = client.get_guild(server.world.guild.id).shard_id
        assert mine == (server.world.guild.id >> 22) % 3


async def test_messages_come_only_with_their_intent(server):
    server.world.privileged_intents = MESSAGE_CONTENT
    intents = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
    async with running(QuickBot(intents=intents), server) as client:
        asha = server.person("asha")
        asha.say("nobody's business")
        asha.say(f"hello <@{client.user.id}>")
        asha.say("in private", channel=asha.dm_channel)
        await client.wait_for("message", check=lambda message: message.guild is None, timeout=SLOW_DEADLINE)
        assert [message.content for _, message in client.seen] == [
            "",
            f"hello <@{client.user.id}>",
            "in private",
        ]


async def test_without_message_intents_there_are_no_messages(server, bot):
    server.person("asha").say("hello")
    await server.person("asha").slash("marriage play")
    assert bot.seen == []


async def test_a_privileged_intent_that_is_not_switched_on_ends_the_bot(server):
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with running(QuickBot(intents=discord.Intents(guilds=True, message_content=True)), server):
            pass


async def test_a_wrong_token_is_refused(server):
    client = QuickBot()
    with pytest.raises(discord.LoginFailure):
        await client.login("playground.wrong")
    await client.close()


async def test_discord_py_understands_every_event(server):
    """An exception in a parser of discord.py would stop the bot."""
    server.world.privileged_intents = PRIVILEGED
    world = server.world
    async with running(TableBot(intents=discord.Intents.all()), server) as client:
        await server.bot_ready("marriage")
        asha = server.person("asha")
        guild = client.get_guild(world.guild.id)
        channel = guild.get_channel(world.channel("marriage").id)
        message = await channel.send("x")
        await message.add_reaction("❤")
        await message.remove_reaction("❤", guild.me)
        await message.pin()
        await message.edit(content="y")
        thread = await message.create_thread(name="Table")
        await thread.add_user(discord.Object(asha.id))
        await thread.remove_user(discord.Object(asha.id))
        async with thread.typing():
            await thread.edit(archived=True)
        await thread.delete()
        start = discord.utils.utcnow() + timedelta(hours=1)
        event = await guild.create_scheduled_event(
            name="Round 1",
            start_time=start,
            end_time=start + timedelta(hours=1),
            entity_type=discord.EntityType.external,
            privacy_level=discord.PrivacyLevel.guild_only,
            location="#league",
        )
        await event.start()
        await event.delete()
        world.add_channel("later")
        world.deny("later", "SEND_MESSAGES")
        world.delete_channel("later")
        world.welcome("newcomer")
        world.grant("newcomer", "MANAGE_GUILD")
        world.remove_member("newcomer")
        await message.delete()
        await (await client.fetch_user(asha.id)).send("hello")
        world.kick_bot()
        world.invite_bot()
        assert (await asha.slash("marriage play")).type == 4
        assert {name for name, _ in server.recorder.events} >= {
            "THREAD_MEMBERS_UPDATE",
            "GUILD_SCHEDULED_EVENT_DELETE",
            "GUILD_DELETE",
            "GUILD_ROLE_CREATE",
            "CHANNEL_PINS_UPDATE",
            "MESSAGE_REACTION_REMOVE",
        }


async def test_a_kicked_bot_is_out(server, bot):
    asha = server.person("asha")
    server.world.kick_bot()
    with pytest.raises(CannotDoError):
        await asha.slash("marriage play")
    with pytest.raises(discord.Forbidden):
        await bot.fetch_channel(server.world.channel("marriage").id)


# Frames without discord.py ------------------------------------------------------------------------------------------


def identify(server, **fields):
    return {"op": 2, "d": {"token": server.token, "intents": GUILDS, "properties": {}} | fields}


async def closed_with(server, *frames):
    """Send frames, and return the code with which the gateway closes."""
    async with aiohttp.ClientSession() as http, http.ws_connect(server.gateway_url) as socket:
        await socket.receive_json()
        for frame in frames:
            await socket.send_str(frame if isinstance(frame, str) else json.dumps(frame))
        async with asyncio.timeout(SLOW_DEADLINE):
            while not socket.closed:
                await socket.receive()
        return socket.close_code


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        pytest.param(["{"], 4002, id="no JSON"),
        pytest.param(["x" * 4097], 4002, id="too long"),
        pytest.param([{"op": 77}], 4001, id="unknown op"),
        pytest.param([{"op": 3, "d": {}}], 4003, id="presence before identify"),
        pytest.param([{"token": "playground.wrong"}], 4004, id="wrong token"),
        pytest.param([{}, {}], 4005, id="identified twice"),
        pytest.param([{"shard": [2, 2]}], 4010, id="bad shard"),
        pytest.param([{"intents": 1 << 40}], 4013, id="bad intents"),
        pytest.param([{"intents": 2}], 4014, id="privileged intent"),
        pytest.param([{"op": 1, "d": None}] * 121, 4008, id="too many frames"),
    ],
)
async def test_a_bad_frame_closes_the_connection(server, frames, code):
    frames = [
        frame if isinstance(frame, str) or "op" in frame else identify(server, **frame) for frame in frames
    ]
    assert await closed_with(server, *frames) == code


async def test_the_stream_is_compressed_with_one_context(server):
    unpack = zlib.decompressobj()
    address = f"{server.gateway_url}?v=10&encoding=json&compress=zlib-stream"
    async with aiohttp.ClientSession() as http, http.ws_connect(address) as socket:

        async def frame():
            data = await socket.receive_bytes()
            assert data.endswith(b"\0\0\xff\xff")
            return json.loads(unpack.decompress(data))

        assert (await frame())["op"] == 10
        await socket.send_json({"op": 1, "d": None})
        assert (await frame())["op"] == 11
        await socket.send_json(identify(server))
        ready, guild = await frame(), await frame()
        assert (ready["t"], ready["s"], guild["t"], guild["s"]) == ("READY", 1, "GUILD_CREATE", 2)


async def test_members_are_sent_in_chunks(server):
    async with aiohttp.ClientSession() as http, http.ws_connect(server.gateway_url) as socket:
        await socket.receive_json()
        await socket.send_json(identify(server))
        await socket.receive_json()
        await socket.receive_json()
        asked = {"guild_id": str(server.world.guild.id), "query": "as", "limit": 0, "nonce": "n"}
        await socket.send_json({"op": 8, "d": asked})
        chunk = (await socket.receive_json())["d"]
        assert [member["user"]["username"] for member in chunk["members"]] == ["asha"]
        assert chunk["nonce"] == "n"


async def test_a_resume_replays_what_is_newer(server):
    async with aiohttp.ClientSession() as http:
        async with http.ws_connect(server.gateway_url) as socket:
            await socket.receive_json()
            await socket.send_json(identify(server))
            ready = await socket.receive_json()
            await socket.close(code=4000)
        channel = server.world.add_channel("later")
        async with http.ws_connect(ready["d"]["resume_gateway_url"]) as socket:
            await socket.receive_json()
            session = {"token": server.token, "session_id": ready["d"]["session_id"], "seq": 2}
            await socket.send_json({"op": 6, "d": session})
            missed, resumed = await socket.receive_json(), await socket.receive_json()
        assert (missed["t"], missed["d"]["id"]) == ("CHANNEL_CREATE", str(channel.id))
        assert resumed["t"] == "RESUMED"


async def test_a_resume_host_can_be_dead(server):
    server.faults.fail("^/resume/$", status=503)
    async with aiohttp.ClientSession() as http:
        with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
            await http.ws_connect(server.gateway_url + "resume/")
        assert caught.value.status == 503
        async with http.ws_connect(server.gateway_url + "resume/") as socket:
            assert (await socket.receive_json())["op"] == 10


async def test_a_playground_that_was_closed_serves_again(server):
    await server.close()
    await server.close()
    await server.start()
    async with aiohttp.ClientSession() as http, http.ws_connect(server.gateway_url) as socket:
        await socket.receive_json()
        await socket.send_json(identify(server))
        told = [(await socket.receive_json())["t"] for _ in range(2)]
        server.world.add_channel("later")
        assert [*told, (await socket.receive_json())["t"]] == ["READY", "GUILD_CREATE", "CHANNEL_CREATE"]
