"""One writer a table: its lock, its one transaction a move, and the news that goes out after the commit."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

import structlog

from bot.clock import Clock
from bot.errors import RepeatedInteractionError, StaleRevisionError, UserError
from bot.table.hands import holders
from bot.table.hooks import TableHooks
from bot.table.ledger import ledger_of
from bot.table.snapshot import Guest, Match, Shuffle, Snapshot, views
from bot.table.transaction import (
    COMPUTER,
    DAILY,
    LOBBY,
    PAUSED,
    READY,
    TURN,
    VOTE,
    WARN,
    WINDOW,
    TableTransaction,
    Wake,
)
from bot.words.moves import last_moves
from bot.words.texts import catalogue
from data.errors import StoreDamagedError, StoreUnavailableError
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import SeatRow, TableRow, TableStatus
from marriage.apply import replay
from marriage.state import State
from marriage.view import mask

log = structlog.get_logger(__name__)


class TableRepository:
    """Hands out tables one writer at a time, and snapshots of them to anyone."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self.clock = clock
        self.hooks = TableHooks[TableTransaction]()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Wake] = []
        self._listeners_between: list[Wake] = []

    def on_commit(self, wake: Wake, *, moves: bool = True) -> None:
        """Call `wake` after every commit: there is something new to look at.

        Without `moves` only after those that are more than a move within a deal.
        """
        (self._listeners if moves else self._listeners_between).append(wake)

    @asynccontextmanager
    async def lock(self, table_id: int) -> AsyncGenerator[None, None]:
        """Hold the table's lock. It lives exactly as long as somebody holds or awaits it."""
        lock = self._locks.setdefault(table_id, asyncio.Lock())
        async with lock:
            yield

    @asynccontextmanager
    async def open(
        self, table_id: int, interaction_id: int | None = None
    ) -> AsyncGenerator[TableTransaction, None]:
        """The table to change, under its lock and within one transaction: leaving commits, an exception undoes.

        Raises RepeatedInteractionError for an interaction that was handled before, and UserError for a table that
        does not exist.
        """
        async with self.lock(table_id), self.transaction(table_id, interaction_id) as tx:
            yield tx

    @asynccontextmanager
    async def transaction(
        self, table_id: int, interaction_id: int | None = None
    ) -> AsyncGenerator[TableTransaction, None]:
        """The table within one transaction; the caller holds its lock. Leaving commits, an exception undoes.

        Raises RepeatedInteractionError for an interaction that was handled before, and UserError for a table that is not there.
        """
        async with self._store.write() as db:
            if interaction_id is not None and await db.interactions.find(interaction_id) is not None:
                raise RepeatedInteractionError
            tx = await self._load(db, table_id)
            yield tx
            revision = (await db.tables.update(tx.table, **tx.changes)).revision
            if interaction_id is not None:
                await db.interactions.record(interaction_id, table_id, revision, "", tx.now)
        self.committed(move=tx.goes_on)

    async def catch_up(self) -> int:
        """Publish every open table anew, and the hands of those who are asked to act; how many tables there are.

        One whose events do not replay is left as it is, for whoever runs the bot to look at: the others go on.
        """
        whole = 0
        async with self._store.write() as db:
            for table in await db.tables.all_open():
                try:
                    tx = await self._load(db, table.id)
                except (StoreUnavailableError, StoreDamagedError):
                    raise
                except Exception:
                    log.exception("events.do_not_replay", table=table.id)
                    continue
                await tx.publish(tx.asked(), revision=table.revision)
                whole += 1
        self.committed()
        return whole

    def committed(self, *, move: bool = False) -> None:
        """Tell the listeners that there is something new to look at; of a mere `move` only those who follow each."""
        for wake in self._listeners if move else [*self._listeners, *self._listeners_between]:
            wake()

    async def _load(self, db: WriteTransaction, table_id: int) -> TableTransaction:
        table = await db.tables.get(table_id)
        if table is None:
            raise UserError("sorry.no_table", table=table_id)
        events = await db.deals.events(table_id, table.deal_no) if table.deal_no else []
        return TableTransaction(
            db=db,
            now=self.clock.now(),
            table=table,
            seats=await db.tables.seats(table_id),
            events=list(events),
            state=replay(events) if events else None,
            bench=await db.benches.get(table_id),
            hooks=self.hooks,
        )

    async def deal_at(self, table_id: int, revision: int) -> tuple[tuple[SeatRow, ...], State]:
        """The seats and the whole deal while it waits for computers since this revision; raises StaleRevisionError otherwise.

        The caller holds the table's lock.
        """
        async with self._store.read() as db:
            table = await self._table(db, table_id)
            waits = [row.revision for row in await db.deadlines.of_table(table_id) if row.kind == COMPUTER]
            if revision not in waits or table.status != "playing":
                raise StaleRevisionError
            return await db.tables.seats(table_id), replay(await db.deals.events(table_id, table.deal_no))

    async def deal_now(self, table_id: int) -> tuple[tuple[SeatRow, ...], State]:
        """The seats and the whole deal in play; raises StaleRevisionError when none is. The caller holds the table's lock."""
        async with self._store.read() as db:
            table = await self._table(db, table_id)
            if table.status != "playing":
                raise StaleRevisionError
            return await db.tables.seats(table_id), replay(await db.deals.events(table_id, table.deal_no))

    async def snapshot(self, table_id: int) -> Snapshot:
        """The table as everyone may see it now; raises UserError for a table that is not there."""
        async with self._store.read() as db:
            table = await self._table(db, table_id)
            seats = await db.tables.seats(table_id)
            events = await db.deals.events(table_id, table.deal_no) if table.deal_no else []
            public, private = views(replay(events) if events else None, seats)
            deals = await db.deals.deals_from(table_id, table.deal_no)
            deal, following = deals.get(table.deal_no), deals.get(table.deal_no + 1)
            row = await db.matches.latest(table_id)
            results = await db.deals.results_of_match(table_id, row.match_no) if row else []
            kept = following is not None and await db.boards.is_sealed(following)
            due = {row.kind: row.due_at for row in await db.deadlines.of_table(table_id)}
            guests, bench = await db.guests.of_table(table_id), await db.benches.get(table_id)
            tx = {seat.person_id for seat in seats if seat.person_id is not None}
            people = await db.people.get_many(tx | set(guests))
            pins = await db.pins.of_table(table_id, table.deal_no)
            closed = {person.id for person in people.values() if not person.dms_open}
            language = (await db.guilds.settings(table.guild_id)).language
            earned = await db.stats.earned_in(table_id, table.deal_no) if table.status == "between" else []
            return Snapshot(
                table=table,
                seats=seats,
                bench=bench,
                public=public,
                private=private,
                match=Match(row, (deal and deal.match_deal) or 0, ledger_of(results)) if row else None,
                counted=tuple(one for one in results if one.deal_no == table.deal_no),
                shuffle=Shuffle.of(deal, revealed=deal is not None and await db.boards.is_revealed(deal)),
                next_shuffle=Shuffle.of(following, revealed=table.status == "closed" and not kept),
                is_sealed=deal is not None and await db.boards.is_sealed(deal),
                last_moves=last_moves([mask(event, None) for event in events], seats, catalogue(language)),
                window_closes_at=due.get(WINDOW),
                moves_until=due.get(TURN),
                is_slow=TURN in due and WARN not in due,
                vote_closes_at=due.get(VOTE),
                is_paused=PAUSED in due,
                holders=holders(seats, people, pins),
                dms_closed=frozenset(seat.seat for seat in seats if seat.person_id in closed),
                starts_at=due.get(READY),
                expires_at=due.get(LOBBY),
                earned=tuple(earned),
                day_ends_at=due.get(DAILY),
                guests=tuple(Guest(people[one], standing) for one, standing in guests.items()),
                language=language,
            )

    async def _table(self, db: ReadTransaction, table_id: int) -> TableRow:
        table = await db.tables.get(table_id)
        if table is None:
            raise UserError("sorry.no_table", table=table_id)
        return table

    async def status(self, table_id: int) -> TableStatus:
        """What the table is doing now; raises UserError for a table that is not there."""
        async with self._store.read() as db:
            return (await self._table(db, table_id)).status

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
        """The open table at which this person sits and has not left his seat."""
        async with self._store.read() as db:
            own = await db.tables.open_of_person(person_id)
        return own.id if own else None

    async def find_table(self, person_id: int, channel_id: int | None) -> int:
        """The open table at which this person sits, or one of this channel that he left; raises UserError without one."""
        async with self._store.read() as db:
            own = await db.tables.open_of_person(person_id)
            if own is not None:
                return own.id
            for table in await db.tables.in_channel(channel_id) if channel_id else []:
                if any(seat.person_id == person_id for seat in await db.tables.seats(table.id)):
                    return table.id
        raise UserError("sorry.no_table_yet")
