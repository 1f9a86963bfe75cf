"""The objects that REST, the gateway, the bridge and the virtual people share."""

import secrets
from dataclasses import dataclass

from aiohttp import web

from playground.client.actions import Actions
from playground.faults import Faults
from playground.interactions import Interactions
from playground.messages import MessageWriter
from playground.recorder import Recorder
from playground.world import World


@dataclass(frozen=True)
class Sharding:
    """How the gateway is divided into shards, and its requirements for bots that connect.

    `shards` is the recommended number, `guilds_per_shard` the most that a session may have. In each of the
    `max_concurrency` buckets one session may begin in `identify_interval` seconds (Discord: 5), or any number
    for 0.
    """

    shards: int = 1
    max_concurrency: int = 1
    identify_interval: float = 0.0
    guilds_per_shard: int = 2500


class PlaygroundServices:
    """The world and what acts on it, the record, the faults, and the addresses of the server.

    `port` is 0 until the server listens. Raises ValueError for a token that is not a made-up one.
    """

    def __init__(
        self,
        *,
        deadline: float,
        token_life: float,
        guilds: int,
        sharding: Sharding,
        token: str | None,
        keep: int | None,
    ) -> None:
        self.token = token or f"playground.{secrets.token_urlsafe(24)}"
        if not self.token.startswith("playground."):
            raise ValueError("the playground takes no real token: its own tokens begin with 'playground.'")
        self.sharding = sharding
        self.port = 0
        self.world = World(guilds=guilds)
        self.recorder = Recorder(keep=keep)
        self.faults = Faults()
        self.writer = MessageWriter(self.world)
        self.interactions = Interactions(self.world, self.writer, deadline=deadline, token_life=token_life)
        self.actions = Actions(self.world, self.writer, self.interactions)

    @property
    def url(self) -> str:
        """The page's address: http://127.0.0.1:PORT."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def api_url(self) -> str:
        """The value for DISCORD_API_URL."""
        return f"{self.url}/api/v10"

    @property
    def gateway_url(self) -> str:
        """The address that bots connect to: ws://127.0.0.1:PORT/."""
        return f"ws://127.0.0.1:{self.port}/"

    @property
    def hosts(self) -> tuple[str, str]:
        """The host names under which the server answers."""
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    def same_origin(self, request: web.Request) -> bool:
        """Return whether a request comes from the playground's own page."""
        return request.headers.get("Origin") in [f"http://{host}" for host in self.hosts]
