"""Stand-ins: players on the waiting list may take seats that become free before a match.

The first to accept plays. Once the season has begun, everyone on the waiting list is a stand-by. Until its
match has begun, a seat is free if its player has left the season or did not come at the agreed time. If no
one takes it, the others play without. A league may also choose always to play without, or to have a computer
play for absent players (`missing`). In duplicate, those who may know the boards are no stand-bys.
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


def knowing(season: Season, *pods: Pod) -> dict[Player, PodId]:
    """Return who may know the boards of these pods of one round, each with the pod from which they know them.

    In duplicate, the tables of a round play the same boards. Once all have played them, they are no secret.
    """
    number = pods[0].round
    if not season.has_sealed_boards(number):
        return {}
    others = [pod for pod in season.pods.values() if pod.round == number and pod not in pods]
    return {player: pod.id for pod in others for player in pod.involved}


def stand_bys(season: Season, pod: Pod) -> tuple[Member, ...]:
    """Return who could take a seat of a pod, the longest waiting first: no one with a seat in its round."""
    together = (other for other in season.pods.values() if other.round == pod.round)
    busy = {player for other in together for player in other.players} | knowing(season, pod).keys()
    return tuple(member for member in season.waiting() if member.player not in busy)


def vacancies(season: Season, pod: Pod) -> tuple[Vacancy, ...]:
    """Return the free seats of a pod; none once the season is closed."""
    if pod.again or pod.table is not None or pod.report is not None or not season.can_be_played(pod):
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
    return bool(vacancies(season, pod) and stand_bys(season, pod))


def seats_for(season: Season, player: Player) -> tuple[Vacancy, ...]:
    """Return the free seats that this player could take, earliest round first."""
    pods = sorted(season.pods.values(), key=lambda pod: (pod.round, pod.id))
    return tuple(
        seat
        for pod in pods
        if (seats := vacancies(season, pod))
        and player in {member.player for member in stand_bys(season, pod)}
        for seat in seats
    )
