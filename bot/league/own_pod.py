"""Finding the pod in which a person has a match to play."""

from bot.errors import UserError
from bot.league.season_transaction import SeasonTransaction
from bot.people import Person
from data.ids import SeasonId
from data.transaction import ReadTransaction
from league.events import PodId
from league.results import Player
from league.season import Pod, Season


async def own_pod(
    db: ReadTransaction, season_id: SeasonId, season: Season, person: Person
) -> tuple[Player, Pod]:
    """The player and the earliest of their pods whose match has not begun; raises UserError if there is none.

    A match whose report is disputed comes last: it waits for the staff, while the next one is to be played.
    """
    player = await db.seasons.player_of(person.id)
    tables = await db.seasons.pod_tables(season_id)
    waiting = [
        pod
        for pod in season.pods.values()
        if player in pod.players and not pod.over and pod.table is None and pod.id in tables
    ]
    if player is None or not waiting:
        raise UserError("league.nothing_to_play")
    return player, min(waiting, key=lambda pod: (pod.is_disputed, pod.round, pod.id))


async def require_member(season_tx: SeasonTransaction, pod_id: PodId, person: Person) -> tuple[Player, Pod]:
    """The player and the pod of that number; raises UserError if the player does not belong to it."""
    player = await season_tx.db.seasons.player_of(person.id)
    pod = season_tx.season.pods.get(pod_id)
    if player is None or pod is None or player not in pod.players:
        raise UserError("league.not_your_pod")
    return player, pod
