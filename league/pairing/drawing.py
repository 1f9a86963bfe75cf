"""Draws of a season: divisions, the input of a draw and the events that it results in, and a forecast before anything is drawn.

The divisions of a first season go by strength, those of later ones by promotion and relegation.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from league.events import AbsenceBooked, DrawnPod, Event, RoundDrawn
from league.formats import DrawInput
from league.members import team_of, teammates
from league.pairing.pods import Entrant, History, chance, kept_apart, table_sizes
from league.results import Player
from league.season import Member, Pod, Season
from league.settings import SeasonSettings
from league.standings import Standings, standings


def sizes(players: int, size: int) -> tuple[int, ...]:
    """Return the sizes of the divisions, highest first: about `size` each, differing by at most one."""
    count = max(1, round(players / size))
    small, larger = divmod(players, count)
    return (small + 1,) * larger + (small,) * (count - larger)


def seeded(players: Sequence[Player], size: int) -> dict[Player, int]:
    """Return the divisions of a first season, from the players in order of strength; 1 is the highest."""
    return _cut(players, size)


def next_season(
    tables: Sequence[Standings],
    playing: Iterable[Player],
    size: int,
    kept: Mapping[Player, int] | None = None,
) -> dict[Player, int]:
    """Return the divisions of the next season.

    `tables`: the final standings of every division. `playing`: the players of the next season; newcomers
    start at the bottom, in the order given. `kept`: the divisions of players who return after sitting out a
    season. Vacant places are filled from below.
    """
    wanted: dict[Player, tuple[int, int, int]] = {
        player: (division, 2, 0) for player, division in (kept or {}).items()
    }
    for table in tables:
        for row in table.rows:
            step = {"up": -1, "down": 1}.get(row.zone or "", 0)
            # Players from another division are listed first: players who have just moved are not moved again.
            wanted[row.player] = (table.division + step, 0 if step else 1, row.rank)
    lowest = 1 + max((place[0] for place in wanted.values()), default=0)
    newcomer = (lowest, 0, 0)
    return _cut(sorted(playing, key=lambda player: wanted.get(player, newcomer)), size)


def _cut(players: Sequence[Player], size: int) -> dict[Player, int]:
    found: dict[Player, int] = {}
    for division, count in enumerate(sizes(len(players), size), 1):
        for player in players[len(found) : len(found) + count]:
            found[player] = division
    return found


def checked_in(season: Season, number: int) -> tuple[Member, ...]:
    """Return the player numbers in the draw of a round: those who checked in for it, or always do.

    A missing player is replaced by the first on the waiting list who checked in.
    """
    playing = [member for member in season.members.values() if member.plays]
    coming = [member for member in playing if member.always_in or (member.player, number) in season.check_ins]
    ready = [member for member in season.waiting() if (member.player, number) in season.check_ins]
    coming += ready[: len(playing) - len(coming)]
    return tuple(sorted(coming, key=lambda member: member.player))


def places_left(season: Season) -> int | None:
    """Return how many more players may be in; None if there is no limit."""
    most = season.settings.most_players
    return max(0, most - sum(member.plays for member in season.members.values())) if most else None


def moving_up(season: Season, *, at_the_draw: bool = False) -> tuple[Player, ...]:
    """Return who moves up from the waiting list before the first draw, in order of sign-up.

    This applies if places are limited. If sign-ups are confirmed, these are the players who have checked in
    for round 1. At the draw they also get the places of those before them who have not.
    """
    left, waiting = places_left(season), season.waiting()
    if left is None or season.drawn:
        return ()
    ready = [
        member.player
        for member in (waiting if at_the_draw else waiting[:left])
        if not season.settings.checks_in(1) or (member.player, 1) in season.check_ins
    ]
    return tuple(ready[:left])


def has_place(season: Season, player: Player) -> bool:
    """Return whether a waiting player may be in: places are filled in the order of sign-up."""
    left = places_left(season)
    return left is None or player in {member.player for member in season.waiting()[:left]}


def gone_away(season: Season) -> frozenset[Player]:
    """Return who missed their last match and has not come back since, in one sitting."""
    if not season.settings.is_sitting:
        return frozenset()
    latest = {player: pod for _, pod in sorted(season.pods.items()) for player in pod.drawn}
    back = dict(sorted(season.check_ins))
    return frozenset(
        player for player, pod in latest.items() if player in pod.missed and back.get(player, 0) <= pod.round
    )


def missed_before(season: Season) -> tuple[int, ...]:
    """Return the rounds missed by a player who joins now; they count as absences, but not within one sitting."""
    return () if season.settings.is_sitting else tuple(range(1, season.drawn + 1))


def misses_on(season: Season, player: Player) -> bool:
    """Return whether the rounds without this player, who has left the season, are absences: it still counts their points.

    It counts those of a row that stays, and those of a member of a team. So leaving is no cheaper than staying away.
    """
    member, settings = season.members.get(player), season.settings
    if member is None or member.withdrawn is None or member.status != "confirmed":
        return False
    has_absences = settings.format.has_draw and not settings.is_sitting
    counts = settings.stays(member.withdrawn) or team_of(season.teams, player) is not None
    return has_absences and counts


def left_out(season: Season, player: Player) -> list[AbsenceBooked]:
    """Return the absences of a player who has just left: the drawn rounds in which their match goes on without them."""
    if not season.open or not misses_on(season, player):
        return []
    rounds = {
        pod.round
        for pod in _still_to_play(season, player)
        if player not in pod.missed and not (pod.report and player in pod.report.result.players)
    }
    return [
        AbsenceBooked(player, number) for number in sorted(rounds) if (player, number) not in season.absences
    ]


def back_in(season: Season, player: Player) -> list[AbsenceBooked]:
    """Return the absences to take back of a player who has returned in time for their matches.

    A match that was reported without them went on without them.
    """
    rounds = {
        pod.round
        for pod in _still_to_play(season, player)
        if pod.report is None or player in pod.report.result.players
    }
    return [
        AbsenceBooked(player, number, absent=False)
        for number in sorted(rounds)
        if (player, number) in season.absences
    ]


def _still_to_play(season: Season, player: Player) -> list[Pod]:
    """Return the ordinary pods in which a player has a seat, and whose match has not begun."""
    return [
        pod
        for pod in season.pods.values()
        if player in pod.players
        if not (pod.stage or pod.over or pod.table is not None or pod.result is not None)
    ]


def history(season: Season) -> History:
    """Return the meetings in the ordinary rounds so far."""
    pods = sorted((pod for pod in season.pods.values() if not pod.stage), key=lambda pod: pod.id)
    return History.of([[pod.players for pod in pods]])


def draw_rounds(
    season: Season, seed: bytes, dues: Sequence[int], by_strength: Sequence[Player] = ()
) -> list[Event]:
    """Draw the next round, or all remaining rounds if the format draws them together.

    `seed` is the season's. `by_strength` are the players by their ratings, strongest first. `dues` are the
    deadlines of the rounds still to be drawn, the next one first. A player with a place who is not drawn in a
    round is absent from it, except in one sitting. So are players who have left if their points still count. Raises
    ValueError if a division has fewer than two players.
    """
    first = season.drawn + 1
    events: list[Event] = []
    pod = season.next_pod()
    expected = sorted(
        member.player
        for member in season.members.values()
        if member.plays or misses_on(season, member.player)
    )
    rounds = season.settings.format.draw(season.settings, _draw_input(season, seed, len(dues), by_strength))
    for number, (tables, due) in enumerate(zip(rounds, dues, strict=False), first):
        pods = tuple(
            DrawnPod(place, table.players, table.division) for place, table in enumerate(tables, pod)
        )
        pod += len(pods)
        drawn = {player for table in tables for player in table.players}
        events.append(RoundDrawn(number, pods, due))
        if not season.settings.is_sitting:
            events += [AbsenceBooked(player, number) for player in expected if player not in drawn]
    return events


def _lots(season: Season) -> str:
    """Return what identifies the lots of a draw: the season's name, and how many draws were taken back."""
    return f"{season.name}#{len(season.cancelled)}" if season.cancelled else season.name


