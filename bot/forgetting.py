"""Forgetting a person: they leave every table and season, then everything stored about them is removed."""

import structlog

from bot.history.estimates import EstimatesWorker
from bot.league.entries import Entries
from bot.pictures import Pictures
from bot.table.core.repository import TableRepository
from bot.table.leaving import Leaving
from bot.words.names import clean_name
from bot.words.texts import texts
from bot.workpool.pool import WorkPool
from data.store import Store
from league.ids import PersonId

log = structlog.get_logger(__name__)


class Forgetting:
    """Forgets people. What limits a person stays (`data.privacy.limits`), but names nobody."""

    def __init__(
        self,
        store: Store,
        tables: TableRepository,
        leaving: Leaving,
        entries: Entries,
        pictures: Pictures,
        estimates_worker: EstimatesWorker,
        workpool: WorkPool,
    ) -> None:
        self._store = store
        self._tables = tables
        self._leaving = leaving
        self._entries = entries
        self._pictures = pictures
        self._estimates_worker = estimates_worker
        self._workpool = workpool

    async def forget(self, person_id: PersonId) -> bool:
        """Forget a person; returns False if nothing is stored about them.

        After an interruption it can be repeated.
        """
        tables = await self._leaving.leave_all(person_id)
        seasons = await self._entries.leave_all(person_id)
        async with self._store.write() as db:
            for season_id in seasons:
                await db.limits.add_limit(person_id, "season", season_id)
            called = texts().template("name.player")
            is_known = await db.privacy.forget(person_id, self._tables.clock.now(), called)
        self._tables.committed()
        await self._leaving.show_again(tables)
        await self._forget_what_was_shown()
        return is_known

    async def _forget_what_was_shown(self) -> None:
        """Remove names from memory and from the store's log; if the log is in use now, the cleaner empties it later."""
        clean_name.cache_clear()
        self._pictures.forget()
        self._estimates_worker.forget()
        self._workpool.renew()
        if not await self._store.forget_the_past():
            log.info("forgetting.log_in_use")
