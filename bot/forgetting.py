"""Forgetting a person: they leave every table and season, then everything stored about them is removed."""

import asyncio
from collections.abc import Collection
from typing import Final

import structlog

from bot.errors import UserError
from bot.history.leaderboards import Leaderboards
from bot.history.stats import EstimatesWorker
from bot.league.entries import Entries
from bot.pictures import Pictures
from bot.table.attendance import Leaving
from bot.table.core.repository import TableRepository, open_table_of
from bot.words.texts import texts
from bot.workpool.pool import WorkPool
from data.errors import StoreError, StoreUnavailableError
from data.files import named_file_faults
from data.ids import SeasonId
from data.names import clean_name
from data.privacy.ledger import ErasureRequest, ForgottenLedger
from data.privacy.personal_data import LeagueTraces
from data.session import News
from data.store import HAS_STORED, Store
from data.transaction import ReadTransaction, WriteTransaction
from league.ids import PersonId, TableId
from league.times import DAY, MINUTE

MOST_ERASURES: Final = 3
"""How many times a person is forgotten in a day."""
AGAIN_S: Final = 3600
"""How long to wait before requests that could not be followed are tried again, in seconds."""
_OVERLAP_MS: Final = MINUTE
"""A margin for requests without a mark: a file was last known to be alive some seconds before it was copied."""

log = structlog.get_logger(__name__)


