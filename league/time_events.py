"""The events that change when something happens in a season; `league.events` lists them with all others."""

from dataclasses import dataclass
from typing import Literal

from league.results import Player


@dataclass(frozen=True, slots=True)
class DeadlinesPutOff:
    """No one could press anything for a while: what was due after `since` is due later by `by`."""

    since: int
    """In milliseconds of UTC."""
    by: int
    """In milliseconds."""
    event: Literal["deadlines_put_off"] = "deadlines_put_off"


@dataclass(frozen=True, slots=True)
class DeadlineMoved:
    """A round that is drawn is due at another time; round 0 is the sign-up, which ends with the first draw."""

    round: int
    due: int
    """In milliseconds of UTC."""
    former: int = 0
    """When it was due before; 0 where no one can take the event back."""
    event: Literal["deadline_moved"] = "deadline_moved"


@dataclass(frozen=True, slots=True)
class TimeNamed:
    """A player had proposed a time for a match, or agreed to one. Former versions wrote this; it counts for nothing."""

    pod: int
    player: Player
    event: Literal["time_named"] = "time_named"


@dataclass(frozen=True, slots=True)
class SeasonPaused:
    """Nothing is drawn and no deadline passes until the season goes on; matches may be played meanwhile."""

    event: Literal["season_paused"] = "season_paused"


@dataclass(frozen=True, slots=True)
class SeasonResumed:
    """The season goes on after a pause."""

    event: Literal["season_resumed"] = "season_resumed"
