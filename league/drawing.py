"""What a draw of a season is made from, and the events that it comes to."""

from collections.abc import Sequence
from math import ceil

from league.events import AbsenceBooked, DrawnPod, Event, RoundDrawn
from league.history import History
from league.pods import Entrant, chance, draw, swiss_weight
from league.results import Player
from league.schedule import draw_all
from league.season import Member, Season
from league.standings import standings


def there(season: Season, number: int) -> tuple[Member, ...]:
    """Who is in the draw of a round: has checked in for it or always is.

    For whoever is missing one of those who stand by comes in, if he has checked in too, by the order of their list.
    """
    playing = [own for own in season.members.values() if own.plays]
    coming = [own for own in playing if own.always_in or (own.player, number) in season.check_ins]
    ready = [own for own in season.waiting() if (own.player, number) in season.check_ins]
    coming += ready[: len(playing) - len(coming)]
    return tuple(sorted(coming, key=lambda own: own.player))


def absent(season: Season, number: int) -> tuple[Player, ...]:
    """Who has a place and is not in the draw of a round."""
    coming = {own.player for own in there(season, number)}
    return tuple(
        sorted(own.player for own in season.members.values() if own.plays and own.player not in coming)
    )


def missed_before(season: Season) -> tuple[int, ...]:
    """The rounds that somebody has missed who comes in now: absences."""
    return tuple(range(1, season.drawn + 1))


def history(season: Season) -> History:
    """Who met whom in the ordinary rounds so far."""
    pods = sorted((own for own in season.pods.values() if not own.stage), key=lambda own: own.id)
    return History.of([[own.players for own in pods]])


def draw_round(season: Season, seed: bytes, due: int) -> list[Event]:
    """The next round: its pods, and the absences of those who are not in them.

    `seed` is the season's. Raises ValueError where fewer than two players are there.
    """
    number, settings = season.drawn + 1, season.settings
    members = there(season, number)
    swiss = 0.0
    if settings.format == "swiss" and number > 1:
        order = {row.player: place for place, row in enumerate(standings(season).rows)}
        members = tuple(sorted(members, key=lambda own: order.get(own.player, len(order))))
        weight = settings.swiss_weight
        swiss = swiss_weight(len(members)) if weight is None else weight / 100
    pods = draw(
        [Entrant(own.player, frozenset(own.hours)) for own in members],
        history(season),
        chance(seed, season.name, number),
        swiss=swiss,
        no_fives=settings.no_fives,
    )
    first = season.next_pod()
    drawn = tuple(DrawnPod(first + place, pod) for place, pod in enumerate(pods))
    return [
        RoundDrawn(number, drawn, due),
        *(AbsenceBooked(player, number) for player in absent(season, number)),
    ]


def draw_divisions(season: Season, seed: bytes, due: Sequence[int]) -> list[RoundDrawn]:
    """All rounds of all divisions at once, with the deadline of each.

    Raises ValueError where a division has fewer than two players.
    """
    settings, first = season.settings, season.next_pod()
    pods: list[list[DrawnPod]] = [[] for _ in due]
    for division in sorted({own.division for own in season.members.values() if own.plays}):
        players = sorted(
            own.player for own in season.members.values() if own.plays and own.division == division
        )
        rounds = draw_all(players, len(due), chance(seed, season.name, division), no_fives=settings.no_fives)
        for drawn, own in zip(pods, rounds, strict=True):
            drawn += [DrawnPod(0, pod, division) for pod in own]
    events: list[RoundDrawn] = []
    for number, (deadline, drawn) in enumerate(zip(due, pods, strict=True), 1):
        numbered = tuple(DrawnPod(place, own.players, own.division) for place, own in enumerate(drawn, first))
        first += len(numbered)
        events.append(RoundDrawn(number, numbered, deadline))
    return events


def least_to_start(season: Season) -> int:
    """How few confirmed players a season can start with: one table, or for divisions one of the least size."""
    return ceil(season.settings.division_size * 3 / 4) if season.settings.format == "divisions" else 3