class Forgetting:
    """Forgets people. Their limits (`data.privacy.limits`) stay, but name no one."""

    def __init__(
        self,
        store: Store,
        tables: TableRepository,
        leaving: Leaving,
        entries: Entries,
        pictures: Pictures,
        boards: Leaderboards,
        estimates_worker: EstimatesWorker,
        workpool: WorkPool,
        ledger: ForgottenLedger,
    ) -> None:
        self._store = store
        self._tables = tables
        self._leaving = leaving
        self._entries = entries
        self._pictures = pictures
        self._boards = boards
        self._estimates_worker = estimates_worker
        self._workpool = workpool
        self._ledger = ledger

    async def forget(self, person_id: PersonId) -> bool:
        """Forget a person; returns False, at no cost for others, if nothing is stored about them.

        After an interruption it can be repeated. It is recorded first, for copies of the file that are
        restored later, and for `keep_up`, which does what the store refuses now; then UserError is raised, too. Raises
        UserError also if the person was forgotten too often today: it empties caches that all people share.
        """
        now = self._tables.clock.now()

        async def look(db: ReadTransaction):
            known, erased = await db.people.get(person_id), await db.limits.limits(person_id, "erasure", now)
            return known, erased, await db.limits.digest_of(person_id)

        known, erased, digest = await self._store.read(look)
        if known is None:
            return False
        if len(erased) >= MOST_ERASURES:
            raise UserError("privacy.forgotten_often", most=MOST_ERASURES, again=erased[0].until)
        with named_file_faults():
            await asyncio.to_thread(self._ledger.add, digest, now)
        HAS_STORED.set(True)  # from here on it will be done, whatever happens
        try:
            marks = [line.mark for line in await self._requests() if line.digest == digest]
            await self._forget(person_id, marks, until=now + DAY)
        except StoreUnavailableError as error:
            log.warning("forgetting.put_off", why=str(error))
            raise UserError("privacy.put_off") from None
        return True

    async def keep_up(self) -> float:
        """Do what could not be done when it was asked for. Returns how long to rest, in seconds."""
        await self.try_again()
        return AGAIN_S

    async def try_again(self) -> None:
        """Forget everyone whose request this database lacks, as far as the store takes it now."""
        try:
            count = await self.forget_again()
        except StoreUnavailableError as error:  # the folder of the copies may be on another disk
            log.error("forgetting.not_repeated", why=str(error))  # noqa: TRY400 - the words say everything
        else:
            if count:
                log.warning("forgetting.repeated", people=count)

    async def requests_of(self, person_id: PersonId) -> list[ErasureRequest]:
        """Return what is kept outside the database about a person: that they asked to be forgotten, and when."""
        digest = await self._store.read(lambda db: db.limits.digest_of(person_id))
        return [line for line in await self._requests() if line.digest == digest]

    async def forget_again(self) -> int:
        """Forget everyone whose request this database lacks; returns how many.

        It is an earlier state, such as a restored copy or what a disk has left, or the store refused a request. People whom
        damage keeps from being forgotten are left to the next time. Raises StoreUnavailableError.
        """
        await self._complete_ledger()
        requests = await self._requests()
        if not requests:
            return 0

        async def look(db: ReadTransaction):
            return await db.privacy.erasures(), await db.key_values.last_alive() or 0

        known, made_at = await self._store.read(look)
        lacking = [
            line
            for line in requests
            if line.mark not in known and (line.is_marked or line.at >= made_at - _OVERLAP_MS)
        ]
        if not lacking:
            return 0
        by_digest: dict[str, list[str]] = {}
        for line in lacking:
            by_digest.setdefault(line.digest, []).append(line.mark)
        people = await self._store.read(lambda db: db.limits.people_of(by_digest))
        left = {
            digest
            for person_id, digest in people.items()
            if not await self._forget_if_sound(person_id, by_digest[digest])
        }
        done = [line.mark for line in lacking if line.digest not in left]
        await self._store.write(lambda db: db.privacy.add_erasures(done))
        return len(people) - len(left)

    async def _complete_ledger(self) -> None:
        """Copy the requests that only one of the files has to the other, as it may be lost or no longer be used later."""
        try:
            with named_file_faults():
                await asyncio.to_thread(self._ledger.complete)
        except StoreError as error:  # those that can be read are followed all the same
            log.error("forgetting.not_copied", why=str(error))  # noqa: TRY400 - the words say everything

    async def _requests(self) -> list[ErasureRequest]:
        with named_file_faults():
            return await asyncio.to_thread(self._ledger.requests)

    async def _forget_if_sound(self, person_id: PersonId, marks: Collection[str]) -> bool:
        """Forget a person; return False if damage keeps the bot from that."""
        try:
            await self._forget(person_id, marks)
        except StoreUnavailableError:
            raise
        except StoreError:
            log.exception("forgetting.failed")
            return False
        return True

    async def _forget(self, person_id: PersonId, marks: Collection[str], until: int | None = None) -> None:
        """Forget a person, as requests with these marks ask. Until a moment this counts as one of a person's times a day."""
        if until is None and await self._store.read(_is_followed, marks):
            return  # it was done meanwhile, and they may sit at a table again
        found = await self._store.read(lambda db: db.free_text.find(person_id))  # before they leave anything
        tables, is_done = list[TableId](), False
        while not is_done:
            tables += await self._leaving.leave_all(person_id)
            left = await self._entries.leave_all(person_id)
            is_done = await self._erase(person_id, left, marks, until, found)
        self._tables.committed()
        await self._leaving.show_again(tables)
        await self._forget_what_was_shown()

    async def _erase(
        self,
        person_id: PersonId,
        left: Collection[SeasonId],
        marks: Collection[str],
        until: int | None,
        found: LeagueTraces,
    ) -> bool:
        """Erase a person. Return False if they have joined something since they left.

        All others wait meanwhile, so it only looks at what was not `found` before.
        """
        called = texts().template("name.player")

        async def write(db: WriteTransaction) -> bool:
            if until is None and await _is_followed(db, marks):
                return True  # they may have come back since
            seasons = {*found.seasons, *await db.privacy.seasons_of(person_id, found.last)}
            if await open_table_of(db, person_id):
                return False
            if await self._entries.is_in_any(db, person_id, seasons):
                return False
            for season_id in left:
                await db.limits.add_limit(person_id, "season", season_id)
            for season_id in await self._entries.bans_of(db, person_id, seasons):
                await db.limits.add_limit(person_id, "ban", season_id)
            if until is not None:
                await db.limits.add_limit(person_id, "erasure", 0, until)
            await db.privacy.add_erasures(marks)
            db.changes_everything()
            await db.privacy.forget(person_id, self._tables.clock.now(), called, found)
            return True

        return await self._store.write(write)

    def heard(self, news: News) -> None:
        """React to another process that has forgotten a person, or reports an unspecified change."""
        if news.changes.is_of_everything:
            self._forget_names()

    def _forget_names(self) -> None:
        clean_name.cache_clear()
        self._pictures.forget()
        self._boards.forget()
        self._estimates_worker.forget()
        self._workpool.renew()

    async def _forget_what_was_shown(self) -> None:
        """Remove names from memory and from the store's log; if the log is in use now, the cleaner empties it later."""
        self._forget_names()
        if not await self._store.forget_the_past():
            log.info("forgetting.log_in_use")


async def _is_followed(db: ReadTransaction, marks: Collection[str]) -> bool:
    """Return whether the database contains all requests with these marks."""
    return set(marks) <= await db.privacy.erasures()
