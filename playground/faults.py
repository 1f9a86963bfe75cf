"""Faults on demand: failing answers, late answers and rate limits."""

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
    """An error that answers the next `times` matching requests."""

    method: str
    path: re.Pattern[str]
    status: int
    body: Json | None
    headers: dict[str, str]
    times: int
    done: bool = False
    """The request takes effect all the same, and only its answer is replaced."""

    def matches(self, method: str, path: str) -> bool:
        """Return whether the failure applies to a request."""
        return self.times > 0 and self.method in ("*", method) and bool(self.path.search(path))


@dataclass
class Limit:
    """A rate limit: at most `count` requests in `seconds` for each matching path."""

    method: str
    path: re.Pattern[str]
    count: int
    seconds: float
    bucket: str
    scope: str = "user"
    windows: dict[str, tuple[float, int]] = field(default_factory=dict[str, tuple[float, int]])

    def take(self, key: str) -> tuple[int, float]:
        """Count one request; returns how many remain (-1: over the limit) and the seconds until the reset."""
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
    """Holds matching requests back, before they take effect, until they are released."""

    def __init__(self, method: str, path: re.Pattern[str]) -> None:
        self.method = method
        self.path = path
        self._held = asyncio.Semaphore(0)
        self._released = asyncio.Event()

    async def reached(self, requests: int = 1) -> None:
        """Wait until `requests` more requests are held back; raises TimeoutError if that takes more than a minute."""
        async with asyncio.timeout(60):
            for _ in range(requests):
                await self._held.acquire()

    def release(self) -> None:
        """Let the requests continue."""
        self._released.set()

    async def wait(self, method: str, path: str) -> None:
        """Hold a request back if it matches."""
        if self.method in ("*", method) and self.path.search(path):
            self._held.release()
            await self._released.wait()


class Faults:
    """The faults in force; none at the start. Each answer is delayed by `pause` seconds."""

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
        """Answer the next requests whose path matches the pattern with an error, before they take effect.

        With `done` they take effect all the same.
        """
        extra = dict(headers or {})
        if body is None:
            body = {"message": f"{status}: a fault set in the playground", "code": code}
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
        """Hold back requests whose path matches the pattern, until `release()`."""
        hold = Hold(method, re.compile(path))
        self.holds.append(hold)
        return hold

    def clear(self) -> None:
        """Remove all faults and release held requests."""
        self.failures.clear()
        self.limits.clear()
        for hold in self.holds:
            hold.release()
        self.holds.clear()
        self.pause = 0.0

    async def wait(self, method: str, path: str) -> None:
        """Delay a request by the pause and by the holds that match it."""
        if self.pause:
            await asyncio.sleep(self.pause)
        for hold in tuple(self.holds):
            await hold.wait(method, path)

    def next_failure(self, method: str, path: str) -> Failure | None:
        """Return the failure that applies to a request, if any, and count it."""
        for failure in self.failures:
            if failure.matches(method, path):
                failure.times -= 1
                return failure
        return None

    def next_limit(self, method: str, path: str) -> Limit | None:
        """Return the limit that applies to a request, if any."""
        for limit in self.limits:
            if limit.method in ("*", method) and limit.path.search(path):
                return limit
        return None
