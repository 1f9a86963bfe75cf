"""Agreeing on a time: a player of the pod proposes it, the others agree, and everyone is reminded of it."""

from collections.abc import Collection
from dataclasses import replace

from bot.errors import UserError
from bot.league.agenda import answering, holds_from, latest_time, seen_until
from bot.league.leagues import Leagues
from bot.league.season import SeasonTransaction, count_proposal, own_pod
from bot.people import NamedPerson
from data.ids import InteractionId, SeasonId
from data.season_posts import AgreedNotice, CalendarPost, FreeSeatPost, ProposalNotice, RoundPost
from data.season_rows import PodTimeRow
from league.events import PodId
from league.matches.times import Proposal
from league.results import Player
from league.season import Pod, Season
from league.times import HOUR


def is_agreed(season: Season, pod: Pod, time: PodTimeRow | None, now: int) -> bool:
    """Return whether a pod has a fixed time and its match is still to be played."""
    begins = holds_from(season, pod, time) if time is not None and season.can_be_played(pod) else None
    return begins is not None and begins <= now


async def tell_agreed(season_tx: SeasonTransaction, pod: Pod, at: int) -> None:
    """Notify the players of a pod that a time is fixed, and put it on the calendar."""
    for player in pod.players:
        await season_tx.request_post(AgreedNotice(pod.id, at, player))
    await _show_time(season_tx, pod)


async def _show_time(season_tx: SeasonTransaction, pod: Pod) -> None:
    """Update the messages that show the time of a pod's match."""
    await season_tx.request_post(CalendarPost(pod.id))
    await season_tx.request_post(RoundPost(pod.round))
    for post in await season_tx.db.seasons.posts(season_tx.row.id):
        if isinstance(post, FreeSeatPost) and post.pod == pod.id:
            await season_tx.request_post(post)


async def agree_to_seat(season_tx: SeasonTransaction, pod: Pod, player: Player) -> None:
    """Let the time that holds for a pod hold for a player who takes a free seat of it: the offer shows the time."""
    time = await season_tx.db.seasons.pod_time(season_tx.row.id, pod.id)
    if time is not None and is_agreed(season_tx.season, pod, time, season_tx.now):
        agreed = replace(time, proposal=time.proposal.agreed_by(player))
        await season_tx.db.seasons.set_pod_time(agreed)


async def meet_at_once(season_tx: SeasonTransaction, pod: Pod) -> None:
    """Let the match of a pod begin now. Players who do not come within some minutes are no-shows."""
    at_once = Proposal(season_tx.now, season_tx.now, pod.players)
    await season_tx.db.seasons.set_pod_time(PodTimeRow(season_tx.row.id, pod.id, at_once))


async def lose_time(season_tx: SeasonTransaction, pod_id: PodId) -> None:
    """Let the agreed time of a pod count no longer, because the bot was away: no one is a no-show.

    The pod can agree on another time, or play as soon as all are there. In one sitting the time begins anew. A match that
    has begun no longer needs a time.
    """
    pod = season_tx.season.pods[pod_id]
    if pod.over or pod.table is not None:
        return
    if season_tx.season.settings.is_sitting:
        await meet_at_once(season_tx, pod)
    else:
        await season_tx.db.seasons.clear_pod_time(season_tx.row.id, pod_id)
    await _show_time(season_tx, pod)


async def ask_newcomers(season_tx: SeasonTransaction, pod: Pod, came: Collection[Player]) -> None:
    """Let the time of a pod hold for players whom the staff have put into it only if they agree, or have as long as all to see it.

    Their notice of the table shows it. A time that has come counts no longer.
    """
    time = await season_tx.db.seasons.pod_time(season_tx.row.id, pod.id)
    playing = {player for player in came if not season_tx.season.has_left(player)}
    if time is None or playing <= {*time.proposal.agreed}:
        return
    if season_tx.season.settings.is_sitting or time.proposal.at <= season_tx.now:
        await lose_time(season_tx, pod.id)
    else:
        change = time.change and replace(time.change, since=season_tx.now)
        asked = replace(time, proposal=replace(time.proposal, since=season_tx.now), change=change)
        await season_tx.db.seasons.set_pod_time(asked)
        await _show_time(season_tx, pod)
    await season_tx.look_again()


async def wait_no_longer(season_tx: SeasonTransaction, pod: Pod, player: Player) -> None:
    """Fix the time, or the change of it, that waited for a player who has just left the season alone.

    A time that has come without being fixed counts no longer, nor does one to which nobody who is left has agreed.
    """
    season, now = season_tx.season, season_tx.now
    time = await season_tx.db.seasons.pod_time(season_tx.row.id, pod.id)
    if time is None or pod.over or pod.table is not None:
        return
    staying, answer = answering(season, pod), season.settings.answer_hours * HOUR
    began = time.proposal.holds_from((*staying, player), answer)
    if began is not None and began <= now:
        change = time.change
        if change is None or not change.replaces(time.proposal, staying, answer):
            return
        if now >= min(time.proposal.at, change.at):
            return
        await season_tx.db.seasons.set_pod_time(PodTimeRow(season_tx.row.id, pod.id, change))
        await tell_agreed(season_tx, pod, change.at)
    elif not time.proposal.yes(staying):
        await lose_time(season_tx, pod.id)
    elif not is_agreed(season, pod, time, now):
        return
    elif time.proposal.at <= now:
        await lose_time(season_tx, pod.id)
    else:
        await tell_agreed(season_tx, pod, time.proposal.at)


