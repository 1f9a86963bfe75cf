"""The real bot, the real discord.py and the playground in one event loop, with no threads and a clock that never waits.

`pytest --sockets` has the same tests run over real sockets in real time, as `make wire` does.
"""

import asyncio
import pickle
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import Any

import aiosqlite.core
import pytest
from discord.gateway import KeepAliveHandler

from bot.pictures import Pictures
from bot.workpool.child import _steps
from bot.workpool.drawing import Drawing
from data.sqlite import engines
from playground.in_process import InProcessLoop
from render.words import spoken

FOLDERS = ("tests/e2e/", "tests/bot/", "tests/cogs/", "tests/machine/")
"""The folders whose tests run in such a loop, unless they are marked as `real`."""
AT_ONCE = "PRAGMA busy_timeout=0"
"""The statement that turns off waiting for locks.

The blocking connection is a task of the same thread, so waiting would only waste seconds.
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option to use sockets."""
    parser.addoption(
        "--sockets", action="store_true", help="run the tests over the wire on real sockets, in real time"
    )


def runs_in_process(item: Any) -> bool:
    """Return whether a test (or its definition) runs in such a loop."""
    if item.get_closest_marker("in_process") is not None:
        return True
    config = item.config
    return (
        item.nodeid.startswith(FOLDERS)
        and not any(item.get_closest_marker(name) for name in ("real", "by_name", "threads"))
        and not {"start_process", "server"} & {*item.fixturenames}
        and not config.getoption("--sockets")
        and config.getoption("--jitter") is None
        and config.getoption("--database") == "sqlite"
    )


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Return the factory of the event loop."""
    return {"in process": InProcessLoop} if runs_in_process(item) else {"usual": asyncio.new_event_loop}


class NoThread:
    """A stand-in for a connection's thread; `WorkAtOnce` does its work."""

    def __init__(self, **_options: Any) -> None:
        self.daemon = False

    def start(self) -> None:
        """Do nothing."""

    def join(self) -> None:
        """Return at once."""


class WorkAtOnce:
    """A stand-in for the queue of a connection's thread. It does the work at once, in order."""

    def put(self, work: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        """Do a piece of work. Its future is resolved in the loop's next turn."""
        future, function = work
        try:
            result = function()
        except BaseException as error:  # noqa: BLE001 - as in the thread of a connection
            if future is not None:
                future.get_loop().call_soon(aiosqlite.core.set_exception, future, error)
        else:
            if future is not None:
                future.get_loop().call_soon(aiosqlite.core.set_result, future, result)

    put_nowait = put


def _step(steps: Generator[None, None, Any]) -> tuple[bool, Any]:
    """Do one step of long work, and return whether it is done and its result."""
    try:
        next(steps)
    except StopIteration as done:
        return True, done.value
    return False, None


@cache
def _elsewhere() -> ThreadPoolExecutor:
    """Return a thread for long work, which may run a loop of its own."""
    return ThreadPoolExecutor(1)


class WorkerHere:
    """A stand-in for a worker process. It does long work one step at a time between turns of the loop."""

    def __init__(self) -> None:
        self.is_open = True
        self.load = 0

    @classmethod
    async def start(cls, niceness: int = 0) -> "WorkerHere":
        """Return a new worker."""
        return cls()

    @property
    def has_ended(self) -> bool:
        """Whether it accepts no more work and has none left."""
        return not self.is_open and not self.load

    async def run(self, content: bytes) -> Any:
        """Return the result of the pickled function. Both travel as bytes, as between processes."""
        self.load += 1
        try:
            steps = _steps(content)
            while True:
                await asyncio.sleep(0)
                is_over, value = _elsewhere().submit(_step, steps).result()
                if is_over:
                    return pickle.loads(pickle.dumps(value))
        finally:
            self.load -= 1

    def retire(self) -> None:
        """Take no more work."""
        self.is_open = False

    async def close(self) -> None:
        """Close the worker."""
        self.is_open = False


def without_threads(patch: pytest.MonkeyPatch) -> None:
    """Let the store and long work run in the loop of this thread, and stop the heartbeats, which a thread sends in real time."""
    patch.setattr(KeepAliveHandler, "start", lambda _: None)
    patch.setattr(aiosqlite.core, "SimpleQueue", WorkAtOnce)
    patch.setattr(aiosqlite.core, "Thread", NoThread)
    for name in ("_WRITER", "_READER"):
        pragmas = getattr(engines, name)
        patch.setattr(
            engines, name, tuple(AT_ONCE if pragma == engines._TIMEOUT else pragma for pragma in pragmas)
        )
    patch.setattr(engines, "_TIMEOUT", AT_ONCE)
    for module in ("bot.workpool.pool", "bot.workpool.drawing"):
        patch.setattr(f"{module}.Worker", WorkerHere)


def make_bots_light(patch: pytest.MonkeyPatch) -> None:
    """Let bots of this process collect no garbage, draw nothing ahead, draw the same picture only once, and analyse quickly.

    Collecting the garbage of all tests takes long, and would unfreeze the imported objects. The only thread of
    such a bot also runs the tests. Many tests have the same deals.
    """
    analyse_quickly(patch)
    run = Drawing.run

    async def never(*_: Any) -> None:
        await asyncio.Event().wait()

    async def look_up(drawing: Drawing, function: Callable[..., Any], *args: Any) -> Any:
        return await run(drawing, drawn, function, spoken(), *args)

    patch.setattr("bot.app.collect_garbage", never)
    patch.setattr(Pictures, "draw_ahead", never)
    patch.setattr(Drawing, "run", look_up)


def analyse_quickly(patch: pytest.MonkeyPatch) -> None:
    """Let an analysis play a costly decision out twice: thirty times tell more, but nothing else."""
    patch.setattr("marriage.analysis.deal_analysis._ROLLOUTS", 2)


@lru_cache(maxsize=1_000)
def drawn(function: Callable[..., Any], _language: str, *args: Any) -> Any:
    """Return a function's drawing in a language, which must be the current one."""
    return function(*args)


@pytest.fixture(autouse=True)
def _without_threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test without threads if it runs in process."""
    if runs_in_process(request.node):
        without_threads(monkeypatch)
