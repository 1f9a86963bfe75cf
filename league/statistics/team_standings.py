"""The standings of teams: the members' points, each match adjusted for the opponents in it.

A match counts a player's league points and the mean strength of the others at the table, which is estimated
from all matches of the season (`league.statistics.ladder_points`). So a team whose members met strong tables
is not at a disadvantage. Other results of a round, such as an absence, count unadjusted.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from league.book import Book, BookLine, book
from league.members import Team
from league.points import SeatPoints, nearest
from league.results import Player
from league.season import Season
from league.standings import last_round
from league.statistics.ladder_points import ladder_points

Parted = Literal["points", "plain", "places"]
"""What separates a team from the one above: adjusted points, plain league points, or first and other places.
"""
_PLACES: Final = 5
Met = Mapping[tuple[int, Player], Sequence[tuple[SeatPoints, int]]]
"""By round and player: their seats, each with the mean strength of the others at the table."""


@dataclass(frozen=True, slots=True)
class TeamRow:
    """One team's line. Points are hundredths."""

    team: Team
    rank: int
    points: int
    """The points of all members, adjusted for opponents."""
    plain: int
    """The unadjusted points."""
    placings: tuple[int, ...]
    """The number of firsts, seconds and so on, to the fifth."""
    members: tuple[tuple[Player, int], ...]
    """Every member with their adjusted points, the best first."""
    complete: bool
    """Whether it has as many members as a team of the season; incomplete teams rank below all complete ones.
    """
    parted: Parted | None = "points"
    """The criterion that separates it from the team above; None if they share the place."""


def team_standings(season: Season, through: int | None = None) -> tuple[TeamRow, ...]:
    """Return the teams after a round (None: the latest), best first."""
    last = last_round(season) if through is None else through
    written = book(season, last)
    strengths = ladder_points(
        [{player: seat.points for player, seat in match.seats.items()} for match in written.matches]
    )
    others: defaultdict[tuple[int, Player], list[tuple[SeatPoints, int]]] = defaultdict(list)
    for match in written.matches:
        for player, seat in match.seats.items():
            met = [strengths[other] for other in match.seats if other != player]
            others[match.pod.round, player].append((seat, nearest(sum(met), len(met))))
    rows = [_row(season, team, written, others, last) for team in season.teams.values()]
    rows.sort(key=lambda row: (not row.complete, *_merits(row), row.team.id))
    return tuple(_ranked(rows))


def _merits(row: TeamRow) -> tuple[int, int, tuple[int, ...]]:
    """Return the criteria in this order; less is better."""
    return -row.points, -row.plain, tuple(-count for count in row.placings)


def _ranked(rows: list[TeamRow]) -> list[TeamRow]:
    found: list[TeamRow] = []
    for place, row in enumerate(rows, 1):
        above = found[-1] if found else None
        if above is None or above.complete != row.complete:
            found.append(replace(row, rank=place))
            continue
        kinds: tuple[Parted, ...] = ("points", "plain", "places")
        pairs = zip(kinds, _merits(above), _merits(row), strict=True)
        parted = next((kind for kind, better, worse in pairs if better != worse), None)
        found.append(replace(row, rank=above.rank if parted is None else place, parted=parted))
    return found


def _row(season: Season, team: Team, written: Book, met: Met, last: int) -> TeamRow:
    lines = {player: written.lines.get(player, ()) for player in team.members}
    penalties: Counter[Player] = Counter()
    for penalty in season.penalties.values():
        if penalty.round <= last:
            penalties[penalty.player] += penalty.points
    made = {
        player: penalties[player] + sum(_adjusted(player, line, met) for line in lines[player])
        for player in team.members
    }
    places = Counter(line.match.place for own in lines.values() for line in own if line.match)
    return TeamRow(
        team=team,
        rank=0,
        points=sum(made.values()),
        plain=sum(line.points for own in lines.values() for line in own)
        + sum(penalties[player] for player in team.members),
        placings=tuple(places[place] for place in range(1, _PLACES + 1)),
        members=tuple(sorted(made.items(), key=lambda pair: (-pair[1], pair[0]))),
        complete=len(team.members) >= season.settings.team_size,
    )


def _adjusted(player: Player, line: BookLine, met: Met) -> int:
    """Return what a line counts for the team: for a match, including the mean strength of the table's others."""
    seats = met.get((line.round, player), ())
    return line.points + next((strength for seat, strength in seats if seat == line.match), 0)
