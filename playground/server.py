"""The playground: start it, point a bot at it, play, close it.

async with Playground() as discord:
    os.environ["DISCORD_API_URL"] = discord.api_url   # http://127.0.0.1:PORT/api/v10
    os.environ["DISCORD_TOKEN"] = discord.token       # made up
    ...
    asha = discord.person("asha")                     # see playground/person.py
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web
from aiohttp.typedefs import Handler

from playground.bridge import Bridge
from playground.cdn import Cdn
from playground.gateway.sockets import Gateway
from playground.person import Person
from playground.rest import application, channels, guild, interactions, messages
from playground.rest.bodies import MAX_REQUEST_BYTES
from playground.rest.handler import Rest
from playground.rest.routing import Routes
from playground.services import PlaygroundServices, Sharding

UNSHARDED = Sharding()
PAGE = Path(__file__).parent / "page"
PAGE_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'"
)


class Playground:
    """A Discord-compatible server on 127.0.0.1.

    `deadline` and `token_life` are the seconds to answer an interaction and to follow up.
    `privileged_intents` are those enabled for the application. `guilds` is the number of guilds. `keep`
    limits the record. `routes` are pages in addition to its own.
    """

    def __init__(
        self,
        *,
        deadline: float = 3.0,
        token_life: float = 900.0,
        privileged_intents: int = 0,
        guilds: int = 1,
        sharding: Sharding = UNSHARDED,
        token: str | None = None,
        keep: int | None = None,
        routes: Sequence[web.RouteDef] = (),
    ) -> None:
        self.services = PlaygroundServices(
            deadline=deadline,
            token_life=token_life,
            guilds=guilds,
            sharding=sharding,
            token=token,
            keep=keep,
        )
        self.world = self.services.world
        self.world.privileged_intents = privileged_intents
        self.recorder = self.services.recorder
        self.faults = self.services.faults
        self.writer = self.services.writer
        self.interactions = self.services.interactions
        self.actions = self.services.actions
        self.gateway = Gateway(self.services)
        self.bridge = Bridge(self.services, self.gateway)
        self._people: dict[str, Person] = {}
        self._routes = routes
        self._runner: web.AppRunner | None = None

    @property
    def token(self) -> str:
        """The made-up token of the bot, for DISCORD_TOKEN."""
        return self.services.token

    @property
    def port(self) -> int:
        """The port it listens on; 0 before the start."""
        return self.services.port

    @property
    def url(self) -> str:
        """The page's address: http://127.0.0.1:PORT."""
        return self.services.url

    @property
    def api_url(self) -> str:
        """The value for DISCORD_API_URL."""
        return self.services.api_url

    @property
    def gateway_url(self) -> str:
        """The address that bots connect to: ws://127.0.0.1:PORT/."""
        return self.services.gateway_url

    @property
    def failures(self) -> list[str]:
        """The recorded failures: unknown endpoints, exceptions in handlers."""
        return self.recorder.failures

    def person(self, name: str) -> Person:
        """Return the virtual person with this name; a new name joins the guild."""
        if name not in self._people:
            self._people[name] = Person(self.services, self.world.welcome(name))
        return self._people[name]

    async def bot_ready(self, *commands: str, timeout: float | None = 15.0) -> None:  # noqa: ASYNC109 - a simple wait
        """Wait until all shards are connected and these commands, or any if none is named, are registered."""

        def ready() -> bool:
            names = {command.name for command in self.world.commands.values()}
            return self.gateway.is_complete and bool(names) and names.issuperset(commands)

        async with asyncio.timeout(timeout):
            while not ready():
                await self.world.changed()

    # Starting and closing -------------------------------------------------------------------------

    async def start(self, port: int = 0) -> None:
        """Listen on 127.0.0.1, on the given port or on any free one.

        Raises OSError if the port is not available; nothing is started then, and another port can be tried.
        """
        runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", port).start()
        except OSError:
            await runner.cleanup()
            raise
        self._runner = runner
        self.services.port = runner.addresses[0][1]
        self.world.base_url = self.url

    async def close(self) -> None:
        """Close every connection and stop listening."""
        self.interactions.close()
        await self.gateway.close()
        await self.bridge.close()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard], client_max_size=MAX_REQUEST_BYTES + 1024 * 1024)
        endpoints = [each.routes for each in (application, channels, guild, interactions, messages)]
        rest = Rest(self.services, self.gateway, Routes(*endpoints))
        app.router.add_route("*", "/api/{tail:.*}", rest.handle)
        app.router.add_get("/", self._root)
        app.router.add_get("/resume/", self.gateway.accept)
        app.router.add_get("/page/socket", self.bridge.accept)
        Cdn(self.world).add_routes(app)
        app.router.add_routes(self._routes)
        app.router.add_get(r"/{name:[a-z0-9_\-]+\.(?:html|css|js|svg)}", self._page_file)
        return app

    # Requests -------------------------------------------------------------------------------------

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse host names other than our own, against DNS rebinding."""
        if request.host not in self.services.hosts:
            raise web.HTTPForbidden(text="This host name is not served here.")
        return await handler(request)

    async def _root(self, request: web.Request) -> web.StreamResponse:
        """Serve the gateway to WebSocket clients, and the page to browsers."""
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await self.gateway.accept(request)
        return self._file("index.html")

    async def _page_file(self, request: web.Request) -> web.StreamResponse:
        return self._file(request.match_info["name"])

    def _file(self, name: str) -> web.StreamResponse:
        path = PAGE / name
        if not path.is_file():
            raise web.HTTPNotFound(text="There is no such file.")
        headers = {
            "Content-Type": f"{PAGE_TYPES[path.suffix]}; charset=utf-8",
            "Content-Security-Policy": CONTENT_SECURITY_POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-cache",
        }
        return web.Response(body=path.read_bytes(), headers=headers)
