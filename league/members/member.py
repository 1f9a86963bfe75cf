"""The members of a season, each as the events about them leave them."""

from dataclasses import dataclass, replace
from typing import Final

from league.events import (
    AlwaysIn,
    Confirmed,
    DivisionSet,
    Returned,
    SignedUp,
    SignupRemoved,
    Unconfirmed,
    Withdrawn,
)
from league.members.decisions import MemberSet, Seeded, Status
from league.results import Player

_STATUS: Final[dict[str, Status]] = {
    "confirmed": "confirmed",
    "unconfirmed": "waiting",
    "signup_removed": "removed",
}


@dataclass(frozen=True, slots=True)
class Member:
    """A person who has signed up."""

    player: Player
    signed_up: int
    """When, in milliseconds of UTC: the order of the waiting list."""
    hours: tuple[int, ...] = ()
    status: Status = "waiting"
    withdrawn: int | None = None
    """After how many rounds the player left; None for players still in."""
    always_in: bool = False
    division: int = 0
    seed: int = 0
    """The place that the staff gave the player among newcomers, 1 the highest; 0 for none."""
    before_ban: tuple[Status, int | None] | None = None
    """The status and withdrawal to return to when a ban is taken back; None for players who are not banned."""

    @property
    def plays(self) -> bool:
        """Whether the player has a place and has not left."""
        return self.status == "confirmed" and self.withdrawn is None

    @property
    def is_gone(self) -> bool:
        """Whether the player has left, or was taken off the list."""
        return self.status == "removed" or self.withdrawn is not None

    def banned(self, rounds: int | None, *, on: bool) -> "Member":
        """The member once banned, who leaves after so many rounds (None before the season begins); or once that is taken back."""
        if not on:
            status, withdrawn = self.before_ban or (self.status, self.withdrawn)
            return replace(self, status=status, withdrawn=withdrawn, before_ban=None)
        if self.is_gone:
            return self
        before = (self.status, self.withdrawn)
        if rounds is None:
            return replace(self, status="removed", before_ban=before)
        return replace(self, withdrawn=rounds, before_ban=before)


MemberEvent = (
    SignedUp
    | SignupRemoved
    | Confirmed
    | Unconfirmed
    | Withdrawn
    | Returned
    | DivisionSet
    | AlwaysIn
    | MemberSet
    | Seeded
)


def member_after(known: Member | None, event: MemberEvent, at: int, rounds: int) -> Member:
    """A member after an event about them, at a moment when so many rounds are drawn; raises KeyError for a stranger."""
    if isinstance(event, SignedUp):
        new = known or Member(event.player, at)
        status = "asking" if event.asks else "waiting"
        return replace(new, status=status, hours=event.hours or new.hours)
    if isinstance(event, MemberSet):
        return replace(known or Member(event.player, at), status=event.status)
    if known is None:
        raise KeyError(event.player)
    match event:
        case DivisionSet(division=division):
            return replace(known, division=division)
        case AlwaysIn(on=on):
            return replace(known, always_in=on)
        case Seeded(seed=seed):
            return replace(known, seed=seed)
        case Withdrawn():
            return replace(known, withdrawn=rounds)
        case Returned():
            return replace(known, withdrawn=None)
        case Confirmed() | Unconfirmed() | SignupRemoved():
            return replace(known, status=_STATUS[event.event])
