"""A time limit for every call to Discord's REST API, and what discord.py does besides each call."""

import asyncio
from time import monotonic
from typing import Any

import aiohttp
from discord.http import HTTPClient, Route

ATTEMPT_S = 15.0
"""How long one request may take. Without a limit, a dead connection is noticed only after five minutes."""
CALL_S = 60.0
"""How long a call may take in all: discord.py tries five times, with pauses, and waits for rate limits."""
LONGEST_PAUSE_S = 30.0
"""The longest rate limit that discord.py waits for; a longer one raises RateLimited."""
FORGET_EVERY_S = 10.0
"""How often rate limits that have ended long ago are looked for."""


def limit_calls(http: HTTPClient) -> None:
    """Give every call of this client a time limit.

    A call that takes longer raises TimeoutError. It may have had its effect all the same, so a message that is sent again
    must have the same nonce.
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
    """Let the library look only now and then for rate limits to forget.

    It looks at all of them for every channel that is new to it: at 1,000 tables that took 2 ms of each press. There is no
    public way to change that; a version of the library without this method is left as it is.
    """
    forget = getattr(http, "_try_clear_expired_ratelimits", None)
    if forget is None:
        return
    looked_at = -FORGET_EVERY_S

    def seldom() -> None:
        nonlocal looked_at
        now = monotonic()
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
