"""Asking the gauges of all processes that are under load, and adding up what they tell."""

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
"""How long a process may take until it answers."""


class Probe:
    """Asks the gauge of one process."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, what: str) -> dict[str, Any]:
        self._writer.write(what.encode() + b"\n")
        return json.loads(await self._reader.readline())


class Probes:
    """Asks the gauges of all bots; `database_s` tells the processor time of a server that keeps their games."""

    def __init__(self, each: Sequence[Probe], database_s: Callable[[], float]) -> None:
        self._each = each
        self._database_s = database_s

    async def ask(self, what: str) -> list[dict[str, Any]]:
        """What each of them answers."""
        return list(await asyncio.gather(*(probe.ask(what) for probe in self._each)))

    async def figures(self) -> dict[str, Any]:
        """Those of all processes as if they were one, and the processor time of each."""
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
        """The profiles as one, by the samples of each."""
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
    """Connected with the gauges that answer on these sockets."""
    async with AsyncExitStack() as stack:
        yield Probes([await stack.enter_async_context(_probe(socket)) for socket in sockets], database_s)


@asynccontextmanager
async def _probe(socket: Path) -> AsyncGenerator[Probe, None]:
    async def connected() -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        try:
            return await asyncio.open_unix_connection(socket, limit=SOCKET_BYTES)
        except (FileNotFoundError, ConnectionRefusedError):  # the process is still about to begin
            return None

    reader, writer = await until(connected, BEGUN_S)
    try:
        yield Probe(reader, writer)
    finally:
        writer.close()


def _added(each: Any) -> dict[str, Counter[str]]:
    """Statements by verb, of all processes."""
    added: dict[str, Counter[str]] = {}
    for statements in each:
        for verb, counted in statements.items():
            added.setdefault(verb, Counter()).update(counted)
    return added


def _sorted(each: Any) -> dict[str, float]:
    """Shares by function, each profile with its weight; the greatest first."""
    added: Counter[str] = Counter()
    for shares, weight in each:
        for name, share in shares.items():
            added[name] += share * weight
    return dict(added.most_common())
