"""Calls to Discord's REST API: its address, the time limit of each call, and the requests per second."""

import asyncio
import time
from collections import deque
from contextvars import ContextVar
from enum import IntEnum
from heapq import heappop, heappush
from http import HTTPStatus
from itertools import count
from typing import Any

import aiohttp
import discord
import discord.gateway
import discord.http
import yarl
from discord.http import HTTPClient, Route

from bot.settings import Settings


async def point_at_server(settings: Settings) -> None:
    """Set discord.py's addresses; by default they are Discord's own. Call it before creating the client.

    With a proxy, REST calls go there, and other connections are unaffected. Without a gateway address in the
    settings, the server is asked for it once. Raises aiohttp.ClientError, or discord.LoginFailure for a
    refused token.
    """
    discord.http.Route.BASE = settings.rest_url
    if settings.is_discord and settings.discord_gateway_url is None:
        return
    api = yarl.URL(settings.discord_api_url)
    gateway = settings.discord_gateway_url or await _ask_gateway(settings)
    # A shard that starts a new session uses this address, so it is always set.
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    setattr(discord.Asset, "BASE", str(api.origin()))  # noqa: B010 - typed as a literal, meant to be set


async def _ask_gateway(settings: Settings) -> str:
    headers = {"Authorization": f"Bot {settings.discord_token.get_secret_value()}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"{settings.rest_url}/gateway/bot") as response,
    ):
        if response.status == HTTPStatus.UNAUTHORIZED:
            raise discord.LoginFailure("the token is refused")
        response.raise_for_status()
        answer = await response.json()
    return answer["url"]


ATTEMPT_S = 15.0
"""The time limit of one request, in seconds. Without it, a dead connection is noticed only after five minutes."""
CALL_S = 60.0
"""The time limit of a call, in seconds: discord.py tries five times, with pauses, and waits for rate limits."""
LONGEST_PAUSE_S = 30.0
"""The longest rate limit that discord.py waits for; a longer one raises RateLimited."""
FORGET_EVERY_S = 10.0
"""The interval, in seconds, at which expired rate limits are dropped."""

MOST_A_SECOND = 40
"""The most requests per second. After more than 50, Discord accepts none for a while, of any kind."""
MOST_UNHURRIED = 30
"""The most requests that no person waits for, so that a turn never waits for them."""
_UNCOUNTED = ("/interactions/", "/webhooks/")
"""Paths of answers to interactions and edits by their tokens, which do not count and do not wait."""


class Urgency(IntEnum):
    """The priority of requests that cannot all be sent at once."""

    TURN = 0
    """Requests that a player waits for: hands, mentions, tables in play, and answers to presses."""
    TABLE = 1
    """Tables that wait for their players."""
    LATER = 2
    """Messages of seasons, and edits that no person waits for."""


urgency: ContextVar[Urgency] = ContextVar("urgency", default=Urgency.TURN)
"""The urgency of this task's requests."""


class Budget:
    """Limits requests per second. Urgent ones go first, others in the order in which they came."""

    def __init__(self, most: int = MOST_A_SECOND, most_unhurried: int = MOST_UNHURRIED) -> None:
        self._most = most
        self._most_unhurried = most_unhurried
        self._sent: deque[float] = deque()
        """When the requests of the last second were sent, by the loop's clock."""
        self._waiting: list[tuple[Urgency, int, asyncio.Future[None]]] = []
        self._order = count()
        self._timer: asyncio.TimerHandle | None = None

    async def take(self, how_urgent: Urgency) -> None:
        """Wait until a request may be sent."""
        turn = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (how_urgent, next(self._order), turn))
        self._serve()
        await turn

    def _serve(self) -> None:
        """Release the requests that may be sent, and check again when the next one may."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        while self._sent and self._sent[0] <= now - 1:
            self._sent.popleft()
        while self._waiting:
            how_urgent, _, turn = self._waiting[0]
            most = self._most if how_urgent is Urgency.TURN else self._most_unhurried
            if not turn.done() and len(self._sent) >= most:
                self._look_again(loop, self._sent[len(self._sent) - most] + 1)
                return
            heappop(self._waiting)
            if not turn.done():  # else its task was cancelled
                self._sent.append(now)
                turn.set_result(None)

    def _look_again(self, loop: asyncio.AbstractEventLoop, at: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_at(at, self._serve)

    def counts(self, trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
        """Let every request of the sessions with this trace wait for its turn; returns the trace."""

        async def begins(_: object, __: object, request: aiohttp.TraceRequestStartParams) -> None:
            path = request.url.path
            if path.startswith("/api/") and not any(part in path for part in _UNCOUNTED):
                await self.take(urgency.get())

        trace.on_request_start.append(begins)
        return trace


def limit_calls(http: HTTPClient) -> None:
    """Set a time limit for every call of this client.

    A call that takes longer raises TimeoutError. It may still have had its effect, so a message that is sent
    again must have the same nonce.
    """
    request = http.request

    async def limited(route: Route, **options: Any) -> Any:
        options.setdefault("timeout", aiohttp.ClientTimeout(total=ATTEMPT_S))
        try:
            async with asyncio.timeout(CALL_S):
                return await request(route, **options)
        except (TimeoutError, asyncio.CancelledError):
            _reopen(http)
            raise

    setattr(http, "request", limited)  # noqa: B010 - a method, and meant to be set
    _forget_limits_seldom(http)


def _forget_limits_seldom(http: HTTPClient) -> None:
    """Let the library look for expired rate limits only now and then.

    It checks all of them for every channel that is new to it: at 1,000 tables that took 2 ms of each press.
    There is no public way to change that; a version of the library without this method is left unchanged.
    """
    forget = getattr(http, "_try_clear_expired_ratelimits", None)
    if forget is None:
        return
    looked_at = -FORGET_EVERY_S

    def seldom() -> None:
        nonlocal looked_at
        now = time.monotonic()
        if now - looked_at >= FORGET_EVERY_S:
            looked_at = now
            forget()

    setattr(http, "_try_clear_expired_ratelimits", seldom)  # noqa: B010 - see above


def _reopen(http: HTTPClient) -> None:
    """Let calls through again after a global rate limit.

    The call that met the limit makes the others wait until its pause is over. If it is cancelled in the pause, nothing
    else would end their waiting.
    """
    gate: asyncio.Event = getattr(http, "_global_over")  # noqa: B009 - discord.py has no other way
    if not gate.is_set():
        asyncio.get_running_loop().call_later(LONGEST_PAUSE_S, gate.set)
