"""What is looked at all the while: whether every shard has a process, and how soon presses are answered."""

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
"""A press that is younger is not too late, whatever a bot says."""
LOOK_S = 0.1
DROPPED = re.compile(r'"interaction": (\d+), "event": "interaction.late"')
CALLBACK = re.compile(r"/interactions/(\d+)/.*/callback$")


@dataclass
class Watching:
    """Looks, from `run` on; the counts are those since the last `reset`."""

    discord: Playground
    fleet: Fleet
    files: Files
    late: int = 0
    presses: int = 0
    longest_gap_s: float = 0.0
    dropped: set[int] = field(default_factory=set)
    """Presses that came to a bot too late, of all the time. People have read that they failed; they are late, not lost."""
    _since: dict[int, float] = field(default_factory=dict)
    """By the guilds that have no server: since when."""

    def __post_init__(self) -> None:
        self.discord.recorder.listeners.append(self._hear)

    def reset(self) -> None:
        """Begin counting anew."""
        self.late = self.presses = 0
        self.longest_gap_s = 0.0

    async def run(self) -> None:
        """Look again and again."""
        while True:
            self._look_at_guilds()
            await asyncio.sleep(LOOK_S)

    def unanswered(self) -> int:
        """How many presses were not answered so far, though they were not too late."""
        pressed = self.discord.world.interactions.values()
        return sum(press.state == "failed" and press.id not in self.dropped for press in pressed)

    def read(self, line: str) -> None:
        """Note what a line of a log tells of a press."""
        if (told := DROPPED.search(line)) and time.time() - _pressed_at(int(told[1])) > LEAST_LATE_S:
            self.dropped.add(int(told[1]))

    def _look_at_guilds(self) -> None:
        now = time.monotonic()
        if not any(member.runs for member in self.fleet.members):
            self._since.clear()  # nobody is there who could take over
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
    """The time that Discord has put into the id, in seconds."""
    return ((interaction_id >> 22) + EPOCH_MS) / 1000
