"""The worker of all leagues: it sleeps until the next moment of any season, and lets that season act."""

from collections.abc import Callable
from functools import partial

import structlog

from bot.clock import Clock
from bot.lanes import Failures, Lanes, backoff_ms
from bot.league.rounds import Rounds
from bot.wakeup import Wakeup
from data.errors import RevisionConflictError
from data.ids import SeasonId
from data.shards import Share
from data.store import Store

AT_ONCE = 4
"""How many seasons are served side by side, not counting those that take long."""

log = structlog.get_logger(__name__)


class LeagueWorker:
    """Serves the seasons that are due. Each season has its own lane, so none waits for another."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        rounds: Rounds,
        announce: Callable[[], None],
        served: Callable[[], Share],
    ) -> None:
        self._store = store
        self._clock = clock
        self._rounds = rounds
        self._announce = announce
        """Called when a season may have messages to send."""
        self._served = served
        """The shards whose seasons are this process's: those of others wait, because nobody could react now."""
        self._failures = Failures()
        self._sleeper = Wakeup(clock)
        self.wake = self._sleeper.wake
        self._lanes: Lanes[int] = Lanes(AT_ONCE, self._sleeper.wake)
        """Lanes by season id."""

    async def run(self) -> None:
        """Serve until cancelled."""
        async with self._lanes:
            while True:
                self._sleeper.look()
                self._lanes.check()
                now, share = self._clock.now(), self._served()
                due = await self._due(now, share) if self._lanes.room and share.held else []
                for season_id in due:
                    self._lanes.offer(season_id, season_id, partial(self._catch_up, season_id))
                if not due:
                    await self._sleep(now, share)

    async def _due(self, now: int, share: Share) -> list[SeasonId]:
        taken = set(
            self._lanes.taken
        )  # before the read: a season that ends meanwhile is not read as due again
        async with self._store.reading() as db:
            rows = await db.seasons.due(now, share)
        return [row.id for row in rows if row.id not in taken]

    async def _catch_up(self, season_id: SeasonId) -> bool:
        try:
            await self._rounds.catch_up(season_id)
        except Exception as error:
            # A table that was changed beside its lock is read anew next time.
            if isinstance(error, RevisionConflictError):
                log.warning("leagues.changed_elsewhere", season=season_id)
            else:
                log.exception("leagues.failed", season=season_id)
            await self._put_off(season_id, backoff_ms(self._failures.failed(season_id)))
        else:
            self._failures.succeeded(season_id)
            self._announce()
        return True  # the season has a new moment

    async def _put_off(self, season_id: SeasonId, wait_ms: int) -> None:
        async with self._store.writing() as db:
            row = await db.seasons.get(season_id)
            if row is not None:
                await db.seasons.update(row, due_at=self._clock.now() + wait_ms)

    async def _sleep(self, looked_at: int, share: Share) -> None:
        async with self._store.reading() as db:
            following = await db.seasons.next_due_at(looked_at, share)
        await self._sleeper.sleep([] if following is None else [following])
