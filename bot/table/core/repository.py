"""All tables: each is loaded and cached, changed by one writer at a time, and anyone can have a snapshot of it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

import structlog

from bot.clock import Clock
from bot.cluster.shards import Shards
from bot.errors import ChangedElsewhereError, RepeatedInteractionError, StaleRevisionError, UserError
from bot.table.core.boards import next_board
from bot.table.core.change import TableCommand, TableHooks, TableTransaction, Wake
from bot.table.core.snapshot import Snapshot
from bot.table.core.table import LOBBY, PAUSED, READY, TURN, VOTE, WINDOW, Table, TableBoards, recent_events
from bot.words.texts import known_emojis
from data.caches import CommittedCache
from data.errors import EventsDamaged, InteractionSeenError, RevisionConflictError
from data.ids import ChannelId, InteractionId
from data.outbox_keys import ShowAnewKey
from data.repositories.messages import OutboxRequest
from data.session import News
from data.shards import EVERYTHING, Share
from data.store import HAS_STORED, Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import DealRow, TableRow, TableStatus
from league.ids import GuildId, PersonId, TableId
from marriage.apply import replay
from marriage.errors import IllegalActionError
from marriage.events import Event

log = structlog.get_logger(__name__)
T = TypeVar("T")
REMEMBERED: Final = 20_000
"""The number of people remembered, each at a table; those inactive for longest are forgotten first."""


class Activity:
    """Who has looked at their table lately. They need no mention when it is their turn."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: dict[tuple[int, int], int] = {}
        """The time of each person's latest press or command, by table and person, the oldest first."""

    def note(self, table_id: TableId, person_id: PersonId) -> None:
        """Note that this person has just pressed or typed something at this table."""
        self._seen.pop((table_id, person_id), None)
        self._seen[table_id, person_id] = self._clock.now()
        if len(self._seen) > REMEMBERED:
            del self._seen[next(iter(self._seen))]

    def silent_ms(self, table_id: TableId, person_id: PersonId) -> int | None:
        """Return the milliseconds since a person's last activity; None if nothing is known of this person."""
        seen = self._seen.get((table_id, person_id))
        return None if seen is None else max(0, self._clock.now() - seen)


async def load_table(
    db: ReadTransaction,
    table_id: TableId,
    change: TableTransaction | None = None,
    *,
    may_be_damaged: bool = False,
) -> Table | None:
    """The table of this id, open or closed; None if there is none. Raises EventsDamaged or UnreadableValueError.

    With the change that has just been made to it, the events of its deal are not read again. A table that
    `may_be_damaged`, or that is closed, has no deal if its events are damaged.
    """
    row = await db.tables.get(table_id)
    if row is None:
        return None
    if change is None:
        events = await _events(db, row, may_be_damaged=may_be_damaged or row.status == "closed")
        state, played, recent = replay(events) if events else None, len(events), recent_events((), events)
    else:
        made = change.outcome(row)
        state, played, recent = made.state, made.played, made.recent
    deals = await db.deals.deals_from(table_id, row.deal_no)
    seats = await db.tables.seats(table_id)
    match = await db.matches.latest(table_id)
    return Table(
        row=row,
        seats=seats,
        bench=await db.benches.get(table_id),
        deals=deals,
        state=state,
        played=played,
        recent=recent,
        deadlines={due.kind: due for due in await db.deadlines.of_table(table_id)},
        pins=await db.pins.of_table(table_id, row.deal_no),
        guests=await db.guests.of_table(table_id),
        match=match,
        results=tuple(await db.deals.results_of_match(table_id, match.match_no)) if match else (),
        boards=await _boards(db, row, deals, len(seats)),
        earned=tuple(await db.stats.earned_in(table_id, row.deal_no)) if row.status == "between" else (),
    )


async def _events(db: ReadTransaction, row: TableRow, *, may_be_damaged: bool) -> list[Event]:
    """Return the events of the latest deal; none if they are damaged and may be."""
    try:
        return await db.deals.events(row.id, row.deal_no) if row.deal_no else []
    except EventsDamaged:
        if not may_be_damaged:
            raise
        return []


async def open_table_of(db: ReadTransaction, person_id: PersonId) -> TableRow | None:
    """Return the latest open table where this person sits and which they have not left.

    A damaged table does not count: nobody can play on there.
    """
    for table in await db.tables.open_of_person(person_id):
        try:
            await db.deals.events(table.id, table.deal_no)
        except EventsDamaged:
            log.exception("damaged_table.left_out", table=table.id)
        else:
            return table
    return None


