"""The events of a match that is played again because it was void, or some of its deals were.

`league.events` lists them with all others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ReplayOrdered:
    """What was played is void and is played again at another table; with `on` False, it counts as if nothing had happened."""

    pod: int
    due: int
    """The deadline, in milliseconds of UTC."""
    deals: tuple[int, ...] = ()
    """Which deals, 0 the first; empty for the whole match."""
    on: bool = True
    event: Literal["replay_ordered"] = "replay_ordered"


@dataclass(frozen=True, slots=True)
class DealsReplayed:
    """Void deals were played again. Those that were not stay void."""

    pod: int
    deals: Mapping[int, tuple[int, ...]]
    """The points of each deal (0 the first), by the seats of the match."""
    event: Literal["deals_replayed"] = "deals_replayed"
