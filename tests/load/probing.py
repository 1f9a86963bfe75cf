"""Queries the gauges of all processes under load, and adds up their figures."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from tests.waiting import until

SOCKET_BYTES = 1 << 26
BEGUN_S = 60.0
"""The longest time that a process may take to start answering."""


class Probe:
    """Asks the gauge of one process."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, what: str) -> dict[str, Any]:
        self._writer.write(what.encode() + b"\n")
        return json.loads(await self._reader.readline())


class Probes:
    """Queries the gauges of all bots.

    `database_s` returns the processor time of the server that keeps their games.
    """

    def __init__(self, each: Sequence[Probe], database_s: Callable[[], float]) -> None:
        self._each = each
        self._database_s = database_s

    async def ask(self, what: str) -> list[dict[str, Any]]:
        """Return the answer of each gauge."""
        return list(await asyncio.gather(*(probe.ask(what) for probe in self._each)))

    async def figures(self) -> dict[str, Any]:
        """Return the figures of all processes added up, and the processor time of each."""
        each = await self.ask("figures")
        return {
            "cpu_s": sum(one["cpu_s"] for one in each),
            "each_cpu_s": [one["cpu_s"] for one in each],
            "each_received": [
                sum(counted.get("presses", 0) for counted in one.get("statements", {}).values())
                for one in each
            ],
            "database_s": self._database_s(),
            "threads": sum((Counter(one["threads"]) for one in each), Counter()),
            "rss_mb": sum(one["rss_mb"] for one in each),
            "stall_ms": max(one["stall_ms"] for one in each),
            "statements": _added(one.get("statements", {}) for one in each),
        }

    async def profile(self) -> dict[str, Any]:
        """Return one profile of all processes, weighted by their samples."""
        each = [answer["profile"] for answer in await self.ask("profile")]
        samples = max(1, sum(one["samples"] for one in each))
        shares = {
            kind: _sorted((one[kind], one["samples"] / samples) for one in each)
            for kind in ("own", "within", "beside")
        }
        return {"samples": samples, **shares}


@asynccontextmanager
async def probes(
    sockets: Sequence[Path], database_s: Callable[[], float] = lambda: 0.0
) -> AsyncGenerator[Probes, None]:
    """Connect to the gauges that answer on these sockets."""
    async with AsyncExitStack() as stack:
        yield Probes([await stack.enter_async_context(_probe(socket)) for socket in sockets], database_s)


@asynccontextmanager
async def _probe(socket: Path) -> AsyncGenerator[Probe, None]:
    async def connected() -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        try:
            return await asyncio.open_unix_connection(socket, limit=SOCKET_BYTES)
        except (FileNotFoundError, ConnectionRefusedError):  # the process is still starting
            return None

    reader, writer = await until(connected, BEGUN_S)
    try:
        yield Probe(reader, writer)
    finally:
        writer.close()


def _added(each: Any) -> dict[str, Counter[str]]:
    """Return the statements of all processes by verb."""
    added: dict[str, Counter[str]] = {}
    for statements in each:
        for verb, counted in statements.items():
            added.setdefault(verb, Counter()).update(counted)
    return added


def _sorted(each: Any) -> dict[str, float]:
    """Return the shares by function, each profile with its weight, the greatest first."""
    added: Counter[str] = Counter()
    for shares, weight in each:
        for name, share in shares.items():
            added[name] += share * weight
    return dict(added.most_common())
