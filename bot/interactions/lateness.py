"""Clicks that come too late to be answered: those that the gateway replays after a lost connection."""

import time
from collections import deque
from collections.abc import Callable
from typing import Any

import discord

LATEST_MS = 2_800
"""Discord gives up after 3 seconds; the person has seen a failure by then."""
RECENT = 16
"""So many prompt interactions are compared with; a clock that has moved against Discord's is followed within as many."""


class Lateness:
    """Tells interactions that come too late from those that can be answered.

    Discord says when an interaction was made, by its own clock. The difference to this machine's monotonic clock, which
    nobody sets, is estimated from interactions that came over a connection in order. Only what is replayed after a
    lost connection can be late: when in doubt it is better to answer, for a late answer costs an error and a dropped
    press costs a turn.
    """

    def __init__(
        self,
        is_replayed: Callable[[discord.Interaction[Any]], bool],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._is_replayed = is_replayed
        self._monotonic = monotonic
        self._lags: deque[float] = deque(maxlen=RECENT)
        """Of recent prompt interactions: the difference of the clocks, and how long each was on its way."""

    def is_late(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether the time to answer is over for an interaction that has just arrived."""
        lag = (self._monotonic() - interaction.created_at.timestamp()) * 1000
        if not self._is_replayed(interaction):
            self._lags.append(lag)
            return False
        return bool(self._lags) and lag - min(self._lags) > LATEST_MS