async def _boards(
    db: ReadTransaction, row: TableRow, deals: Mapping[int, DealRow], seats: int
) -> TableBoards:
    deal, following = deals.get(row.deal_no), deals.get(row.deal_no + 1)
    board = following and await next_board(db, row, row.deal_no, seats if row.deal_no else None)
    return TableBoards(
        is_sealed=deal is not None and await db.boards.is_sealed(deal),
        is_revealed=deal is not None and await db.boards.is_revealed(deal),
        next_is_sealed=following is not None and await db.boards.is_sealed(following),
        next_seal=board.row.commitment if board else None,
    )


MOST_TABLES: Final = 2_000
MOST_ROWS: Final = 200_000
"""The maximum number of results and guests of all cached tables together: a long match has many."""


def table_cache(most: int = MOST_TABLES, most_rows: int = MOST_ROWS) -> CommittedCache[Table]:
    """Return an empty cache of open tables, limited by their number and by the rows that they hold together."""
    return CommittedCache(most, most_weight=most_rows, weigh=_rows, is_wanted=_is_open)


def _is_open(table: Table) -> bool:
    """Return whether the table may be played at. Few people look at a closed one again."""
    return table.row.status != "closed"


def _rows(table: Table) -> int:
    return len(table.results) + len(table.guests)


_TOLD: Final = (TURN, WINDOW, VOTE, READY, LOBBY)
"""The kinds of deadlines that tables show in their messages."""
_BATCH: Final = 200
_GAP_MS: Final = 100
"""The pause between two tables when many are shown again."""
_REFUSALS: Final = (UserError, StaleRevisionError, IllegalActionError)


def _repeated() -> RepeatedInteractionError:
    """Return the error for an interaction that was handled before, so that what it asked for is stored."""
    HAS_STORED.set(True)
    return RepeatedInteractionError()


