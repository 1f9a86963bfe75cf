"""Stand-ins: players on the waiting list are offered the seats that come free before a match; the first to accept sits.

Once the season has begun, everybody on the waiting list stands by. Until its match has begun, a seat is free when its
player has left the season or did not come at the agreed time. If no one takes it, the others play without. A league may
also choose that they always do, or that a computer sits in for those who do not come (`missing`).
"""

from dataclasses import dataclass

from league.events import PodId
from league.results import Player
from league.season import Member, Pod, Season


@dataclass(frozen=True, slots=True)
class Vacancy:
    """A seat that another player can take, and the player who had it."""

    pod: PodId
    round: int
    player: Player


def stand_bys(season: Season, number: int) -> tuple[Member, ...]:
    """The players who could take a seat in a round: those who stand by and have no seat in it, the longest waiting first."""
    busy = {player for pod in season.pods.values() if pod.round == number for player in pod.players}
    return tuple(member for member in season.waiting() if member.player not in busy)


def vacancies(season: Season, pod: Pod) -> tuple[Vacancy, ...]:
    """The free seats of a pod."""
    if pod.over or pod.again or pod.table is not None or pod.report is not None:
        return ()
    if season.settings.missing != "substitute":
        return ()
    return tuple(
        Vacancy(pod.id, pod.round, player)
        for player in pod.players
        if player in pod.missed or season.has_left(player)
    )


def may_fill(season: Season, pod: Pod) -> bool:
    """Return whether a free seat of the pod could still be taken."""
    return bool(vacancies(season, pod) and stand_bys(season, pod.round))


def seats_for(season: Season, player: Player) -> tuple[Vacancy, ...]:
    """The free seats that this player could take, earliest round first."""
    pods = sorted(season.pods.values(), key=lambda pod: (pod.round, pod.id))
    return tuple(
        seat
        for pod in pods
        if (seats := vacancies(season, pod))
        and player in {member.player for member in stand_bys(season, pod.round)}
        for seat in seats
    )
