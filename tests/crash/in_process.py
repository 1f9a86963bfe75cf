"""Bots in the loop of this process, each of which can be cut off between any two of its steps.

Cutting a bot off does what SIGKILL does to a process. Nothing of the bot runs any more, its connections close
behind what it has sent, and its file stays as it is at that moment. The next bot continues with a copy of that
file, so nothing that is left of the old one can reach it.

What a process shares with its machine, such as locks of files, and what only a disk can do are not covered:
`make crash` and `make powercut` are for them.
"""

import asyncio
import gc
import json
import logging
import shutil
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from contextvars import Context, ContextVar, copy_context
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest

from bot.table.flow import seating
from playground.in_process import InProcessLoop
from playground.server import Playground
from tests.crash.endings import KILLED, STOPPED
from tests.e2e.dealt import dull_at_some_tables
from tests.e2e.running import Process, Running, run_here
from tests.games import FileOfGames, copy_files
from tests.in_process import WorkAtOnce, make_bots_light, without_threads
from tests.long_run import log_as_python_does

NEVER_RETRIEVED = "exception was never retrieved"
"""Written when garbage is collected, which may be that of a bot that was cut off before."""
LONGEST_STOP_S = 60
IGNORED = "coroutine ignored GeneratorExit"


class CopiedGames(FileOfGames):
    """Games in a file that is copied to a new folder whenever a bot is cut off."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "0" / "tiplu.sqlite3")
        self.folder = folder
        self._copies = 0

    def copy(self) -> None:
        """Continue with a copy of the file as it is now."""
        self._copies += 1
        old, self._path = self._path, self.folder / str(self._copies) / self._path.name
        self._path.parent.mkdir()
        copy_files(old, self._path)

    def remove_old(self) -> None:
        """Remove all copies but the latest."""
        for folder in self.folder.iterdir():
            if folder.is_dir() and folder != self._path.parent:
                shutil.rmtree(folder)


class InProcessBot(Process):
    """A bot in this process, with the interface of a process of its own."""

    current: ContextVar["InProcessBot | None"] = ContextVar("bot", default=None)
    """The bot to which the running code belongs."""

    def __init__(self, discord: Playground, games: CopiedGames, **options: Any) -> None:
        """Start the bot; `life` has its exit code when it is over."""
        self.lines: list[str] = []
        self.excused: tuple[str, ...] = ()
        self.moments = 0
        """How many moments have passed at which the bot could have been cut off."""
        self.is_cut_off = False
        self.life: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._games = games
        self._last: int | None = None
        self._is_stopping = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self._connections: list[asyncio.Transport] = []
        self._running: Running | None = None
        self._started = asyncio.Event()
        self._context = copy_context()
        self._context.run(self.current.set, self)
        self._main = self._task(self._live(discord, options))

    async def _live(self, discord: Playground, options: dict[str, Any]) -> None:
        self._running = await run_here(discord, self._games.place, **options)
        self._started.set()
        await self._running.task

    def _task(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work, context=self._context)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        if self.life.done() or task.cancelled():
            return
        if error := task.exception():
            self.life.set_exception(error)
        elif not self._is_stopping:
            self.life.set_result(STOPPED)

    def go_on(self) -> None:
        """Let the bot act as if it had run while the clock was moved, and had not stood still."""
        if self._running is not None:
            outages = self._running.bot.services.outages
            outages._noted = outages._times

    # Its end

    def cut_off_after(self, moments: int) -> None:
        """Cut the bot off when so many more moments have passed."""
        self._last = self.moments + moments

    def pass_moment(self) -> None:
        """Note a moment, and cut the bot off if it is its last."""
        self.moments += 1
        if self._last is not None and self.moments >= self._last:
            self.cut_off()

    def cut_off(self) -> None:
        """Let nothing of the bot happen any more."""
        if self.is_cut_off or self.life.done():
            return
        self.is_cut_off = True
        self._games.copy()
        for connection in self._connections:
            connection.close()
        self.life.set_result(KILLED)

    async def kill(self) -> int:
        """Cut the bot off, and return the exit code."""
        self.cut_off()
        return await self._over()

    async def terminate(self) -> int:
        """Let the bot stop, and return the exit code."""
        if not self.life.done():
            self._task(self._stop())
        return await self._over()

    async def _stop(self) -> None:
        self._is_stopping = True
        await self._started.wait()
        assert self._running is not None
        await self._running.stop()
        if not self.life.done():
            self.life.set_result(STOPPED)

    async def _over(self) -> int:
        async with asyncio.timeout(LONGEST_STOP_S):
            code = await self.life
        if self.is_cut_off:
            self._context.run(self._release)
        self._running = None
        return code

    def _release(self) -> None:
        """Release everything that the bot holds, here, where whatever it still does is dropped."""
        this_loop().forget(self)
        while self._tasks:
            drop(self._tasks.pop())
        self._connections.clear()
        self._running = None
        gc.collect()
        self._games.remove_old()

    # What belongs to it

    def adopt_task(self, task: asyncio.Task[Any]) -> None:
        """Note a task that the bot has begun."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard, context=self._context)

    def adopt_connection(self, connection: asyncio.Transport) -> None:
        """Note a connection that the bot has opened."""
        self._connections.append(connection)

    def run(self, callback: Callable[..., object], *args: Any) -> None:
        """Run a callback of the bot, unless it is cut off before."""
        self.pass_moment()
        if not self.is_cut_off:
            callback(*args)


