"""A clock that the script moves, shared by the bot's process, Discord and the script."""

import mmap
import os
import signal
import struct
from pathlib import Path

from bot.clock import Clock, SystemClock
from playground.model import EPOCH_MS, Snowflakes
from tests.waiting import until

VARIABLE = "EVENING_CLOCK"
_FIELDS = struct.Struct("<qq")
"""How far the clock is ahead of the machine's, in milliseconds, and how much of that the bot has noticed."""


class SharedClock:
    """The machine's clock plus an offset that processes share through a file."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(_FIELDS.pack(0, 0))
        with path.open("r+b") as file:
            self._fields = mmap.mmap(file.fileno(), _FIELDS.size)
        self._system = SystemClock()

    def now(self) -> int:
        return self._system.now() + self._read()[0]

    def follow(self) -> int:
        return self._system.follow()

    def _read(self) -> tuple[int, int]:
        ahead, noticed = _FIELDS.unpack_from(self._fields)
        return ahead, noticed

    def noticed(self) -> None:
        """Note that the bot has checked its deadlines since the clock was moved."""
        ahead, _ = self._read()
        _FIELDS.pack_into(self._fields, 0, ahead, ahead)

    def forward(self, seconds: float) -> None:
        """Move the clock forward without telling the bot."""
        ahead, noticed = self._read()
        _FIELDS.pack_into(self._fields, 0, ahead + int(seconds * 1000), noticed)

    async def pass_by(self, seconds: float, pid: int) -> None:
        """Let time pass, and wait until the bot with this process id has noticed."""
        self.forward(seconds)
        os.kill(pid, signal.SIGUSR1)

        def seen() -> bool:
            ahead, noticed = self._read()
            return ahead == noticed

        await until(seen, timeout=20)


class MovedSnowflakes(Snowflakes):
    """Ids as Discord would make them at the evening's time."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def new(self) -> int:
        self._last = max(self._last + 1, (self._clock.now() - EPOCH_MS) << 22)
        return self._last
