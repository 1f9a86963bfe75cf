"""One request to the REST API: found, recorded, authorised, limited, read, handled, answered.

Handlers take a `Call` and return what is to be sent as JSON (None for 204), or an `Answer` for another status.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from aiohttp import BodyPartReader, web

from playground import access
from playground.faults import rate_limited
from playground.files import content_type
from playground.model import Channel, Json, Message, Upload
from playground.recorder import Entry
from playground.refusals import Refusal, refuse_field
from playground.rules_messages import ServerError

if TYPE_CHECKING:
    from playground.server import Playground

PREFIX = "/api/v10"
MOST_REQUEST_BYTES = 25 * 1024 * 1024
FILE_FIELD = re.compile(r"files\[(\d{1,3})\]")
log = logging.getLogger(__name__)


@dataclass
class Answer:
    """An answer with a status of its own."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Call:
    """A request as its handler sees it."""

    server: Playground
    params: dict[str, str]
    query: dict[str, str]
    body: Any = None
    files: dict[int, Upload] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.world = self.server.world

    def id(self, name: str) -> int:
        """Return a path parameter as an id."""
        value = self.params[name]
        if not value.isdecimal():
            refuse_field(name, f'Value "{value}" is not snowflake.')
        return int(value)

    @property
    def form(self) -> Json:
        """The body as an object."""
        if not isinstance(self.body, dict):
            refuse_field("_", "The body must be a JSON object.")
        return self.body

    def channel(self, name: str = "channel") -> Channel:
        """Return the channel of the path, which the bot must be able to see."""
        channel = self.world.channels.get(self.id(name))
        if channel is None:
            raise Refusal(10003)
        if not access.may_see(self.world, self.world.bot, channel):
            raise Refusal(50001)
        return channel

    def message(self, channel: Channel, name: str = "message") -> Message:
        """Return the message of the path; ephemeral ones cannot be reached so."""
        message = channel.messages.get(self.id(name))
        if message is None or message.only_for is not None:
            raise Refusal(10008)
        return message

    def require(self, channel: Channel, *permissions: str) -> None:
        """Refuse unless the bot holds the permissions in the channel."""
        for permission in permissions:
            if not access.may(self.world, self.world.bot, channel, permission):
                raise Refusal(50013)


Handler = Callable[[Call], Awaitable[Any]]


@dataclass(frozen=True)
class Route:
    """A method and a path pattern with its handler."""

    method: str
    pattern: re.Pattern[str]
    handler: Handler
    anonymous: bool


class Routes:
    """The endpoints this server knows; literal parts of a path win over parameters."""

    def __init__(self) -> None:
        self._routes: list[Route] = []

    def on(self, method: str, path: str, *, anonymous: bool = False) -> Callable[[Handler], Handler]:
        """Register a handler; `{name}` in the path is a parameter."""
        pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))

        def register(handler: Handler) -> Handler:
            self._routes.append(Route(method, pattern, handler, anonymous))
            self._routes.sort(key=lambda route: route.pattern.pattern.count("(?P<"))
            return handler

        return register

    def find(self, method: str, path: str) -> tuple[Route, dict[str, str]] | None:
        """Return the route of a request with its parameters."""
        for route in self._routes:
            match = route.pattern.fullmatch(path) if route.method == method else None
            if match is not None:
                return route, {name: unquote(value) for name, value in match.groupdict().items()}
        return None


routes = Routes()


class HalfSentError(Exception):
    """The sender died before all of its request had come."""


