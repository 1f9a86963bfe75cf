"""The gateway: the sockets of bots, and the events sent to their sessions."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
import zlib
from collections import deque

from aiohttp import WSCloseCode, WSMsgType, web

from playground import access, objects
from playground.gateway.dispatches import GUILDS, PRIVILEGED, dispatches
from playground.gateway.sessions import SESSION_LIFE, IdentifyLimit, ResumableSession, Shard
from playground.model import Guild, WorldChange
from playground.payloads import Json, is_array, is_object
from playground.services import PlaygroundServices

HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME = 1, 2, 3, 4, 6
RECONNECT, REQUEST_MEMBERS, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 7, 8, 9, 10, 11
KNOWN_INTENTS = (1 << 17) - 1 | 3 << 20 | 3 << 24
ACK_DELAY = 0.02  # discord.py records the time of a heartbeat only after sending it
HEARTBEAT_MS = 41_250
SESSION_STARTS = 1000  # a day; they are counted, but not enforced
MAX_FRAMES, FRAME_SECONDS, MAX_FRAME_BYTES = 120, 60.0, 4096


class Gateway:
    """Accepts connections and turns every change of the world into events for the sessions."""

    def __init__(self, services: PlaygroundServices) -> None:
        self.services = services
        self.world = services.world
        self.sessions: dict[str, ResumableSession] = {}
        self.connections: set[Connection] = set()
        self.identified = 0
        self.resumed = 0
        sharding = services.sharding
        self.limit = IdentifyLimit(sharding.max_concurrency, sharding.identify_interval, time.monotonic)
        self.world.subscribe(self._on_change)

    @property
    def connected(self) -> bool:
        """Whether any session has an open connection."""
        return any(session.connection is not None for session in self.sessions.values())

    def is_heard_in(self, guild: Guild | None) -> bool:
        """Return whether a bot is connected for the shard of a guild, or for that of direct messages."""
        return any(
            session.connection is not None and session.shard.hears_of(guild)
            for session in self.sessions.values()
        )

    @property
    def is_complete(self) -> bool:
        """Whether bots are connected with the shards of all guilds and of direct messages."""
        return all(self.is_heard_in(guild) for guild in (None, *self.world.guilds.values()))

    @property
    def starts_left(self) -> int:
        """How many more sessions can be started today."""
        return max(0, SESSION_STARTS - self.identified)

    def begin(self, session: ResumableSession) -> None:
        """Keep a new session, and drop those that were not resumed in time."""
        expired = time.monotonic() - SESSION_LIFE
        for known in tuple(self.sessions.values()):
            if known.connection is None and known.left_at < expired:
                del self.sessions[known.id]
        self.sessions[session.id] = session
        self.identified += 1

    def _on_change(self, change: WorldChange) -> None:
        intents = 0
        for session in self.sessions.values():
            intents |= session.intents
        for dispatch in dispatches(self.world, change, intents):
            for session in self.sessions.values():
                data = dispatch.for_intents(session.intents)
                if data is not None and session.hears(dispatch):
                    self.services.recorder.event(dispatch.name, data)
                    session.tell(dispatch.name, data)

    async def accept(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection until it closes."""
        entry = self.services.recorder.begin("GET", request.path, dict(request.query))
        failure = self.services.faults.next_failure("GET", request.path)
        self.services.recorder.end(
            entry, failure.status if failure else 101, failure.body if failure else None
        )
        if failure is not None:
            return web.json_response(failure.body, status=failure.status, headers=failure.headers)
        socket = web.WebSocketResponse(max_msg_size=64 * 1024, autoping=True)
        await socket.prepare(request)
        compressed = request.query.get("compress") == "zlib-stream"
        connection = Connection(self, socket, request.transport, compressed=compressed)
        self.connections.add(connection)
        try:
            await connection.serve()
        finally:
            self.connections.discard(connection)
            connection.leave_session()
            self.world.publish("gateway", self)
        return socket

    # Faults, for tests and for the page -----------------------------------------------------------

    def drop(self) -> None:
        """Drop every connection without a close frame; the sessions can be resumed."""
        for connection in tuple(self.connections):
            connection.cut()

    def reconnect(self) -> None:
        """Ask every connection to reconnect (op 7)."""
        for connection in tuple(self.connections):
            connection.send({"op": RECONNECT, "d": None})

    def invalidate(self, *, resumable: bool = False) -> None:
        """Send every connection that its session is invalid (op 9)."""
        for connection in tuple(self.connections):
            if not resumable and connection.session is not None:
                self.sessions.pop(connection.session.id, None)
            connection.send({"op": INVALID_SESSION, "d": resumable})

    def forget_sessions(self) -> None:
        """Forget every session, so that the next resume is refused with op 9 false."""
        self.sessions.clear()

    async def close(self) -> None:
        """Close all connections. The gateway stays subscribed to changes, so it works again after the next start."""
        for connection in tuple(self.connections):
            await connection.end(WSCloseCode.GOING_AWAY)


