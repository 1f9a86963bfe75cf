"""Whether Discord's gateway has come back: the library tries for ever, with the session and the address that it has."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 600.0
"""How long nobody may be reached. A day has room for 1,000 sessions, and each restart takes one."""
_LOOK_S: Final = 5.0


async def until_given_up(is_reached: Callable[[], bool]) -> None:
    """Return once nobody was reached for so long that a new process is the better way."""
    since = time.monotonic()
    while time.monotonic() - since < PATIENCE_S:
        await asyncio.sleep(min(_LOOK_S, PATIENCE_S / 4))
        if is_reached():
            since = time.monotonic()
