"""After an outage, seasons whose check-in, draw or deadline fell into it are postponed, so that no one loses time."""

import structlog

from bot.league.agenda import after_rounds, boundaries, delayed, put_off_by
from bot.league.leagues import Leagues
from bot.league.season_transaction import SeasonTransaction
from data.errors import EventsDamaged
from data.ids import SeasonId
from data.season_posts import (
    CheckInPost,
    DelayPost,
    FreeSeatPost,
    PublicPost,
    ReportPost,
    RoundPost,
    SignupPost,
)
from data.shards import Share
from league.events import DeadlineMoved, DeadlinesPutOff
from league.season import Season

log = structlog.get_logger(__name__)


class Postponing:
    """Called with the length of the outage, before seasons catch up."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def put_off(self, away_from: int, now: int, share: Share) -> None:
        """Postpone all seasons of a share that lost time because no one could press anything since `away_from`."""
        for season_id in await self._running(share):
            try:
                await self._put_off_season(season_id, away_from, now)
            except EventsDamaged:
                log.exception("leagues.not_put_off", season=season_id)

    async def _put_off_season(self, season_id: SeasonId, away_from: int, now: int) -> None:
        async def change(season_tx: SeasonTransaction) -> None:
            by = put_off_by(season_tx.row, season_tx.season, away_from, now)
            if by:
                at = await put_off(season_tx, by)
                await season_tx.request_post(DelayPost(at))

        await self._leagues.write(season_id, change)

    async def _running(self, share: Share) -> list[SeasonId]:
        return await self._leagues.store.read(lambda db: db.seasons.running(share))


async def put_off(season_tx: SeasonTransaction, by: int) -> int:
    """Move everything that is still to come by so many milliseconds; returns when the next draw or deadline is.

    The next draw comes within the hours of play, and those after it at the usual hour. A deadline of a pod or a report
    moves by exactly as much.
    """
    since, season = season_tx.row.acted_until, season_tx.season
    if not season.drawn:
        await season_tx.change(starts_at=delayed(season_tx.row.starts_at + by, season.settings))
    await season_tx.add(DeadlinesPutOff(since, by))
    first: dict[int, int] = {}
    for number, drawn in sorted(season.rounds.items()):
        if drawn.due > since:
            first.setdefault(drawn.stage, number)
    for number in first.values():
        due = delayed(season.rounds[number].due + by, season.settings)
        await season_tx.add(*moved_rounds(season, number, due))
    await show_times(season_tx)
    ahead = [at for at in boundaries(season_tx.row, season_tx.season) if at > since]
    return min(ahead, default=season_tx.now)


def moved_rounds(season: Season, first: int, due: int) -> list[DeadlineMoved]:
    """The events that move the deadline of a drawn round, and with it those of all drawn rounds that follow.

    All matches of a stage of the finals have one deadline.
    """
    stage = season.rounds[first].stage
    return [
        DeadlineMoved(number, due if stage else after_rounds(due, season.settings, number - first))
        for number, drawn in sorted(season.rounds.items())
        if number >= first and drawn.stage == stage
    ]


async def show_times(season_tx: SeasonTransaction) -> None:
    """Bring every message up to date that tells when something happens."""
    for post in await season_tx.db.seasons.posts(season_tx.row.id):
        if _shows_times(post, season_tx.season.drawn):
            await season_tx.request_post(post)
    await season_tx.look_again()


def _shows_times(post: PublicPost, drawn: int) -> bool:
    """Return whether a message tells when something happens that is still to come; `drawn` rounds are drawn."""
    match post:
        case SignupPost() | ReportPost() | FreeSeatPost():
            return True
        case CheckInPost(number) | RoundPost(number):
            return number >= drawn
        case _:
            return False
