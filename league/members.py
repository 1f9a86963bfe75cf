"""Who plays in a season: what the staff decide about it, and teams. `league.events` lists these events with all others.

Teams are formed before the first draw and fixed from then on. A player who leaves the season leaves their points to the team.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from league.pairing.pods import Pair
from league.results import Player

Status = Literal["asking", "waiting", "confirmed", "removed"]
"""A person's status: waiting for the staff's approval, on the waiting list, in, or not in the season."""


@dataclass(frozen=True, slots=True)
class MemberSet:
    """The staff approve a sign-up, add someone, or take someone off the list."""

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
    """A person may not play in this season or later ones; if `on` is False, they may again."""

    player: Player
    on: bool = True
    event: Literal["banned"] = "banned"


@dataclass(frozen=True, slots=True)
class PlayerMoved:
    """A player moves to another pod of the same round before its match, perhaps in exchange for `other`."""

    player: Player
    pod: int
    to: int
    seat: int
    """The seat in the pod they move to, from 0: that of `other`, else the last one."""
    former: int
    """The seat that they leave."""
    other: Player | None = None
    event: Literal["player_moved"] = "player_moved"


@dataclass(frozen=True, slots=True)
class DivisionsExchanged:
    """Two players of different divisions swap places in every round, before they have played."""

    player: Player
    other: Player
    event: Literal["divisions_exchanged"] = "divisions_exchanged"


@dataclass(frozen=True, slots=True)
class MembersWritten:
    """The staff write to these players. It changes nothing, and a sent message cannot be taken back."""

    text: str
    players: tuple[Player, ...]
    event: Literal["members_written"] = "members_written"


TeamId = int
"""The number of a team, unique in its season."""


@dataclass(frozen=True, slots=True)
class TeamFormed:
    """A player founds a team and becomes its captain."""

    team: TeamId
    name: str
    captain: Player
    event: Literal["team_formed"] = "team_formed"


@dataclass(frozen=True, slots=True)
class TeamInvited:
    """The captain invites a player; if `on` is False, the invitation is withdrawn or declined."""

    team: TeamId
    player: Player
    on: bool = True
    event: Literal["team_invited"] = "team_invited"


@dataclass(frozen=True, slots=True)
class TeamJoined:
    """An invited player joins the team."""

    team: TeamId
    player: Player
    event: Literal["team_joined"] = "team_joined"


@dataclass(frozen=True, slots=True)
class TeamLeft:
    """A player leaves the team. The next member becomes captain if needed; a team without members is removed."""

    team: TeamId
    player: Player
    event: Literal["team_left"] = "team_left"


@dataclass(frozen=True, slots=True)
class Team:
    """A team, with its members in the order in which they joined; the first of them is the captain."""

    id: TeamId
    name: str
    captain: Player
    members: tuple[Player, ...]
    invited: frozenset[Player] = frozenset()


Teams = Mapping[TeamId, Team]
TeamEvent = TeamFormed | TeamInvited | TeamJoined | TeamLeft


def teams_after(teams: Teams, event: TeamEvent) -> Teams:
    """Return the teams after an event about one of them; raises KeyError for an unknown team."""
    if isinstance(event, TeamFormed):
        return {**teams, event.team: Team(event.team, event.name, event.captain, (event.captain,))}
    team, player = teams[event.team], event.player
    match event:
        case TeamInvited(on=on):
            changed = replace(team, invited=team.invited | {player} if on else team.invited - {player})
        case TeamJoined():
            changed = replace(team, members=(*team.members, player), invited=team.invited - {player})
        case TeamLeft():
            left = tuple(member for member in team.members if member != player)
            if not left:
                return {number: other for number, other in teams.items() if number != team.id}
            changed = replace(team, members=left, captain=left[0])
    return {**teams, team.id: changed}


def team_of(teams: Teams, player: Player) -> Team | None:
    """Return the team of a player, or None."""
    return next((team for team in teams.values() if player in team.members), None)


def teammates(teams: Iterable[Team]) -> frozenset[Pair]:
    """Return the pairs of teammates, who must not be drawn together.

    >>> sorted(map(sorted, teammates([Team(1, "A", 1, (1, 2)), Team(2, "B", 3, (3,))])))
    [[1, 2]]
    """
    return frozenset(frozenset(pair) for team in teams for pair in combinations(team.members, 2))
