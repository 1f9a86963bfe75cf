"""After an outage, seasons whose check-in, draw or deadline fell into it are postponed, so that nobody loses time."""

import structlog

from bot.league.agenda import put_off_by
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
from league.events import DeadlinesPutOff

log = structlog.get_logger(__name__)


class Postponing:
    """Called with the length of the outage, before seasons catch up."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def put_off(self, away_from: int, now: int) -> None:
        """Postpone all seasons that lost time because nobody could press anything since `away_from`."""
        for season_id in await self._running():
            try:
                await self._put_off_season(season_id, away_from, now)
            except EventsDamaged:
                log.exception("leagues.not_put_off", season=season_id)

    async def _put_off_season(self, season_id: SeasonId, away_from: int, now: int) -> None:
        async with self._leagues.writing(season_id) as season_tx:
            by = put_off_by(season_tx.row, season_tx.season, away_from, now)
            if by:
                await self._put_off(season_tx, by)

    async def _running(self) -> list[SeasonId]:
        async with self._leagues.store.read() as db:
            return await db.seasons.running()

    async def _put_off(self, season_tx: SeasonTransaction, by: int) -> None:
        """Move the start, from which draws follow; deadlines already set are moved by an event."""
        later = DeadlinesPutOff(season_tx.row.acted_until, by)
        await season_tx.change(starts_at=season_tx.row.starts_at + by)
        await season_tx.add(later)
        for post in await season_tx.db.seasons.posts(season_tx.row.id):
            if _shows_times(post, season_tx.season.drawn):
                await season_tx.request_post(post)
        await season_tx.request_post(DelayPost(season_tx.row.starts_at))
        await season_tx.look_again()


def _shows_times(post: PublicPost, drawn: int) -> bool:
    """Whether a message tells when something happens that is still to come; `drawn` rounds are drawn."""
    match post:
        case SignupPost() | ReportPost() | FreeSeatPost():
            return True
        case CheckInPost(number) | RoundPost(number):
            return number >= drawn
        case _:
            return False
