"""Faults to order: answers that fail, that come late, and limits on how often one may ask."""

import asyncio
import re
import time
from dataclasses import dataclass, field

from playground.payloads import Json


def rate_limited(retry_after: float, *, scope: str = "user", code: int = 0) -> Json:
    """Return the body of a 429."""
    is_global = scope == "global"
    text = "You are being rate limited."
    return {"message": text, "retry_after": round(retry_after, 3), "global": is_global, "code": code}


@dataclass
class Failure:
    """The next `times` requests that match are answered so."""

    method: str
    path: re.Pattern[str]
    status: int
    body: Json | None
    headers: dict[str, str]
    times: int
    done: bool = False
    """What was asked for is done, and only its answer gets lost."""

    def matches(self, method: str, path: str) -> bool:
        """Tell whether a request falls under it."""
        return self.times > 0 and self.method in ("*", method) and bool(self.path.search(path))


@dataclass
class Limit:
    """At most `count` requests in `seconds` for each path that matches."""

    method: str
    path: re.Pattern[str]
    count: int
    seconds: float
    bucket: str
    scope: str = "user"
    windows: dict[str, tuple[float, int]] = field(default_factory=dict[str, tuple[float, int]])

    def take(self, key: str) -> tuple[int, float]:
        """Count one request; returns what remains (-1: over the limit) and the seconds to the reset."""
        now = time.monotonic()
        start, used = self.windows.get(key, (now, 0))
        if now - start >= self.seconds:
            start, used = now, 0
        if used < self.count:
            used += 1
            remaining = self.count - used
        else:
            remaining = -1
        self.windows[key] = (start, used)
        return remaining, start + self.seconds - now


class Hold:
    """Requests that match are held back, before they do anything, until they are released."""

    def __init__(self, method: str, path: re.Pattern[str]) -> None:
        self.method = method
        self.path = path
        self._reached = asyncio.Event()
        self._released = asyncio.Event()

    async def reached(self) -> None:
        """Wait until a request has come."""
        await self._reached.wait()

    def release(self) -> None:
        """Let them go on."""
        self._released.set()

    async def wait(self, method: str, path: str) -> None:
        """Hold a request back if it matches."""
        if self.method in ("*", method) and self.path.search(path):
            self._reached.set()
            await self._released.wait()


class Faults:
    """What is to go wrong. Nothing, at first; `pause` seconds are added to each answer."""

    def __init__(self) -> None:
        self.failures: list[Failure] = []
        self.limits: list[Limit] = []
        self.holds: list[Hold] = []
        self.pause = 0.0

    def fail(
        self,
        path: str = "",
        *,
        method: str = "*",
        status: int = 503,
        code: int = 0,
        times: int = 1,
        retry_after: float = 0.1,
        headers: dict[str, str] | None = None,
        body: Json | None = None,
        done: bool = False,
    ) -> Failure:
        """Answer the next requests whose path matches the pattern with an error, before they do anything.

        With `done` they do what they ask for all the same.
        """
        extra = dict(headers or {})
        if body is None:
            body = {"message": f"{status}: a fault of the playground", "code": code}
        if status == 429:
            body = rate_limited(retry_after, code=code)
            extra = {
                "Via": "1.1 google",
                "Retry-After": str(retry_after),
                "X-RateLimit-Scope": "user",
            } | extra
        failure = Failure(method, re.compile(path), status, body, extra, times, done)
        self.failures.append(failure)
        return failure

    def limit(
        self,
        path: str,
        count: int,
        seconds: float,
        *,
        method: str = "*",
        bucket: str = "",
        scope: str = "user",
    ) -> Limit:
        """Limit requests whose path matches the pattern."""
        limit = Limit(
            method, re.compile(path), count, seconds, bucket or f"playground-{len(self.limits)}", scope
        )
        self.limits.append(limit)
        return limit

    def hold(self, path: str, *, method: str = "*") -> Hold:
        """Hold requests back whose path matches the pattern, until `release()`."""
        hold = Hold(method, re.compile(path))
        self.holds.append(hold)
        return hold

    def clear(self) -> None:
        """Let everything go right again."""
        self.failures.clear()
        self.limits.clear()
        for hold in self.holds:
            hold.release()
        self.holds.clear()
        self.pause = 0.0

    async def wait(self, method: str, path: str) -> None:
        """Hold a request back for as long as was ordered."""
        if self.pause:
            await asyncio.sleep(self.pause)
        for hold in tuple(self.holds):
            await hold.wait(method, path)

    def next_failure(self, method: str, path: str) -> Failure | None:
        """Return the failure a request is to meet, used up by one."""
        for failure in self.failures:
            if failure.matches(method, path):
                failure.times -= 1
                return failure
        return None

    def next_limit(self, method: str, path: str) -> Limit | None:
        """Return the limit a request falls under."""
        for limit in self.limits:
            if limit.method in ("*", method) and limit.path.search(path):
                return limit
        return None
