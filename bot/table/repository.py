"""Hands out tables one writer at a time, and snapshots of them to anyone."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

import structlog

from bot.clock import Clock
from bot.errors import RepeatedInteractionError, StaleRevisionError, UserError
from bot.table.core.cache import TableCache
from bot.table.core.loading import load_table
from bot.table.core.table import Table
from bot.table.hooks import TableHooks
from bot.table.snapshot import Snapshot
from bot.table.transaction import TableTransaction, Wake
from data.errors import RevisionConflictError, StoreDamagedError, StoreUnavailableError
from data.store import Store
from data.transaction import WriteTransaction
from data.values import TableStatus
from marriage.errors import IllegalActionError

log = structlog.get_logger(__name__)

_REFUSALS: Final = (UserError, StaleRevisionError, IllegalActionError)


class TableRepository:
    """All tables, each with one writer at a time."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self.clock = clock
        self.hooks = TableHooks[TableTransaction]()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Wake] = []
        self._listeners_between: list[Wake] = []
        self._cache = TableCache()
        store.on_changes(lambda changes: self.forget(changes.tables))

    def on_commit(self, wake: Wake, *, moves: bool = True) -> None:
        """Call `wake` after every commit: there is something new to look at.

        Without `moves` only after those that are more than a move within a deal.
        """
        (self._listeners if moves else self._listeners_between).append(wake)

    def committed(self, *, move: bool = False) -> None:
        """Tell the listeners that there is something new to look at; of a mere `move` only those who follow each."""
        for wake in self._listeners if move else [*self._listeners, *self._listeners_between]:
            wake()

    # Changing a table

    @asynccontextmanager
    async def open(
        self, table_id: int, interaction_id: int | None = None
    ) -> AsyncGenerator[TableTransaction, None]:
        """The table to change, under its lock: leaving the block stores what was noted, an exception changes nothing.

        Raises RepeatedInteractionError for an interaction that was handled before, UserError for a table that does not
        exist, and StaleRevisionError where an interaction came to a table that was changed elsewhere.
        """
        try:
            async with self._lock(table_id), self._changing(table_id, interaction_id) as tx:
                yield tx
        except _REFUSALS as refusal:
            if interaction_id is not None and await self._was_handled(interaction_id):
                raise RepeatedInteractionError from refusal
            raise
        except RevisionConflictError as conflict:
            self.forget([table_id])
            if interaction_id is not None:
                raise StaleRevisionError from conflict
            raise

    @asynccontextmanager
    async def amend(self, table_id: int) -> AsyncGenerator[TableTransaction, None]:
        """The same for what is no move, such as where its message is: no button gets old by it."""
        async with self._lock(table_id), self._changing(table_id, None, is_move=False) as tx:
            yield tx

    @asynccontextmanager
    async def _lock(self, table_id: int) -> AsyncGenerator[None, None]:
        """Hold the table's lock. It lives exactly as long as somebody holds or awaits it."""
        lock = self._locks.setdefault(table_id, asyncio.Lock())
        async with lock:
            yield

    @asynccontextmanager
    async def _changing(
        self, table_id: int, interaction_id: int | None, *, is_move: bool = True
    ) -> AsyncGenerator[TableTransaction, None]:
        with self._cache.claim(table_id) as claim:
            before = await self.get(table_id)
            async with AsyncExitStack() as stack:

                async def begin() -> WriteTransaction:
                    return await stack.enter_async_context(self._store.write())

                tx = TableTransaction(
                    before,
                    self.clock.now(),
                    begin,
                    self.hooks,
                    interaction_id=interaction_id,
                    is_move=is_move,
                )
                yield tx
                if not tx.is_needed:
                    return
                after = await tx.finish()
            if after is not None:
                claim.keep(after, own_changes=1)
        if is_move or tx.wakes:
            self.committed(move=tx.goes_on)

    async def _was_handled(self, interaction_id: int) -> bool:
        async with self._store.read() as db:
            return await db.interactions.find(interaction_id) is not None

    async def catch_up(self) -> int:
        """Publish every open table anew, and the hands of those who are asked to act; how many tables there are.

        One whose events do not replay is left as it is, for whoever runs the bot to look at: the others go on.
        """
        whole = 0
        async with self._store.read() as db:
            tables = await db.tables.all_open()
        for table in tables:
            try:
                async with self.amend(table.id) as tx:
                    tx.publish(tx.asked())
            except (StoreUnavailableError, StoreDamagedError):
                raise
            except Exception:
                log.exception("events.do_not_replay", table=table.id)
                continue
            whole += 1
        return whole

    # Looking at tables

    async def get(self, table_id: int) -> Table:
        """The table as it is now, its secrets included; raises UserError for a table that does not exist."""
        table = self._cache.get(table_id)
        if table is None:
            with self._cache.claim(table_id) as claim:
                async with self._store.read() as db:
                    table = await load_table(db, table_id)
                if table is None:
                    raise UserError("sorry.no_table", table=table_id)
                claim.keep(table)
        return table

    def forget(self, table_ids: Iterable[int]) -> None:
        """Keep nothing of these tables in memory: they are read anew at the next look."""
        self._cache.drop(table_ids)

    async def snapshot(self, table_id: int) -> Snapshot:
        """The table as everyone may see it now; raises UserError for a table that does not exist."""
        table, directory = await self.get(table_id), self._store.directory
        seated = {seat.person_id for seat in table.seats if seat.person_id is not None}
        people = await directory.people(seated | set(table.guests))
        settings = await directory.guild_settings(table.row.guild_id)
        return Snapshot.of(table, people, settings.language)

    async def status(self, table_id: int) -> TableStatus:
        """What the table is doing now; raises UserError for a table that does not exist."""
        return (await self.get(table_id)).row.status

    async def tables_of(self, guild_id: int) -> list[Snapshot]:
        """The open tables of a server, oldest first."""
        async with self._store.read() as db:
            tables = await db.tables.in_guild(guild_id)
        return [await self.snapshot(table.id) for table in tables]

    async def only_table(self, channel_id: int) -> int:
        """The open table of this channel; raises UserError when there is none, or more than one to choose from."""
        async with self._store.read() as db:
            tables = await db.tables.in_channel(channel_id)
        if len(tables) != 1:
            raise UserError("sorry.which_table")
        return tables[0].id

    async def table_of(self, person_id: int) -> int | None:
        """The open table at which this person sits and has not left their seat."""
        async with self._store.read() as db:
            own = await db.tables.open_of_person(person_id)
        return own.id if own else None

    async def find_table(self, person_id: int, channel_id: int | None) -> int:
        """The open table at which this person sits, or one of this channel that they left; raises UserError without one."""
        async with self._store.read() as db:
            own = await db.tables.open_of_person(person_id)
            if own is not None:
                return own.id
            for table in await db.tables.in_channel(channel_id) if channel_id else []:
                if any(seat.person_id == person_id for seat in await db.tables.seats(table.id)):
                    return table.id
        raise UserError("sorry.no_table_yet")
