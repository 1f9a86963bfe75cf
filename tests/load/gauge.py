"""The measurements of a bot's process under load: processor time, memory, stalls, a profile.

It answers on a Unix socket, with one line of JSON for each line received.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from tests.load.sampling import Sampler, SamplerBeside, seconds_by_thread
from tests.load.spent import spent_below, spent_by

VARIABLE = "LOAD_SOCKET"
"""The environment variable that names the socket."""
BEAT_S = 0.02
BESIDE = "other processes"


class Gauge:
    """The measurements of this process; `more` adds other figures."""

    def __init__(self, more: Callable[[], dict[str, Any]] = dict) -> None:
        self._more = more
        self._sampler = Sampler()
        self._beside = SamplerBeside()
        self._worst_stall = 0.0

    async def open(self) -> None:
        """Answer on the socket that the environment names, until the process ends."""
        self._server = await asyncio.start_unix_server(self._serve, os.environ[VARIABLE])
        self._beating = asyncio.create_task(self._beat(), name="beat of the gauge")

    async def _beat(self) -> None:
        """Record how late the loop is: how long something else has kept it busy."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + BEAT_S
            await asyncio.sleep(BEAT_S)
            self._worst_stall = max(self._worst_stall, loop.time() - due)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for line in reader:
            answer = self._answer(line.decode().strip())
            writer.write(json.dumps(answer).encode() + b"\n")
        writer.close()

    def _answer(self, asked: str) -> dict[str, Any]:
        match asked:
            case "figures":
                return self._figures()
            case "sample":
                self._sampler.start()
                self._beside.start()
                return {}
            case "profile":
                return {"profile": self._sampler.stop() | {"beside": self._beside.stop()}}
            case _:
                raise ValueError(asked)

    def _figures(self) -> dict[str, Any]:
        stall, self._worst_stall = self._worst_stall, 0.0
        beside = spent_below(os.getpid())
        return {
            "cpu_s": time.process_time() + beside.cpu_s,
            "threads": seconds_by_thread() | {BESIDE: beside.cpu_s},
            "rss_mb": spent_by(os.getpid()).rss_mb + beside.rss_mb,
            "stall_ms": stall * 1000,
            "python": sys.version.split()[0],
            **self._more(),
        }
