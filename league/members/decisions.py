"""What the staff decide about who plays in a season; `league.events` lists these events with all others."""

from dataclasses import dataclass
from typing import Literal

from league.results import Player

Status = Literal["asking", "waiting", "confirmed", "removed"]
"""How somebody stands: asking the staff for approval, on the waiting list, in, or not in the season."""


@dataclass(frozen=True, slots=True)
class MemberSet:
    """The staff approve a sign-up, add somebody, or take somebody off the list."""

    player: Player
    status: Status
    former: Status = "removed"
    event: Literal["member_set"] = "member_set"


@dataclass(frozen=True, slots=True)
class Seeded:
    """A player's place among newcomers before the first draw, 1 the highest; 0 for none."""

    player: Player
    seed: int
    former: int = 0
    event: Literal["seeded"] = "seeded"


@dataclass(frozen=True, slots=True)
class Banned:
    """A person may not play in this season, nor in those that follow it; with `on` False, they may again."""

    player: Player
    on: bool = True
    event: Literal["banned"] = "banned"