def _draw_input(season: Season, seed: bytes, rounds_left: int, by_strength: Sequence[Player]) -> DrawInput:
    number = season.drawn + 1
    playing = [pod for pod in season.pods.values() if not pod.over]
    busy = {player for pod in playing for player in pod.players if player not in pod.missed}
    free = [member for member in checked_in(season, number) if member.player not in busy]
    coming = free if season.settings.is_sitting else checked_in(season, number)
    apart = kept_apart(season.apart | teammates(season.teams.values()))
    return DrawInput(
        number=number,
        rounds_left=rounds_left,
        entrants=tuple(
            Entrant(member.player, frozenset(member.hours), apart.get(member.player, frozenset()))
            for member in coming
        ),
        divisions={member.player: member.division for member in season.members.values() if member.plays},
        history=history(season),
        by_strength=by_strength,
        apart=apart,
        ranking=lambda: [row.player for row in standings(season).rows],
        chance=partial(chance, seed, _lots(season)),
    )


@dataclass(frozen=True, slots=True)
class Forecast:
    """The size of a season in which everyone plays every round."""

    players: int
    divisions: int
    """0 if there are none."""
    tables: int
    """The number in each round."""
    rounds: int
    finalists: int
    """The number of finalists; 0 for no finals."""


def forecast(settings: SeasonSettings, players: int) -> Forecast | None:
    """Return the season's size with so many players; None if they are too few, or if nothing is drawn.

    >>> from league.settings import default_settings
    >>> found = forecast(default_settings("pods"), 34)
    >>> (found.tables, found.rounds) if found else None
    (9, 7)
    """
    if not settings.format.has_draw or players < settings.format.least_to_start(settings):
        return None
    divided = settings.format.has_divisions
    groups = sizes(players, settings.division_size) if divided else (players,)
    return Forecast(
        players,
        len(groups) if divided else 0,
        sum(len(table_sizes(group, no_fives=settings.no_fives, usual=settings.pod_size)) for group in groups),
        settings.rounds,
        settings.finalists(players),
    )
