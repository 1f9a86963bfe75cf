"""Signs of life for systemd, where it has started the bot: `Type=notify` and `WatchdogSec=` of a unit.

The protocol is that of sd_notify(3): one datagram to the socket that the environment names.
"""

import asyncio
import os
import socket
from typing import Final

READY: Final = "READY=1"
STOPPING: Final = "STOPPING=1"
_ALIVE: Final = "WATCHDOG=1"
_MICROSECONDS: Final = 1_000_000
_OFTEN: Final = 3
"""How often within the time in which systemd must hear of the bot."""


def tell(state: str) -> None:
    """Tell systemd a state; a no-op where it has not started this process. Raises OSError if the socket is gone."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        # An @ stands for the zero byte with which an abstract address begins.
        notify.connect("\0" + address[1:] if address.startswith("@") else address)
        notify.sendall(state.encode())


def watchdog_s() -> float | None:
    """Within how many seconds systemd must hear of this process; None if it does not care."""
    usec = os.environ.get("WATCHDOG_USEC", "")
    if not usec.isdecimal() or os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    return int(usec) / _MICROSECONDS


async def keep_alive(within_s: float) -> None:
    """Tell systemd again and again that the event loop runs; a bot that stands still is restarted."""
    while True:
        tell(_ALIVE)
        await asyncio.sleep(within_s / _OFTEN)
