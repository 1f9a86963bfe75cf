"""`python -m playground.cluster`: bots that share a PostgreSQL server, and a page to end and start them."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from playground.cluster import __main__ as cluster
from tests.postgres import MISSING, binaries
from tests.waiting import until

pytestmark = pytest.mark.by_name

PATIENCE = 120
ASKED = ("--bots", "2", "--shards", "2", "--guilds", "4")


class Cluster:
    """A running cluster, controlled as its page does."""

    def __init__(self, process: asyncio.subprocess.Process, url: str, session: aiohttp.ClientSession) -> None:
        self.process = process
        self._url = url
        self._session = session

    async def state(self) -> dict[str, Any]:
        async with self._session.get(f"{self._url}/cluster/state") as answer:
            return await answer.json()

    async def does(self, deed: str, origin: str | None = None) -> int:
        async with self._session.post(
            f"{self._url}/cluster/{deed}", headers={"Origin": origin or self._url}
        ) as answer:
            return answer.status

    async def shows(self, *shown: tuple[str, int]) -> dict[str, Any]:
        """Wait until the processes are in these states, with this many shards each and none held twice."""

        async def is_so() -> dict[str, Any] | None:
            state = await self.state()
            now = [(process["state"], len(process["shards"])) for process in state["processes"]]
            held = [shard for process in state["processes"] for shard in process["shards"]]
            return state if now == list(shown) and sorted(held) == [0, 1] else None

        found = await until(is_so, timeout=PATIENCE)
        assert found is not None
        return found


@pytest.fixture
async def running() -> AsyncIterator[Cluster]:
    if binaries() is None:
        pytest.skip(MISSING)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "playground.cluster", "--port", "0", *ASKED), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE), aiohttp.ClientSession() as session:
            url = None
            while url is None:
                line = (await process.stdout.readline()).decode()
                assert line, "it has ended"
                url = re.search(r"(http://\S+)/cluster\.html", line)
            reading = asyncio.create_task(process.stdout.read())  # so that the pipe never fills
            yield Cluster(process, url[1], session)
            await reading
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


async def test_bots_are_killed_and_started_and_nothing_is_left_behind(running: Cluster):
    await running.shows(("serving", 1), ("serving", 1))
    assert await running.does("kill/1", origin="https://elsewhere.example") == 403
    assert await running.does("kill/1") == 200
    await running.shows(("killed", 0), ("serving", 2))
    assert await running.does("restart/immediate") == 200
    assert await running.does("start/1") == 200
    assert await running.does("start/9") == 404
    state = await running.shows(("serving", 1), ("serving", 1))
    running.process.send_signal(signal.SIGINT)
    assert await running.process.wait() == 0
    for process in state["processes"]:
        with pytest.raises(ProcessLookupError):
            os.kill(process["pid"], 0)
    host, port = state["postgres"].split(":")
    with pytest.raises(OSError, match="onnect"):
        await asyncio.open_connection(host, int(port))


async def test_without_a_server_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(cluster, "find_programs", lambda: None)
    monkeypatch.setattr(sys, "argv", ["cluster"])
    assert cluster.main() == 69
    assert "Debian's package postgresql" in capsys.readouterr().err
