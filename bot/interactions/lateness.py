"""Clicks that come too late to be answered, such as those replayed after the gateway resumed."""

from collections import deque
from typing import Any

import discord

from bot.clock import Clock

LATEST_MS = 2_800
"""Discord gives up after 3 seconds; the person has seen a failure by then."""
MEMORY_MS = 15 * 60_000


class Lateness:
    """Tells how old interactions are, whatever the difference between Discord's clock and this machine's."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ages: deque[tuple[int, int]] = deque()

    def is_late(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether the time to answer is over, measured against the promptest interaction of the last minutes."""
        now = self._clock.now()
        age = now - int(interaction.created_at.timestamp() * 1000)
        while self._ages and self._ages[0][0] < now - MEMORY_MS:
            self._ages.popleft()
        while self._ages and self._ages[-1][1] >= age:
            self._ages.pop()  # what is older and no prompter can never be the promptest again
        self._ages.append((now, age))
        return age - self._ages[0][1] > LATEST_MS
