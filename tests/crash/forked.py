"""Bots that begin as copies of a process that has loaded all modules: to load them is most of the work of a start."""

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
    """A copy, to be used like the processes that asyncio starts."""

    def __init__(self, process: ForkServerProcess, stderr: asyncio.StreamReader) -> None:
        assert process.pid is not None
        self.pid = process.pid
        self.stderr = stderr
        self._process = process

    @property
    def returncode(self) -> int | None:
        """How it has ended; of a signal, its number below zero."""
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
    """The same process otherwise, with an interpreter of its own no more than with its memory."""

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
    """Be a process that runs this module, with these variables and this log."""
    os.environ.update(variables)
    os.dup2(log.fileno(), 2)
    log.close()
    runpy.run_module(module, run_name="__main__", alter_sys=True)
