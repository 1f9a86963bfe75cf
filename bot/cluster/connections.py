"""Connect and leave shards while the client runs.

discord.py connects all shards of a process at its start and keeps them until its end. Only this module uses
the library's private members; `tests/bot/cluster/test_connections.py` fails if a new version no longer has
them.
"""

import asyncio
from typing import Any, Final, cast

import aiohttp
import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import Shard

from data.cancellation import undisturbed
from data.shards import GatewaySession

LEFT: Final = 4000
"""After this close code Discord keeps the session; after 1000 it ends it."""
ENDED: Final = 1000
RETRY_S = 1.0

log = structlog.get_logger(__name__)


class LeavableShard(Shard):
    """A discord.py shard that does not reconnect once it was left."""

    is_left = False

    def launch(self) -> None:
        """Start reading events, unless the shard was left while it reconnected."""
        if self.is_left:
            self._closing = asyncio.create_task(self.ws.close(code=LEFT))
        else:
            super().launch()

    async def reidentify(self, exc: ReconnectWebSocket) -> None:
        """Connect again, and resume the session if that is possible."""
        if not self.is_left:
            await super().reidentify(exc)

    async def reconnect(self) -> None:
        """Connect again with a new session."""
        if not self.is_left:
            await super().reconnect()

    async def leave(self, code: int) -> None:
        """Stop reading events, and always close the connection: half closed, it would keep its session."""
        self.is_left = True
        self._cancel_task()
        await undisturbed(self.ws.close(code=code))


def forget_unlisted(client: discord.AutoShardedClient) -> None:
    """Let the client forget servers that a new session does not list: they removed the bot while it was not connected.

    The library itself would keep them, outdated.
    """
    state: Any = client._connection  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    read = state.parsers["READY"]

    def ready(data: dict[str, Any]) -> None:
        (shard, _), listed = data["shard"], {int(guild["id"]) for guild in data["guilds"]}
        for guild in tuple(client.guilds):
            if guild.shard_id == shard and guild.id not in listed:
                state._remove_guild(guild)  # noqa: SLF001
        read(data)

    state.parsers["READY"] = ready


class Connections:
    """Connects and leaves single shards of a client."""

    def __init__(self, client: discord.AutoShardedClient) -> None:
        self._client: Any = client
        self._state: Any = client._connection  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

    @property
    def _shards(self) -> dict[int, LeavableShard]:
        return self._client._AutoShardedClient__shards  # noqa: SLF001

    @property
    def open(self) -> frozenset[int]:
        """The shards that have a connection or that the library is reconnecting."""
        return frozenset(self._shards)

    def begin(self, count: int) -> None:
        """Replace the client's own start: prepare for this number of shards but connect none."""
        self._client.shard_count = self._state.shard_count = count
        # The library calls the client ready once all of these are connected. Here the code that divides the
        # shards decides that.
        self._state.shard_ids = ()

    def become_ready(self) -> None:
        """Mark the client as ready."""
        self._state.call_handlers("ready")
        self._client.dispatch("ready")

    async def connect(self, shard: int, session: GatewaySession | None = None) -> None:
        """Connect a shard, and retry until it succeeds. A session that Discord refuses is replaced by a new one.

        Discord lists the servers only in a new session. So a resumed session is replaced too, once a new one
        has received the list.
        """
        if session is None:
            self._shards[shard] = await self._connected(shard, None)
            return
        is_resumed, is_new = self._next("shard_resumed", shard), self._next("shard_ready", shard)
        try:
            self._shards[shard] = await self._connected(shard, session)
            await asyncio.wait({is_resumed, is_new}, return_when=asyncio.FIRST_COMPLETED)
            if not is_new.done():
                await self._renew(shard)
        finally:
            is_resumed.cancel()
            is_new.cancel()

    async def _renew(self, shard: int) -> None:
        """Begin a new session next to the current one, and end that one when Discord has listed the servers.

        Both receive every press meanwhile.
        """
        is_new = self._next("shard_ready", shard)
        before, seen = self._shards[shard], set[object]()
        new: LeavableShard | None = None
        try:
            self._read_once(before, seen)
            new = await self._connected(shard, None, seen)
            await is_new
            new.ws._discord_parsers = self._state.parsers  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
            self._shards[shard], new = new, before
            # Until now the client has looked at the old connection, and may have noticed that it was closed.
            self._client.dispatch("shard_resumed", shard)
        finally:
            is_new.cancel()
            if new is not None:
                await new.leave(ENDED)

    def _next(self, event: str, shard: int) -> asyncio.Task[object]:
        return asyncio.create_task(self._client.wait_for(event, check=shard.__eq__))

    def _read_once(self, shard: LeavableShard, seen: set[object]) -> None:
        """Pass on only those interactions of this connection that were not seen yet."""
        read = self._state.parsers["INTERACTION_CREATE"]

        def once(data: Any) -> None:
            number = cast("dict[str, object]", data).get("id") if isinstance(data, dict) else None
            if number is None or number not in seen:
                seen.add(number)
                read(data)

        shard.ws._discord_parsers = self._state.parsers | {"INTERACTION_CREATE": once}  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

    async def leave(self, shard: int) -> GatewaySession | None:
        """Close a connection but not its session, so that another process can resume it.

        None if there is no session.
        """
        left = self._shards.pop(shard, None)
        if left is None:
            return None
        await left.leave(LEFT)
        self._forget_guilds(shard)
        number, sequence = left.ws.session_id, left.ws.sequence
        if number is None or sequence is None:
            return None
        return GatewaySession(shard, self._state.shard_count, number, sequence, str(left.ws.gateway))

    async def end(self, shard: int) -> None:
        """Close a connection and its session, because another process has one of its own."""
        left = self._shards.pop(shard, None)
        if left is not None:
            await left.leave(ENDED)
            self._forget_guilds(shard)

    async def _connected(
        self, shard: int, session: GatewaySession | None, seen: set[object] | None = None
    ) -> LeavableShard:
        """Connect, and try until it succeeds."""
        while True:
            try:
                return await self._connect(shard, session, seen)
            except (OSError, aiohttp.ClientError, discord.DiscordException, TimeoutError) as error:
                log.warning("shard.not_connected", shard=shard, why=repr(error))
            except ReconnectWebSocket as error:  # before its first event
                session = session if error.resume else None
            await asyncio.sleep(RETRY_S)

    async def _connect(
        self, shard: int, session: GatewaySession | None, seen: set[object] | None
    ) -> LeavableShard:
        known: dict[str, Any] = {"gateway": DiscordWebSocket.DEFAULT_GATEWAY}
        if session is not None:
            known = {
                "gateway": yarl.URL(session.resume_url),
                "session": session.session_id,
                "sequence": session.sequence,
                "resume": True,
            }
        connecting = DiscordWebSocket.from_client(self._client, shard_id=shard, **known)
        socket = await asyncio.wait_for(connecting, self._client.shard_connect_timeout)
        events = self._client._AutoShardedClient__queue  # noqa: SLF001
        connected = LeavableShard(socket, self._client, events.put_nowait)
        if seen is not None:
            self._read_once(connected, seen)
        connected.launch()
        return connected

    def _forget_guilds(self, shard: int) -> None:
        """Forget the servers of a shard, because without its events their data become outdated."""
        for guild in tuple(self._client.guilds):
            if guild.shard_id == shard:
                self._state._remove_guild(guild)  # noqa: SLF001
