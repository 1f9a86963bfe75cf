"""Signs of life, as systemd receives them."""

import asyncio
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.monitoring import supervisor

pytestmark = pytest.mark.threads


@pytest.fixture(params=["file", "abstract"])
def manager(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[socket.socket]:
    """The socket on which systemd listens, as a file or by an abstract address."""
    path = str(tmp_path / "notify")
    address, told = (path, path) if request.param == "file" else ("\0" + path, "@" + path)
    monkeypatch.setenv("NOTIFY_SOCKET", told)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(address)
        listening.settimeout(10)
        yield listening


def test_it_hears_every_state(manager: socket.socket):
    for state in (supervisor.READY, supervisor.STOPPING):
        supervisor.tell(state)
        assert manager.recv(100) == state.encode()


def test_without_systemd_nobody_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    supervisor.tell(supervisor.READY)


def test_a_socket_that_is_gone_is_logged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    supervisor._log_once.cache_clear()
    with capture_logs() as logs:
        for state in (supervisor.READY, supervisor.STOPPING):
            supervisor.tell(state)
    assert [entry["event"] for entry in logs] == ["supervisor.not_told"]


async def test_it_hears_again_and_again_that_the_bot_lives(manager: socket.socket):
    living = asyncio.create_task(supervisor.keep_alive(within_s=0.01))
    for _ in range(3):
        assert await asyncio.to_thread(manager.recv, 100) == b"WATCHDOG=1"
    living.cancel()


@pytest.mark.parametrize(
    ("usec", "pid", "seconds"),
    [
        ("30000000", None, 30),
        ("30000000", "mine", 30),
        ("30000000", "1", None),
        ("", None, None),
        ("soon", None, None),
    ],
)
def test_the_time_is_the_one_that_systemd_tells_this_process(
    usec: str, pid: str | None, seconds: float | None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("WATCHDOG_USEC", usec)
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    if pid is not None:
        monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()) if pid == "mine" else pid)
    assert supervisor.watchdog_s() == seconds


@pytest.mark.parametrize("others", [set(), {1}])
async def test_only_a_standstill_of_a_shard_in_one_piece_is_given_up(
    monkeypatch: pytest.MonkeyPatch, others: set[int]
):
    """Shard 0 comes back once. Another shard is away often, but never for long."""
    now, looks = 0.0, list[float]()
    waits = [{0}] * 100 + [set[int]()] + [{0}] * 200

    async def later(seconds: float) -> None:
        nonlocal now
        now += seconds

    def away() -> set[int]:
        looks.append(now)
        return waits[len(looks) - 1] | (others if len(looks) % 60 else set())

    monkeypatch.setattr(supervisor.time, "monotonic", lambda: now)
    monkeypatch.setattr(asyncio, "sleep", later)
    await supervisor.until_given_up(away)
    back, lost_again = looks[100], looks[101]
    assert back < supervisor.PATIENCE_S
    assert looks[-1] == lost_again + supervisor.PATIENCE_S