class TableRepository:
    """All tables, each with one writer at a time."""

    def __init__(self, store: Store, clock: Clock, shards: Shards | None = None) -> None:
        self._store = store
        self._shards = shards or Shards()
        self.clock = clock
        self.hooks = TableHooks()
        self.activity = Activity(clock)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Wake] = []
        self._listeners_between: list[Wake] = []
        self._watchers: list[Callable[[TableId], None]] = []
        self._timekeepers: list[Callable[[int], None]] = []
        self._cache = table_cache()
        self._snapshots: WeakKeyDictionary[Table, tuple[Snapshot, object]] = WeakKeyDictionary()
        """The latest of each table, with the people and settings that it was made of: several panels show the same."""
        store.keep_true(self._cache, lambda changes: changes.tables)
        store.on_news(self._changed_elsewhere)

    def on_commit(self, wake: Wake, *, moves: bool = True) -> None:
        """Call `wake` after every commit, when there is something new to look at.

        Without `moves`, call it only after commits that are more than a move within a deal.
        """
        (self._listeners if moves else self._listeners_between).append(wake)

    def on_deadline(self, tell: Callable[[int], None]) -> None:
        """Call `tell` after every mere move that has set deadlines, with the time of the first one."""
        self._timekeepers.append(tell)

    def on_change(self, tell: Callable[[TableId], None]) -> None:
        """Call `tell` with the id of a table after every commit that changes something it shows."""
        self._watchers.append(tell)

    def committed(self, *, move: bool = False) -> None:
        """Notify the listeners of something new. A mere `move` concerns only some of them."""
        for wake in self._listeners if move else [*self._listeners, *self._listeners_between]:
            wake()

    def _changed_elsewhere(self, news: News) -> None:
        """Handle a commit by another process."""
        for table_id in news.changes.tables:
            for tell in self._watchers:
                tell(TableId(table_id))
        if news.is_work or news.changes.is_of_everything:
            self.committed()

    # Changing a table

    async def change(
        self,
        table_id: TableId,
        command: Callable[[TableTransaction], Coroutine[Any, Any, T]],
        interaction_id: InteractionId | None = None,
        *,
        may_be_damaged: bool = False,
    ) -> T:
        """Store a command's changes under the table's lock and return its result; an error changes nothing.

        A command that closes a table can be told that it `may_be_damaged`: then the table has no deal.

        Raises RepeatedInteractionError for an interaction that was handled before, UserError for a table that
        does not exist, and ChangedElsewhereError for an interaction with a table that another process has
        changed since, or that was refused because of the outdated copy of such a table in memory.
        """
        read = list[Table]()

        def noting(tx: TableTransaction) -> Coroutine[Any, Any, T]:
            read.append(tx.before)
            return command(tx)

        try:
            return await self._change(table_id, noting, interaction_id, may_be_damaged=may_be_damaged)
        except _REFUSALS as refusal:
            if interaction_id is not None and await self._was_handled(interaction_id):
                raise _repeated() from refusal
            if interaction_id is not None and read and await self._is_old(read[0]):
                raise ChangedElsewhereError from refusal
            raise
        except InteractionSeenError as seen:
            raise _repeated() from seen
        except RevisionConflictError as conflict:
            if interaction_id is not None:
                raise ChangedElsewhereError from conflict
            raise

    async def amend(
        self, table_id: TableId, command: Callable[[TableTransaction], Coroutine[Any, Any, T]]
    ) -> T:
        """Make a change that is not a move, such as the place of its message: all buttons stay valid."""
        return await self._change(table_id, command, None, is_move=False)

    @asynccontextmanager
    async def lock(self, table_id: TableId) -> AsyncGenerator[None, None]:
        """Hold the table's lock, which exists only as long as a task holds or awaits it."""
        lock = self._locks.setdefault(table_id, asyncio.Lock())
        async with lock:
            yield

    async def _change(
        self,
        table_id: TableId,
        work: Callable[[TableTransaction], Coroutine[Any, Any, T]],
        interaction_id: InteractionId | None,
        *,
        is_move: bool = True,
        may_be_damaged: bool = False,
    ) -> T:
        async with self.lock(table_id):
            claim = self._cache.claim([table_id])
            before, after = await self._before(table_id, may_be_damaged=may_be_damaged), None
            tx = TableTransaction(
                before,
                self.clock.now(),
                self.hooks,
                interaction_id=interaction_id,
                is_move=is_move,
            )
            command = TableCommand(work(tx))

            async def go_on(db: WriteTransaction) -> Table | None:
                await command.go_on(db)
                await tx.finish()
                return await load_table(db, table_id, tx)

            try:
                has_ended = await command.begin()
                tx.is_own_work = self._shards.owns(before.row.guild_id)
                if not has_ended:
                    after = await self._store.write(go_on)
                elif tx.is_needed:
                    after = tx.outcome(await self._store.write(tx.written))
                else:
                    return command.result
            except RevisionConflictError:
                # Another process may have changed the table without notice to this one.
                self.forget([table_id])
                raise
            finally:
                command.close()
            if after is not None:
                claim.keep(table_id, after, own_changes=1)
            if is_move or tx.wakes:
                self._tell(tx)
        return command.result

    async def _before(self, table_id: TableId, *, may_be_damaged: bool) -> Table:
        try:
            return await self.get(table_id)
        except EventsDamaged:
            found = may_be_damaged and await self._store.read(
                partial(load_table, table_id=table_id, may_be_damaged=True)
            )
            if not found:
                raise
            return found

    def _tell(self, tx: TableTransaction) -> None:
        """Notify the listeners of what was committed."""
        self.committed(move=tx.goes_on)
        if tx.goes_on and tx.soonest_set is not None:
            for note in self._timekeepers:
                note(tx.soonest_set)
        for tell in self._watchers:
            tell(tx.table.id)

    async def _is_old(self, table: Table) -> bool:
        """Whether another process has changed a table since it was read; then it is read again."""
        if not self._shards.are_shared_out:
            return False
        row = await self._store.read(lambda db: db.tables.get(table.row.id))
        if row is None or row.version == table.row.version:
            return False
        self.forget([table.row.id])
        return True

    async def _was_handled(self, interaction_id: InteractionId) -> bool:
        return await self._store.read(lambda db: db.interactions.find(interaction_id)) is not None

    async def catch_up(self, share: Share = EVERYTHING) -> int:
        """Try to show a share's paused tables after the bot connects; return the number of open tables.

        Nothing else needs publishing: other messages wait in the outbox, where each change put them.
        """

        async def read(db: ReadTransaction) -> tuple[list[TableId], int]:
            return await db.deadlines.tables_waiting(PAUSED, share), await db.tables.count_open()

        paused, count = await self._store.read(read)
        await self.show_anew(paused)
        return count

    async def clocks_were_set(self, share: Share) -> None:
        """Update messages that show a deadline, most urgent first, after a share's deadlines were put off."""
        tables = await self._store.read(lambda db: db.deadlines.tables_telling_time(_TOLD, share))
        await self.show_anew(tables)

    async def show_anew(self, table_ids: Sequence[TableId]) -> None:
        """Show these tables again in this order, in small transactions and without a burst of calls to Discord."""
        now = self.clock.now()

        async def request(db: WriteTransaction, wanted: Sequence[OutboxRequest]) -> None:
            await db.outbox.put_all(wanted, now)

        for first in range(0, len(table_ids), _BATCH):
            batch = enumerate(table_ids[first : first + _BATCH], first)
            wanted = [OutboxRequest(ShowAnewKey(table_id), 1, number * _GAP_MS) for number, table_id in batch]
            await self._store.write(request, wanted)
        if table_ids:
            self.committed()

    # Looking at tables

    async def get(self, table_id: TableId, at_least: int = 0) -> Table:
        """The table as it is now, including its secrets; raises UserError for a table that does not exist.

        The table is read again if it is known to have a later revision: when another process has changed it, that news may
        arrive after a request to the outbox.
        """
        table = self._cache.get(table_id)
        if table is not None and table.row.revision < at_least:
            self.forget([table_id])
            table = None
        if table is None:
            claim = self._cache.claim([table_id])
            table = await self._store.read(load_table, table_id)
            if table is None:
                raise UserError("sorry.no_table", table=table_id)
            claim.keep(table_id, table)
        return table

    async def answer_token(self, table_id: TableId) -> str | None:
        """Return the token of the interaction that opened a table, until the table's message is known."""
        return await self._store.read(lambda db: db.key_values.answer_token(table_id))

    def forget(self, table_ids: Iterable[TableId]) -> None:
        """Drop these tables from memory: they are read again when they are needed."""
        self._cache.drop(table_ids)

    async def snapshot(self, table_id: TableId, at_least: int = 0) -> Snapshot:
        """Return the table as everyone may see it now, like `get`; raises UserError if it does not exist."""
        table, directory = await self.get(table_id, at_least), self._store.directory
        here = {row.person_id for row in (*table.seats, *table.bench) if row.person_id is not None}
        people = await directory.people(here | set(table.guests))
        settings = await directory.guild_settings(table.row.guild_id)
        made_of = people, settings, known_emojis()
        snapshot, before = self._snapshots.get(table, (None, None))
        if snapshot is None or before != made_of:
            snapshot = Snapshot.of(table, people, settings)
            self._snapshots[table] = snapshot, made_of
        return snapshot

    async def status(self, table_id: TableId) -> TableStatus:
        """Return the current status of the table; raises UserError for a table that does not exist."""
        return (await self.get(table_id)).row.status

    async def tables_of(
        self, guild_id: GuildId, person_id: PersonId, sees: Callable[[ChannelId], bool], most: int
    ) -> tuple[list[Snapshot], int]:
        """Return the open tables of a server in places that a person sees, and the table where they sit.

        At most `most` are returned, with the total number. The person's table comes first, then the oldest.
        Damaged tables are left out.
        """

        async def read(db: ReadTransaction) -> tuple[list[tuple[TableId, ChannelId]], TableRow | None]:
            return await db.tables.places_in_guild(guild_id), await open_table_of(db, person_id)

        places, own = await self._store.read(read)
        found = [table_id for table_id, place_id in places if sees(place_id) or (own and own.id == table_id)]
        found.sort(key=lambda table_id: own is None or own.id != table_id)
        snapshots, count = list[Snapshot](), len(found)
        for table_id in found:
            if len(snapshots) == most:
                break
            try:
                snapshots.append(await self.snapshot(table_id))
            except EventsDamaged:
                log.exception("damaged_table.not_listed", table=table_id)
                count -= 1
        return snapshots, count

    async def only_table(self, channel_id: ChannelId) -> TableId:
        """Return the open table of this channel; raises UserError if there is none, or more than one."""
        tables = await self._store.read(lambda db: db.tables.in_channel(channel_id))
        if len(tables) != 1:
            raise UserError("sorry.which_table")
        return tables[0].id

    async def table_of(self, person_id: PersonId) -> TableId | None:
        """Return the open table where this person sits and which they have not left."""
        own = await self._store.read(lambda db: open_table_of(db, person_id))
        return own.id if own else None

    async def find_table(self, person_id: PersonId, channel_id: ChannelId | None) -> TableId:
        """Return the open table where this person sits, or one of this channel that they left.

        Raises UserError if there is none.
        """

        async def find(db: ReadTransaction) -> TableId | None:
            own = await open_table_of(db, person_id)
            if own is not None:
                return own.id
            for table in await db.tables.in_channel(channel_id) if channel_id else []:
                if any(seat.person_id == person_id for seat in await db.tables.seats(table.id)):
                    return table.id
            return None

        found = await self._store.read(find)
        if found is None:
            raise UserError("sorry.no_table_yet")
        return found
