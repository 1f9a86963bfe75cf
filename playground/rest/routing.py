"""Routes of the REST API, and the calls that their handlers receive.

Handlers take a `RestCall` and return what is sent as JSON (None for 204), or an `RestAnswer` with a status of its own.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from playground import access
from playground.gateway.sockets import Gateway
from playground.model import Channel, Message, Upload
from playground.payloads import Json, is_object
from playground.refusals import RefusalError, refuse_field
from playground.services import PlaygroundServices


@dataclass
class RestAnswer:
    """An answer with its own status or headers."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])


@dataclass
class RestCall:
    """A request as its handler sees it."""

    services: PlaygroundServices
    gateway: Gateway
    params: dict[str, str]
    query: dict[str, str]
    body: Any = None
    files: dict[int, Upload] = field(default_factory=dict[int, Upload])

    def __post_init__(self) -> None:
        self.world = self.services.world

    def id(self, name: str) -> int:
        """Return a path parameter as an id."""
        value = self.params[name]
        if not value.isdecimal():
            refuse_field(name, f'Value "{value}" is not snowflake.')
        return int(value)

    @property
    def form(self) -> Json:
        """The body as an object."""
        if not is_object(self.body):
            refuse_field("_", "The body must be a JSON object.")
        return self.body

    def channel(self, name: str = "channel") -> Channel:
        """Return the channel of the path; refused if the bot cannot see it."""
        channel = self.world.channels.get(self.id(name))
        if channel is None:
            raise RefusalError(10003)
        if not access.may_see(self.world, self.world.bot, channel):
            raise RefusalError(50001)
        return channel

    def message(self, channel: Channel, name: str = "message") -> Message:
        """Return the message of the path; refused if it is ephemeral."""
        message = channel.messages.get(self.id(name))
        if message is None or message.only_for is not None:
            raise RefusalError(10008)
        return message

    def require(self, channel: Channel, *permissions: str) -> None:
        """Refuse unless the bot has the permissions in the channel."""
        for permission in permissions:
            if not access.may(self.world, self.world.bot, channel, permission):
                raise RefusalError(50013)


Handler = Callable[[RestCall], Awaitable[Any]]


@dataclass(frozen=True)
class Route:
    """A method and a path pattern with its handler."""

    method: str
    pattern: re.Pattern[str]
    handler: Handler
    anonymous: bool


class Routes:
    """A set of routes: those of `others` and those registered. Literal segments take precedence over parameters."""

    def __init__(self, *others: "Routes") -> None:
        self.known: list[Route] = [route for other in others for route in other.known]
        self._sort()

    def on(self, method: str, path: str, *, anonymous: bool = False) -> Callable[[Handler], Handler]:
        """Register a handler; `{name}` in the path is a parameter."""
        pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))

        def register(handler: Handler) -> Handler:
            self.known.append(Route(method, pattern, handler, anonymous))
            self._sort()
            return handler

        return register

    def _sort(self) -> None:
        self.known.sort(key=lambda route: route.pattern.pattern.count("(?P<"))

    def find(self, method: str, path: str) -> tuple[Route, dict[str, str]] | None:
        """Return the route of a request with its parameters."""
        for route in self.known:
            match = route.pattern.fullmatch(path) if route.method == method else None
            if match is not None:
                return route, {name: unquote(value) for name, value in match.groupdict().items()}
        return None
