"""Serves the REST API: reads, records, authorises, limits and answers each request."""

import json
import logging
import secrets
import time

from aiohttp import web

from playground.faults import rate_limited
from playground.gateway.sockets import Gateway
from playground.model import Upload
from playground.recorder import RecordedRequest
from playground.refusals import RefusalError
from playground.rest.bodies import read_body
from playground.rest.routing import RestAnswer, RestCall, Route, Routes
from playground.services import PlaygroundServices
from playground.validation.messages import ServerError

PREFIX = "/api/v10"
log = logging.getLogger(__name__)


class HalfSentError(Exception):
    """The sender disconnected before its request was complete."""


class Rest:
    """Handles every request to /api."""

    def __init__(self, services: PlaygroundServices, gateway: Gateway, routes: Routes) -> None:
        self.services = services
        self.gateway = gateway
        self.routes = routes
        self.recorder = services.recorder

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request and record it."""
        entry = self.recorder.begin(request.method, request.path, dict(request.query))
        entry.size = request.content_length or 0
        try:
            answer = await self._answer(request, entry)
        except HalfSentError:
            self.recorder.cut(entry)
            return web.Response(status=400)  # no one is connected to read it
        self.recorder.end(entry, answer.status, answer.body)
        if answer.status == 204:
            return web.Response(status=204, headers=answer.headers)
        # discord.py parses the body as JSON only if the header is exactly this, without a charset.
        headers = {"Content-Type": "application/json", **answer.headers}
        return web.Response(body=json.dumps(answer.body).encode(), status=answer.status, headers=headers)

    async def _answer(self, request: web.Request, entry: RecordedRequest) -> RestAnswer:
        try:
            # Read first: a request that was sent completely takes effect even if its sender dies.
            files = await self._read(request, entry)
            await self.services.faults.wait(request.method, request.path)
            failure = self.services.faults.next_failure(request.method, request.path)
            if failure is None:
                return await self._route(request, entry, files)
            if failure.done:
                await self._route(request, entry, files)
            return RestAnswer(failure.body, failure.status, failure.headers)
        except RefusalError as refusal:
            return RestAnswer(refusal.body, refusal.status)
        except ServerError as error:
            self.recorder.fail(f"{request.method} {request.path}: {error}", entry)
            return RestAnswer({"message": "500: Internal Server Error", "code": 0}, 500)
        except HalfSentError:
            raise
        except Exception as error:
            log.exception("%s %s", request.method, request.path)
            self.recorder.fail(f"{request.method} {request.path}: {error!r}", entry)
            return RestAnswer({"message": f"An error in the playground: {error!r}", "code": 0}, 400)

    async def _route(
        self, request: web.Request, entry: RecordedRequest, files: dict[int, Upload]
    ) -> RestAnswer:
        path = request.rel_url.raw_path.removeprefix(PREFIX)
        found = self.routes.find(request.method, path) if request.path.startswith(PREFIX) else None
        if found is None:
            self.recorder.fail(f"unknown endpoint: {request.method} {request.path}", entry)
            return RestAnswer({"message": "404: Not Found", "code": 0}, 404)
        route, params = found
        if not route.anonymous and not self._authorised(request):
            return RestAnswer({"message": "401: Unauthorized", "code": 0}, 401)
        headers, limited = self._limit(request)
        if limited is not None:
            return limited
        call = RestCall(self.services, self.gateway, params, dict(request.query), entry.request, files)
        result = await route.handler(call)
        answer = (
            result if isinstance(result, RestAnswer) else RestAnswer(result, 204 if result is None else 200)
        )
        answer.headers = {"X-RateLimit-Bucket": _bucket(route), **headers, **answer.headers}
        return answer

    def _authorised(self, request: web.Request) -> bool:
        given = request.headers.get("Authorization", "")
        return secrets.compare_digest(given.encode(), f"Bot {self.services.token}".encode())

    def _limit(self, request: web.Request) -> tuple[dict[str, str], RestAnswer | None]:
        """Count the request if a limit applies; returns headers, and a 429 answer if the limit is exceeded."""
        limit = self.services.faults.next_limit(request.method, request.path)
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
        return headers, RestAnswer(rate_limited(reset_after, scope=limit.scope), 429, headers)

    async def _read(self, request: web.Request, entry: RecordedRequest) -> dict[int, Upload]:
        """Read the body into the record; returns the files."""
        files: dict[int, Upload] = {}
        try:
            entry.request = await read_body(request, files)
        except ConnectionResetError as error:
            raise HalfSentError from error
        except RuntimeError as error:  # aiohttp raises it if the connection is lost before the reading begins
            if request.transport is not None:
                raise
            raise HalfSentError from error
        entry.files = {index: upload.filename for index, upload in files.items()}
        return files


def _bucket(route: Route) -> str:
    return f"{hash((route.method, route.pattern.pattern)) & 0xFFFFFFFF:08x}"
