"""Bots forked from a process that has loaded all modules, because loading them is most of a start."""

import asyncio
import os
import pkgutil
import runpy
from collections.abc import Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any

import cogs
from data.store import Place
from playground.server import Playground
from tests.e2e.running import LONGEST_LINE, Process, environment

LOADED = (
    __name__,
    "bot.__main__",
    "tests.e2e.dealt",
    *(module.name for module in pkgutil.walk_packages(cogs.__path__, "cogs.")),
)
_FORKING = get_context("forkserver")
_FORKING.set_forkserver_preload([*LOADED])


class Fork:
    """A forked process with the interface of asyncio's processes."""

    def __init__(self, process: ForkServerProcess, stderr: asyncio.StreamReader) -> None:
        assert process.pid is not None
        self.pid = process.pid
        self.stderr = stderr
        self._process = process

    @property
    def returncode(self) -> int | None:
        """Its exit code; negative for a signal."""
        return self._process.exitcode

    def send_signal(self, signum: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, signum)

    async def wait(self) -> int:
        """Wait for its end."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._process.sentinel, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(self._process.sentinel)
        assert self.returncode is not None
        return self.returncode


class ForkedProcess(Process):
    """The same process, but forked, without an interpreter or memory of its own."""

    @classmethod
    async def start(cls, discord: Playground, place: Place, module: str = "bot", **options: Any) -> Process:
        reading, writing = _FORKING.Pipe(duplex=False)
        variables = environment(discord, place, **options)
        process = _FORKING.Process(target=live, args=(module, variables, writing))
        process.start()
        writing.close()
        stderr = asyncio.StreamReader(limit=LONGEST_LINE)
        pipe = os.fdopen(os.dup(reading.fileno()), "rb")
        reading.close()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stderr), pipe)
        return cls(Fork(process, stderr))


def live(module: str, variables: Mapping[str, str], log: Connection) -> None:
    """Run this module in this process, with these variables and this log."""
    os.environ.update(variables)
    os.dup2(log.fileno(), 2)
    log.close()
    runpy.run_module(module, run_name="__main__", alter_sys=True)
