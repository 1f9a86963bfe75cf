"""Records the requests, the gateway events and the failures."""

import asyncio
import itertools
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from playground.payloads import Json


@dataclass
class RecordedRequest:
    """A request and its answer."""

    n: int
    at: float
    method: str
    path: str
    query: dict[str, str] = field(default_factory=dict[str, str])
    request: Any = None
    files: dict[int, str] = field(default_factory=dict[int, str])
    size: int = 0
    """The bytes of the request's body."""
    status: int = 0
    response: Any = None
    ms: float = 0.0
    cut: bool = False
    problems: list[str] = field(default_factory=list[str])

    def as_json(self) -> Json:
        """Return the entry in the format of the page's wire view."""
        return asdict(self)


class Recorder:
    """Keeps requests, gateway events and failures, in order.

    Failures are those that no test may overlook: an unknown path, an exception in a handler, a payload that
    makes Discord itself answer 500. Only the last `keep` requests and events are kept, or all of them by
    default.
    """

    def __init__(self, *, keep: int | None = None) -> None:
        self.entries: deque[RecordedRequest] = deque(maxlen=keep)
        self.events: deque[tuple[str, Any]] = deque(maxlen=keep)
        self.failures: list[str] = []
        self.listeners: list[Callable[[RecordedRequest], None]] = []
        self._numbers = itertools.count(1)
        self._open = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    def begin(self, method: str, path: str, query: dict[str, str]) -> RecordedRequest:
        """Open the record of a request."""
        entry = RecordedRequest(next(self._numbers), time.time(), method, path, query)
        entry.ms = -time.perf_counter() * 1000
        self.entries.append(entry)
        self._open += 1
        self._quiet.clear()
        return entry

    def end(self, entry: RecordedRequest, status: int, response: object) -> None:
        """Close the record with the answer."""
        entry.ms = round(entry.ms + time.perf_counter() * 1000, 2)
        entry.status = status
        entry.response = response
        self._close()
        for listener in tuple(self.listeners):
            listener(entry)

    def cut(self, entry: RecordedRequest) -> None:
        """Close the record of a request that never arrived completely: it had no effect and gets no answer."""
        entry.cut = True
        self._close()

    def _close(self) -> None:
        self._open -= 1
        if self._open == 0:
            self._quiet.set()

    async def quiet(self) -> None:
        """Wait until every request is answered, even if its sender is gone; raises TimeoutError after a minute."""
        async with asyncio.timeout(60):
            await self._quiet.wait()

    def event(self, name: str, data: object) -> None:
        """Record an event that was sent to the bot."""
        self.events.append((name, data))

    def fail(self, what: str, entry: RecordedRequest | None = None) -> None:
        """Record a failure."""
        self.failures.append(what)
        if entry is not None:
            entry.problems.append(what)

    def requests(self, method: str = "", path: str = "") -> list[RecordedRequest]:
        """Return the requests of a method whose path contains a text."""
        return [entry for entry in self.entries if method in ("", entry.method) and path in entry.path]
