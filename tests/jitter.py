"""The same tests with random delays in the wire, the disk and the machine: `pytest --jitter 7 tests/e2e`.

Everything that may take time takes some, each time a different amount: answers and events of the playground,
frames of its page, reads and writes of the store, work in threads. In each test one of these places is slow
and the others are only uneven. Events therefore come in orders that a quick machine never shows. The number
and the test's name decide where and how long.
"""

import asyncio
import random
import zlib
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from data.sqlite.transactions import Readers, Writer
from playground.bridge import Tab
from playground.gateway.sockets import Connection
from playground.rest.handler import Rest

PLACES = (
    "request",
    "answer",
    "event",
    "frame out",
    "frame in",
    "read",
    "begin",
    "commit",
    "thread",
    "nowhere",
)
UNEVEN_S = 0.01
SLOW_S = (0.05, 0.4)


class Dawdling:
    """The delays of each place, drawn each time.

    Ten numbers in a row make every place slow once in each test.
    """

    def __init__(self, number: int, test: str) -> None:
        self._random = random.Random(f"{number} {test}")
        self.slow = PLACES[(zlib.crc32(test.encode()) + number) % len(PLACES)]

    def seconds(self, place: str) -> float:
        """Return how long the place takes now."""
        if place == self.slow and self._random.random() < 0.5:
            return self._random.uniform(*SLOW_S)
        return self._random.random() * UNEVEN_S if self._random.random() < 0.3 else 0.0

    async def dawdle(self, place: str) -> None:
        """Sleep for the delay of the place."""
        seconds = self.seconds(place)
        if seconds:
            await asyncio.sleep(seconds)


class LateQueue(asyncio.Queue[Any]):
    """A queue that delivers its items in order, but late."""

    def __init__(self, dawdling: Dawdling, place: str) -> None:
        super().__init__()
        self._dawdling = dawdling
        self._place = place

    async def get(self) -> Any:
        """Return the next item, late."""
        item = await super().get()
        await self._dawdling.dawdle(self._place)
        return item


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the number."""
    parser.addoption(
        "--jitter", metavar="NUMBER", type=int, help="let everything dawdle, differently for each number"
    )


@pytest.fixture(autouse=True)
def dawdling(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add random delays to the test, if asked for."""
    number = request.config.getoption("--jitter")
    if number is None:
        yield
        return
    dawdling = Dawdling(number, request.node.nodeid)
    print(f"slow: {dawdling.slow}")
    _late_wire(dawdling, monkeypatch)
    store = ((Readers, "_wait", "read"), (Writer, "_take", "begin"), (Writer, "commit", "commit"))
    for kind, function, place in store:
        monkeypatch.setattr(kind, function, _late(getattr(kind, function), dawdling, place))
    monkeypatch.setattr(asyncio, "to_thread", _late(asyncio.to_thread, dawdling, "thread"))
    yield


def _late_wire(dawdling: Dawdling, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = _late(Rest._answer, dawdling, "request")

    async def answered(rest: Rest, *args: Any) -> Any:
        said = await answer(rest, *args)
        await dawdling.dawdle("answer")
        return said

    monkeypatch.setattr(Rest, "_answer", answered)
    for kind, place in ((Connection, "event"), (Tab, "frame out")):
        monkeypatch.setattr(kind, "__init__", _with_late_queue(kind.__init__, dawdling, place))
    monkeypatch.setattr(Tab, "_take", _late_in_order(Tab._take, dawdling))


def _late(function: Callable[..., Awaitable[Any]], dawdling: Dawdling, place: str) -> Callable[..., Any]:
    async def late(*args: Any, **named: Any) -> Any:
        await dawdling.dawdle(place)
        return await function(*args, **named)

    return late


def _with_late_queue(init: Callable[..., None], dawdling: Dawdling, place: str) -> Callable[..., None]:
    def begin(loop: Any, *args: Any, **named: Any) -> None:
        init(loop, *args, **named)
        loop._outgoing = LateQueue(dawdling, place)

    return begin


def _late_in_order(take: Callable[[Tab, str], None], dawdling: Dawdling) -> Callable[[Tab, str], None]:
    due: dict[Tab, float] = {}

    def later(tab: Tab, data: str) -> None:
        loop = asyncio.get_running_loop()
        due[tab] = max(due.get(tab, 0.0) + 1e-6, loop.time() + dawdling.seconds("frame in"))
        loop.call_at(due[tab], take, tab, data)

    return later
