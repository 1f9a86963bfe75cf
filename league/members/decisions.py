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


@dataclass(frozen=True, slots=True)
class PlayerMoved:
    """A player goes to another pod of the same round before its match; `other` comes in exchange, if anybody does."""

    player: Player
    pod: int
    to: int
    seat: int
    """The seat in the pod they go to, from 0: the seat of `other`, else the last one."""
    former: int
    """The seat that they leave."""
    other: Player | None = None
    event: Literal["player_moved"] = "player_moved"


@dataclass(frozen=True, slots=True)
class DivisionsExchanged:
    """Two players of different divisions take each other's places, in every round, before they have played."""

    player: Player
    other: Player
    event: Literal["divisions_exchanged"] = "divisions_exchanged"


@dataclass(frozen=True, slots=True)
class MembersWritten:
    """The staff write to these players. It changes nothing, and what was sent cannot be unsent."""

    text: str
    players: tuple[Player, ...]
    event: Literal["members_written"] = "members_written"
