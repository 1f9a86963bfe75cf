"""Whether Discord's gateway has come back: the library tries for ever, with the session and the address that it has."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 600.0
"""The longest time, in seconds, without a reachable gateway. A day allows 1,000 sessions, and each restart takes one."""
_LOOK_S: Final = 5.0


async def until_given_up(is_reached: Callable[[], bool]) -> None:
    """Return once no gateway has been reachable for so long that a new process is better."""
    since = time.monotonic()
    while time.monotonic() - since < PATIENCE_S:
        await asyncio.sleep(min(_LOOK_S, PATIENCE_S / 4))
        if is_reached():
            since = time.monotonic()
