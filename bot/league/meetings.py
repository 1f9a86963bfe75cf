"""Agreeing on a time: a player of the pod proposes it, the others agree, and everybody is reminded of it."""

from bot.errors import UserError
from bot.league.agenda import latest_time
from bot.league.leagues import Leagues
from bot.league.own_pod import own_pod
from bot.league.season_transaction import SeasonTransaction
from bot.people import Person
from data.ids import InteractionId, SeasonId
from data.season_posts import CalendarPost, ProposalNotice, RoundPost
from data.season_rows import PodTimeRow
from league.events import PodId
from league.results import Player
from league.season import Pod
from league.time_events import TimeNamed


def is_agreed(pod: Pod, time: PodTimeRow | None) -> bool:
    """Whether all players of a pod have agreed on a time and the match is still to be played."""
    return time is not None and not pod.over and set(pod.players) <= set(time.agreed)


class Meetings:
    """An agreed time is optional: a pod may play whenever all its players are there."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def propose(
        self, season_id: SeasonId, person: Person, at: int, interaction_id: InteractionId
    ) -> PodId:
        """Propose a time, in milliseconds of UTC, to the pod in which this person has a match to play."""
        async with self._leagues.writing(season_id, interaction_id) as season_tx:
            player, pod = await own_pod(season_tx.db, season_id, season_tx.season, person)
            latest = latest_time(season_tx.row, season_tx.season, pod)
            if not season_tx.now < at <= latest:
                raise UserError("league.bad_time", latest=latest)
            await self._agreed(season_tx, pod, at, (player,), player)
            for other in pod.players:
                if other != player:
                    await season_tx.request_post(ProposalNotice(pod.id, at, other))
            return pod.id

    async def agree(
        self, season_id: SeasonId, pod_id: PodId, at: int, person: Person, interaction_id: InteractionId
    ) -> str:
        """Agree to a proposed time; raises UserError if another time is proposed by now."""
        async with self._leagues.writing(season_id, interaction_id) as season_tx:
            player = await season_tx.db.seasons.player_of(person.id)
            pod = season_tx.season.pods.get(pod_id)
            if pod is None or player not in pod.players:
                raise UserError("league.not_your_pod")
            time = await season_tx.db.seasons.pod_time(season_id, pod_id)
            if time is None or time.at != at or pod.over or pod.table is not None:
                raise UserError("league.other_time")
            agreed = time.agreed if player in time.agreed else (*time.agreed, player)
            await self._agreed(season_tx, pod, time.at, agreed, player)
            return "league.all_agreed" if set(pod.players) <= set(agreed) else "league.agreed"

    async def _agreed(
        self, season_tx: SeasonTransaction, pod: Pod, at: int, agreed: tuple[Player, ...], by: Player
    ) -> None:
        if by not in pod.willing:
            await season_tx.add(TimeNamed(pod.id, by), actor=by)
        await season_tx.db.seasons.set_pod_time(PodTimeRow(season_tx.row.id, pod.id, at, agreed))
        await season_tx.request_post(CalendarPost(pod.id))
        await season_tx.request_post(RoundPost(pod.round))
        await season_tx.look_again()
