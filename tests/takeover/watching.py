"""Continuous checks: whether every shard has a process, and how soon presses are answered."""

import asyncio
import re
import time
from dataclasses import dataclass, field

from playground.cluster.fleet import Fleet
from playground.model import EPOCH_MS
from playground.recorder import RecordedRequest
from playground.server import Playground
from tests.crash.files import Files

LATE_S = 3.0
LEAST_LATE_S = 2.5
"""A younger press is not too late, whatever a bot logs."""
LOOK_S = 0.1
DROPPED = re.compile(r'"interaction": (\d+), "event": "interaction.late"')
CALLBACK = re.compile(r"/interactions/(\d+)/.*/callback$")


@dataclass
class Watching:
    """Checks continuously once `run` has started; the counts are those since the last `reset`."""

    discord: Playground
    fleet: Fleet
    files: Files
    late: int = 0
    presses: int = 0
    longest_gap_s: float = 0.0
    dropped: set[int] = field(default_factory=set)
    """Presses that ever reached a bot too late.

    People have seen that they failed, so they are late, not lost.
    """
    _since: dict[int, float] = field(default_factory=dict)
    """When each guild without a process lost it."""

    def __post_init__(self) -> None:
        self.discord.recorder.listeners.append(self._hear)

    def reset(self) -> None:
        """Reset the counts."""
        self.late = self.presses = 0
        self.longest_gap_s = 0.0

    async def run(self) -> None:
        """Check repeatedly."""
        while True:
            self._look_at_guilds()
            await asyncio.sleep(LOOK_S)

    def unanswered(self) -> int:
        """Return how many presses were not answered so far, except those that came too late."""
        pressed = self.discord.world.interactions.values()
        return sum(press.state == "failed" and press.id not in self.dropped for press in pressed)

    def read(self, line: str) -> None:
        """Note what a log line says about a press."""
        if (told := DROPPED.search(line)) and time.time() - _pressed_at(int(told[1])) > LEAST_LATE_S:
            self.dropped.add(int(told[1]))

    def _look_at_guilds(self) -> None:
        now = time.monotonic()
        if not any(member.runs for member in self.fleet.members):
            self._since.clear()  # no process is there that could take over
            return
        for guild in self.discord.world.guilds.values():
            if self.discord.gateway.is_heard_in(guild):
                self._since.pop(guild.id, None)
            else:
                gap = now - self._since.setdefault(guild.id, now)
                self.longest_gap_s = max(self.longest_gap_s, gap)

    def _hear(self, entry: RecordedRequest) -> None:
        self.files.note(entry)
        if called := CALLBACK.search(entry.path):
            self.presses += 1
            self.late += entry.at - _pressed_at(int(called[1])) > LATE_S


def _pressed_at(interaction_id: int) -> float:
    """Return the time that the id contains, in seconds."""
    return ((interaction_id >> 22) + EPOCH_MS) / 1000
