"""Restarts: by systemd if a bot that it started is silent for long, or by exiting without a gateway.

systemd requires `Type=notify` and `WatchdogSec=` in a unit. Its protocol is that of sd_notify(3): one
datagram to the socket named in the environment. Without a gateway the library would retry for ever, with the
same session and address.
"""

import asyncio
import os
import socket
import time
from collections.abc import Callable, Collection
from functools import cache
from typing import Final

import structlog

READY: Final = "READY=1"
STOPPING: Final = "STOPPING=1"
_ALIVE: Final = "WATCHDOG=1"
_MICROSECONDS: Final = 1_000_000
_OFTEN: Final = 3
"""The number of notifications within the watchdog time."""

log = structlog.get_logger(__name__)


def tell(state: str) -> None:
    """Send a state to systemd; does nothing if systemd did not start this process.

    A socket that is gone is logged: the bot can serve and stop without it.
    """
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
            # An @ stands for the zero byte at the start of an abstract address.
            notify.connect("\0" + address[1:] if address.startswith("@") else address)
            notify.sendall(state.encode())
    except OSError as error:
        _log_once(str(error))


@cache
def _log_once(why: str) -> None:
    """Log why systemd is not told; each reason only once, because the watchdog is told every few seconds."""
    log.warning("supervisor.not_told", why=why)


def watchdog_s() -> float | None:
    """Return the watchdog time in seconds; None if systemd sets none."""
    usec = os.environ.get("WATCHDOG_USEC", "")
    if not usec.isdecimal() or os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    return int(usec) / _MICROSECONDS


async def keep_alive(within_s: float) -> None:
    """Notify systemd regularly that the event loop runs. A stuck bot is restarted."""
    while True:
        tell(_ALIVE)
        await asyncio.sleep(within_s / _OFTEN)


PATIENCE_S: Final = 600.0
"""The longest time, in seconds, that a shard may be without a gateway. A day allows 1,000 sessions, and each restart takes one."""
_LOOK_S: Final = 5.0


async def until_given_up(away: Callable[[], Collection[int]]) -> None:
    """Return once a shard has been without a gateway for so long that a new process is better.

    `away` returns the shards that are without one now.
    """
    since: dict[int, float] = {}
    while True:
        now = time.monotonic()
        since = {shard: since.get(shard, now) for shard in away()}
        if any(now - began >= PATIENCE_S for began in since.values()):
            return
        await asyncio.sleep(min(_LOOK_S, PATIENCE_S / 4))
