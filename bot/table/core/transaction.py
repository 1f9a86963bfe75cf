"""The only way to change a table: what a command notes is stored as a whole, or not at all."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from bot.table.core.change import TableChange
from bot.table.core.hooks import TableHooks
from bot.table.core.table import Table
from data.ids import InteractionId
from data.transaction import WriteTransaction
from data.values import BenchRow, DeadlineRow, DealRow, SeatRow, TableRow
from league.ids import PersonId
from marriage.cards import Cards

Wake = Callable[[], None]
Begin = Callable[[], Awaitable[WriteTransaction]]


class _Stored(NamedTuple):
    """What the database holds of a table by now."""

    seats: tuple[SeatRow, ...]
    bench: tuple[BenchRow, ...]
    deals: dict[int, DealRow]
    deadlines: dict[str, DeadlineRow]
    pins: dict[PersonId, tuple[Cards, ...]]
    acts: int = 0
    """How many of the noted acts are stored."""


class TableTransaction(TableChange):
    """A change of a table under its lock.

    Most commands only note what they change, and a few statements write it at the end. The few commands that need the
    database itself, such as the end of a deal, ask for it with `database`.
    """

    def __init__(
        self,
        before: Table,
        now: int,
        begin: Begin,
        hooks: "TableHooks[TableTransaction] | None" = None,
        *,
        interaction_id: InteractionId | None = None,
        is_move: bool = True,
    ) -> None:
        """`begin` begins the transaction of the store. If it is not a move, the revision and all buttons stay valid."""
        super().__init__(before, now)
        self.hooks: TableHooks[TableTransaction] = TableHooks() if hooks is None else hooks
        self._begin = begin
        self._db: WriteTransaction | None = None
        self._interaction_id = interaction_id
        self._is_move = is_move
        self._row = before.row
        self._stored = self._present()
        self.wakes = False
        """Whether something was stored that others wait for: something to publish, or another deadline."""
        self.soonest_set: int | None = None
        """When the first of the deadlines that were set is due, in milliseconds since 1970; None if none was."""

    @classmethod
    def of_new(
        cls,
        db: WriteTransaction,
        now: int,
        row: TableRow,
        hooks: "TableHooks[TableTransaction] | None" = None,
    ) -> "TableTransaction":
        """The change that sets up a table created in this transaction of the store; end it with `finish`."""

        async def begun() -> WriteTransaction:
            return db

        tx = cls(Table(row, seats=()), now, begun, hooks)
        tx._db = db
        return tx

    async def database(self) -> WriteTransaction:
        """The transaction of the store itself, for other data than the table's. It includes what was noted so far.

        The next question, or else the commit, raises InteractionSeenError for an interaction that was handled before,
        and RevisionConflictError if the table was changed elsewhere since it was read.
        """
        if self._db is None:
            db = await self._claim()
            self._row = await db.tables.update(self._row, is_move=False)
        else:
            db = self._db
        await self._store(db)
        return db

    async def finish(self) -> Table | None:
        """Have the commit write everything that was noted, and return the table after it.

        Returns None if the command used the database itself: the table must then be read again. The commit raises the
        same errors as after `database`.
        """
        if self._db is not None:  # it may have changed the row itself
            await self._store(self._db)
            row = await self._db.tables.get(self.table.id)
            await self._db.tables.update(row or self._row, is_move=self._is_move, **self.changes)
            return None
        db = await self._claim()
        row = await db.tables.update(self._row, is_move=self._is_move, **self.changes)
        await self._store(db)
        return self.outcome(row)

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to write."""
        return self._interaction_id is not None or self._db is not None or not self.is_empty

    async def _claim(self) -> WriteTransaction:
        db = self._db = await self._begin()
        number = self._interaction_id
        if number is not None:
            await db.interactions.record(InteractionId(number), self.table.id, self.revision, "", self.now)
        return db

    async def _store(self, db: WriteTransaction) -> None:
        """Write what was noted since the last call, each kind of row in one statement, and only what differs."""
        stored, table_id = self._stored, self.table.id
        for number, deal in self.deals.items():
            if number not in stored.deals:
                await db.deals.start(deal)
            elif deal != stored.deals[number]:
                await db.deals.change(deal)
        if len(self.seats) == len(stored.seats):
            pairs = zip(self.seats, stored.seats, strict=True)
            await db.tables.change_seats(table_id, [seat for seat, before in pairs if seat != before])
        else:
            await db.tables.set_seats(table_id, self.seats)
        if self.bench != stored.bench:
            await db.benches.set(table_id, self.bench)
        earlier = self.before.played if self.deal_no == self.before.row.deal_no else 0
        acts = self.acts[stored.acts :]
        await db.deals.append_events(table_id, self.deal_no, earlier + stored.acts, acts, self.now)
        if cleared := [kind for kind in stored.deadlines if kind not in self.deadlines]:
            await db.deadlines.clear(table_id, *cleared)
        was_set = [row for kind, row in self.deadlines.items() if row != stored.deadlines.get(kind)]
        await db.deadlines.set(*was_set)
        known = [] if self.soonest_set is None else [self.soonest_set]
        self.soonest_set = min([*known, *(row.due_at for row in was_set)], default=None)
        for person_id, groups in self.pins.items():
            if groups != stored.pins.get(person_id):
                await db.pins.set(table_id, self.deal_no, person_id, groups)
        await db.outbox.put_all(self.requests.values(), self.now)
        self.wakes = self.wakes or bool(self.requests) or self.deadlines != stored.deadlines
        self._stored = self._present()
        self.requests.clear()

    def _present(self) -> _Stored:
        deals, deadlines, pins = dict(self.deals), dict(self.deadlines), dict(self.pins)
        return _Stored(self.seats, self.bench, deals, deadlines, pins, len(self.acts))
