"""Interactions that arrive too late to be answered: those that the gateway replays after a lost connection."""

from collections import deque
from collections.abc import Callable
from typing import Any

import discord

LATEST_MS = 2_800
"""Discord gives up after 3 seconds, and then shows the person a failure."""
RECENT = 16
"""How many recent prompt interactions are compared. A change between the clocks is followed after as many."""


class Lateness:
    """Tells which interactions arrive too late to be answered.

    Discord stamps an interaction by its own clock. The difference to this machine's monotonic clock is estimated from
    interactions that came over a working connection. Only those replayed after a lost connection can be late. In
    doubt it is better to answer: a late answer costs an error, but a dropped press costs a turn.
    """

    def __init__(
        self,
        is_replayed: Callable[[discord.Interaction[Any]], bool],
        monotonic: Callable[[], float],
    ) -> None:
        self._is_replayed = is_replayed
        self._monotonic = monotonic
        self._lags: deque[float] = deque(maxlen=RECENT)
        """For recent prompt interactions: the difference of the clocks plus the time each was on its way."""

    def is_late(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether the time to answer is over for an interaction that has just arrived."""
        lag = (self._monotonic() - interaction.created_at.timestamp()) * 1000
        if not self._is_replayed(interaction):
            self._lags.append(lag)
            return False
        return bool(self._lags) and lag - min(self._lags) > LATEST_MS