class CuttingLoop(InProcessLoop):
    """A loop that runs nothing of a bot that was cut off."""

    def __init__(self) -> None:
        super().__init__()
        self.on_request = lambda _, __: pass_moment()

    def call_soon(self, callback: Any, *args: Any, context: Context | None = None) -> asyncio.Handle:
        return self._guarded(super().call_soon, (), callback, args, context)

    def call_soon_threadsafe(
        self, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        return self._guarded(super().call_soon_threadsafe, (), callback, args, context)

    def call_at(
        self, when: float, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self._guarded(super().call_at, (when,), callback, args, context)

    def _guarded(
        self, call: Any, when: tuple[float, ...], callback: Any, args: Any, context: Context | None
    ) -> Any:
        bot = _bot_of(context)
        if bot is None:
            return call(*when, callback, *args, context=context)
        handle = call(*when, bot.run, callback, *args, context=context)
        if bot.is_cut_off:
            handle.cancel()
        return handle

    def create_task(
        self, coro: Any, *, name: Any = None, context: Context | None = None
    ) -> asyncio.Task[Any]:
        task = super().create_task(coro, name=name, context=context)
        if (bot := _bot_of(context)) is not None:
            bot.adopt_task(task)
        return task

    async def create_connection(self, *args: Any, **options: Any) -> tuple[asyncio.Transport, Any]:
        bot = InProcessBot.current.get()
        if bot is not None and bot.is_cut_off:
            raise ConnectionRefusedError("this bot was cut off")
        transport, protocol = await super().create_connection(*args, **options)
        if bot is not None:
            bot.adopt_connection(transport)
        return transport, protocol

    def forget(self, bot: InProcessBot) -> None:
        """Release the timers of a bot that was cut off."""
        for handle in self._scheduled:  # type: ignore[attr-defined]
            if handle._context.get(InProcessBot.current) is bot:
                handle.cancel()


def this_loop() -> CuttingLoop:
    """Return the running loop."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, CuttingLoop)
    return loop


def _bot_of(context: Context | None) -> InProcessBot | None:
    """Return the bot to which code in a context belongs; None is the current context."""
    return InProcessBot.current.get() if context is None else context.get(InProcessBot.current)


def drop(task: asyncio.Task[Any]) -> None:
    """Release a task that will never run again, as if it had never been."""
    task._log_destroy_pending = False  # type: ignore[attr-defined]
    asyncio.tasks._unregister_task(task)  # type: ignore[attr-defined]
    with suppress(BaseException):  # nobody is there to hear of it
        task.get_coro().close()  # type: ignore[union-attr]


def report_unless_dropped(report: "sys.UnraisableHookArgs") -> None:
    """Report what goes wrong where nothing can be raised, except where a dropped task does not want to end."""
    if not isinstance(report.exc_value, RuntimeError) or IGNORED not in str(report.exc_value):
        sys.__unraisablehook__(report)


def pass_moment() -> None:
    """Note a moment of the bot whose code is running, if any."""
    bot = InProcessBot.current.get()
    if bot is not None and not bot.is_cut_off:
        bot.pass_moment()


class CountedWork(WorkAtOnce):
    """The work of a database connection. A bot can be cut off before and after each piece."""

    def put(self, work: Any) -> None:
        pass_moment()
        super().put(work)
        pass_moment()

    put_nowait = put


class BotLogs(logging.Handler):
    """Gives each bot the lines of its own log, in the form in which a process writes them."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)

    def emit(self, record: logging.LogRecord) -> None:
        bot = InProcessBot.current.get()
        if bot is None or bot.is_cut_off or NEVER_RETRIEVED in record.getMessage():
            return
        line = {"event": record.getMessage(), "level": record.levelname.lower()}
        if record.exc_info:
            line["exception"] = logging.Formatter().formatException(record.exc_info)
        bot.lines.append(json.dumps(line))


@contextmanager
def prepared(name: str) -> Generator[None, None, None]:
    """Let bots of this process use no threads, and derive the seeds of all deals from a name."""
    log, root = BotLogs(), logging.getLogger()
    log_as_python_does()
    level = root.level
    with pytest.MonkeyPatch.context() as patch:
        without_threads(patch)
        make_bots_light(patch)
        patch.setattr("aiosqlite.core.SimpleQueue", CountedWork)
        patch.setattr("bot.table.flow.sealing.secrets", SimpleNamespace(token_bytes=Random(name).randbytes))
        patch.setattr(seating, "start", dull_at_some_tables)
        patch.setattr(sys, "unraisablehook", report_unless_dropped)
        for kind in (aiohttp.ClientSession, aiohttp.BaseConnector):
            patch.setattr(kind, "__del__", lambda _: None)  # it would report that nobody closed it
        patch.setattr(root, "handlers", [log])  # others would keep tracebacks, and with them the bots
        root.setLevel(logging.INFO)
        gc.collect()
        gc.freeze()  # so that each release looks at the bots alone
        try:
            yield
        finally:
            gc.collect()
            root.setLevel(level)