class Rest:
    """The way of every request to /api."""

    def __init__(self, server: Playground) -> None:
        self.server = server
        self.recorder = server.recorder

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request and record it."""
        entry = self.recorder.begin(request.method, request.path, dict(request.query))
        try:
            answer = await self._answer(request, entry)
        except HalfSentError:
            self.recorder.cut(entry)
            return web.Response(status=400)  # nobody is left to read it
        self.recorder.end(entry, answer.status, answer.body)
        if answer.status == 204:
            return web.Response(status=204, headers=answer.headers)
        # The header must be exactly this: with a charset discord.py leaves the body unread.
        headers = {"Content-Type": "application/json", **answer.headers}
        return web.Response(body=json.dumps(answer.body).encode(), status=answer.status, headers=headers)

    async def _answer(self, request: web.Request, entry: Entry) -> Answer:
        try:
            # First: what was sent whole arrives, though its sender may die.
            files = await self._read(request, entry)
            await self.server.faults.wait(request.method, request.path)
            failure = self.server.faults.next_failure(request.method, request.path)
            if failure is None:
                return await self._route(request, entry, files)
            if failure.done:
                await self._route(request, entry, files)
            return Answer(failure.body, failure.status, failure.headers)
        except Refusal as refusal:
            return Answer(refusal.body, refusal.status)
        except ServerError as error:
            self.recorder.fail(f"{request.method} {request.path}: {error}", entry)
            return Answer({"message": "500: Internal Server Error", "code": 0}, 500)
        except HalfSentError:
            raise
        except Exception as error:
            log.exception("%s %s", request.method, request.path)
            self.recorder.fail(f"{request.method} {request.path}: {error!r}", entry)
            return Answer({"message": f"The playground stumbled: {error!r}", "code": 0}, 400)

    async def _route(self, request: web.Request, entry: Entry, files: dict[int, Upload]) -> Answer:
        path = request.rel_url.raw_path.removeprefix(PREFIX)
        found = self.server.routes.find(request.method, path) if request.path.startswith(PREFIX) else None
        if found is None:
            self.recorder.fail(f"unknown endpoint: {request.method} {request.path}", entry)
            return Answer({"message": "404: Not Found", "code": 0}, 404)
        route, params = found
        if not route.anonymous and not self._authorised(request):
            return Answer({"message": "401: Unauthorized", "code": 0}, 401)
        headers, limited = self._limit(request)
        if limited is not None:
            return limited
        call = Call(self.server, params, dict(request.query), entry.request, files)
        result = await route.handler(call)
        answer = result if isinstance(result, Answer) else Answer(result, 204 if result is None else 200)
        answer.headers = {"X-RateLimit-Bucket": _bucket(route), **headers, **answer.headers}
        return answer

    def _authorised(self, request: web.Request) -> bool:
        given = request.headers.get("Authorization", "")
        return secrets.compare_digest(given.encode(), f"Bot {self.server.token}".encode())

    def _limit(self, request: web.Request) -> tuple[dict[str, str], Answer | None]:
        """Count the request where a limit is set; returns headers, and the 429 when it is over."""
        limit = self.server.faults.next_limit(request.method, request.path)
        if limit is None:
            return {}, None
        remaining, reset_after = limit.take(request.path)
        headers = {
            "X-RateLimit-Bucket": limit.bucket,
            "X-RateLimit-Limit": str(limit.count),
            "X-RateLimit-Remaining": str(max(0, remaining)),
            "X-RateLimit-Reset": f"{time.time() + reset_after:.3f}",
            "X-RateLimit-Reset-After": f"{reset_after:.3f}",
        }
        if remaining >= 0:
            return headers, None
        headers |= {
            "Via": "1.1 google",
            "Retry-After": f"{reset_after:.3f}",
            "X-RateLimit-Scope": limit.scope,
        }
        return headers, Answer(rate_limited(reset_after, scope=limit.scope), 429, headers)

    # Reading the body ----------------------------------------------------------------------------

    async def _read(self, request: web.Request, entry: Entry) -> dict[int, Upload]:
        """Read JSON or multipart into the record; returns the files."""
        files: dict[int, Upload] = {}
        if (request.content_length or 0) > MOST_REQUEST_BYTES:
            raise Refusal(40005)
        try:
            if request.content_type == "multipart/form-data":
                entry.request = await _read_multipart(request, files)
            elif request.can_read_body:
                entry.request = _json(await request.read())
        except ConnectionResetError as error:
            raise HalfSentError from error
        entry.files = {index: upload.filename for index, upload in files.items()}
        return files


async def _read_multipart(request: web.Request, files: dict[int, Upload]) -> object:
    payload: object = {}
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            refuse_field("_", "Nested multipart bodies are not known.")
        content = bytes(await part.read(decode=True))
        field_name = FILE_FIELD.fullmatch(part.name or "")
        if part.name == "payload_json":
            payload = _json(content)
        elif field_name is None or not part.filename:
            refuse_field(part.name or "_", "The fields are payload_json and files[n].")
        else:
            files[int(field_name[1])] = Upload(part.filename, content, content_type(part.filename, content))
    return payload


def _json(content: bytes) -> object:
    if not content:
        return None
    try:
        return json.loads(content)
    except ValueError:
        raise Refusal(50035, errors={"_errors": [{"code": "JSON", "message": "Not JSON."}]}) from None


def _bucket(route: Route) -> str:
    return f"{hash((route.method, route.pattern.pattern)) & 0xFFFFFFFF:08x}"
