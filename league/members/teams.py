"""Teams of a season: who founds one, who is asked into it, and who plays in it. `league.events` lists these events with all others.

Teams are made before the first draw. From then on they stay as they are: who leaves the season leaves their points to the team.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from league.pairing.meetings import Pair
from league.results import Player

TeamId = int
"""A team, by a number that is used once in a season."""


@dataclass(frozen=True, slots=True)
class TeamFormed:
    """A player founds a team, and is its captain."""

    team: TeamId
    name: str
    captain: Player
    event: Literal["team_formed"] = "team_formed"


@dataclass(frozen=True, slots=True)
class TeamInvited:
    """The captain asks a player into the team; with `on` False, that is taken back or declined."""

    team: TeamId
    player: Player
    on: bool = True
    event: Literal["team_invited"] = "team_invited"


@dataclass(frozen=True, slots=True)
class TeamJoined:
    """A player who was asked is in the team."""

    team: TeamId
    player: Player
    event: Literal["team_joined"] = "team_joined"


@dataclass(frozen=True, slots=True)
class TeamLeft:
    """A player leaves the team; the next member becomes captain, and without members it is gone."""

    team: TeamId
    player: Player
    event: Literal["team_left"] = "team_left"


@dataclass(frozen=True, slots=True)
class Team:
    """A team, its members in the order in which they came."""

    id: TeamId
    name: str
    captain: Player
    members: tuple[Player, ...]
    invited: frozenset[Player] = frozenset()


Teams = Mapping[TeamId, Team]
TeamEvent = TeamFormed | TeamInvited | TeamJoined | TeamLeft


def teams_after(teams: Teams, event: TeamEvent) -> Teams:
    """The teams after an event about one of them; raises KeyError for one that there is not."""
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
            changed = replace(team, members=left, captain=team.captain if team.captain in left else left[0])
    return {**teams, team.id: changed}


def team_of(teams: Teams, player: Player) -> Team | None:
    """The team in which a player plays; None for none."""
    return next((team for team in teams.values() if player in team.members), None)


def teammates(teams: Iterable[Team]) -> frozenset[Pair]:
    """The pairs who play for the same team, and are not to be drawn together.

    >>> sorted(map(sorted, teammates([Team(1, "A", 1, (1, 2)), Team(2, "B", 3, (3,))])))
    [[1, 2]]
    """
    return frozenset(frozenset(pair) for team in teams for pair in combinations(team.members, 2))
