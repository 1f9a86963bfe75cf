"""The one worker of all leagues: it sleeps until a season's next moment, or until there is something to post."""

from collections.abc import Callable

import structlog

from bot.clock import Clock
from bot.league.posts import Posts
from bot.league.rounds import Rounds
from bot.sleeper import Sleeper
from data.store import Store

RETRY_MS = 30_000

log = structlog.get_logger(__name__)


class LeagueWorker:
    """Looks at the seasons whose time has come and sends their messages."""

    def __init__(
        self, store: Store, clock: Clock, rounds: Rounds, posts: Posts, hold: Callable[[], bool]
    ) -> None:
        self._store = store
        self._clock = clock
        self._rounds = rounds
        self._posts = posts
        self._hold = hold
        """Whether nothing may happen now, because nobody could do anything about it."""
        self._sleeper = Sleeper(clock)
        self.wake = self._sleeper.wake

    async def run(self) -> None:
        """Serve until cancelled."""
        while True:
            self._sleeper.look()
            if not self._hold():
                async with self._store.read() as reader:
                    due = await reader.seasons_due(self._clock.now())
                for row in due:
                    await self._catch_up(row.id)
            if not await self._posts.send_due():
                await self._sleep()

    async def _catch_up(self, season_id: int) -> None:
        try:
            await self._rounds.catch_up(season_id)
        except Exception:
            log.exception("leagues.failed", season=season_id)
            async with self._store.write() as writer:
                row = await writer.season(season_id)
                if row is not None:
                    await writer.change_season(row, due_at=self._clock.now() + RETRY_MS)

    async def _sleep(self) -> None:
        async with self._store.read() as reader:
            moments = [await reader.next_season_at(), await reader.next_post_at()]
        await self._sleeper.sleep(moment for moment in moments if moment is not None and not self._hold())