async def lose_near_time(season_tx: SeasonTransaction, pod: Pod) -> None:
    """Let the agreed time of a match that is given back to its players count no longer, unless they have time to learn of it.

    In one sitting they are there, and the time begins anew.
    """
    time = await season_tx.db.seasons.pod_time(season_tx.row.id, pod.id)
    if time is not None and time.proposal.at - season_tx.now < season_tx.season.settings.answer_hours * HOUR:
        await lose_time(season_tx, pod.id)


class Meetings:
    """Agreed times of matches. They are optional: a pod may play whenever all its players are there."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def propose(
        self, season_id: SeasonId, person: NamedPerson, at: int, interaction_id: InteractionId
    ) -> PodId:
        """Propose a time, in milliseconds of UTC, to the pod in which this person has a match to play.

        It replaces an earlier proposal. If a time is already fixed, it stays until as many have agreed to the
        new one. Raises UserError once the fixed time has come, if this person has proposed too many today, or if the
        season is closed.
        """

        async def change(season_tx: SeasonTransaction) -> PodId:
            season_tx.require_open()
            player, pod = await own_pod(season_tx.db, season_id, season_tx.season, person)
            if season_tx.season.has_left(player):
                raise UserError("league.nothing_to_play")
            latest = latest_time(season_tx.row, season_tx.season, pod)
            if not season_tx.now < at <= latest:
                raise UserError("league.bad_time", latest=latest)
            await count_proposal(season_tx, person.id)
            time = await season_tx.db.seasons.pod_time(season_id, pod.id)
            proposed = Proposal(at, season_tx.now, (player,))
            if time is None or not is_agreed(season_tx.season, pod, time, season_tx.now):
                time = PodTimeRow(season_id, pod.id, proposed)
            elif season_tx.now < time.proposal.at:
                time = PodTimeRow(season_id, pod.id, time.proposal, proposed)
            elif pod.missed or season_tx.now < seen_until(season_tx.season, time):
                raise UserError("league.time_has_come")
            else:
                # No one could come at the last time, because the bot was away.
                time = PodTimeRow(season_id, pod.id, proposed)
            await self._keep(season_tx, pod, time)
            for other in pod.players:
                if other != player:
                    await season_tx.request_post(ProposalNotice(pod.id, at, other))
            return pod.id

        return await self._leagues.write(season_id, change, interaction_id)

    async def agree(
        self, season_id: SeasonId, pod_id: PodId, at: int, person: NamedPerson, interaction_id: InteractionId
    ) -> str:
        """Agree to a proposed time; raises UserError if another time has been proposed meanwhile, or the season was closed."""

        async def work(season_tx: SeasonTransaction) -> str:
            season_tx.require_open()
            player = await season_tx.db.seasons.player_of(person.id)
            pod = season_tx.season.pods.get(pod_id)
            if pod is None or player not in pod.players:
                raise UserError("league.not_your_pod")
            time = await season_tx.db.seasons.pod_time(season_id, pod_id)
            if time is None or pod.over or pod.table is not None or season_tx.now >= time.proposal.at:
                raise UserError("league.other_time")
            if time.change is not None and time.change.at == at:
                change, answer = time.change.agreed_by(player), season_tx.season.settings.answer_hours * HOUR
                replaced = change.replaces(time.proposal, answering(season_tx.season, pod), answer)
                agreed = PodTimeRow(season_id, pod_id, *([change] if replaced else [time.proposal, change]))
            elif time.proposal.at == at:
                agreed = PodTimeRow(season_id, pod_id, time.proposal.agreed_by(player), time.change)
                replaced = False
            else:
                raise UserError("league.other_time")
            await self._keep(season_tx, pod, agreed)
            if at != agreed.proposal.at or not is_agreed(season_tx.season, pod, agreed, season_tx.now):
                return "league.agreed"
            if replaced or not is_agreed(season_tx.season, pod, time, season_tx.now):
                await tell_agreed(season_tx, pod, at)
            return "league.all_agreed"

        return await self._leagues.write(season_id, work, interaction_id)

    async def _keep(self, season_tx: SeasonTransaction, pod: Pod, time: PodTimeRow) -> None:
        await season_tx.db.seasons.set_pod_time(time)
        await _show_time(season_tx, pod)
        await season_tx.look_again()