class Connection:
    """One socket of the bot: handles its frames and sends frames from a queue."""

    def __init__(
        self,
        gateway: Gateway,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport | None,
        *,
        compressed: bool,
    ) -> None:
        self.gateway = gateway
        self.world = gateway.world
        self.socket = socket
        self._transport = transport
        self.session: ResumableSession | None = None
        self._outgoing: asyncio.Queue[Json] = asyncio.Queue()
        self._zlib = zlib.compressobj() if compressed else None
        self._received: deque[float] = deque()
        self._handlers = {
            HEARTBEAT: self._heartbeat,
            IDENTIFY: self._identify,
            RESUME: self._resume,
            PRESENCE: self._ignore,
            VOICE: self._ignore,
            REQUEST_MEMBERS: self._request_members,
        }

    async def serve(self) -> None:
        """Send HELLO, then handle frames until the socket closes."""
        self.send({"op": HELLO, "d": {"heartbeat_interval": HEARTBEAT_MS, "_trace": []}})
        writer = asyncio.create_task(self._write())
        try:
            async for message in self.socket:
                if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                    break
                code = self._take(message.data)
                if code is not None:
                    await self.end(code)
        finally:
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    def send(self, frame: Json) -> None:
        """Queue a frame."""
        self._outgoing.put_nowait(frame)

    async def _write(self) -> None:
        while True:
            data = json.dumps(await self._outgoing.get())
            if self.socket.closed:
                return
            try:
                if self._zlib is None:
                    await self.socket.send_str(data)
                else:
                    packed = self._zlib.compress(data.encode()) + self._zlib.flush(zlib.Z_SYNC_FLUSH)
                    await self.socket.send_bytes(packed)
            except ConnectionError:
                return  # the reader notices the closed socket too

    def cut(self) -> None:
        """Drop the connection without a close frame."""
        self.leave_session()
        if self._transport is not None:
            self._transport.abort()

    async def end(self, code: int) -> None:
        """Close the socket with a code."""
        self.leave_session()
        await self.socket.close(code=code)

    def leave_session(self) -> None:
        """Detach the session, which then waits for a resume. A bot that closed with 1000 or 1001 has ended it."""
        session = self.session
        if session is None or session.connection is not self:
            return
        session.connection, session.left_at = None, time.monotonic()
        if self.socket.close_code in (WSCloseCode.OK, WSCloseCode.GOING_AWAY):
            self.gateway.sessions.pop(session.id, None)

    # Frames from the bot --------------------------------------------------------------------------

    def _take(self, data: str | bytes) -> int | None:
        """Handle one frame; returns the close code if the frame is invalid."""
        now = asyncio.get_running_loop().time()
        self._received.append(now)
        while now - self._received[0] > FRAME_SECONDS:
            self._received.popleft()
        if len(self._received) > MAX_FRAMES:
            return 4008
        if len(data) > MAX_FRAME_BYTES:
            return 4002
        try:
            frame = json.loads(data)
            handler = self._handlers.get(frame["op"])
            body = frame.get("d")
        except (ValueError, TypeError, KeyError, AttributeError):
            return 4002
        if handler is None:
            return 4001
        if self.session is None and frame["op"] not in (HEARTBEAT, IDENTIFY, RESUME):
            return 4003
        return handler(body)

    def _ignore(self, _body: object) -> None:
        return None

    def _heartbeat(self, _body: object) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(ACK_DELAY, self.send, {"op": HEARTBEAT_ACK, "d": None})

    def _identify(self, body: object) -> int | None:
        if self.session is not None:
            return 4005
        if not is_object(body) or not is_object(body.get("properties")):
            return 4002
        if not secrets.compare_digest(str(body.get("token")), self.gateway.services.token):
            return 4004
        shard = _shard(body.get("shard"))
        if shard is None:
            return 4010
        intents = body.get("intents")
        if not isinstance(intents, int) or intents & ~KNOWN_INTENTS:
            return 4013
        if intents & PRIVILEGED & ~self.world.privileged_intents:
            return 4014
        guilds = [guild for guild in self._guilds() if shard.hears_of(guild)]
        if len(guilds) > self.gateway.services.sharding.guilds_per_shard:
            return 4011
        if not self.gateway.limit.take(shard):
            self.send({"op": INVALID_SESSION, "d": False})
            return None
        self._begin(ResumableSession(intents, shard), guilds, sharded="shard" in body)
        return None

    def _guilds(self) -> list[Guild]:
        """Return the guilds that the bot is in."""
        return [guild for guild in self.world.guilds.values() if guild.has(self.world.bot)]

    def _begin(self, session: ResumableSession, guilds: list[Guild], *, sharded: bool) -> None:
        self.session, session.connection = session, self
        self.gateway.begin(session)
        ready: Json = {
            "v": 10,
            "user": objects.user(self.world.bot) | {"mfa_enabled": False, "verified": True, "email": None},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.gateway.services.gateway_url + "resume/",
            "application": {"id": str(self.world.application_id), "flags": self.world.application_flags},
            "private_channels": [],
            "user_settings": {},
            "relationships": [],
            "presences": [],
        }
        if sharded:
            ready["shard"] = [session.shard.number, session.shard.count]
        session.tell("READY", ready)
        if session.intents & GUILDS:
            for guild in guilds:
                created = objects.guild_create(self.world, guild)
                self.gateway.services.recorder.event("GUILD_CREATE", created)
                session.tell("GUILD_CREATE", created)
        self.world.publish("gateway", self.gateway)

    def _resume(self, body: object) -> int | None:
        if not is_object(body) or not isinstance(body.get("seq"), int):
            return 4002
        if not secrets.compare_digest(str(body.get("token")), self.gateway.services.token):
            return 4004
        session = self.gateway.sessions.get(str(body.get("session_id")))
        if session is not None and body["seq"] > session.seq:
            return 4007
        missed = session.missed(body["seq"]) if session is not None else None
        if session is None or missed is None:
            self.send({"op": INVALID_SESSION, "d": False})
            return None
        if session.connection is not None:
            session.connection.cut()
        for frame in missed:
            self.send(frame)
        self.session, session.connection = session, self
        self.gateway.resumed += 1
        session.tell("RESUMED", {"_trace": []})
        self.world.publish("gateway", self.gateway)
        return None

    def _request_members(self, body: object) -> int | None:
        if not is_object(body):
            return 4002
        guild = next((known for known in self._guilds() if str(known.id) == str(body.get("guild_id"))), None)
        if guild is None:
            return 4002
        wanted = {str(user_id) for user_id in _listed(body.get("user_ids"))}
        query = str(body.get("query") or "").lower()
        found = [
            user
            for user in access.members(self.world, guild)
            if (str(user.id) in wanted if wanted else user.shown_name.lower().startswith(query))
        ]
        limit = body.get("limit") or len(found)
        chunk: Json = {
            "guild_id": str(guild.id),
            "members": [objects.member(guild, user) for user in found[:limit]],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": sorted(wanted - {str(user.id) for user in found}),
        }
        if body.get("nonce") is not None:
            chunk["nonce"] = body["nonce"]
        if self.session is not None:
            self.session.tell("GUILD_MEMBERS_CHUNK", chunk)
        return None


def _shard(value: object) -> Shard | None:
    """Parse a shard's number and the shard count: the whole if not given, None if not valid."""
    if value is None:
        return Shard()
    match value:
        case [int(number), int(count)] if 0 <= number < count:
            return Shard(number, count)
        case _:
            return None


def _listed(value: object) -> list[object]:
    """Return an array unchanged, a single value as an array, and nothing as an empty one."""
    if value is None:
        return []
    return value if is_array(value) else [value]
